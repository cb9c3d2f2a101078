"""Builtin functions of numbers, such as `abs`, and slots called by name, such as `operator.index`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from runtime.expr import Sort, apply, sort_of
from runtime.models.registry import SHALLOW, models
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary, check_finite, power, quotient_and_rest, unary
from runtime.scalars.text import as_text
from runtime.values import (
    NUMBERS,
    TRACED,
    SBool,
    SBytes,
    SFloat,
    SInt,
    SStr,
    kind_of,
    number_node,
    plain,
    wrap,
)

keep_builtins(globals())


@models(abs, takes="number; str")
def traced_abs(value: Any, /) -> Any:
    """`abs(x)`."""
    return unary("abs", value) if kind_of(value) in (SInt, SFloat, SBool) else abs(value)


@models(round, takes="number small?|None?; float ndigits=small?")
def traced_round(number: Any, ndigits: Any = None) -> Any:
    """`round(x, n)`."""
    if kind_of(number) not in TRACED and kind_of(ndigits) not in TRACED:
        return round(number, ndigits)
    if kind_of(number) in (SStr, SBytes) or kind_of(number) not in NUMBERS:
        return round(number, plain(ndigits))
    if ndigits is None:
        check_finite(number)
        return wrap(round(plain(number)), apply("round", Sort.INT, number_node(number)))
    result = round(plain(number), plain(ndigits))
    return wrap(result, apply("round", sort_of(result), number_node(number), number_node(ndigits)))


@models(divmod, takes="number number; int int; str int")
def traced_divmod(left: Any, right: Any, /) -> Any:
    """`divmod(a, b)`."""
    if kind_of(left) in TRACED or kind_of(right) in TRACED:
        result = quotient_and_rest(left, right)
        if result is not NotImplemented:
            return result
    return divmod(left, right)


@models(pow, takes="number small; float float; int small int; small small exp=small?")
def traced_pow(base: Any, exp: Any, mod: Any = None) -> Any:
    """`pow(base, exp)`, and with a modulus."""
    if any(kind_of(value) in TRACED for value in (base, exp, mod)):
        result = binary("pow", base, exp) if mod is None else power(base, exp, mod)
        if result is not NotImplemented:
            return result
    return pow(base, exp, mod)


@models(operator.index, takes="number|str")
def traced_index(value: Any, /) -> Any:
    """`operator.index(value)`."""
    if kind_of(value) is SInt:
        return value
    if kind_of(value) is SBool:
        return wrap(int(value.v), apply("to_int", Sort.INT, value.e))
    return operator.index(plain(value))


def _register(kind: type, native: Callable[[Any], str]) -> None:
    @models(native)
    def model(value: Any, /) -> Any:
        return as_text("repr", value) if kind_of(value) is kind else native(plain(value))


_register(SInt, int.__repr__)
_register(SFloat, float.__repr__)
SHALLOW.update((abs, round, divmod, pow, operator.index, int.__repr__, float.__repr__))
