"""Methods of numbers, `math`, `cmath` and complex numbers: CPython's results, and expressions that agree."""

from __future__ import annotations

import cmath
import enum
import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime import trace, twin
from runtime.expr import Sort, var
from runtime.scalars.complexes import SComplex
from runtime.values import SInt, wrap
from tests.runtime.strict import assert_same, traced

INTS = st.one_of(st.integers(-20, 20), st.integers(-(10**20), 10**20))
FLOATS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 0.5, 2.5, -7.75, math.inf, -math.inf, math.nan, 1e308, 5e-324]),
    st.floats(),
)
NUMBERS = st.one_of(INTS, FLOATS, st.booleans())


def of(function: Any) -> tuple[Any, Any]:
    return function, twin.callee(function)


def method(name: str, *rest: Any, **kwargs: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A method as the program calls it, and as its twin does."""
    return (
        lambda value, *args: getattr(value, name)(*args, *rest, **kwargs),
        lambda value, *args: twin.callee(getattr(value, name))(*args, *rest, **kwargs),
    )


@pytest.mark.parametrize("name", ["bit_length", "bit_count", "as_integer_ratio", "conjugate", "__round__"])
@given(value=st.one_of(INTS, st.booleans()))
@settings(max_examples=20, deadline=None)
def test_methods_of_ints_agree(name: str, value: int) -> None:
    assert_same(*method(name), [value])


@pytest.mark.parametrize("name", ["real", "imag", "numerator", "denominator"])
def test_parts_of_ints_agree(name: str) -> None:
    for value in (0, -7, True):
        assert_same(operator.attrgetter(name), operator.attrgetter(name), [value])


@given(
    value=st.one_of(st.integers(-300, 300), INTS),
    length=st.integers(-1, 9),
    order=st.sampled_from(["big", "little", "other"]),
    signed=st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_ints_become_bytes(value: int, length: int, order: str, signed: bool) -> None:
    def native(number: int, size: int, sign: bool) -> bytes:
        return number.to_bytes(size, order, signed=sign)  # type: ignore[arg-type]

    def shadow(number: Any, size: Any, sign: Any) -> Any:
        return twin.callee(number.to_bytes)(size, order, signed=sign)

    assert_same(native, shadow, [value, length, signed])


@given(data=st.binary(max_size=9), order=st.sampled_from(["big", "little", "other"]), signed=st.booleans())
@settings(max_examples=60, deadline=None)
def test_bytes_become_ints(data: bytes, order: str, signed: bool) -> None:
    def native(octets: bytes, sign: bool) -> int:
        return int.from_bytes(octets, order, signed=sign)  # type: ignore[arg-type]

    def shadow(octets: Any, sign: Any) -> Any:
        return twin.callee(int.from_bytes)(octets, order, signed=sign)

    assert_same(native, shadow, [data, signed])
    listed = list(data)
    assert_same(
        lambda *octets: int.from_bytes([*octets], order),  # type: ignore[arg-type]
        lambda *octets: twin.callee(int.from_bytes)([*octets], order),
        listed,
    )


@given(base=st.integers(-50, 50), exponent=st.integers(-5, 30), modulus=st.integers(-20, 20))
@settings(max_examples=150, deadline=None)
def test_powers_with_a_modulus_agree(base: int, exponent: int, modulus: int) -> None:
    assert_same(*of(pow), [base, exponent, modulus])


@pytest.mark.parametrize(
    "name", ["is_integer", "as_integer_ratio", "hex", "__round__", "__floor__", "__trunc__"]
)
@given(value=FLOATS)
@settings(max_examples=30, deadline=None)
def test_methods_of_floats_agree(name: str, value: float) -> None:
    assert_same(*method(name), [value])


ONE = [
    math.frexp, math.modf, math.ulp, math.gamma, math.asinh, math.acosh, math.atanh, math.acos, math.log1p,
    math.exp, math.cosh, math.floor, math.erf, math.factorial, cmath.sqrt, cmath.log10,
    cmath.phase, cmath.polar, complex,
]  # fmt: skip
TWO = [
    math.remainder,
    math.nextafter,
    math.pow,
    math.lcm,
    math.comb,
    math.perm,
    math.log,
    math.ldexp,
    complex,
]


@pytest.mark.parametrize("function", ONE, ids=lambda f: f.__name__)
@given(value=st.one_of(st.integers(-5, 30), NUMBERS))
@settings(max_examples=40, deadline=None)
def test_functions_of_one_number_agree(function: Any, value: Any) -> None:
    if function is math.factorial and value > 1000:
        return
    assert_same(*of(function), [value])


@pytest.mark.parametrize("function", TWO, ids=lambda f: f.__name__)
@given(left=st.one_of(st.integers(-3, 12), NUMBERS), right=st.one_of(st.integers(-3, 12), FLOATS))
@settings(max_examples=40, deadline=None)
def test_functions_of_two_numbers_agree(function: Any, left: Any, right: Any) -> None:
    assert_same(*of(function), [left, right])


@given(values=st.lists(NUMBERS, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_functions_of_many_numbers_agree(values: list[Any]) -> None:
    for function in (math.fsum, math.prod):
        assert_same(lambda *v, f=function: f([*v]), lambda *v, f=function: twin.callee(f)([*v]), values)
    assert_same(
        lambda *v: math.dist(v, (1.5,) * len(v)),
        lambda *v: twin.callee(math.dist)(v, (1.5,) * len(v)),
        values,
    )


@given(a=FLOATS, b=FLOATS, tolerance=st.sampled_from([0.0, 0.5, -1.0, 1e-12]))
@settings(max_examples=60, deadline=None)
def test_closeness_agrees(a: float, b: float, tolerance: float) -> None:
    assert_same(
        lambda x, y, t: math.isclose(x, y, rel_tol=t, abs_tol=t),
        lambda x, y, t: twin.callee(math.isclose)(x, y, rel_tol=t, abs_tol=t),
        [a, b, tolerance],
    )


COMPLEX = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "pow": operator.pow, "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip


@pytest.mark.parametrize("name", COMPLEX)
@given(real=FLOATS, imag=FLOATS, other=st.one_of(NUMBERS, st.sampled_from([2j, 1.5 - 1j, 0j])))
@settings(max_examples=60, deadline=None)
def test_complex_arithmetic_agrees(name: str, real: float, imag: float, other: Any) -> None:
    def native(one: Any, two: Any, three: Any) -> Any:
        return parts(COMPLEX[name](complex(one, two), three))

    def shadow(one: Any, two: Any, three: Any) -> Any:
        return parts(getattr(twin, name)(twin.callee(complex)(one, two), three))

    assert_same(native, shadow, [real, imag, other])


def parts(value: Any) -> Any:
    return [value.real, value.imag] if isinstance(value, complex) else value


def test_complex_methods_agree() -> None:
    for name in ("conjugate", "__abs__", "__neg__", "__bool__", "__repr__"):
        assert_same(
            lambda a, b, n=name: parts(getattr(complex(a, b), n)()),
            lambda a, b, n=name: parts(getattr(twin.callee(complex)(a, b), n)()),
            [3.0, -4.0],
        )


def test_what_takes_a_complex_away_is_noted() -> None:
    trace.start()
    value = twin.callee(complex)(wrap(1.5, var("x", Sort.FLOAT)), 2.0)
    assert type(value) is SComplex
    assert f"{value}" == "(1.5+2j)"
    assert {"complex"} == {name for name, *_ in trace.current.losses}


@given(start=st.integers(-9, 9), stop=st.integers(-9, 30), step=st.integers(-4, 4), key=st.integers(-9, 9))
@settings(max_examples=100, deadline=None)
def test_ranges_are_asked_without_running_through_them(start: int, stop: int, step: int, key: int) -> None:
    def asked(length: Any, range_of: Any) -> Callable[..., Any]:
        def ask(a: Any, b: Any, c: Any, k: Any) -> Any:
            made = range_of(a, b, c)
            return [length(made), made.count(k), made[k], made.index(k)]

        return ask

    assert_same(asked(len, range), asked(twin.callee(len), twin.callee(range)), [start, stop, step, key])


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 40


class Rights(enum.IntFlag):
    READ = 4
    WRITE = 2
    RUN = 1


class Colour(enum.Flag):
    RED = 1
    BLUE = 4


@pytest.mark.parametrize("value", [0, 1, 5, 40, -3])
def test_ints_mix_with_members(value: int) -> None:
    for op in ("add", "mul", "lt", "eq", "and_", "mod"):
        native, shadow = getattr(operator, op), getattr(twin, op)
        assert_same(lambda n, f=native: f(n, Level.HIGH), lambda n, f=shadow: f(n, Level.HIGH), [value])
        assert_same(lambda n, f=native: f(Level.LOW, n), lambda n, f=shadow: f(Level.LOW, n), [value])
    for op in ("and_", "or_", "xor"):
        native, shadow = getattr(operator, op), getattr(twin, op)
        assert_same(lambda n, f=native: f(n, Rights.READ), lambda n, f=shadow: f(n, Rights.READ), [value])
    for kind in (Rights, Colour):
        assert_same(kind, lambda n, k=kind: twin.callee(k)(n), [value])


def test_flags_of_an_int_are_decisions() -> None:
    trace.start()
    number = wrap(5, var("n", Sort.INT))
    assert twin.callee(Colour)(number) is Colour.RED | Colour.BLUE
    assert len([node for node, *_ in trace.current.path if "and_(n, " in str(node)]) >= 2
    assert not trace.current.losses


def test_a_result_too_long_for_an_expression_is_pinned() -> None:
    trace.start()
    number = wrap(40_000, var("n", Sort.INT))
    result = twin.lshift(1, number)
    assert type(result) is int
    lost = {(name, names) for (name, *_), names in trace.current.losses.items()}
    assert {("int", frozenset({"n"}))} == lost
    assert type(twin.lshift(1, wrap(40, var("m", Sort.INT)))) is SInt


@pytest.mark.parametrize(("left", "right"), [(5, 0), (2.5, 0), (5, 0.0), (True, False)])
def test_a_divmod_by_zero_says_what_cpython_says(left: Any, right: Any) -> None:
    said = []
    for a, b in ((left, right), (traced("x0", left), right), (left, traced("x1", right))):
        with pytest.raises(ZeroDivisionError) as raised:
            twin.callee2(divmod)(a, b)
        said.append((str(raised.value), raised.value.__context__))
    assert [said[0]] * 3 == said
