"""`match` with every kind of pattern; conditions and loops around it."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import pytest

from tests.instrumenter.alike import assert_alike

PREAMBLE = """
import enum, dataclasses, collections
class Colour(enum.Enum): RED = 1; BLUE = 2
class Level(enum.IntEnum): LOW = 1; HIGH = 2
@dataclasses.dataclass
class Point:
    x: int
    y: int = 0
class Odd:
    __match_args__ = ("first", "second")
    def __init__(self, *values): self.values = values
    @property
    def first(self): print("first"); return self.values[0]
    @property
    def second(self): print("second"); return self.values[1]
class Eq:
    def __eq__(self, other): print("eq", other); return other == 3
    __hash__ = None
class Seq(collections.abc.Sequence):
    def __init__(self, *v): self.v = v
    def __len__(self): print("len"); return len(self.v)
    def __getitem__(self, i): print("get", i); return self.v[i]
class Map(dict):
    def get(self, key, default=None): print("map get", key); return super().get(key, default)
    def __missing__(self, key): print("missing", key); return 0
class ns: LIMIT = 10; class_ = Colour; deep = type("deep", (), {"v": "w"})
class Str(str): pass
VALUES = [0, 1, -1, 2.5, 1j, -3 + 2j, True, False, None, "", "a", "abc", b"x", b"", [], [1], [1, 2], [1, 2, 3], [[1, [2]], 3], (), (1,), (1, 2), (0, 0, 0),
    {}, {"k": 1}, {"k": 1, "m": 2}, {"k": {"n": [1, 2]}}, {1: 2, -1: 3, None: 4, 1.5: 5}, {1, 2}, range(3), Colour.RED, Colour.BLUE, Level.LOW, Level.HIGH,
    Point(1, 2), Point(0), Point(x=5, y=[1]), Odd(1, 2), Odd(3), Eq(), Seq(1, 2), Seq(), Map(k=5), Str("a"), bytearray(b"ab"), 10, "w", 3, ..., int, lambda: 0,
    collections.OrderedDict(k=3), collections.deque([1, 2]), collections.Counter("aab"), iter([1]), object, 99, 1e300, "\\u00e9"]
"""

CASES = {
    "literals": """
        case 0 | 1 | -1: return "small"
        case 2.5 | 1e300: return "float"
        case 1j: return "imaginary"
        case -3 + 2j: return "complex"
        case "" | 'abc': return "text"
        case b"x" b"": return "bytes"
        case "\\u00e9": return "accent"
        case None: return "none"
        case True | False: return "bool"
        case ("a"): return "group"
        case _: return "other"
    """,
    "sequences": """
        case []: return "empty"
        case [x]: return "one", x
        case (0, 0, *zeros): return "zeros", zeros
        case [[a, [b]], c]: return a, b, c
        case [first, *_, last] if first == last: return "same", first
        case [1, *rest]: return "rest", rest
        case *init, 2: return "init", init
        case x, y: return "pair", x, y
        case [*all_]: return "all", all_
    """,
    "mappings": """
        case {"k": 1, **rest} if rest: return "rest", rest
        case {"k": {"n": [x, *_]}}: return "deep", x
        case {"k": int(value) | float(value), "m": _}: return "both", value
        case {1: a, -1: b, None: c, 1.5: d}: return a, b, c, d
        case {ns.deep.v: _}: return "dotted"
        case {"k": value}: return "k", value
        case {}: return "any mapping"
    """,
    "classes": """
        case bool(b): return "bool", b
        case int(n) if n > 5 and n % 2: return "odd", n
        case int() | float(): return "number"
        case str(s) if not s: return "empty text"
        case Str(): return "Str"
        case str(s): return "text", s
        case Point(0, 0): return "origin"
        case Point(x=5, y=[z]): return "list", z
        case Point(x, y=2) as p: return "two", x, p
        case Odd(1, second=2): return "odd both"
        case Odd(first=f): return "odd first", f
        case Colour(): return "colour"
        case bytes() | bytearray() as data: return data
        case dict(d): return "dict", d
        case collections.deque([1, 2]): return "never, deques take no positional"
        case list(l) | tuple(l): return "list", l
        case type(): return "type"
        case object(): return "object"
    """,
    "values": """
        case Colour.RED: return "red"
        case Level.HIGH: return "high"
        case ns.LIMIT: return "limit"
        case ns.class_.BLUE: return "blue"
        case ns.deep.v: return "deep"
    """,
    "or and as": """
        case (1 | 2 | 3) as small: return "small", small
        case [1 as one, (2 | 3) as more] | [more, 1 as one, *_]: return one, more
        case {"k": (1 | 5) as v} as whole: return v, whole
        case ([] | {} | "") as empty: return "empty", empty
        case (str() | bytes()) as s if (n := len(s)) > 0: return s, n
        case whatever: return "captured", type(whatever)
    """,
    "guards": """
        case x if (print("guard", type(x).__name__), False)[1]: return "never"
        case [a, b] if a < b < 5: return "rising"
        case [a, *_] | (a) if a: return "truthy"
        case int(x) if not x: return "zero"
        case {"k": v, **r} if v and r or not r: return "v"
        case y if y is None or y == "" or y in ([], ()): return "nothing"
        case _ if (z := 5) > 4: return "z", z
    """,
}


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES)
def test_patterns(cases):
    body = "\n".join("        " + line.strip() for line in cases.strip().splitlines())
    assert_alike(f"""{PREAMBLE}
def f(v):
    match v:
{body}
for v in VALUES:
    try: print(f(v))
    except Exception as e: print(type(e).__name__, e)
""")


SUBJECTS = {
    "subjects": """
        def f(*a, **k):
            match a:
                case [x]: return x
            match *a, 1:
                case [*x, y]: return x, y
            match a[0], k:
                case x, y: return x
            match a,:
                case (x,): return x
            match (yielded := a) and (k or a):
                case x: return x, yielded
            return None
        print(f(1), f(), f(1, 2, k=3))
        def g():
            match (yield 1):
                case 2 if (yield 3): return (yield 4)
                case x: return x
        for sent in ((2, 1), (2, 0), (5, 0)):
            it = g(); log = [next(it)]
            try:
                for s in (*sent, 7): log.append(it.send(s))
            except StopIteration as e: log.append(e.value)
            print(log)
        match = 1; case = [2]; _ = 3; type = 4
        match[case[0] - 1:1] if 0 else case[0]
        match (case):
            case [x] if x == case[0] and match: print(x, _, type)
        match -match:
            case -1: print('negative')
        match not match:
            case False: print('not')
        match [case, match]:
            case [[a], b]: print(a + b)
        match {'a': match}:
            case {'a': c}: print(c)
        match lambda: 1:
            case fn: print(fn())
        match f"{match}" 'b':
            case '1b': print('text')
        match 1 if match else 2:
            case 1: pass
        match print, 1 < match < 3:
            case p, False: p('chain')
        match x:
            case 1: unreached = 1
            case 2:
                class InCase: y = x + 1
                def in_case(): return x
                for i in range(3):
                    if i == 1: continue
                    if i == 2: break
                match InCase.y:
                    case 3: print(in_case(), i)
    """,
    "bindings": """
        def f(v):
            match v:
                case [a, b, 3]: pass
                case [a, c]: pass
            return sorted(locals().items(), key=str)
        print(f([1, 2, 4]), f([1, 2]), f(5))
        class C:
            match 5:
                case int(n): m = n + 1
        print(C.n, C.m)
        for v in [1, (2, 3)]:
            match v:
                case (p, q) if p > q: print('no')
                case (p, q): print(p, q); continue
                case r: print('r', r); break
        def loop(n):
            while True:
                match n:
                    case 0: return 'done'
                    case k if k % 2: n -= 1
                    case _: n //= 2
        print(loop(37))
        try:
            match object():
                case int(a, b, c): pass
            match 5:
                case int(a, b): pass
        except TypeError as e: print(e)
        class Bad: __match_args__ = 'x'
        try:
            match Bad():
                case Bad(1): pass
        except TypeError as e: print(e)
        class Dup: __match_args__ = ('x',); x = 1
        try:
            match Dup():
                case Dup(1, x=1): pass
        except TypeError as e: print(e)
        try:
            match 5:
                case undefined.x: pass
        except NameError as e: print(e)
        try:
            match 1:
                case print(): pass
        except TypeError as e: print(e)
        try:
            match {}:
                case {}: raise KeyError('in case')
        except KeyError as e: print(e, e.__traceback__.tb_lineno)
    """,
}  # fmt: skip


@pytest.mark.parametrize("source", SUBJECTS.values(), ids=SUBJECTS)
def test_subjects_and_bindings(source):
    assert_alike(source)
