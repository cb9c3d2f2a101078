"""Only of functions that are nothing but their result it is said that mutants are equivalent."""

from __future__ import annotations

import ast

import pytest

from tracetwin.run.equivalence.purity import pure_functions

PURE = '''
LIMIT = (1, -2)

class Bad(ValueError):
    """No."""

def plain(n: int, s: "str" = "", *, x: int | None = None) -> int:
    parts = [part.strip() for part in s.split(",") if part]
    parts.append("x")
    if n > LIMIT[0]:
        raise Bad(f"{n} is bad")
    return len(parts) + helper(n)

def helper(n: int) -> int:
    try:
        return helper(n - 1) if n else 0
    except ValueError as error:
        return len(str(error.args)) if False else 1
'''


def test_plain_functions_are_pure() -> None:
    assert ["helper", "plain"] == sorted(pure_functions(ast.parse(PURE.replace(".args", ""))))


@pytest.mark.parametrize(
    "text",
    [
        "def f(n): return n",
        "def f(n: list) -> int: return n",
        "def f(n: int = None) -> int: return n",
        "def f(x: float = 0) -> float: return x",
        "def f(*n: int) -> int: return 1",
        "def f() -> int: return 1",
        "async def f(n: int) -> int: return n",
        "def f(n: int):\n    yield n",
        "def f(n: int) -> None: print(n)",
        "def f(n: int) -> int: return unknown(n)",
        "import math\ndef f(n: float) -> float: return math.sin(n)",
        "SEEN = []\ndef f(n: int) -> int:\n    SEEN.append(n)\n    return len(SEEN)",
        "N = 1\ndef f(n: int) -> int:\n    global N\n    N += n\n    return N",
        "N = 1\nN = 2\ndef f(n: int) -> int: return N",
        "def f(n: int) -> int: return 1\nf = print",
        "def f(n: int) -> int: return g(n)\ndef g(n: int) -> int: return id(n)",
        "@cache\ndef f(n: int) -> int: return n",
        "def f(s: str) -> str: return s.__class__.__name__",
        "def f(n: int) -> int:\n    import os\n    return n",
        "class Bad(Exception):\n    def __str__(self): return 'x'\ndef f(n: int) -> int: raise Bad",
    ],
)
def test_others_are_not(text: str) -> None:
    assert not pure_functions(ast.parse(text))
