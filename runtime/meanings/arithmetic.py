"""The meaning of the operators on numbers that no operation of Python's own syntax has.

What gives two numbers at once (`frexp`, `as_integer_ratio`) is one operator for each of them, and what takes
any number of operands (`fsum`) takes them one by one: an operand is always a scalar.
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from typing import Any, Final

from runtime.meanings.predicates import refuses, succeeds

_ERRORS: Final = (ArithmeticError, ValueError)
_MOST: Final = 3000
"""Bytes of an int; more would fill memory and tests."""


def _is_close(a: float, b: float, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    return math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)


def _distance(*coordinates: float) -> float:
    """Return `math.dist` of two points, given as all coordinates of the one and then those of the other."""
    half = len(coordinates) // 2
    return math.dist(coordinates[:half], coordinates[half:])


def _to_bytes(value: int, length: int, order: Any, signed: bool) -> bytes:
    if length > _MOST:
        raise OverflowError("too large to consider")
    return value.to_bytes(length, order, signed=signed)


def _gives_complex(base: float, exponent: float) -> bool:
    try:
        return type(pow(base, exponent)) is complex
    except ArithmeticError:
        return False


def _float_power(base: float, exponent: float) -> float:
    """Return `pow` where it gives a float, and not the complex of a negative base and a broken exponent.

    Ints are floats here, as a negative exponent makes them: a power of ints may be too long to be computed.
    """
    result = pow(float(base), exponent)
    if type(result) is complex:
        raise ValueError("a complex result")
    return float(result)


def _part(function: Callable[..., complex], name: str) -> Callable[..., float]:
    """Return the real or imaginary part of a function of complex numbers, each given as two floats."""

    def computed(*parts: float) -> float:
        numbers = [complex(*parts[place : place + 2]) for place in range(0, len(parts), 2)]
        return float(getattr(function(*numbers), name))

    return computed


def _of_parts(name: str, function: Callable[..., complex]) -> dict[str, Callable[..., Any]]:
    """Return three operators: whether there is a result, and its parts."""
    real = _part(function, "real")
    return {
        f"{name}_ok": succeeds(real, *_ERRORS),
        f"{name}_real": real,
        f"{name}_imag": _part(function, "imag"),
    }


COMPLEX_FUNCTIONS: Final = (
    "sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
)  # fmt: skip
"""Functions of `cmath` whose parts are operators ``cmath.NAME_real`` and ``cmath.NAME_imag``."""

_PLAIN: Final = (
    "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "exp2", "cbrt",
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "hypot", "fmod", "remainder", "copysign", "fabs",
    "isnan", "isinf", "isfinite", "degrees", "radians", "pow", "ldexp", "ulp",
    "nextafter", "erf", "erfc", "gamma", "lgamma", "fma",
)  # fmt: skip
"""Functions of `math` (where it has them) that are operators ``math.NAME``."""

MAY_OVERFLOW: Final = ("exp", "expm1", "exp2", "sinh", "cosh", "pow", "ldexp", "gamma", "lgamma", "fma")
"""Functions whose operands may be in their domain and their result in none: operators ``math.NAME_ok``."""

OPERATORS: Final[dict[str, Callable[..., Any]]] = {
    **{f"math.{name}": getattr(math, name) for name in _PLAIN if hasattr(math, name)},
    **{f"{name}_ok": succeeds(getattr(math, name), *_ERRORS) for name in MAY_OVERFLOW if hasattr(math, name)},
    **{f"{name}_refused": refuses(getattr(math, name)) for name in MAY_OVERFLOW if hasattr(math, name)},
    "math.isclose": _is_close,  # isclose(a, b) or isclose(a, b, rel_tol, abs_tol)
    "math.fsum": lambda *terms: math.fsum(terms),
    "math.dist": _distance,
    "sum": lambda *terms: sum(terms),  # of floats: from 3.12 on with less of an error than that of additions
    "pow_fits": succeeds(_float_power, *_ERRORS),
    "pow_is_complex": _gives_complex,  # of floats, for a negative base
    "to_float_ok": succeeds(float, *_ERRORS),  # from INT
    "frexp_mantissa": lambda x: math.frexp(x)[0],
    "frexp_exponent": lambda x: math.frexp(x)[1],
    "modf_fraction": lambda x: math.modf(x)[0],
    "modf_whole": lambda x: math.modf(x)[1],
    "ratio_numerator": lambda x: float.as_integer_ratio(x)[0],
    "ratio_denominator": lambda x: float.as_integer_ratio(x)[1],
    "float_hex": float.hex,
    "fromhex": float.fromhex,
    "fromhex_ok": succeeds(float.fromhex, *_ERRORS),
    "to_bytes": _to_bytes,  # to_bytes(value, length, order, signed), all but the value constant
    # from_bytes(data, order, signed), all but the data constant
    "from_bytes": lambda data, order, signed: int.from_bytes(data, order, signed=signed),
    "magnitude": lambda real, imag: abs(complex(real, imag)),
    **_of_parts("cdiv", operator.truediv),
    **_of_parts("cpow", operator.pow),
}
for _name in COMPLEX_FUNCTIONS:
    OPERATORS.update(_of_parts(f"cmath.{_name}", getattr(cmath, _name)))

TAKES: Final[dict[str, str]] = {
    **dict.fromkeys(OPERATORS, "float"),
    **{f"math.{name}": "float; int" for name in _PLAIN if hasattr(math, name)},
    **{f"{name}_ok": "float; int" for name in MAY_OVERFLOW if hasattr(math, name)},
    **dict.fromkeys(
        ("math.atan2", "math.fmod", "math.remainder", "math.copysign", "math.nextafter"),
        "float float; int float",
    ),
    **{f"{name}_refused": "float; int" for name in MAY_OVERFLOW if hasattr(math, name)},
    **dict.fromkeys(
        ("math.pow", "pow_ok", "pow_refused", "pow_fits", "pow_is_complex"),
        "float float; float small; int small",
    ),
    **dict.fromkeys(("math.ldexp", "ldexp_ok", "ldexp_refused"), "float small"),
    **{name: "float float" for name in OPERATORS if name.startswith("cmath.")},
    **dict.fromkeys((f"{op}_{part}" for op in ("cdiv", "cpow") for part in ("ok", "real", "imag")),
                    "float float float float"),
    **dict.fromkeys(("math.hypot", "magnitude"), "float float"),
    **dict.fromkeys(("math.fsum", "sum"), "float float? float?"),
    "math.dist": "float float; float float float float",
    "math.isclose": "float float; float float 1e-09|0.5 0.0|0.25",
    "to_float_ok": "int",
    "to_bytes": "int 0|1|2|4|8 'big'|'little' True|False",
    "from_bytes": "bytes 'big'|'little' True|False",
    **dict.fromkeys(("fromhex", "fromhex_ok"), "digits; '0x1.8p3'|'-0x1p-1074'|'1.8'"),
    **dict.fromkeys(
        ("math.fma", "fma_ok", "fma_refused") if hasattr(math, "fma") else (), "float float float"
    ),
}
"""Operands that each operator takes, in the words of `runtime.models.registry.TAKES`."""
