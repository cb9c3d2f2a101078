"""Random programs from a seed: every kind of expression and statement, values of many types, bounded work."""

# ruff: noqa: E501 - the programs are dense on purpose

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

PRELUDE = '''
class R:
    """Prints every operation on it; some fail, some answer with what is no bool."""
    def __init__(self, n): self.n = n
    def __repr__(self): return f"R{self.n}"
    def __bool__(self): print("bool", self.n); return self.n % 3 != 0
    def __getitem__(self, k): print("get", self.n, k); return self.n + 1 if self.n % 5 else R(self.n // 2)
    def __setitem__(self, k, v): print("set", self.n, k, clip(v))
    def __delitem__(self, k): print("del", self.n, k)
    def __iter__(self): print("iter", self.n); return iter(range(self.n % 3))
    def __contains__(self, x): print("in", self.n, clip(x)); return self.n % 2
    def __call__(self, *a, **k): print("call", self.n, len(a), sorted(k)); return self.n - 1
    def __enter__(self): print("enter", self.n); return self.n
    def __exit__(self, t, e, tb): print("exit", self.n, t); return self.n % 4 == 0
    def __format__(self, s): print("format", self.n, s); return f"<{self.n}{s}>"
    def __eq__(self, o): print("eq", self.n); return self.n == getattr(o, "n", o)
    def __hash__(self): return self.n % 10
    def __index__(self): print("index", self.n); return self.n
def _op(name):
    def op(self, *o):
        print(name, self.n, *map(clip, o))
        if self.n % 7 == 6: return NotImplemented
        return R(self.n + 1) if self.n % 2 else self.n
    return op
for _n in ("add sub mul mod floordiv and or xor lt le gt ge neg pos invert radd rsub rmul iadd isub imul "
           "lshift rshift matmul truediv pow ior iand").split():
    setattr(R, f"__{_n}__", _op(_n))
def clip(v, depth=3):
    """A small value of the same type, so that nothing grows."""
    if isinstance(v, int) and not isinstance(v, bool): return v if -10**6 < v < 10**6 else hash(v) % 1000
    if isinstance(v, float): return v if abs(v) < 1e6 else 2.5
    if isinstance(v, complex): return 1j
    if isinstance(v, (str, bytes, tuple)) and len(v) > 8: return v[:8]
    if isinstance(v, list) and len(v) > 8: del v[8:]
    if isinstance(v, dict) and len(v) > 8: v.clear()
    return v
def note(x): print("note", x); return x
def failed(e):
    t, lines = e.__traceback__, []
    while t:
        if t.tb_frame.f_code.co_filename == __file__: lines.append((t.tb_frame.f_code.co_name, t.tb_lineno))
        t = t.tb_next
    print(type(e).__name__, e, lines, repr(e.__context__))
def attempt(f):
    try: print(f.__name__, shown(f()))
    except Exception as e: failed(e)
def shown(v, depth=3):
    if isinstance(v, (list, tuple)) and depth: return type(v)(shown(x, depth - 1) for x in v)
    return v if type(v) in (int, str, bytes, float, bool, type(None), R, dict, set) else type(v).__name__
class Box: pass
a, b, c = 3, -2, 0
s, t, u = "text", "", "a%sb"
l, m, n = [1, 2, 3], [], [[1], [2, [3]]]
d, e = {"k": 1, 2: "v"}, {}
x, y, z = 1.5, R(4), R(7)
o = Box(); o.p = 1; o.q = [5, 6]; o.r = o
'''

NAMES = "a b c s t u l m n d e x y z o.p o.q o.r.p".split()
BINARY = "+ - * // % @ & | ^ << >> / **".split()
COMPARE = "< <= > >= == != is in not_in is_not".split()


class Programs:
    """Writes programs; the same seed gives the same ones.

    Attributes:
        random: the source of all choices.
        local: names that are certainly bound where an expression is written.
        assignable: whether `:=` may stand here.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.local: list[str] = []
        self.assignable = True
        self.counter = 0

    def program(self, functions: int = 6) -> str:
        """A module with some functions and classes, each of them run."""
        parts = [PRELUDE]
        for index in range(functions):
            kind = self.random.choice(
                [self.function, self.function, self.generator, self.a_class, self.coroutine]
            )
            parts.append(kind(f"f{index}"))
        return "\n".join(parts)

    # -- expressions -----------------------------------------------------------------------------

    def atom(self) -> str:
        r = self.random
        if r.random() < 0.65:
            return r.choice(NAMES + self.local * 2)
        return r.choice(
            ["0", "1", "2", "-1", "7", "1.5", "''", "'ab'", "b'xy'", "None", "True", "False", "()", "[]", "{}",
             "(1, 2)", "[1, 'b']", "{'k': 2}", "{1, 2}", "...", "R(2)", "R(5)", "R(6)", "'%d'", "'k'", "2j"]
        )  # fmt: skip

    def expr(self, depth: int = 2) -> str:
        if depth <= 0:
            return self.atom()
        made = self.random.choice(self.kinds())(depth - 1)
        return made if self.random.random() < 0.3 else f"({made})"

    def kinds(self) -> list[Callable[[int], str]]:
        common = [
            self.binary,
            self.binary,
            self.unary,
            self.compare,
            self.chain,
            self.boolean,
            self.subscript,
        ]
        return [*common, self.sliced, self.ternary, self.call, self.comprehension, self.fstring, self.display,
                self.walrus, self.function_value, self.attribute, self.noted]  # fmt: skip

    def binary(self, depth: int) -> str:
        operator = self.random.choice(BINARY)
        right = (
            self.random.choice(["2", "3", "-1", "b"]) if operator in {"**", "<<"} else f"({self.expr(depth)})"
        )
        return f"clip({self.expr(depth)}) {operator} {right}"

    def unary(self, depth: int) -> str:
        return f"{self.random.choice(['-', '+', '~', 'not ', 'not not '])}({self.expr(depth)})"

    def operator(self) -> str:
        return self.random.choice(COMPARE).replace("_", " ")

    def compare(self, depth: int) -> str:
        return f"({self.expr(depth)}) {self.operator()} ({self.expr(depth)})"

    def chain(self, depth: int) -> str:
        parts = [f"({self.expr(depth)})"]
        for _ in range(self.random.choice([2, 2, 3])):
            parts += [self.operator(), self.random.choice([f"({self.expr(depth)})", self.atom()])]
        return " ".join(parts)

    def boolean(self, depth: int) -> str:
        operator = self.random.choice([" and ", " or "])
        return operator.join(f"({self.expr(depth)})" for _ in range(self.random.choice([2, 2, 3])))

    def subscript(self, depth: int) -> str:
        return f"({self.expr(depth)})[{self.expr(depth)}]"

    def sliced(self, depth: int) -> str:
        bounds = [self.random.choice(["", "1", "-1", "a", self.expr(depth - 1)]) for _ in range(2)]
        return f"({self.expr(depth)})[{bounds[0]}:{bounds[1]}{self.random.choice(['', ':2', ':-1', ':'])}]"

    def ternary(self, depth: int) -> str:
        return f"({self.expr(depth)}) if ({self.expr(depth)}) else ({self.expr(depth)})"

    def call(self, depth: int) -> str:
        function = self.random.choice(
            "len str repr bool list tuple sorted sum max min int abs type R note set dict iter".split()
            + "isinstance y z o.q.count s.upper l.index d.get print reversed enumerate range".split()
        )
        if function == "range":
            return "range(a)"
        arguments = [self.expr(depth)]
        if self.random.random() < 0.25:
            arguments.append(
                self.random.choice([self.expr(depth), f"*({self.expr(depth)})", f"k=({self.expr(depth)})"])
            )
        return f"{function}({', '.join(arguments)})"

    def comprehension(self, depth: int) -> str:
        variable = f"v{self.random.randrange(3)}"
        before, assignable = self.local, self.assignable
        self.assignable = False
        iterable = f"({self.expr(depth)})"
        self.local = [*self.local, variable]
        element = self.expr(depth)
        condition = f" if ({self.expr(depth)})" if self.random.random() < 0.6 else ""
        more = f" for {variable}w in ({self.expr(depth - 1)})" if self.random.random() < 0.3 else ""
        self.local, self.assignable = before, assignable
        clause = f"for {variable} in {iterable}{more}{condition}"
        form = self.random.choice(
            ["[{e} {c}]", "list(({e}) {c})", "[*({e} {c})]", "{{repr({e}): {e2} {c}}}", "any({e} {c})"]
        )
        return form.format(e=f"({element})", e2=variable, c=clause)

    def fstring(self, depth: int) -> str:
        field = self.random.choice(["", "", "!r", "!s", ":>{a}", ":{s}", "!r:>9", ":5"])
        inner = self.expr(depth)
        if any(mark in inner for mark in "'\"\\\n#:!{"):
            inner = "a"
        return f'f"{self.random.choice(["", "x{{}}", "%"])}{{({inner}){field}}}{{s}}"'

    def display(self, depth: int) -> str:
        one, two = self.expr(depth), self.expr(depth)
        return self.random.choice(
            [
                f"[{one}, ({two})]",
                f"({one}, {two})",
                f"{{'k': {one}, **({two})}}",
                f"[*({one}), {two}]",
                f"{{'k': ({one}), 'j': {two}}}",
            ]
        )

    def walrus(self, depth: int) -> str:
        if not self.assignable:
            return self.expr(depth)
        value = self.expr(depth)
        return f"({self.random.choice('wg')} := ({value}))"

    def function_value(self, depth: int) -> str:
        before, self.local = self.local, [*self.local, "h"]
        assignable, self.assignable = self.assignable, False
        body = self.expr(depth)
        self.local, self.assignable = before, assignable
        return f"(lambda h, i=({self.expr(depth)}): {body})({self.expr(depth)})"

    def attribute(self, depth: int) -> str:
        return f"({self.expr(depth)}).{self.random.choice(['n', 'real', '__class__', 'p', 'q'])}"

    def noted(self, depth: int) -> str:
        return f"note({self.expr(depth)})"

    # -- statements ------------------------------------------------------------------------------

    def block(self, depth: int, indent: str, inside: str = "function") -> str:
        return "".join(self.statement(depth, indent, inside) for _ in range(self.random.choice([1, 2, 2, 3])))

    def statement(self, depth: int, indent: str, inside: str) -> str:
        simple = [
            self.assignment,
            self.assignment,
            self.augmented,
            self.augmented,
            self.deletion,
            self.expression,
            self.assertion,
        ]
        compound = [
            self.condition,
            self.loop,
            self.while_loop,
            self.attempt,
            self.managed,
            self.matched,
            self.nested,
        ]
        if depth <= 0 or self.random.random() < 0.5:
            text = f"{indent}try: {self.random.choice(simple)()}\n{indent}except Exception as error: failed(error)\n"
            return text + self.leaving(indent, inside)
        return self.random.choice(compound)(depth - 1, indent, inside)

    def leaving(self, indent: str, inside: str) -> str:
        if self.random.random() > 0.1:
            return ""
        choices = {"loop": ["break", "continue"], "function": ["return a"], "class": ["pass"]}
        return f"{indent}{self.random.choice(choices[inside])}\n"

    def target(self) -> str:
        return self.random.choice(
            ["w", "o.p", "o.q", "o.r.p", f"l[{self.expr(1)}]", f"d[{self.expr(1)}]", f"o.q[{self.expr(1)}]", f"y[{self.expr(1)}]",
             f"({self.expr(1)})[{self.expr(1)}]", f"n[0][{self.expr(1)}]", "note(o).p", "l[a:]", f"l[{self.expr(0)}:2]", "o.r.q[0]"]
        )  # fmt: skip

    def assignment(self) -> str:
        value = f"clip({self.expr()})"
        return self.random.choice(
            [f"{self.target()} = {value}", f"{self.target()} = {self.target()} = {value}", f"{self.target()}, *{self.target()} = {self.expr()}",
             f"[{self.target()}, ({self.target()}, w)] = {self.expr()}, {self.expr()}", f"ann: note('never') = {value}", f"{self.target()} = (\n {value})"]
        )  # fmt: skip

    def augmented(self) -> str:
        operator = self.random.choice("+= -= *= //= %= |= &= ^=".split())
        return f"{self.target()} {operator} clip({self.expr(2)})"

    def deletion(self) -> str:
        return f"del {self.random.choice([f'd[{self.expr(1)}]', f'l[{self.expr(1)}]', f'y[{self.expr(1)}]', 'o.q[:1]', f'o.q[0], l[{self.expr(1)}]'])}"

    def expression(self) -> str:
        return self.expr()

    def assertion(self) -> str:
        return f"assert {self.expr()}, {self.expr(1)}"

    def condition(self, depth: int, indent: str, inside: str) -> str:
        text = f"{indent}if {self.expr()}:\n{self.block(depth, indent + ' ', inside)}"
        if self.random.random() < 0.5:
            text += f"{indent}elif {self.expr(2)}:\n{self.block(depth, indent + ' ', inside)}"
        return text + f"{indent}else:\n{self.block(depth, indent + ' ', inside)}"

    def loop(self, depth: int, indent: str, inside: str) -> str:
        head = f"{indent}for {self.random.choice(['i', 'i, *j', 'o.p', 'o.q[0]'])} in list({self.expr(2)})[:3]:\n"
        rest = (
            f"{indent}else:\n{self.block(depth, indent + ' ', inside)}" if self.random.random() < 0.4 else ""
        )
        return head + self.block(depth, indent + " ", "loop") + rest

    def while_loop(self, depth: int, indent: str, inside: str) -> str:
        self.counter += 1
        turns = f"turns{self.counter}"
        body = f"{indent} {turns} += 1\n{self.block(depth, indent + ' ', 'loop')}"
        return f"{indent}{turns} = 0\n{indent}while {turns} < 3 and ({self.expr(2)}):\n{body}"

    def attempt(self, depth: int, indent: str, inside: str) -> str:
        text = f"{indent}try:\n{self.block(depth, indent + ' ', inside)}"
        kind = self.random.choice(
            ["TypeError", "(KeyError, IndexError)", "Exception", "(ValueError, AttributeError)"]
        )
        text += f"{indent}except {kind} as error:\n{indent} failed(error)\n{self.block(depth, indent + ' ', inside)}"
        if self.random.random() < 0.4:
            text += f"{indent}else:\n{self.block(depth, indent + ' ', inside)}"
        if self.random.random() < 0.4:
            text += f"{indent}finally:\n{self.block(depth, indent + ' ', 'class')}"
        return text

    def managed(self, depth: int, indent: str, inside: str) -> str:
        return f"{indent}with R({self.random.randrange(9)}) as {self.random.choice(['w', 'o.p', 'o.q[0]'])}, R({self.random.randrange(9)}):\n{self.block(depth, indent + ' ', inside)}"

    def matched(self, depth: int, indent: str, inside: str) -> str:
        patterns = [
            "0 | 1",
            "[p, *q]",
            "{'k': p, **q}",
            "str() as p",
            "R(n=p)",
            "int(p)",
            "(1, 2)",
            "None",
            "[[p], *_]",
        ]
        text = f"{indent}match {self.expr(2)}:\n"
        for pattern in self.random.sample(patterns, 2):
            guard = f" if {self.expr(2)}" if self.random.random() < 0.4 else ""
            text += f"{indent} case {pattern}{guard}:\n{self.block(depth, indent + '  ', inside)}"
        return text + f"{indent} case _: print('none')\n"

    def nested(self, depth: int, indent: str, inside: str) -> str:
        self.counter += 1
        name = f"inner{self.counter}"
        if self.random.random() < 0.5:
            body = self.block(depth, indent + " ", "class")
            return f"{indent}class {name}:\n{body}{indent}print(sorted(k for k in vars({name}) if k[0] != '_'))\n"
        body = self.block(depth, indent + " ")
        return f"{indent}def {name}(h, k={self.expr(1)}):\n{indent} w = h\n{body}{indent} return w\n{indent}attempt(lambda: {name}({self.expr(1)}))\n"

    # -- definitions -----------------------------------------------------------------------------

    def function(self, name: str) -> str:
        head = self.random.choice(
            ["", " global w\n", " w = 0\n def other():\n  nonlocal w; w = 5\n other()\n"]
        )
        return f"def {name}(w=1):\n{' w = 1' if not head else head.rstrip()}\n{self.block(3, ' ')} return w\nattempt({name})".replace(
            f"{name}(w=1)", f"{name}()"
        )

    def generator(self, name: str) -> str:
        body = self.block(2, " ")
        return f"def {name}_g():\n w = yield {self.expr(2)}\n{body} w = (yield {self.expr(2)}, {self.expr(1)}) or 1\n{self.block(2, ' ')}\ndef {name}():\n g = {name}_g()\n return [clip(v) for v in g]\nattempt({name})"

    def a_class(self, name: str) -> str:
        body = self.block(2, "  ", "class").replace("(w :=", "(ww :=")
        method = f"  def method(self, w=0):\n   self.p = self.q = self.r = self; self.__x = [1, 2]; self.__x[0] += 1\n{self.block(2, '   ')}   return self.__x, w\n"
        return f"def {name}():\n class C:\n  w = 1\n{body}{method} return C().method(), sorted(k for k in vars(C) if k[0] != '_')\nattempt({name})"

    def coroutine(self, name: str) -> str:
        return (
            f"async def {name}_c(v):\n w = v\n{self.block(2, ' ')} return w\n"
            f"def {name}():\n async def main():\n  w = [await {name}_c(i) for i in (0, 1)] if ({self.expr(2)}) else await {name}_c({self.expr(2)})\n  return w\n"
            f" try: main().send(None)\n except StopIteration as stop: return stop.value\nattempt({name})"
        )


def program(seed: int) -> str:
    """The program of a seed, one that this interpreter can compile."""
    programs = Programs(seed)
    for _ in range(100):
        text = programs.program()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                compile(text, "random", "exec")
            except SyntaxError:
                continue
        return text
    raise AssertionError(f"nothing that compiles comes of seed {seed}")
