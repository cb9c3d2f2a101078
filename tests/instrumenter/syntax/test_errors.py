"""What CPython refuses or warns of, the instrumenter refuses and warns of in the same words."""

from __future__ import annotations

import sys
import warnings

import pytest

from instrumenter.build import build

REFUSED = [
    "x = (",
    "x = )",
    "def f(:\n    pass",
    "if x\n    pass",
    "x = 1\n  y = 2",
    "if x:\npass",
    "f() = 1",
    "f() += 1",
    "x + 1 = 2",
    "None = 1",
    "a[0] := 1",
    "del f()",
    "print 'x'",
    "x = 'abc",
    "x = '''abc",
    "x = f'{'",
    "x = f'{a b}'",
    "x = f'{a!x}'",
    "x = f'{}'",
    "for x in range(3) pass",
    "class C\n    pass",
    "import",
    "from x import (a, b",
    "x = 0777",
    "x = 1__0",
    "x = 1_",
    "x = 5a",
    "x = $",
    "x = 'a' b'b'",
    "x = '\\N{no such name}'",
    "x = b'ä'",
    "def f(a, a): pass",
    "def f(a=1, b): pass",
    "f(a=1, 2)",
    "f(**a, *b)",
    "f(a=1, a=2)",
    "f(x for x in y, 1)",
    "lambda a, a: 0",
    "return 1",
    "yield 1",
    "x = await y",
    "def f():\n    await y",
    "def f():\n    async with y: pass",
    "def f():\n    return [x async for x in y]",
    "async def f():\n    yield 1\n    return 2",
    "async def f():\n    yield from x",
    "break",
    "continue",
    "if a + b:\n    x = a[0]\n    continue",
    "nonlocal x",
    "def f():\n    nonlocal x",
    "def f(x):\n    global x",
    "def f():\n    x = 1\n    global x",
    "def f():\n    x += 1\n    global x",
    "def f():\n    print(x)\n    global x",
    "def f():\n    global x\n    def g():\n        nonlocal x",
    "class C:\n    nonlocal x",
    "def f():\n    from x import *",
    "from __future__ import nothing",
    "x = 1\nfrom __future__ import annotations",
    "from __future__ import braces",
    "a, *b, *c = x",
    "*a = x",
    "x = *a",
    "x: int = yield",
    "(a, b): int",
    "[x := 1 for x in y]",
    "[i for i in (x := y)]",
    "class C:\n    a = [x := 1 for y in z]",
    "__debug__ = 1",
    "__debug__ += 1",
    "def f(__debug__): pass",
    "try:\n    pass",
    "try:\n    pass\nexcept:\n    pass\nexcept E:\n    pass",
    "match x:\n    case a: pass\n    case b: pass",
    "match x:\n    case a | b: pass",
    "match x:\n    case {**r, 'a': 1}: pass",
    "match x:\n    case C(a=1, a=2): pass",
    "match x:\n    case [a, a]: pass",
    "with x as 1: pass",
    "for 1 in x: pass",
    "@\ndef f(): pass",
    "def f():\n\tif x:\n        y\n",
    "if x:\n        y\n\tz\n",
    "x = 1\\ \ny",
    "x = 1 \\",
    "\ufeffx = 1",
    "x = \u00a01",
    "x = “a”",
    "\x00",
    "x = 1\x00",
    "def f():\n" + "".join("    " * level + "for x in y:\n" for level in range(1, 23)) + "    " * 23 + "pass",
    "x = " + "(" * 250 + ")" * 250,
    "".join(" " * level + "if x:\n" for level in range(101)) + " " * 101 + "pass",
    "x = " + "9" * 5000,
    "def f[T](x: T) -> T: return +",
    "type X[T, T] = int",
    "try: pass\nexcept* E: return",
    "def f():\n    try: pass\n    except* E: return",
    b"# coding: no-such-encoding\nx = 1",
    b"x = '\xff'",
    b"# coding: ascii\nx = '\xe4'",
    b"# coding: utf-8\nx = '\xe4'",
    b"\xef\xbb\xbf# coding: latin-1\nx = 1",
    b"# coding: latin-1\nx = '\xe4' +",
    b"x = 1\x00\ny = 2",
    b"\xef\xbb\xbfx = (",
    b"if x:\r\n\ty\r\n        z\r\n",
    b"x = 'a\rb'",
]

WARNED = [
    "x = a is 1",
    "x = a is not 'b'",
    "if a is ():\n    pass",
    "x = '\\d'",
    "x = b'\\d'",
    "x = f'\\d{a}'",
    "'''\n\\d'''",
    "assert (a, 'message')",
    "def f():\n    assert (a + b, 'message')\n    return a is 1",
    "x = 1()",
    "x = [1, 2](3)",
    "x = 'a'(b)",
    "x = 1[0]",
    "x = [1]['a']",
    "x = (1, 2)[3.0]",
    "x = {1}[0]",
    "x = (lambda: 0)[0]",
    "x = 1if a else 2",
    "x = 0x1for x in y",
    "x = '\\400'",
    "x = '\\d'\ny = 'a' is a\nassert (a, b)\nz = '\\w' '\\d'",
]


def failure(action):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(Exception) as caught:  # noqa: PT011 - which one is what is compared
            action()
    error = caught.value
    details = ("filename", "lineno", "offset", "end_lineno", "end_offset", "text")
    return type(error), str(error), [getattr(error, detail, None) for detail in details]


def given(action):
    """The warnings of an action."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return [(item.category, str(item.message), item.filename, item.lineno) for item in caught]


def accepted(source: str | bytes) -> bool:
    """Whether this interpreter takes the source: not all do for each of these."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "bad.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
        return False
    return True


@pytest.mark.parametrize("source", REFUSED, ids=lambda source: repr(source[:40]))
def test_what_cpython_refuses_is_refused_in_the_same_words(source):
    if accepted(source):
        pytest.skip(f"Python {sys.version_info[0]}.{sys.version_info[1]} accepts it")
    expected = failure(lambda: compile(source, "bad.py", "exec", dont_inherit=True))
    assert expected == failure(lambda: build(source, name="bad", filename="bad.py"))


def test_text_of_an_error_is_read_from_the_file(tmp_path):
    file = tmp_path / "bad.py"
    source = "def f():\n    x = 'ä'; nonlocal y\n".encode()
    file.write_bytes(source)
    expected = failure(lambda: compile(source, str(file), "exec", dont_inherit=True))
    assert "ä" in expected[2][-1]
    assert expected == failure(lambda: build(source, name="bad", filename=str(file)))


@pytest.mark.parametrize("source", WARNED, ids=repr)
def test_what_cpython_warns_of_is_warned_of_once(source):
    expected = given(lambda: compile(source, "odd.py", "exec", dont_inherit=True))
    assert expected == given(lambda: build(source, name="odd", filename="odd.py"))


def test_warnings_that_are_errors_are_syntax_errors_of_the_original():
    def strictly(action):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(SyntaxError) as caught:
                action()
        return str(caught.value), caught.value.lineno, caught.value.offset

    for source in ("x = a is 1", "x = '\\d'", "\nassert (a, 'message')"):
        expected = strictly(lambda: compile(source, "odd.py", "exec", dont_inherit=True))  # noqa: B023
        assert expected == strictly(lambda: build(source, name="odd", filename="odd.py"))  # noqa: B023
