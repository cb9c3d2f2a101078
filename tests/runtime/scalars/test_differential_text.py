"""Text: every method of str and bytes on traced values, and formatting."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime import twin
from runtime.ops import TEXT_METHODS
from tests.runtime.strict import assert_same

TEXTS = st.text(alphabet="aAbB01 ,.-\tß\u0130é", max_size=8)
SHORT = st.text(alphabet="ab0 ,", min_size=0, max_size=2)
PLACES = st.integers(-9, 9)

ARGUMENTS: dict[str, list[Any]] = {
    "removeprefix": [SHORT], "removesuffix": [SHORT], "replace": [SHORT, SHORT], "zfill": [PLACES],
    "center": [PLACES], "ljust": [PLACES], "rjust": [PLACES], "expandtabs": [PLACES], "find": [SHORT],
    "rfind": [SHORT], "index": [SHORT], "rindex": [SHORT], "count": [SHORT], "startswith": [SHORT],
    "endswith": [SHORT], "partition": [SHORT], "rpartition": [SHORT], "split": [SHORT],
    "rsplit": [SHORT, PLACES],
    "join": [st.lists(TEXTS, max_size=3)], "strip": [SHORT], "translate": [st.just({97: "x", 98: None})],
}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in TEXT_METHODS if hasattr(str, n)])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_str_methods_agree(name: str, data: st.DataObject) -> None:
    operands = [data.draw(TEXTS), *[data.draw(a) for a in ARGUMENTS.get(name, [])]]
    assert_same(
        lambda text, *rest: getattr(text, name)(*rest),
        lambda text, *rest: twin.callee(getattr(text, name))(*rest),
        operands,
    )


@pytest.mark.parametrize("name", [n for n in TEXT_METHODS if hasattr(bytes, n) and n != "translate"])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_bytes_methods_agree(name: str, data: st.DataObject) -> None:
    def octets(value: Any) -> Any:
        if isinstance(value, str):
            return value.encode("utf-8")
        return [octets(v) for v in value] if isinstance(value, list) else value

    operands = [octets(data.draw(TEXTS)), *[octets(data.draw(a)) for a in ARGUMENTS.get(name, [])]]
    assert_same(
        lambda text, *rest: getattr(text, name)(*rest),
        lambda text, *rest: twin.callee(getattr(text, name))(*rest),
        operands,
    )


@given(text=TEXTS, place=PLACES)
@settings(max_examples=150, deadline=None)
def test_indexing_agrees(text: str, place: int) -> None:
    assert_same(lambda t, i: t[i], twin.getitem, [text, place])


@given(text=TEXTS, start=st.none() | PLACES, stop=st.none() | PLACES, step=st.none() | st.integers(-3, 3))
@settings(max_examples=200, deadline=None)
def test_slicing_agrees(text: str, start: Any, stop: Any, step: Any) -> None:
    assert_same(
        lambda t, a, b, c: t[a:b:c],
        lambda t, a, b, c: twin.getitem(t, twin.slice_(a, b, c)),
        [text, start, stop, step],
    )


@pytest.mark.parametrize("name", ["add", "eq", "ne", "lt", "le", "gt", "ge", "in_", "not_in"])
@given(left=TEXTS, right=st.one_of(TEXTS, SHORT))
@settings(max_examples=100, deadline=None)
def test_operators_on_text_agree(name: str, left: str, right: str) -> None:
    native = {"in_": lambda a, b: a in b, "not_in": lambda a, b: a not in b}.get(name)
    import operator

    assert_same(native or getattr(operator, name), getattr(twin, name), [left, right])


@given(text=TEXTS, count=st.integers(-2, 5))
@settings(max_examples=60, deadline=None)
def test_repetition_agrees(text: str, count: int) -> None:
    assert_same(lambda a, b: a * b, twin.mul, [text, count])
    assert_same(lambda a, b: b * a, lambda a, b: twin.mul(b, a), [text, count])


@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_iteration_agrees(text: str) -> None:
    assert_same(list, lambda t: list(twin.iterate(t, 1)), [text])


@given(text=st.one_of(st.from_regex(r"\s*[-+]?[0-9_]{0,4}\s*", fullmatch=True), TEXTS))
@settings(max_examples=150, deadline=None)
def test_conversion_of_text_agrees(text: str) -> None:
    for function in (int, float, bool, str, len, list, ord):
        assert_same(function, lambda t, f=function: twin.callee(f)(t), [text])


@given(text=TEXTS, number=st.integers(-1000, 1000), real=st.floats(-1e6, 1e6))
@settings(max_examples=100, deadline=None)
def test_formatting_agrees(text: str, number: int, real: float) -> None:
    operands = [text, number, real]
    assert_same(
        lambda t, n, r: "%s=%5d|%.2f" % (t, n, r),  # noqa: UP031 - what is tested
        lambda t, n, r: twin.mod("%s=%5d|%.2f", (t, n, r)),
        operands,
    )
    assert_same(
        lambda t, n, r: f"{t!r:>12}{n:04d}{r:.1e}",
        lambda t, n, r: twin.fstring(
            twin.field(t, "r", ">12"), twin.field(n, "", "04d"), twin.field(r, "", ".1e")
        ),
        operands,
    )
    assert_same(
        lambda t, n, r: f"{t}/{n:+}/{r:g}/{t!r}",
        lambda t, n, r: twin.callee("{0}/{1:+}/{r:g}/{0!r}".format)(t, n, r=r),
        operands,
    )


PATTERNS = [r"(\w)(\d)?", r"[a-b]+", r"(?P<word>[A-Za-z]*)[ ,](\d+)", r"^a|b$", r"\s"]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("kind", ["match", "search", "fullmatch"])
@given(text=TEXTS)
@settings(max_examples=40, deadline=None)
def test_regular_expressions_agree(pattern: str, kind: str, text: str) -> None:
    def use(found: Any) -> Any:
        return (
            None
            if found is None
            else (found.group(0), found.groups(), found.groupdict(), found.span(), bool(found))
        )

    assert_same(
        lambda t: use(getattr(re, kind)(pattern, t)),
        lambda t: use(twin.callee(getattr(re, kind))(pattern, t)),
        [text],
    )


@pytest.mark.parametrize("call", ["sub", "split", "findall"])
@given(text=TEXTS)
@settings(max_examples=30, deadline=None)
def test_regular_expressions_that_rewrite_agree(call: str, text: str) -> None:
    arguments = (r"[a0]", "x") if call == "sub" else (r"[a0]",)
    assert_same(
        lambda t: getattr(re, call)(*arguments, t),
        lambda t: twin.callee(getattr(re, call))(*arguments, t),
        [text],
    )
