"""Programs that are deep, long or wide: what breaks recursive and quadratic code."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

_BODY: Final = "def f(x, y=0):\n    {}\n    return x\n"


def huge(random: Random) -> str:
    """One of them, of a size that Python may or may not accept."""
    return random.choice(_KINDS)(_size(random))


def _size(random: Random) -> int:
    """Mostly some tens, seldom some thousands."""
    return int(random.choice((10, 30, 90, 200, 500, 1500, 5000)) * random.uniform(0.7, 1.3))


def _around(opening: str, inner: str, closing: str) -> Callable[[int], str]:
    return lambda n: _BODY.format("x = " + opening * n + inner + closing * n)


def _chain(first: str, link: str) -> Callable[[int], str]:
    return lambda n: _BODY.format("x = " + first + link * n)


def _blocks(head: str) -> Callable[[int], str]:
    def made(n: int) -> str:
        depth = min(n, 300)
        inner = "".join(f"{' ' * (level + 1)}{head.format(level)}\n" for level in range(depth))
        return f"def f(x, y=0):\n{inner}{' ' * (depth + 1)}x = 1\n return x\n"

    return made


def _repeated(line: str) -> Callable[[int], str]:
    return lambda n: _BODY.format("\n    ".join(line.format(i) for i in range(n)))


def _top_level(piece: str) -> Callable[[int], str]:
    return lambda n: "".join(piece.format(i) for i in range(n))


def _parameters(n: int) -> str:
    names = ", ".join(f"a{i}" for i in range(n))
    return f"def f({names}):\n    return a0 if a1 > {n} else a{n // 2}\n"


def _long_line(n: int) -> str:
    return f"X = {'z' * n * 40!r}\n" + _BODY.format(f"if x == X[:{n}]: y = 1")


def _bare(opening: str, closing: str) -> Callable[[int], str]:
    return lambda n: opening * n + "1" + closing * n + "\n"


def _classes(n: int) -> str:
    depth = min(n, 90)
    heads = "".join(" " * i + f"class C{i}:\n" for i in range(depth))
    return f"{heads}{' ' * depth}def f(self, x): return x > 1\n"


def _inheritance(n: int) -> str:
    count = min(n, 400)
    others = "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(1, count))
    return f"class C0:\n    def f(self, x): return x\n{others}"


_KINDS: Final[tuple[Callable[[int], str], ...]] = (
    _around("(", "x", ")"), _around("[", "x", "]"), _around("{1: ", "x", "}"), _around("-", "x", ""),
    _around("not ", "x", ""), _around("lambda: ", "x", ""), _around("f(", "x", ")"),
    _around("(x if x else ", "x", ")"), _around("[x for x in ", "x", "]"), _around("x[", "x", "]"),
    _around("f'{", "x", "}'"), _around("(x := ", "1", ")"), _around("await ", "x", ""),
    _around("(yield ", "x", ")"), _chain("x", " + x"), _chain("x", ".a"), _chain("x", "()"),
    _chain("x", "[0]"), _chain("x", " < x"), _chain("x", " and x"), _chain("x", " if x else x"),
    _chain("''", " 'a'"), _chain("y", " = y"), _chain("[x", ", x"), _chain("x", " ** x"),
    _chain("x", "; x"), _blocks("if x > {}:"), _blocks("for x in range({}):"), _blocks("while x:"),
    _blocks("with x:"), _blocks("def f{}(x):"), _blocks("class C{}:"), _blocks("async def g{}(): "),
    _blocks("try:"), _blocks("match x:"), _repeated("if x == {0}: y = {0}"), _repeated("y{} = x"),
    _repeated("assert x != {}"), _repeated("print(x)"), _repeated("x = x + {}"), _repeated("global g{}"),
    _repeated("import os as o{}"), _repeated("if x: pass"), _repeated("for i in x: pass"),
    _top_level("def f{0}(x): return x > {0}\n"), _top_level("class C{0}: pass\n"),
    _top_level("@property\n"), _top_level("x{0}: int = {0}\n"),
    _top_level("if 1:\n  pass\nelif {}:\n  pass\n"), _top_level("\\\n"), _top_level("#\n"),
    _top_level("\x0c"), _top_level("\n"), _bare("(", ")"), _bare("[", "]"), _bare("{", "}"),
    _bare("((", ""), _bare("~", ""), _bare("'", "'"), _bare("f'{", "}'"), _bare("@", ""), _parameters,
    _long_line, _classes, _inheritance,
)  # fmt: skip
