"""`math`: every function of scalars keeps its expression; the domain errors are checks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from runtime.expr import Node, Sort, apply
from runtime.meanings.arithmetic import MAY_OVERFLOW, OPERATORS
from runtime.models.calls.losses import lossy
from runtime.models.registry import SHALLOW, models
from runtime.models.shadow import of_numbers, refuse
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary, check_finite
from runtime.values import NUMBERS, TRACED, check, kind_of, number_node, plain, wrap

keep_builtins(globals())

_TAKES: Final = {
    **dict.fromkeys(("atan2", "hypot", "copysign", "remainder", "nextafter", "pow", "fmod"), "number number"),
    "log": "number number?",
    "ldexp": "number small; float int",
    "isclose": "number number",
    "fma": "number number number",
}


def _register(name: str) -> None:
    native = getattr(math, name)
    op = f"math.{name}"
    domain = _DOMAINS.get(name)

    def checks(*args: Any) -> None:
        if domain is not None:
            domain(*args)
        if name in MAY_OVERFLOW:
            exact, nodes = [plain(a) for a in args], [number_node(a) for a in args]
            if not check(_holds(f"{name}_ok", exact, nodes)):
                check(_holds(f"{name}_refused", exact, nodes))

    model = of_numbers(native, op, OPERATORS[op], checks)
    models(native, takes=_TAKES.get(name, "number"))(model)
    SHALLOW.add(native)


def _holds(op: str, exact: list[Any], nodes: list[Node]) -> Any:
    return wrap(OPERATORS[op](*exact), apply(op, Sort.BOOL, *nodes))


def _at_least(least: float) -> Callable[..., None]:
    return lambda x: refuse("lt", x, least)


def _positive(x: Any) -> None:
    refuse("le", x, 0)


def _logarithm(x: Any, base: Any = None) -> None:
    _positive(x)
    if base is not None and plain(x) > 0:
        _positive(base)
        refuse("eq", base, 1)


def _within_one(x: Any) -> None:
    refuse("gt", x, 1)
    refuse("lt", x, -1)


def _inside_one(x: Any) -> None:
    refuse("ge", x, 1)
    refuse("le", x, -1)


def _not_infinite(x: Any) -> None:
    refuse("eq", x, math.inf)
    refuse("eq", x, -math.inf)


def _remainder(x: Any, y: Any) -> None:
    refuse("eq", y, 0)
    _not_infinite(x)


_DOMAINS: Final[dict[str, Callable[..., None]]] = {
    **dict.fromkeys(("sin", "cos", "tan"), _not_infinite),
    **dict.fromkeys(("asin", "acos"), _within_one),
    **dict.fromkeys(("fmod", "remainder"), _remainder),
    **dict.fromkeys(("log2", "log10"), _positive),
    "sqrt": _at_least(0),
    "acosh": _at_least(1),
    "atanh": _inside_one,
    "log": _logarithm,
    "log1p": lambda x: refuse("le", x, -1),
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
    refuse("lt", rel_tol, 0)
    refuse("lt", abs_tol, 0)
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
