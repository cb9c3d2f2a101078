"""Odd words: names, numbers, strings, annotations and expressions that a program may hold."""

from __future__ import annotations

from random import Random
from typing import Final

NAMES: Final = (
    "x", "_", "__", "self", "cls", "__class__", "__init__", "__dict__", "__slots__", "__getattr__",
    "__del__", "__all__", "__name__", "__file__", "__builtins__", "__annotations__", "__match_args__",
    "__x", "_tt", "_tracetwin", "tt", "print", "len", "int", "str", "list", "type", "object", "isinstance",
    "super", "Exception", "open", "range", "match", "case", "soft", "unittest", "test_x", "setUp",
    "TestCase", "main", "é", "\uff46\uff55\uff4c\uff4c", "变量", "ªº", "µ", "ﬁ", "a" * 300, "None_",
    "runtime", "tracetwin", "instrumenter", "sys", "os", "datetime", "mock", "annotations",
)  # fmt: skip
"""Names that are taken, that mean something, or that Python spells in another way than the file."""

NUMBERS: Final = (
    "0", "-1", "1", "255", "2**31", "2**63", "-2**63-1", "10**400", "0x" + "f" * 64, "1_0", "0.1", "-0.0",
    "1e308", "1e999", "-1e999", "5e-324", "1j", "1e999j", "9" * 4000, "9" * 5000, "0b1", "0o7", "True",
    "...", "float('nan')", "10**6000",
)  # fmt: skip

STRINGS: Final = (
    "''", "'a'", "'\\ud800'", "'\\x00'", "'\\x1b[2J\\x1b]0;t\\x07'", "'\\u202eabc'", "'\\n\"\"\"\\n'",
    "'''\\''''", "b''", "b'\\xff\\x00'", "f'{x!r:>{10}}'", "f'{1:{2}}'", "rb'\\x'", "'{' * 50", "'%s%n'",
    "'[red]'", "'</script>'", "'\\N{BULLET}'", "'\U0001f600\u0301'", "'a' 'b' f'{1}'", "'x' * 10**5",
    "u'u'", "'\\\\'", "'(a+)+$'", "'../../x'",
)  # fmt: skip

ANNOTATIONS: Final = (
    "int", "str", "'int'", "list[int]", "list['list[int]']", "dict[str, list[tuple[int, ...]]]",
    "int | None", "None | None", "undefined", "'undefined['", "'1 +'", "lambda: 0", "1", "...", "[int]",
    "print", "type", "type[int]", "tuple[()]", "'typing.Literal[1, -1, None]'",
    "__import__('typing').Optional[int]", "__import__('typing').Any", "list[...]",
    "__import__('typing').Callable[..., int]", "__import__('typing').Annotated[int, 'x' * 10]", "object",
    "range", "bytes", "__import__('typing').TypeVar('T')", "__import__('typing').Union[int, str, 'X']",
    "__import__('typing').NoReturn", "__import__('typing').Literal['\\ud800', b'\\xff', 10**50]",
    "__import__('decimal').Decimal", "complex", "frozenset[int]", "__import__('enum').Enum",
    "__import__('collections').OrderedDict[str, 'self']", "__import__('typing').Protocol", "x",
)  # fmt: skip

EXPRESSIONS: Final = (
    "(yield)", "(yield x)", "(await x)", "(x := 1)", "[*x]", "{**x}", "x[()]", "x[::]", "x[...]",
    "x[1:2, ::3]", "not not x", "lambda *, a=1, **k: (a, k)", "[i for i in x for i in i if i]",
    "{x: x for x in x}", "(i for i in (yield))", "x if x else x", "x < x < x in x is not x", "super().x",
    "super(int, x)", "__class__", "locals()", "globals()", "vars()", "dir()", "eval('x')", "exec('y = 1')",
    "x.__class__.__mro__", "object()", "type('T', (), {})", "iter(int, 1)", "x.__dict__", "-x ** -x", "~x",
    "f'{x=!r:^{x}}'", "x @ x", "print(*x, **x)", "(x, *x)", "[].append(x)", "sorted(x, key=None)",
    "x and x or x", "__import__('sys').exit(3)", "__import__('sys').setrecursionlimit(50)", "breakpoint",
    "NotImplemented", "input()",
)  # fmt: skip

STATEMENTS: Final = (
    "return", "yield", "raise", "raise SystemExit", "raise KeyboardInterrupt from None", "while True: pass",
    "global x", "nonlocal x", "del x", "x = x.x = x[0] = 1", "x: int", "x: int = 1", "x += x",
    "(x): int = 2", "for x in x: break\nelse: x", "import os as x", "from os import *", "from . import x",
    "from __future__ import annotations", "from __future__ import braces", "import x.y.z", "assert x, x",
    "assert (x, 1)", "with x as (a, *b): pass", "try: x\nexcept: pass", "try: x\nexcept* ValueError: raise",
    "try: x\nfinally: return 1",
    "match x:\n case [1, *_] | {'a': 1, **_}: pass\n case int(a) if a: pass\n case _: x",
    "async def x(): await x", "async with x: pass", "class x(x): x = x", "class X(metaclass=X): pass",
    "def x(x, /, x2, *, x3): pass", "lambda: (yield)", "continue", "break", "pass; pass",
    "if x: pass\nelif x: pass\nelse: pass", "x = yield from x", "...", "type X = int",
    "def f[T](x: T) -> T: return x", "@x\n@x.x(1)\ndef x(): 'doc'", "print('\\x1b[2J')",
    "x = [0] * 10 ** 6", "try: x\nexcept (x, *x) as x: del x", "if (x := 1) and (x := 2): pass",
    "raise BaseException('\\x1b[31m\\ud800')",
    "class X:\n __slots__ = '__dict__', 'a'\n def __init__(self, a): self.a = a", "__name__ = 'other'",
    "__file__ = None", "__all__ = 1", "__getattr__ = None", "__builtins__ = {}",
    "import sys; sys.modules[__name__] = None", "import sys; sys.modules.pop(__name__)",
    "import sys; sys.stdout = None", "import builtins; builtins.len = None",
)  # fmt: skip

DECORATORS: Final = (
    "property", "staticmethod", "classmethod", "undefined", "int", "lambda f: f", "lambda f: None", "type",
    "__import__('functools').cache", "__import__('functools').singledispatch",
    "__import__('contextlib').contextmanager", "__import__('dataclasses').dataclass",
    "__import__('dataclasses').dataclass(frozen=True, slots=True)", "__import__('abc').abstractmethod",
    "__import__('functools').total_ordering", "__import__('typing').overload",
    "__import__('functools').partial", "__import__('enum').unique",
    "__import__('functools').cached_property", "__import__('unittest').skip",
    "__import__('typing').runtime_checkable", "lambda f: (lambda *a, **k: f(*a, **k))",
)  # fmt: skip

BASES: Final = (
    "object", "int", "str", "dict", "type", "Exception", "BaseException", "undefined", "None",
    "__import__('enum').Enum", "__import__('enum').IntFlag", "__import__('typing').NamedTuple",
    "__import__('typing').TypedDict", "__import__('typing').Protocol", "__import__('abc').ABC",
    "__import__('collections').abc.Mapping", "__import__('threading').Thread",
    "__import__('typing').Generic", "__import__('unittest').TestCase", "__import__('ctypes').Structure",
    "metaclass=type", "metaclass=undefined", "bool", "x=1",
)  # fmt: skip

COOKIES: Final = (
    "utf-8", "latin-1", "utf-16", "utf-7", "rot13", "idna", "punycode", "unicode_escape", "zlib", "hex",
    "cp037", "utf-8-sig", "mbcs", "iso-2022-jp", "shift_jis", "gb18030", "ascii", "undefined", "nothing",
    "a" * 300, "\x1b[31m", "utf-32", "raw_unicode_escape",
)  # fmt: skip
"""What a coding cookie may name: encodings, encodings of something else than text, and nothing."""

MARKS: Final = (
    "\x00", "\x0c", "\r", "\x1a", "\x1b[2J", "\u2028", "\u202e", "\ufeff", "\t", "\\\n", "\x0b", "\x85",
    "\xa0", "\u200b", "\U000e0001", "#", '"""', "'", "\\", "{", "}", "(", ")", "[", "]", ":", ";", ",", "@",
    "=", "->", "*", "**", ":=", "!", "$", "?", "`", "0777", "1__0",
)  # fmt: skip


def literal(random: Random) -> str:
    """A number or a string, as it is written."""
    return random.choice(NUMBERS if random.random() < 0.5 else STRINGS)
