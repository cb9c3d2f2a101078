"""Original and twin, run side by side over an interface with Python's own meaning."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import sys

import pytest

from tests.instrumenter import native
from tests.instrumenter.support import assert_same_run

RECORDER = '''
class R:
    """Records every operation on it, in order."""
    def __init__(self, name, value=0, store=None):
        self.__dict__.update(name=name, value=value, store=store)
    def __repr__(self): log.append(("repr", self.name)); return f"<{self.name}>"
    def __bool__(self): log.append(("bool", self.name)); return bool(self.value)
    def __call__(self, *a, **k): log.append(("call", self.name, len(a), sorted(k))); return R(self.name + "()", self.value)
    def __getitem__(self, key): log.append(("get", self.name, str(key))); return R(self.name + "[]", self.value)
    def __setitem__(self, key, v): log.append(("set", self.name, str(key), str(v)))
    def __delitem__(self, key): log.append(("del", self.name, str(key)))
    def __iter__(self): log.append(("iter", self.name)); return iter([1, 2, 3])
    def __contains__(self, item): log.append(("contains", self.name, str(item))); return bool(self.value)
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        log.append(("attr", self.name, name)); return R(self.name + "." + name, self.value)
    def __setattr__(self, name, v): log.append(("setattr", self.name, name, str(v)))
    def __str__(self): return f"[{self.name}]"
    def __format__(self, spec): log.append(("format", self.name, spec)); return f"{self.name}:{spec}"
    def __index__(self): log.append(("index", self.name)); return self.value
    def __hash__(self): return 1
def _op(name):
    def op(self, other=None): log.append((name, self.name, str(other))); return R(f"{name}({self.name})", self.value)
    return op
for _name in """add sub mul truediv floordiv mod pow matmul lshift rshift and or xor radd rsub lt le eq ne gt ge
        neg pos invert iadd isub imul imod ipow iand ior ixor ilshift irshift ifloordiv itruediv imatmul""".split():
    setattr(R, f"__{_name}__", _op(_name))
def t(name, value=1): log.append(("load", name)); return R(name, value)
'''


def assert_recorded(source: str) -> None:
    assert_same_run(RECORDER + source, native)


@pytest.mark.parametrize("operator", "+ - * / // % ** @ << >> & | ^ < <= == != > >= in is".split())
def test_binary_operands_are_evaluated_left_to_right(operator):
    assert_recorded(
        f"result = t('a') {operator} t('b') {operator if operator not in {'is', 'in'} else '+'} t('c')"
    )


@pytest.mark.parametrize("operator", "+= -= *= /= //= %= **= @= <<= >>= &= |= ^=".split())
def test_augmented_assignment_keeps_its_order(operator):
    assert_recorded(
        f"""
def f(a, i):
    x = t('x')
    x {operator} t('v')
    t('o').p {operator} t('v')
    a.p {operator} t('v')
    a.q[t('k')] {operator} t('v')
    a[i] {operator} (a := t('v'))
    a[1:t('k')] {operator} t('v')
    t('o')[t('k'), 1] {operator} (t('v')
       if a else 2)
    a[i:] {operator} 1; a[0] {operator} 2
    return x
result = f(t('a'), 3)
o = t('o')
o.p {operator} t('v')
o[t('k')] {operator} t('v')
class C:
    x = 5
    y = t('y')
    y {operator} t('v')
"""
    )


@pytest.mark.parametrize("truths", [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
@pytest.mark.parametrize(
    "condition",
    ["a and b and c", "a or b or c", "not a or b and not c", "not (a and b)", "(a if b else c)", "a < b < c", "a < b() < c in a",
     "a is b is not c", "a not in b", "(a and 1) or b", "a and None", "not not a", "0 < 1 < 2 and a", "(y := a) and y"],
)  # fmt: skip
def test_conditions_ask_each_truth_once_and_in_order(condition, truths):
    assert_recorded(
        f"""
def f(a, b, c):
    if {condition}: log.append(1)
    elif c: log.append(2)
    else: log.append(3)
    x = {condition}
    y = 1 if {condition} else 2
    z = [i for i in (1, 2) if {condition.replace("y :=", "w :=")} if i > 1]
    while {condition}:
        log.append("loop"); break
    else: log.append("else")
    assert {condition}, (log.append("message"), "no")
    return x, y, z
result = f(R('a', {truths[0]}), R('b', {truths[1]}), R('c', {truths[2]}))
"""
    )


SNIPPETS = {
    "stores": """
a = t('a')
a[t('i')] = t('v')
a[t('i')], a[t('j')] = t('v'), t('w')
a[t('i')] = a[t('j')] = t('v')
a[t('i'):t('j')] = t('v'), t('w')
a[t('i')] = (
    t('v'))
a[t('i')].x = t('v')
a.x[t('i')] = t('v'); b = 2
(a[t('i')]) = 3
a[t('i')]: t('annotation') = t('v')
for a[t('i')] in t('b'): pass
[a[t('i')], *c] = t('b')
del a[t('i')], a[t('j')]
del a[t('i')]
del (a[t('i'):])
result = c
""",
    "calls": """
def f(*args, **kwargs): log.append((len(args), kwargs)); return f
f(1, *[2], k=3, **{'m': 4})(5)(x for x in (1, 2))
t('o').m(t('a')).n(k=t('b'))
result = len(str(max([1, 2], key=lambda v: -v)))
class A:
    def __init__(self): self.__secret = 1
    def who(self): return __class__.__name__, self.__secret
class B(A):
    def __init__(self, x=1 + t('d').value):
        super().__init__(); self.x = x
    def locals_(self): y = 1; return sorted(locals())
    def vars_(self, q=2): return sorted(vars()), eval('q + 1')
b = B()
log.append((b.who(), b.locals_(), b.vars_()))
""",
    "subscripts": """
x = list(range(20))
result = x[1], x[-1], x[1:5], x[:5:2], x[::-1], x[:], x[1:][0], "abc"[1], {'k': 1}['k'], x[len(x) - 1]
a = t('a')
a[1, 2], a[1:2, ...], a[()], a[t('i'),], a[(t('i'))], a[
    t('i')  # comment
    :
    t('j')
    ], a[t('i') : : t('k')], a[i := 2]
""",
    "fstrings": """
a, w, text = 3.14159, 8, 'é"'
o = t('o')
result = [f"{a}", f"{a:.2f}", f"{a:{w}.{w - 5}f}|", f"{a!r:>{w}}", f"{text!a}{text!s}", f"{{}}{a}{{{a}}}", f"{a=}",
    f"{ a = :.1f}", f"{a + w = !s}", rf"\\d{a}\\n", f"\\t{a}\\\\", f"\\N{BULLET}{a}", f'''
{a} "quoted"
  {w:>{
  w}}''', 'p' f'{a}' "q" rf'\\{w}' 'r', f"{'nested ' + f'{w}'}", f"{(lambda x: x + 1)(w)}", f"{[i for i in (1, 2) if i]}",
    f"{o}{o!r}{o:x{w}}", f"{a if w else 0}", f"{ {'k': 1}['k'] }", f"{w:<5}'", f'{w}"', f"{a}" f"{w}", f'''{a}'{w}\"''',
    f'''{text
      }''', f"", f"{a,}", f"{*[1],}", f"{w:%}", ("x"
    f"{w}"  # comment
    "y"), f"{w!s:}", f"\\x41{w}\\u00e9", f"a\\
b{w}", F"{w}", fR"{w}\\n", f"{'{'}{w}{'}'}", f"{w:0{w}d}"]
""",
    "generators": """
def g(n):
    got = yield n + 1
    log.append(got)
    x = [(yield got), (yield)]
    x[0] = yield from iter([n, n * 2])
    n += yield n
    return n if (yield) else -n
it = g(1)
result = [next(it), it.send(5), it.send(1), it.send(2), next(it), it.send(3), it.send(4)]
try: it.send(0)
except StopIteration as stop: log.append(stop.value)
""",
    "async": """
import asyncio
class Manager:
    async def __aenter__(self): return 3
    async def __aexit__(self, *e): log.append(e[0])
async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
async def main():
    total = 0
    async for i in numbers(4):
        total += i * await double(i)
    async with Manager() as m: total -= m
    items = [x + 1 async for x in numbers(5) if x % 2 if await double(x)]
    pairs = {k: v for k in [1, 2] async for v in numbers(k)}
    return total, items, pairs, f"{await double(4)}", [await double(x) for x in [1, 2]][0]
async def double(x): return x * 2
result = asyncio.run(main())
""",
    "match": """
def f(v):
    match v:
        case 0 | -1: return "small"
        case int(n) if n > 5 and n % 2: return "odd"
        case [x, *rest] if rest: return x, rest
        case {"k": value, **more}: return value, more
        case str() as s if not s: return "empty"
        case (1.5 | None): return "other"
    match v, 1:
        case a, b if a: return a, b
        case _: return "none"
result = [f(v) for v in (0, -1, 7, 6, [1, 2], [1], {"k": 1, "m": 2}, "", "s", None, 1.5, (), 0.0)]
""",
    "classes": """
import enum, dataclasses, typing, collections
class Colour(enum.Enum):
    RED = enum.auto(); BLUE = RED + 1 if False else enum.auto()
    @property
    def low(self): return self.name.lower()[0]
class Flag(enum.Flag): A = 1 << 0; B = 1 << 1; C = A | B
@dataclasses.dataclass(order=True)
class D(typing.Generic[typing.TypeVar("T")]):
    x: int = 1 + 1
    y: list[int] = dataclasses.field(default_factory=lambda: [1] * 2)
class P(typing.NamedTuple):
    a: int = 1
    b: str = "x" * 3
class Q(collections.namedtuple("Q", "a b")):
    __slots__ = ()
    total = property(lambda self: self.a + self.b)
class S:
    __slots__ = ("a",) + ("__b",)
    def __init__(self): self.a = 1; self.__b = [0]; self.__b[0] += 5; self.a -= 2
    def get(self): return self.a, self.__b[self.a + 1]
class Meta(type):
    def __getitem__(cls, key): return key * 2
    def __contains__(cls, key): return key > 2
class M(metaclass=Meta): n = [i for i in range(3)]; m = n[0]
result = [c.low for c in Colour], Flag.C & Flag.A, D(), D(1) < D(2), P(), Q(1, 2).total, S().get(), M[4], 3 in M, M.n
log.append((Q.__module__, Colour.RED.name, P.__annotations__, D.__module__, S.__slots__))
""",
    "exceptions": """
class E(Exception): pass
def f(n):
    try:
        try:
            if n == 1: raise E(n) from ValueError(n * 2)
            return [10 // n, (1, 2)[n - 1], {"a": 1}["ab"[:n]]]
        except (E, ZeroDivisionError) as e:
            log.append((type(e).__name__, e.__cause__ and e.__cause__.args[0] + 1)); raise
        else: log.append("else")
        finally: log.append(("finally", n))
    except Exception as e:
        return repr(e), e.__traceback__.tb_lineno
result = [f(n) for n in (0, 1, 2, 3)]
""",
    "scopes": """
counter = 0
def bump(by=1):
    global counter
    counter += by
    return counter
def outer():
    n = 0
    def inner():
        nonlocal n
        n += 1; n *= 2
        return n
    return inner() + inner() - n
class K:
    x = 1
    x += 1
    y = [x for x in range(x)]
    z = (lambda x=x: x * 2)()
def walrus(xs):
    return [y := x + 1 for x in xs if (z := x) > 1], y, z, (w := len(xs)) + w
def defaults(a, b=counter + 1, *c, d=[1][0], **e): return a + b + d, c, e
def comps(m): return {k: v for k, v in m.items() if v > 1}, {i % 2 for r in m.values() for i in range(r)}, sum(i for i in m)
result = bump(), bump(2), outer(), K.x, K.y, K.z, walrus([1, 2, 3]), defaults(1, 2, 3, e=4), comps({1: 2, 3: 4})
log.append([n for n in globals() if n.startswith("_t")])
log.append(bump.__code__.co_varnames)
""",
    "frames": """
import sys, warnings
def where(): return sys._getframe(1).f_lineno, sys._getframe(1).f_code.co_name
def caller(x):
    return [where(), x and where(), (where(),
        where())]
def warn(): warnings.warn("w", stacklevel=2)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warn()
result = caller(1), [w.lineno for w in caught]
""",
    "statements": """
import os.path as p, sys
from os import sep as s
def f(*, a, b=2): "doc"; return a, b
def deco(g): log.append(g.__name__); return g
@deco
@(lambda g: g)
def h(a, /, b, *, c): return a - b - c
with open(p.join(p.dirname(p.abspath(sys.executable)), p.basename(sys.executable)), "rb") as x, x as y: log.append(len(x.read(1)))
for i in range(5):
    if i == 1: continue
    if i > 3: break
else: log.append("no")
while i:
    i -= 1
else: log.append(("done", i))
a, (b, *c), d = 1, (2, 3, 4), 5
a = b = c; c[-1] = 9
lst = [*c, *range(3)]; dct = {**{"a": 1}, "b": lst[0]}; st = {1, *lst}
result = f(a=1), h(1, 2, c=3), lst, dct, st, p.sep == s, 1 if a else 2, (yes := 5) + yes, ..., b"x"[0], 1_000j, f.__doc__
assert a, "m"
if not a: pass
elif a is b: log.append("same")
del a, dct["a"], lst[0:2]
exec("z = 1 + 1"); log.append(z)
print("printed", file=sys.stderr)
""",
    "whitespace": """
x=[1,2,3];y=(-1)
if(x):z=not-y;w=x[0]if(y)else-x[1]
v=(x[0]
   +x[1]  # comment
   *\\
   x[2])
def f(a,
      b=(v+
         1)): return(a)if(b)else(-a)
if (x[0]
    and
    (not y
     or v
    )
): u = 1
if\tx  : \tpass
r = x [ 0 ] , x [ - 1 ] ,f ( 1 )
q = "a" in"abc", 1 in[1], [i for i in[1]if i], f(1)if x else 0,"%s"%x
while(v): v=0
assert(x),"m"
for(i)in(x): pass
result = x, y, z, w, v, f(1), u, r, q
""",
}


@pytest.mark.parametrize("snippet", SNIPPETS.values(), ids=SNIPPETS)
def test_snippets_run_alike(snippet):
    assert_recorded(snippet)


FAILING = {
    "name": "x = (1 +\n  missing)",
    "operands": "def f(a):\n  return (a\n     + 'x')\nf(1)",
    "index": "x = [1]\ny = x[\n  5]",
    "store": "x = (1,)\n\nx[0] = 2",
    "assertion": "def f(x):\n  assert x > 1, f'{x}!'\nf(0)",
    "call": "def g(): raise KeyError\ndef f():\n  return [1,\n   g(), 3]\nf()",
    "iteration": "for x in 5: pass",
    "unpacking": "a, b = [1]",
    "truth": "class C:\n  def __bool__(self): return 1\nif C(): pass",
    "uncalled": "x = 1\nx()",
    "contains": "x = 1 in 2",
    "format": "x = f'{1:zz}'",
    "exit": "raise SystemExit(3)",
}


@pytest.mark.parametrize("source", FAILING.values(), ids=FAILING)
def test_failures_are_those_of_the_original(source):
    from tests.instrumenter.support import outcome, twin_of

    twin = twin_of(source)
    original = outcome(source, compile(source, "sample.py", "exec"))
    traced = outcome(source, compile(twin.source, "sample.py", "exec"), native, twin.prelude_name)
    assert original[2][:2] == traced[2][:2]
    # The frames of the interface itself come last.
    assert original[2][2] == traced[2][2][: len(original[2][2])]


NEWER = {
    (3, 11): [
        """
def f(n):
    try:
        raise ExceptionGroup("g", [ValueError(1 + n), TypeError(2)])
    except* ValueError as e: log.append(e.exceptions[0].args[0] + 1)
    except* (TypeError, KeyError): log.append("type")
f(1)
a = t('a')
result = a[*[1, 2]], a[0, *[3]]
def g(*args: *tuple[int, ...]): return args[0] + 1
log.append(g(1))
with (open("/dev/null") as x, open("/dev/null") as y): log.append(x.name + y.name)
"""
    ],
    (3, 12): [
        """
type Alias[T] = list[T] | dict[str, T]
def first[T: (int, str)](items: list[T], default: T = 1 + 1) -> T: return items[0] if items else default
class Box[T](list[T]):
    def top(self) -> T: return self[-1] + 1
result = first([3]), first([]), Box([1, 2]).top(), Alias.__value__
""",
        """
x = {"a": 1}
result = f"{x["a"]}", f"{f"{x["a"] + 1}"}", f"{'\\n'.join(["1", "2"])}", f"{
    x["a"]  # comment
    + 1
}", f'''{
    x["a"] =
}'''
""",
    ],
    (3, 13): ["class A[T = int]: pass\nresult = A.__type_params__[0].__default__"],
}


@pytest.mark.parametrize(
    ("version", "source"), [(version, source) for version, sources in NEWER.items() for source in sources]
)
def test_newer_grammar_runs_alike(version, source):
    if sys.version_info < version:
        pytest.skip("grammar of a later Python")
    assert_recorded(source)
