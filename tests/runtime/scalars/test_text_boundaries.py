"""Text where it meets something else: subclasses, exceptions, formatting, C modules that take it apart."""

# ruff: noqa: PLW0108, UP031 - what is tested is which way a call goes, and that of the percent sign

from __future__ import annotations

import base64
import binascii
import csv
import enum
import io
import struct
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime import trace, twin
from runtime.expr import sort_of, var
from runtime.values import TRACED, wrap
from tests.runtime.strict import assert_same, canonical


class Word(str):  # noqa: SLOT000 - a subclass as programs have them
    """Leaves everything to `str`."""


class Colour(str, enum.Enum):
    """Its members are texts."""

    RED = "red"


class Loud(str):  # noqa: SLOT000
    """Has a way of its own to compare and to add."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__

    def __radd__(self, other: Any) -> str:
        return "!"


def traced(value: Any, name: str = "x") -> Any:
    return wrap(value, var(name, sort_of(value)))


MIXED: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (lambda x: x == Word("red"), lambda x: twin.eq(x, Word("red"))),
    (lambda x: Word("red") == x, lambda x: twin.eq(Word("red"), x)),
    (lambda x: Colour.RED == x, lambda x: twin.eq(Colour.RED, x)),
    (lambda x: x != Colour.RED, lambda x: twin.ne(x, Colour.RED)),
    (lambda x: Word("m") < x, lambda x: twin.lt(Word("m"), x)),
    (lambda x: Word("a") + x, lambda x: twin.add(Word("a"), x)),
    (lambda x: x + Word("a"), lambda x: twin.add(x, Word("a"))),
    (lambda x: Word("e") in x, lambda x: twin.in_(Word("e"), x)),
    (lambda x: x in Word("a red hat"), lambda x: twin.in_(x, Word("a red hat"))),
    (lambda x: x.startswith(Word("r")), lambda x: twin.callee(x.startswith)(Word("r"))),
    (lambda x: ",".join([Word("a"), x]), lambda x: twin.callee(",".join)([Word("a"), x])),
    (lambda x: str.upper(x), lambda x: twin.callee(str.upper)(x)),
    (lambda x: list(map(str.upper, [x])), lambda x: list(twin.callee(map)(str.upper, [x]))),
]


@pytest.mark.parametrize("case", range(len(MIXED)))
@pytest.mark.parametrize("text", ["red", "blue", ""])
def test_subclasses_of_str_are_seen_through(case: int, text: str) -> None:
    native, shadow = MIXED[case]
    assert_same(native, shadow, [text])
    result = shadow(traced(text))
    assert type(result[0] if type(result) is list else result) in TRACED


def test_a_subclass_with_methods_of_its_own_is_asked() -> None:
    assert twin.eq(Loud("a"), traced("b")) is True
    assert twin.add(traced("b"), Loud("a")) == "!"


def test_octets_compare_with_traced_bytes_and_are_pinned_where_they_change() -> None:
    trace.start()
    assert type(twin.eq(bytearray(b"ab"), traced(b"ab"))) in TRACED
    assert not trace.current.path
    assert canonical(twin.add(bytearray(b"a"), traced(b"b"))) == canonical(bytearray(b"ab"))
    assert trace.current.losses
    assert trace.current.path


REFUSED: list[tuple[Callable[..., Any], Any]] = [
    (lambda x: twin.callee(x.encode)("ascii"), "\u00e9"),
    (lambda x: twin.callee(x.decode)(), b"\xff"),
    (lambda x: twin.callee("a b".split)(x), ""),
    (lambda x: twin.callee("a b".partition)(x), ""),
    (lambda x: twin.getitem("abc", twin.slice_(None, None, x)), 0),
    (lambda x: twin.in_(x, b"abc"), 300),
    (lambda x: twin.callee(b"abc".find)(x), -1),
    (lambda x: twin.callee("a".center)(5, x), "ab"),
    (lambda x: twin.callee(bytes)([x, 1]), 256),
    (lambda x: twin.callee(bytes.fromhex)(x), "0"),
    (lambda x: twin.callee(struct.unpack)("<H", x), b"a"),
    (lambda x: twin.callee(struct.pack)("B", x), 256),
    (lambda x: twin.callee(binascii.unhexlify)(x), "zz"),
    (lambda x: twin.callee(unicodedata.numeric)(x), "a"),
    (lambda x: twin.callee(format)(x, "c"), -1),
    (lambda x: twin.mod("%c", x), -1),
    (lambda x: twin.callee(x.format)(1), "{"),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_what_decides_an_exception_is_a_check(case: int) -> None:
    function, value = REFUSED[case]
    trace.start()
    with pytest.raises((ValueError, TypeError, OverflowError, struct.error)):
        function(traced(value))
    assert trace.Kind.CHECK in {kind for *_, kind in trace.current.path}


TEMPLATES = [
    "%s",
    "%5s|",
    "%-5s",
    "%.2s",
    "%r",
    "%a",
    "%c",
    "%d",
    "%05d",
    "%+d",
    "%x",
    "%#o",
    "%.3f",
    "%8.2e",
    "%g%%",
    "%i %s",
]


@pytest.mark.parametrize("template", TEMPLATES)
@given(
    values=st.tuples(
        *[
            st.one_of(
                st.text("ab\u00e9'", max_size=3), st.integers(-999, 9999), st.floats(-9, 9), st.booleans()
            )
        ]
        * 2
    )
)
@settings(max_examples=15, deadline=None)
def test_percent_agrees(template: str, values: tuple[Any, ...]) -> None:
    count = template.count("%") - 2 * template.count("%%")
    given = list(values[:count])
    assert_same(lambda *v: template % v, lambda *v: twin.mod(template, v), given)
    assert_same(lambda v: "%(k)s" % {"k": v}, lambda v: twin.mod("%(k)s", {"k": v}), given[:1])


@given(number=st.integers(-99, 99), width=st.integers(0, 7), text=st.text("ab{}", max_size=3))
@settings(max_examples=40, deadline=None)
def test_templates_agree(number: int, width: int, text: str) -> None:
    assert_same(
        lambda n, w, t: "{0:{1}}|{2!r:>6}|{k}".format(n, w, t, k=t),
        lambda n, w, t: twin.callee("{0:{1}}|{2!r:>6}|{k}".format)(n, w, t, k=t),
        [number, width, text],
    )
    assert_same(
        lambda t: "{a[0]}".format_map({"a": [t]}),
        lambda t: twin.callee("{a[0]}".format_map)({"a": [t]}),
        [text],
    )
    assert_same(lambda t, n: t.format(n), lambda t, n: twin.callee(t.format)(n), [text, number])
    for wrong in ("{}{0}", "{0}{}", "{!x}", "{9}", "{name}", "}"):
        assert_same(lambda n, w=wrong: w.format(n), lambda n, w=wrong: twin.callee(w.format)(n), [number])


@pytest.mark.parametrize("layout", ["<BhI", ">qB", "@bI", "=2sx?H", "!3B", "4s", "<d"])
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_struct_agrees(layout: str, data: st.DataObject) -> None:
    size = struct.calcsize(layout)
    octets = data.draw(st.binary(min_size=max(size - 1, 0), max_size=size + 1))
    assert_same(lambda b: struct.unpack(layout, b), lambda b: twin.callee(struct.unpack)(layout, b), [octets])
    maker = struct.Struct("<bHi")
    numbers = [data.draw(st.sampled_from([0, 1, -1, 127, 128, -129, 65535, 65536, 2**31])) for _ in range(3)]
    assert_same(maker.pack, lambda *n: twin.callee(maker.pack)(*n), numbers)


@given(octets=st.binary(max_size=5), text=st.text("aA\u00e9e\u03011", max_size=3))
@settings(max_examples=30, deadline=None)
def test_codecs_agree(octets: bytes, text: str) -> None:
    functions: list[Callable[..., Any]] = [binascii.hexlify, binascii.b2a_base64, binascii.crc32]
    for function in functions:
        assert_same(function, lambda b, f=function: twin.callee(f)(b), [octets])
    functions = [binascii.unhexlify, binascii.a2b_base64]
    for function in functions:
        assert_same(function, lambda b, f=function: twin.callee(f)(b), [base64.b16encode(octets)])
    assert_same(
        lambda t: unicodedata.normalize("NFC", t),
        lambda t: twin.callee(unicodedata.normalize)("NFC", t),
        [text],
    )
    assert_same(unicodedata.category, lambda t: twin.callee(unicodedata.category)(t), [text])
    assert_same(lambda b: bytes([*b, 1]), lambda b: twin.callee(bytes)([*b, 1]), [octets])


DIALECTS: list[dict[str, Any]] = [
    {}, {"delimiter": ";"}, {"escapechar": "\\"}, {"strict": True}, {"skipinitialspace": True},
    {"doublequote": False, "escapechar": "\\"}, {"quoting": csv.QUOTE_NONE, "escapechar": "\\"},
]  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
@given(lines=st.lists(st.text('ab,";\\ \n\r', max_size=6), min_size=1, max_size=3))
@settings(max_examples=40, deadline=None)
def test_csv_agrees(dialect: dict[str, Any], lines: list[str]) -> None:
    assert_same(
        lambda *given: list(csv.reader(list(given), **dialect)),
        lambda *given: list(twin.callee(csv.reader)(list(given), **dialect)),
        lines,
    )
    assert_same(
        lambda text: list(csv.reader(io.StringIO(text), **dialect)),
        lambda text: list(twin.callee(csv.reader)(twin.callee(io.StringIO)(text), **dialect)),
        ["\n".join(lines)],
    )


def test_csv_reads_lines_from_any_iterator() -> None:
    class Lines:
        def __init__(self, *lines: str) -> None:
            self.lines = iter(lines)

        def __iter__(self) -> Lines:
            return self

        def __next__(self) -> str:
            return next(self.lines)

    assert_same(
        lambda *given: list(csv.reader(Lines(*given))),
        lambda *given: list(twin.callee(csv.reader)(Lines(*given))),
        ["a,b", "c"],
    )
    with pytest.raises(TypeError, match="iterable"):
        twin.callee(csv.reader)(5)
