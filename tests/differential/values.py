"""Values to try: the interesting ones of each sort first, then Hypothesis's, drawn once per sort and run."""

from __future__ import annotations

import functools
import math
import os
import random
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

from tests.differential.signatures import Argument, Choice, Constant, Signature, Word

EXAMPLES = int(os.environ.get("DIFFERENTIAL_EXAMPLES", "500"))
"""How many examples each operation gets."""

TRIED = EXAMPLES // int(os.environ.get("DIFFERENTIAL_PART", "1"))
"""How many of them are tried: the first ones, so that what passes with all of them passes with a part."""

SEED = int(os.environ.get("DIFFERENTIAL_SEED", "0"))

_DRAWN = min(max(EXAMPLES // 2, 100), 4000)
_LONGEST = 4

INTS = [
    0, 1, -1, 2, 3, -2, 5, 7, 8, 10, 16, 36, 37, -7, 48, 97, 127, 128, 255, 256, -256, 1000, 0x3FF, 0xD800,
    0x10FFFF, 0x110000, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**63,
    2**63 + 1, -(2**63), -(2**63) - 1, 2**64, 10**18, 10**22 + 1, 10**30,
]  # fmt: skip
SMALL = [0, 1, -1, 2, 3, -2, 4, -3, 5, 6, 7, -5, 8, 9, 12, -9]
FLOATS = [
    0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -0.0, 1.5, 2.5, -2.5, 3.0, 0.1, 0.2, 0.3, 2.675, 1e16, 1e22, 1e23,
    -7.25, 100.0, math.nan, math.inf, -math.inf, 2.0**31, 2.0**53, 2.0**53 + 2, 2.0**63, -(2.0**63), 1e308,
    1.7976931348623157e308, 2.2250738585072014e-308, 5e-324, -5e-324, 1e-5, 1e-4, 123456789.125,
    0.49999999999999994, 4503599627370497.5,
]  # fmt: skip
TEXTS = [
    "", "a", "b", "ab", "A", "aB", "abab", "aa", "aaa", " ", "0", "-1", "1", "12", "a-b", "a b", " a ", "-",
    "a,b,,c", "ba", "\t", "\n", "\r\n", "a\nb", "\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\u3000", "\0",
    "\\", "\\u{41}", "'", '"', "%", "{}", "\xe9", "\xdf", "\u0130", "\u01c6", "\u01c5", "\ufb01", "\u0149",
    "\u03c2", "\u03a3", "\u1e9e", "\u212a", "\u017f", "A\u03a3", "\u0663", "\xb2", "\xbd", "\u2163",
    "\u4e94", "\U0001d7d8", "\U0001f600", "\U0003ffff", "\ud800", "a\u0301", "Hello World", "they're",
    "XxX", "if", "_a1", "1_0", " 1_0 ", "+5", "-0", "0x1f", "1e3", "nan", "INF", "1.5", "\x7f",
    "\u0660\u0661", "a\tb", "\x0b\x0c", "\x1d\x1e", "\xad", "\u0345", "\u02b0", "\xaa", "\u16ee", "\ue000",
    "a\r\n\r\nb\r",
]  # fmt: skip
OCTETS = [
    b"", b"a", b"b", b"ab", b"A", b"aB", b"abab", b"aa", b" ", b"0", b"-1", b"12", b"a-b", b"a b", b" a ",
    b"-", b"a,b,,c", b"\t", b"\n", b"\r\n", b"a\nb", b"\x0b\x0c", b"\x1c", b"\x85", b"\xa0", b"\0", b"\x80",
    b"\xff", b"\xc3\xa9", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\\", b"%", b"Hello World",
    b"they're", b"1_0", b"nan", b"1.5", b"\xe9", b"\xdf",
]  # fmt: skip
DIGITS = [
    "0", "1", "-1", "12", "007", " 1 ", "1_0", " 1_0 ", "1__0", "_1", "+5", "--5", "-0", "0x1f", "0b11",
    "0o17", "ff", "z", "\u0663", "\xb2", "1\u0663", "\xbd", "", " ", "1.5", ".5", "5.", "1e3", "1e400",
    "nan", "-inf", "Infinity", "0.1", "1_0.5", "\t1\n", "\x1c1", "\xa01", "\u30001", "1\0",
    "9223372036854775808", "-170141183460469231731687303715884105728", "00", "\U0001d7d8", "1e-5",
    "123456789012345678", "1 2", "-", "+", ".", "e5", "1e", "0_0", "1_", "-_1", "\u0660.\u0661",
]  # fmt: skip
SPECS = [
    "", "d", "3", "03", "03d", "5d", "+d", " d", ",", "_", "x", "X", "#x", "b", "#b", "o", "c", "n", "e",
    ".2f", "f", "g", ".3g", "%", ".1%", "6.2f", "<5", ">5", "^5", "=5", "*^6", "*<6", "0=5", "+.1f", "s",
    "5s", ".2", ".0f", "#.0f", "z.1f", "E", "G", "08.3f", "+", "-", "05", "<05", "\xe9^4", "5x", "_x", ",d",
    ",.2f", "10", "q", "5 ", ".", "!r", "r",
]  # fmt: skip
NAMES = ["utf-8", "ascii", "latin-1", "utf8", "UTF-8", "iso-8859-1", "utf-16", "cp1252", "nonsense", ""]

_LETTERS = "ab AB01-,.\n\t\xe9\xdf\u0130\u01c6\u0663\x1c\x85\U0001f600"

POOLS: dict[str, list[Any]] = {
    "int": INTS, "small": SMALL, "float": FLOATS, "bool": [False, True], "str": TEXTS, "bytes": OCTETS,
    "char": sorted({t for t in TEXTS if len(t) == 1} | set("xyzXYZ59~"), key=ord), "digits": DIGITS,
    "spec": SPECS,
    "name": NAMES,
}  # fmt: skip

_STRATEGIES: dict[str, st.SearchStrategy[Any]] = {
    "int": st.one_of(st.integers(-300, 300), st.integers()),
    "small": st.integers(-12, 40),
    "float": st.one_of(st.floats(), st.floats(-100, 100), st.integers(-50, 50).map(lambda n: n / 4)),
    "str": st.one_of(st.text(_LETTERS, max_size=8), st.text("ab-", max_size=6), st.text(max_size=5)),
    "bytes": st.one_of(
        st.binary(max_size=6), st.text("ab- \x00\x80A", max_size=6).map(lambda t: t.encode("latin-1"))
    ),
    "char": st.characters(),
    "digits": st.from_regex(r"[-+ ]?[0-9_]{1,5}(\.[0-9]{0,3})?(e-?[0-9])?\n?", fullmatch=True),
    "spec": st.from_regex(
        r"([*a ]?[<>^=])?[-+ ]?#?0?[1-9]?[,_]?(\.[0-9])?[bcdeEfFgGnosxX%]?", fullmatch=True
    ),
}


@contextmanager
def _without_local_constants() -> Iterator[None]:
    """Keep Hypothesis from drawing constants of whatever modules are loaded: examples would depend on it."""
    if not hasattr(providers, "_get_local_constants"):
        yield
        return
    nothing = type(providers._local_constants)()
    with mock.patch.object(providers, "_get_local_constants", return_value=nothing):
        yield


@functools.cache
def column(kind: str) -> list[Any]:
    """The values of a word: the interesting ones, then as many that Hypothesis draws."""
    drawn: list[Any] = []
    strategy = _STRATEGIES.get(kind)
    if strategy is not None:

        @seed(zlib.crc32(kind.encode()) ^ SEED)
        @settings(
            max_examples=_DRAWN,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(strategy)
        def collect(value: Any) -> None:
            drawn.append(value)

        with _without_local_constants():
            collect()
    return POOLS[kind] + drawn


class Row:
    """The arguments of one call.

    Attributes:
        args: by position.
        kwargs: by name.
        words: what stands in each place.
    """

    __slots__ = ("args", "kwargs", "words")

    def __init__(self, args: list[Any], kwargs: dict[str, Any], words: dict[int | str, Choice]) -> None:
        self.args = args
        self.kwargs = kwargs
        self.words = words

    def __repr__(self) -> str:
        shown = [repr(a) for a in self.args] + [f"{k}={v!r}" for k, v in self.kwargs.items()]
        return f"({', '.join(shown)})"

    def replaced(self, place: int | str, value: Any) -> Row:
        """The row with another argument in one place."""
        args, kwargs = list(self.args), dict(self.kwargs)
        if isinstance(place, int):
            args[place] = value
        else:
            kwargs[place] = value
        return Row(args, kwargs, self.words)

    def places(self) -> Iterator[tuple[int | str, Any]]:
        """Place and value of every argument that is not a constant."""
        places: list[tuple[int | str, Any]] = [*enumerate(self.args), *self.kwargs.items()]
        for place, value in places:
            if not isinstance(self.words[place], Constant):
                yield place, value


def rows(name: str, forms: list[Signature], count: int) -> Iterator[Row]:
    """`count` calls of an operation: the simplest ones first, then any."""
    rng = random.Random(zlib.crc32(name.encode()) ^ SEED)
    for number in range(count):
        yield _row(rng, forms[number % len(forms)], number // len(forms))


def _row(rng: random.Random, form: Signature, number: int) -> Row:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    words: dict[int | str, Choice] = {}
    given_up = False
    for argument in form.arguments:
        given_up = given_up or (argument.optional and rng.random() < 0.4)
        if given_up and argument.optional and argument.keyword is None:
            continue
        if argument.optional and argument.keyword is not None and rng.random() < 0.4:
            continue
        place: int | str = len(args) if argument.keyword is None else argument.keyword
        choice, value = _value(rng, argument, number, args)
        words[place] = choice
        if argument.keyword is None:
            args.append(value)
        else:
            kwargs[argument.keyword] = value
    return Row(args, kwargs, words)


def _value(rng: random.Random, argument: Argument, number: int, before: list[Any]) -> tuple[Choice, Any]:
    choice = rng.choice(argument.choices)
    value = drawn(rng, choice, number)
    if before and isinstance(choice, Word) and choice.kind != "small" and rng.random() < 0.4:
        value = _related(rng, value, rng.choice(before))
    return choice, value


def drawn(rng: random.Random, choice: Choice, number: int = 10**9) -> Any:
    """A value of a word."""
    if isinstance(choice, Constant):
        return choice.value
    if not choice.parts:
        values = column(choice.kind)
        if number < len(POOLS[choice.kind]) and rng.random() < 0.5:
            return values[number]
        return rng.choice(values)
    if choice.kind == "pair":
        return tuple(drawn(rng, rng.choice(part)) for part in choice.parts)
    size = rng.randint(0, _LONGEST)
    elements = [tuple(drawn(rng, rng.choice(part)) for part in choice.parts) for _ in range(size)]
    if len(elements) > 1 and rng.random() < 0.4:
        elements[-1] = elements[0]
    if choice.kind == "dict":
        return dict(elements)
    kind = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[choice.kind]
    return kind(element for (element,) in elements)


def _related(rng: random.Random, value: Any, other: Any) -> Any:
    """Something of the kind of `value` that is to be found in `other`, if there is."""
    if type(value) in (str, bytes) and type(other) is type(value) and other:
        start = rng.randrange(len(other))
        return other[start : start + rng.randint(1, 2)]
    if type(other) in (list, tuple, dict, set, frozenset):
        fitting = [element for element in other if type(element) is type(value)]
        return rng.choice(fitting) if fitting else value
    if type(value) is type(other):
        return other
    return value


def neighbour(rng: random.Random, row: Row, places: list[int | str]) -> Row:
    """A row that differs in one or two of the places."""
    for place in rng.sample(places, min(len(places), rng.choice((1, 1, 1, 2)))):
        value = row.args[place] if isinstance(place, int) else row.kwargs[place]
        row = row.replaced(place, _changed(rng, value, _ints_of(row.words[place])))
    return row


def _ints_of(choice: Choice) -> str:
    """Which ints may stand for those of a word: a large count would fill the memory."""
    if isinstance(choice, Constant) or choice.kind == "small":
        return "small"
    if not choice.parts:
        return "int"
    return "small" if any(_ints_of(part) == "small" for parts in choice.parts for part in parts) else "int"


def _changed(rng: random.Random, value: Any, ints: str) -> Any:
    """Another value of the same type, often a near one."""
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        return value + rng.choice((1, -1, 2, 8)) if rng.random() < 0.6 else rng.choice(column(ints))
    if kind is float:
        if rng.random() < 0.5 and math.isfinite(value):
            return value + rng.choice((1.0, -1.0, 0.25, 0.5))
        return rng.choice(column("float"))
    if kind in (str, bytes):
        return _changed_text(rng, value)
    if kind is list and value and rng.random() < 0.25:
        return value[:-1] if rng.random() < 0.5 else [*value, value[0]]
    if kind in (list, tuple):
        return kind(_changed_elements(rng, list(value), ints))
    if kind in (set, frozenset):
        return kind(_changed_elements(rng, sorted(value, key=repr), ints))
    if kind is dict and value:
        keys = _changed_elements(rng, list(value), ints) if rng.random() < 0.5 else list(value)
        values = _changed_elements(rng, list(value.values()), ints) if rng.random() < 0.7 else value.values()
        return dict(zip(keys, values, strict=False))
    return value


def _changed_elements(rng: random.Random, elements: list[Any], ints: str) -> list[Any]:
    if elements:
        place = rng.randrange(len(elements))
        other = rng.choice(elements) if rng.random() < 0.3 else _changed(rng, elements[place], ints)
        elements[place] = other if type(other) is type(elements[place]) else elements[place]
    return elements


def _changed_text(rng: random.Random, value: Any) -> Any:
    if not value or rng.random() < 0.25:
        return rng.choice(column("str" if type(value) is str else "bytes"))
    place = rng.randrange(len(value))
    unit = (
        rng.choice(column("char"))
        if type(value) is str
        else bytes([rng.choice((0, 32, 45, 48, 65, 97, 98, 128, 255))])
    )
    if rng.random() < 0.3:
        unit = value[:1]
    match rng.randrange(3):
        case 0:
            return value[:place] + unit + value[place + 1 :]
        case 1:
            return value[:place] + unit + value[place:]
        case _:
            return value[:place] + value[place + 1 :]
