"""The meaning of every expression operator: the Python operation itself.

`MEANINGS` maps an operator's name to the callable that computes it on exact Python values. The
evaluator, constant folding and the search in `tracetwin.solving` all go through this one table, so an
expression can never mean anything else than what CPython does. All of them are pure and deterministic.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any, Final

DOMAIN_ERRORS: Final = (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, MemoryError)
"""What an operation may raise outside its domain; a path condition guards it by an earlier branch."""

_HUGE_BITS: Final = 1 << 14


def _bounded_pow(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """`pow`, refusing results that would not fit in memory or in a test."""
    if modulus is not None:
        return pow(base, exponent, modulus)
    whole = type(base) is int and type(exponent) is int
    if whole and exponent > 0 and base.bit_length() * exponent > _HUGE_BITS:
        raise OverflowError("power too large to consider")
    return pow(base, exponent)


def _bounded_lshift(value: Any, count: Any) -> Any:
    if type(count) is int and count > _HUGE_BITS:
        raise OverflowError("shift too large to consider")
    return value << count


def _bounded_mul(left: Any, right: Any) -> Any:
    for sequence, count in ((left, right), (right, left)):
        repeated = isinstance(sequence, (str, bytes)) and isinstance(count, int)
        if repeated and len(sequence) * count > _HUGE_BITS:
            raise OverflowError("repetition too large to consider")
    return left * right


def _succeeds(function: Callable[..., Any]) -> Callable[..., bool]:
    """The predicate "this conversion does not raise"."""

    def holds(*args: Any) -> bool:
        try:
            function(*args)
        except DOMAIN_ERRORS:
            return False
        return True

    return holds


def _slice(value: Any, start: Any, stop: Any, step: Any) -> Any:
    return value[start:stop:step]


def _method(owner: type, name: str) -> Callable[..., Any]:
    return getattr(owner, name)  # type: ignore[no-any-return]


def _re_match(kind: str) -> Callable[[str, int, str], Any]:
    """`re.match` and kin as an operator: None, or ((start, end) of each group, ...)."""

    def matched(pattern: str, flags: int, text: str) -> Any:
        found = getattr(re.compile(pattern, flags), kind)(text)
        return None if found is None else found.regs

    return matched


TEXT_METHODS: Final = (
    "upper", "lower", "title", "casefold", "swapcase", "capitalize", "strip", "lstrip", "rstrip",
    "removeprefix", "removesuffix", "replace", "zfill", "center", "ljust", "rjust", "expandtabs",
    "find", "rfind", "index", "rindex", "count", "startswith", "endswith",
    "isalpha", "isdigit", "isdecimal", "isnumeric", "isalnum", "isspace", "isupper", "islower",
    "istitle", "isidentifier", "isprintable", "isascii",
    "split", "rsplit", "splitlines", "partition", "rpartition", "join", "encode", "decode", "hex",
    "translate",
)  # fmt: skip
"""Methods of str (and of bytes, where it has them) that are operators ``str.NAME`` and ``bytes.NAME``."""

MEANINGS: Final[dict[str, Callable[..., Any]]] = {
    # arithmetic (INT, FLOAT); `add` and `mul` also concatenate and repeat (STR, BYTES)
    "add": operator.add,
    "sub": operator.sub,
    "mul": _bounded_mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": _bounded_pow,
    "neg": operator.neg,
    "abs": abs,
    "and_": operator.and_,
    "or_": operator.or_,
    "xor": operator.xor,
    "lshift": _bounded_lshift,
    "rshift": operator.rshift,
    "invert": operator.invert,
    "bit_length": int.bit_length,
    "bit_count": int.bit_count,
    # comparison: any two values of comparable sorts, int against float exactly
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    # logic
    "not": operator.not_,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "ite": lambda c, a, b: a if c else b,
    # conversion
    "to_int": int,  # from BOOL, INT or FLOAT (truncates, as int() does)
    "to_float": float,  # from INT or BOOL
    "int": int,  # int(text) or int(text, base)
    "int_ok": _succeeds(int),
    "float": float,  # float(text)
    "float_ok": _succeeds(float),
    "str": str,
    "repr": repr,
    "ascii": ascii,
    "bin": bin,
    "oct": oct,
    "hex": hex,
    "format": format,  # format(value, spec)
    "format_ok": _succeeds(format),
    "percent": operator.mod,  # text % value
    "percent_ok": _succeeds(operator.mod),
    "ord": ord,
    "chr": chr,
    "round": round,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "is_integer": float.is_integer,
    # sequences: STR, BYTES, and OBJ made by split, partition, re
    "len": len,
    "item": operator.getitem,  # item(sequence, index): STR -> STR, BYTES -> INT, OBJ -> element
    "slice": _slice,  # slice(sequence, start, stop, step), each bound INT or None
    "contains": operator.contains,  # contains(container, element)
    "tuple": lambda *parts: parts,
    "is_none": lambda value: value is None,
    # regular expressions: pattern and flags constant; an OBJ of group spans, or None
    "re.match": _re_match("match"),
    "re.fullmatch": _re_match("fullmatch"),
    "re.search": _re_match("search"),
}

for _name in TEXT_METHODS:
    for _owner in (str, bytes):
        if hasattr(_owner, _name):
            MEANINGS[f"{_owner.__name__}.{_name}"] = _method(_owner, _name)

for _name in (
    "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1",
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
    "sinh", "cosh", "tanh", "hypot", "fmod", "copysign", "fabs", "isnan", "isinf", "isfinite", "isqrt", "gcd",
    "degrees", "radians", "isclose", "ldexp", "factorial", "comb", "perm", "lcm", "pow", "dist", "cbrt",
):  # fmt: skip
    if hasattr(math, _name) and _name not in ("factorial", "comb", "perm", "dist", "ldexp"):
        MEANINGS[f"math.{_name}"] = getattr(math, _name)
