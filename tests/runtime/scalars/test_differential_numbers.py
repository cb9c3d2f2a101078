"""Numbers: a traced operation gives CPython's value, type and exception, and its expression agrees."""

from __future__ import annotations

import math
import operator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime import twin
from tests.runtime.strict import assert_same

INTS = st.one_of(st.integers(-20, 20), st.integers(-(10**20), 10**20))
FLOATS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 0.5, math.inf, -math.inf, math.nan, 1e308, 5e-324]), st.floats()
)
NUMBERS = st.one_of(INTS, FLOATS, st.booleans())
SMALL = st.integers(-40, 40)

BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "and_": operator.and_,
    "or_": operator.or_,
    "xor": operator.xor,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
    "iadd": operator.iadd,
    "imod": operator.imod,
    "ixor": operator.ixor,
}


@pytest.mark.parametrize("name", BINARY)
@given(left=NUMBERS, right=NUMBERS)
@settings(max_examples=150, deadline=None)
def test_binary_operators_agree(name: str, left: Any, right: Any) -> None:
    assert_same(BINARY[name], getattr(twin, name), [left, right])


@pytest.mark.parametrize("name", BINARY)
@given(left=NUMBERS, right=NUMBERS)
@settings(max_examples=60, deadline=None)
def test_operators_dispatched_by_python_agree(name: str, left: Any, right: Any) -> None:
    assert_same(BINARY[name], BINARY[name], [left, right])


@pytest.mark.parametrize("name", ["pow", "lshift", "rshift"])
@given(left=NUMBERS, right=SMALL)
@settings(max_examples=150, deadline=None)
def test_powers_and_shifts_agree(name: str, left: Any, right: int) -> None:
    assert_same(getattr(operator, name), getattr(twin, name), [left, right])


@pytest.mark.parametrize("name", ["neg", "pos", "invert", "not_"])
@given(value=NUMBERS)
@settings(max_examples=100, deadline=None)
def test_unary_operators_agree(name: str, value: Any) -> None:
    if name == "invert" and isinstance(value, bool):
        return  # deprecated since 3.12
    assert_same(getattr(operator, name), getattr(twin, name), [value])


FUNCTIONS = [
    abs, round, int, float, bool, str, repr, divmod, bin, hex, oct, min, max, math.floor, math.ceil,
    math.trunc, math.sqrt, math.isnan, math.isinf, math.isfinite, math.fabs, math.copysign, math.fmod,
    math.hypot, math.gcd, math.log, math.exp, math.sin, math.atan2, math.isqrt, math.isclose, chr, hash,
    format,
]  # fmt: skip
TWO = (divmod, min, max, math.copysign, math.fmod, math.hypot, math.gcd, math.atan2, math.isclose)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@given(left=NUMBERS, right=NUMBERS)
@settings(max_examples=100, deadline=None)
def test_functions_of_numbers_agree(function: Any, left: Any, right: Any) -> None:
    operands = [left, right] if function in TWO else [left]
    assert_same(function, twin.callee(function), operands)


@given(value=st.one_of(INTS, FLOATS), digits=st.integers(-3, 5))
@settings(max_examples=150, deadline=None)
def test_round_to_digits_agrees(value: Any, digits: int) -> None:
    assert_same(round, twin.callee(round), [value, digits])


@given(start=SMALL, stop=SMALL, step=st.integers(-4, 4))
@settings(max_examples=150, deadline=None)
def test_ranges_agree(start: int, stop: int, step: int) -> None:
    def shadow(*bounds: Any) -> list[Any]:
        return list(twin.iterate(twin.callee(range)(*bounds), 2))

    assert_same(lambda *b: list(range(*b)), shadow, [start, stop, step])


@given(value=SMALL, start=SMALL, stop=SMALL, step=st.sampled_from([-3, -1, 1, 2, 5]))
@settings(max_examples=150, deadline=None)
def test_membership_of_ranges_agrees(value: int, start: int, stop: int, step: int) -> None:
    assert_same(
        lambda v, a, b, c: v in range(a, b, c),
        lambda v, a, b, c: twin.in_(v, twin.callee(range)(a, b, c)),
        [value, start, stop, step],
    )


BOUND = st.one_of(st.none(), SMALL)


@given(
    start=BOUND,
    stop=BOUND,
    step=st.one_of(st.none(), st.integers(-4, 4)),
    size=st.integers(-1, 12),
)
@settings(max_examples=200, deadline=None)
def test_indices_of_slices_agree(start: Any, stop: Any, step: Any, size: int) -> None:
    assert_same(
        lambda a, b, c, n: slice(a, b, c).indices(n),
        lambda a, b, c, n: twin.callee(slice(a, b, c).indices)(n),
        [start, stop, step, size],
    )
