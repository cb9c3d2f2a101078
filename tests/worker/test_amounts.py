"""The twin of `decimal`: its code on ints answers what the library's code on texts of digits does."""

from __future__ import annotations

import _pydecimal
import decimal
import operator
import random
import types
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from runtime import trace
from runtime.expr import sort_of, var
from runtime.models import callee1
from runtime.values import wrap
from tests.worker.library_twins import twins
from tracetwin.worker.library.corrections import corrected

SOURCE = Path(_pydecimal.__file__)
ROUNDINGS = [name for name in vars(decimal) if name.startswith("ROUND_")]
NUMBERS = (*("NaN", "sNaN", "Infinity", "-Infinity", "0", "-0", "0E-5", "-0.00", "1E+60", "1E-60"), "9" * 30)
COEFFICIENTS = (0, 1, 5, 15, 25, 45, 50, 125, 500, 995, 1000, 9995)
EXPONENTS = (0, 0, -1, -2, -2, -3, 5, -10, -60, 70, -999_999, 999_990)
OPERATIONS: tuple[Callable[[Any, Any], Any], ...] = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, divmod),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, max, min),
    *(lambda x, y: x.quantize(y), lambda x, y: x.compare(y), lambda x, y: x.compare_total(y)),
    *(lambda x, _: +x, lambda x, _: round(x, 2), lambda x, _: x.to_integral_value()),
)


@pytest.fixture(scope="module")
def on_ints() -> types.ModuleType:
    made = types.ModuleType("_pydecimal_on_ints")
    exec(compile(corrected("decimal", SOURCE.read_bytes()), str(SOURCE), "exec"), vars(made))
    return made


def _number(rng: random.Random) -> str:
    if rng.random() < 0.05:
        return rng.choice(NUMBERS)
    digits = rng.randrange(10 ** rng.choice((1, 2, 3, 5, 9, 28, 30)))
    if rng.random() < 0.3:
        digits = rng.choice(COEFFICIENTS)
    return f"{rng.choice(('', '', '-'))}{digits}E{rng.choice(EXPONENTS)}"


def _outcome(call: Callable[[], Any]) -> tuple[str, str]:
    try:
        result = call()
    except (ArithmeticError, ValueError) as error:
        return type(error).__name__, ""
    return type(result).__name__, str(result)


def _outcomes(library: Any, texts: tuple[str, str], rounding: str, precision: int, limit: int) -> list[Any]:
    context = library.Context(prec=precision, rounding=rounding, Emax=limit, Emin=-limit)
    library.setcontext(context)
    first, second = map(library.Decimal, texts)
    found: list[Any] = [_outcome(partial(call, first, second)) for call in OPERATIONS]
    if first.is_finite() and abs(first.adjusted()) < 200:
        found += [_outcome(partial(int, first)), _outcome(partial(round, first)), hash(first)]
    return [*found, sorted(flag.__name__ for flag, is_set in context.flags.items() if is_set)]


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_numbers_as_ints_answer_what_numbers_as_texts_do(on_ints: types.ModuleType, rounding: str) -> None:
    rng = random.Random(rounding)
    for _ in range(150):
        texts = _number(rng), _number(rng)
        how = rounding, rng.choice((28, 28, 9, 5)), rng.choice((999_999, 99))
        assert _outcomes(on_ints, texts, *how) == _outcomes(_pydecimal, texts, *how), (texts, how)


def test_comparing_an_amount_is_a_linear_condition_on_its_digits() -> None:
    library = twins("decimal").decimal
    current = trace.start()
    try:
        digits = callee1(str)(wrap(512, var("digits", sort_of(512))))
        assert library._dec_from_triple(0, digits, 0) >= library.Decimal("500.25")
    finally:
        trace.stop()
    last = current.path[-1][0]
    assert last.op == "ge"
    assert last.names == frozenset(("digits",))
    assert all("len" not in str(node) for node, *_ in current.path), "how long the digits are is not asked"
