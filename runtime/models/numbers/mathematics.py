"""`math`: every function of scalars keeps its expression; the domain errors are checks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from runtime.expr import Node, Sort, apply, negate, sort_of
from runtime.meanings.arithmetic import MAY_OVERFLOW, OPERATORS
from runtime.models.calls.losses import lossy
from runtime.models.registry import SHALLOW, models
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary, check_finite, compare
from runtime.values import NUMBERS, TRACED, SBool, check, kind_of, lose_all, number_node, plain, wrap

keep_builtins(globals())

_WHOLE: Final = frozenset(("gcd", "lcm", "isqrt", "factorial", "comb", "perm"))
"""Functions of ints, which refuse floats."""

_GROWING: Final = frozenset(("factorial", "comb", "perm"))
_TAKES: Final = {
    **dict.fromkeys(("atan2", "hypot", "copysign", "remainder", "nextafter", "pow", "fmod"), "number number"),
    **dict.fromkeys(("gcd", "lcm"), "int int"),
    "isqrt": "int",
    "factorial": "small",
    "comb": "small small",
    "perm": "small small?",
    "log": "number number?",
    "ldexp": "number small; float int",
    "isclose": "number number",
    "fma": "number number number",
}


def _register(name: str) -> None:
    native = getattr(math, name)
    op = f"math.{name}"
    domain = _DOMAINS.get(name)

    def model(*args: Any, **kwargs: Any) -> Any:
        if kwargs or not all(kind_of(a) in NUMBERS for a in args):
            return lossy(native, *args, **kwargs)
        if domain is not None:
            domain(*args)
        nodes = [number_node(a) for a in args]
        exact = [plain(a) for a in args]
        if name in MAY_OVERFLOW and not check(_holds(f"{name}_ok", exact, nodes)):
            check(_holds(f"{name}_refused", exact, nodes))
        result = native(*exact)
        if name in _GROWING and not _is_considered(op, exact):
            lose_all(op, *args)
            return result
        return wrap(result, apply(op, sort_of(result), *nodes))

    models(native, takes=_TAKES.get(name, "number"))(model)
    SHALLOW.add(native)


def _is_considered(op: str, exact: list[Any]) -> bool:
    """Return whether the operator gives the result, and does not refuse it as too large."""
    try:
        OPERATORS[op](*exact)
    except OverflowError:
        return False
    return True


def _holds(op: str, exact: list[Any], nodes: list[Node]) -> Any:
    return wrap(OPERATORS[op](*exact), apply(op, Sort.BOOL, *nodes))


def _not(op: str, left: Any, right: Any) -> None:
    """Check that a comparison does not hold: NaN, which compares as false, is in every domain."""
    outcome = compare(op, left, right)
    if type(outcome) is SBool:
        check(wrap(not outcome.v, negate(outcome.e)))


def _at_least(least: float) -> Callable[..., None]:
    return lambda x: _not("lt", x, least)


def _positive(x: Any) -> None:
    _not("le", x, 0)


def _logarithm(x: Any, base: Any = None) -> None:
    _positive(x)
    if base is not None and plain(x) > 0:
        _positive(base)
        _not("eq", base, 1)


def _within_one(x: Any) -> None:
    _not("gt", x, 1)
    _not("lt", x, -1)


def _inside_one(x: Any) -> None:
    _not("ge", x, 1)
    _not("le", x, -1)


def _not_infinite(x: Any) -> None:
    _not("eq", x, math.inf)
    _not("eq", x, -math.inf)


def _remainder(x: Any, y: Any) -> None:
    _not("eq", y, 0)
    _not_infinite(x)


def _naturals(*args: Any) -> None:
    for arg in args:
        if arg is not None:
            _not("lt", arg, 0)


_DOMAINS: Final[dict[str, Callable[..., None]]] = {
    **dict.fromkeys(("isqrt", "factorial", "comb", "perm"), _naturals),
    **dict.fromkeys(("sin", "cos", "tan"), _not_infinite),
    **dict.fromkeys(("asin", "acos"), _within_one),
    **dict.fromkeys(("fmod", "remainder"), _remainder),
    **dict.fromkeys(("log2", "log10"), _positive),
    "sqrt": _at_least(0),
    "acosh": _at_least(1),
    "atanh": _inside_one,
    "log": _logarithm,
    "log1p": lambda x: _not("le", x, -1),
}

for _op in OPERATORS:
    if _op.startswith("math.") and _op not in ("math.isclose", "math.fsum", "math.dist"):
        _register(_op.removeprefix("math."))


def _register_rounding(name: str) -> None:
    native = getattr(math, name)

    @models(native, takes="number")
    def model(value: Any, /) -> Any:
        if kind_of(value) not in TRACED or kind_of(value) not in NUMBERS:
            return native(plain(value))
        check_finite(value)
        return wrap(native(plain(value)), apply(name, Sort.INT, number_node(value)))

    SHALLOW.add(native)


for _name in ("floor", "ceil", "trunc"):
    _register_rounding(_name)


@models(math.isclose, takes="number number")
def isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    """`math.isclose(a, b)`, and with tolerances."""
    args = (a, b, rel_tol, abs_tol)
    if not all(kind_of(arg) in NUMBERS for arg in args):
        return lossy(math.isclose, a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    _not("lt", rel_tol, 0)
    _not("lt", abs_tol, 0)
    result = math.isclose(plain(a), plain(b), rel_tol=plain(rel_tol), abs_tol=plain(abs_tol))
    nodes = [number_node(arg) for arg in args]
    is_default = type(rel_tol) is float and rel_tol == 1e-09 and type(abs_tol) is float and not abs_tol
    return wrap(result, apply("math.isclose", Sort.BOOL, *(nodes[:2] if is_default else nodes)))


SHALLOW.add(math.isclose)


def _halves(function: Any, first: str, second: str, sort: Sort) -> Callable[[Any], Any]:
    """Return the model of a function that gives two numbers, of which the second has the sort `sort`."""

    def model(value: Any, /) -> Any:
        if kind_of(value) not in NUMBERS:
            return lossy(function, value)
        one, other = function(plain(value))
        node = number_node(value)
        return wrap(one, apply(first, Sort.FLOAT, node)), wrap(other, apply(second, sort, node))

    return model


models(math.frexp, takes="number")(_halves(math.frexp, "frexp_mantissa", "frexp_exponent", Sort.INT))
models(math.modf, takes="number")(_halves(math.modf, "modf_fraction", "modf_whole", Sort.FLOAT))
SHALLOW.update((math.frexp, math.modf))


@models(math.fsum, takes="list[float]")
def fsum(values: Any, /) -> Any:
    """`math.fsum(numbers)`."""
    terms = list(values)
    if not _has_traced_numbers(terms):
        return math.fsum(terms)
    exact = list(map(plain, terms))
    return wrap(math.fsum(exact), apply("math.fsum", Sort.FLOAT, *map(number_node, terms)))


@models(math.dist)
def dist(p: Any, q: Any, /) -> Any:
    """`math.dist(p, q)`."""
    one, other = list(p), list(q)
    if len(one) != len(other) or not _has_traced_numbers(one + other):
        return math.dist(tuple(map(plain, one)), tuple(map(plain, other)))
    result = math.dist(tuple(map(plain, one)), tuple(map(plain, other)))
    return wrap(result, apply("math.dist", Sort.FLOAT, *map(number_node, one + other)))


@models(math.prod, takes="list[int];list[float]")
def prod(iterable: Any, /, *, start: Any = 1) -> Any:
    """`math.prod(numbers)`: one multiplication after the other."""
    result = start
    for factor in iterable:
        product = binary("mul", result, factor)
        result = result * factor if product is NotImplemented else product
    return result


def _has_traced_numbers(values: list[Any]) -> bool:
    return all(kind_of(v) in NUMBERS for v in values) and any(kind_of(v) in TRACED for v in values)
