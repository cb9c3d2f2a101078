"""Files as they come: encodings, newlines, odd whitespace, and what is no Python at all."""

from __future__ import annotations

import pytest

from instrumenter.transform import instrument
from tests.instrumenter.support import twin_of, with_indices


def body(source: str | bytes) -> str:
    twin = twin_of(source)
    compile(twin.source, "twin", "exec")
    return twin.source


def test_newlines_are_kept():
    source = "x = a+b\r\nif c:\r\n\tpass\r\n"
    assert "x = _tt.add(a, b)\r\nif _tt.truth(c, #0):\r\n\tpass\r\n" == with_indices(twin_of(source))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"\xef\xbb\xbfx = a+b\n", "x = _tt.add(a, b)\n"),
        (b"# coding: latin-1\nx = a+'\xe9'", "# coding: latin-1\nx = _tt.add_const(a, 'é')"),
        ("x = a+b", "x = _tt.add(a, b)"),
        ("x = a+b\n\n\n# end", "x = _tt.add(a, b)\n\n\n# end"),
        ("x = a+b\n\x0c\ny = a\n", "x = _tt.add(a, b)\n\x0c\ny = a\n"),
        (
            "if 1:\n\tx = a+b\n\ty = a\nif 1:\n  z = a-b\n",
            "if 1:\n\tx = _tt.add(a, b)\n\ty = a\nif 1:\n  z = _tt.sub(a, b)\n",
        ),
        ("é = 'ü'+a", "é = _tt.add_const('ü', a)"),
        ("x = '''a\r\nb''' + c\r\n", "x = _tt.add_const('''a\r\nb''', c)\r\n"),
        (
            "class A:\n  # comment\n\n  x = (a # why\n   +b)\n",
            "class A:\n  # comment\n\n  x = (_tt.add(a # why\n   , b))\n",
        ),
    ],
)
def test_text_around_the_rewritten_is_kept(source, expected):
    assert expected == body(source)


@pytest.mark.parametrize(
    "source",
    [
        "x = (",
        "def f(:\n",
        "return 1",
        "\ufeffx = 1",
        "x = 1\n  y = 2",
        "f() = 1",
        "nonlocal x",
        "x: int = yield",
        "\x00",
        b"# coding: nope\n",
        b"\xff",
    ],
)
def test_what_cpython_refuses_is_refused_alike(source):
    with pytest.raises((SyntaxError, ValueError)) as ours:
        instrument(source, name="m", filename="m.py")
    with pytest.raises((SyntaxError, ValueError)) as theirs:
        compile(source, "m.py", "exec")
    assert (theirs.type, str(theirs.value), getattr(theirs.value, "text", None)) == (
        ours.type,
        str(ours.value),
        getattr(ours.value, "text", None),
    )


def test_what_libcst_cannot_parse_is_used_as_it_is(monkeypatch):
    import libcst

    def refuse(text):
        raise libcst.ParserSyntaxError("odd", lines=[text], raw_line=1, raw_column=0)

    monkeypatch.setattr(libcst, "parse_module", refuse)
    twin = instrument("x = a + b", name="m", filename="m.py")
    assert "x = a + b" == twin.source
    assert () == twin.sites
    assert twin.untouched is not None
    assert "libcst" in twin.untouched
