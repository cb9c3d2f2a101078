"""The meaning of every expression operator: the Python operation itself.

`MEANINGS` maps an operator's name to the callable that computes it on exact Python values. The
evaluator, constant folding and the search in `tracetwin.solving` all go through this one table, so an
expression can never mean anything else than what CPython does. All of them are pure and deterministic.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from runtime import function_models  # noqa: F401 - its models are in `MODELS` then
from runtime.library_model import MODELS, Model, follow
from runtime.meanings import arithmetic, encodings, patterns
from runtime.meanings.predicates import succeeds

DOMAIN_ERRORS: Final = (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, MemoryError)
"""Exceptions that an operation may raise outside its domain; an earlier branch guards it."""

_HUGE_BITS: Final = 1 << 14


def _bounded_pow(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """Return `pow`, refusing results that would not fit in memory or in a test."""
    if modulus is not None:
        return pow(base, exponent, modulus)
    whole = type(base) is int and type(exponent) is int
    if whole and exponent > 0 and base.bit_length() * exponent > _HUGE_BITS:
        raise OverflowError("power too large to consider")
    result = pow(base, exponent)
    if type(result) is complex:
        raise ValueError("no real number")
    return result


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


def _slice(value: Any, start: Any, stop: Any, step: Any) -> Any:
    return value[start:stop:step]


def _method(owner: type, name: str) -> Callable[..., Any]:
    return getattr(owner, name)  # type: ignore[no-any-return]


TEXT_METHODS: Final = (
    "upper", "lower", "title", "casefold", "swapcase", "capitalize", "strip", "lstrip", "rstrip",
    "removeprefix", "removesuffix", "replace", "zfill", "center", "ljust", "rjust", "expandtabs",
    "find", "rfind", "index", "rindex", "count", "startswith", "endswith",
    "isupper", "islower", "istitle", "isidentifier",
    "split", "rsplit", "splitlines", "partition", "rpartition", "join", "encode", "decode", "hex",
    "translate",
    *dict.fromkeys(model.method[1] for model in MODELS.values() if model.method and not model.run),
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
    "sum": lambda start, *values: sum(values, start),  # of floats, with what rounding loses
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
    "int_ok": succeeds(int, *DOMAIN_ERRORS),
    "float": float,  # float(text)
    "float_ok": succeeds(float, *DOMAIN_ERRORS),
    "str": str,
    "repr": repr,
    "ascii": ascii,
    "bin": bin,
    "oct": oct,
    "hex": hex,
    "format": format,  # format(value, spec)
    "format_ok": succeeds(format, *DOMAIN_ERRORS),
    "percent": operator.mod,  # text % value
    "percent_ok": succeeds(operator.mod, *DOMAIN_ERRORS),
    "ord": ord,
    "chr": chr,
    "round": round,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "is_integer": float.is_integer,
    **arithmetic.OPERATORS,
    # sequences: STR, BYTES, and OBJ made by split, partition, re
    "len": len,
    "item": operator.getitem,  # item(sequence, index): STR -> STR, BYTES -> INT, OBJ -> element
    "slice": _slice,  # slice(sequence, start, stop, step), each bound INT or None
    "contains": operator.contains,  # contains(container, element)
    "tuple": lambda *parts: parts,
    "is_none": lambda value: value is None,
    # regular expressions: an OBJ that describes a match, or several; texts and pieces of texts
    **patterns.OPERATORS,
    # characters and codecs
    **encodings.OPERATORS,
}

for _name in TEXT_METHODS:
    for _owner in (str, bytes):
        if hasattr(_owner, _name):
            MEANINGS[f"{_owner.__name__}.{_name}"] = _method(_owner, _name)

TAKES: Final[dict[str, str]] = {
    **dict.fromkeys(("add", "sub", "truediv", "floordiv", "mod"), "int int; float float"),
    "add": "int int; float float; str str; bytes bytes",
    "mul": "int int; float float; str small; bytes small",
    "pow": "int small; float float; float small; int int small; int small int",
    "neg": "int; float",
    "abs": "int; float",
    **dict.fromkeys(("and_", "or_", "xor"), "int int; small small; bool bool"),
    **dict.fromkeys(("lshift", "rshift"), "int small"),
    **dict.fromkeys(("invert", "bit_length", "bit_count"), "int"),
    **dict.fromkeys(
        ("eq", "ne"),
        "int int; small small; float float; bool bool; int float; float int; str str; bytes bytes; str bytes;"
        "int str",
    ),
    **dict.fromkeys(
        ("lt", "le", "gt", "ge"),
        "int int; small small; float float; int float; float int; str str; bytes bytes",
    ),
    "not": "bool",
    "and": "bool bool",
    "or": "bool bool",
    "ite": "bool int int; bool float float; bool str str; bool bytes bytes; bool bool bool",
    "to_int": "bool; int; float",
    "to_float": "bool; int",
    **dict.fromkeys(("int", "int_ok"), "digits; digits small; str; bytes; digits 0"),
    **dict.fromkeys(("float", "float_ok"), "digits; str; bytes"),
    **dict.fromkeys(("str", "repr", "ascii"), "int; float; bool; str; bytes"),
    **dict.fromkeys(("bin", "oct", "hex"), "int"),
    **dict.fromkeys(("format", "format_ok"), "int spec; float spec; str spec; bool spec"),
    **dict.fromkeys(
        ("percent", "percent_ok"),
        "'%d'|'%5d'|'%03d'|'%x'|'%s'|'%r'|'%c' tuple[int,]; '%d'|'%s'|'%.2f'|'%g'|'%e' tuple[float,];"
        "'%s'|'%r'|'%a'|'%5s'|'%-5s;'|'%.2s'|'%d' tuple[str,]; '%s and %d' tuple[str,int];"
        "b'%s'|b'%a' tuple[bytes,]",
    ),
    "ord": "char; str; bytes",
    "chr": "int; small",
    "round": "int; int small; float; float small",
    **dict.fromkeys(("floor", "ceil", "trunc"), "float; int"),
    "is_integer": "float",
    "len": "str; bytes; tuple[int]",
    "item": "str small; bytes small; tuple[int] small; tuple[str] small",
    "slice": "str small|None small|None small|None; bytes small|None small|None small|None;"
    "str small small None",
    "contains": "str str; bytes bytes; bytes int; tuple[int] int; tuple[str] str; frozenset[int] int;"
    "dict[str,int] str",
    "tuple": "int?; int str; str float bool",
    "is_none": "int; None; str",
    **arithmetic.TAKES,
    **encodings.TAKES,
    **patterns.TAKES,
}
"""Operands that each operator takes, in the words of `runtime.models.registry.TAKES`, for tests."""

_TEXT_TAKES: Final[dict[str, str]] = {
    **dict.fromkeys(("strip", "lstrip", "rstrip"), "T|None?"),
    **dict.fromkeys(("removeprefix", "removesuffix", "partition", "rpartition"), "T"),
    "replace": "T T small?",
    "zfill": "small",
    **dict.fromkeys(("center", "ljust", "rjust"), "small; small U"),
    "expandtabs": "small?",
    **dict.fromkeys(("find", "rfind", "index", "rindex", "count"), "T small|None? small|None?"),
    **dict.fromkeys(("startswith", "endswith"), "T|tuple[T] small|None? small|None?"),
    **dict.fromkeys(("split", "rsplit"), "T|None? small?"),
    "splitlines": "bool?",
    "join": "list[T]|tuple[T]",
    "encode": "name? 'strict'|'ignore'|'replace'|'backslashreplace'?",
    "decode": "name? 'strict'|'ignore'|'replace'|'backslashreplace'?",
    "hex": "",
    "translate": "dict[int,T]",
}
_UNITS: Final = {"str": ("str", "char"), "bytes": ("bytes", "b' '|b'0'|b'ab'")}


def text_takes(owner: str, name: str) -> str:
    """Return the arguments that a method of `str` or `bytes` takes after its receiver; "()" for nothing."""
    if (owner, name) == ("bytes", "translate"):
        return "None bytes"
    text, unit = _UNITS[owner]
    found = _TEXT_TAKES.get(name, "").replace("T", text).replace("U", unit)
    return found or "()"


for _name in MEANINGS:
    _kind, _, _called = _name.partition(".")
    if _kind in _UNITS:
        _forms = text_takes(_kind, _called).split(";")
        TAKES[_name] = "; ".join(_kind if form == "()" else f"{_kind} {form.strip()}" for form in _forms)


def _enter(model: Model) -> None:
    """Give the operator of a library model its meaning; what a text's method means and takes is known."""
    if model.operator and model.operator not in MEANINGS:
        MEANINGS[model.operator] = model.meaning
        TAKES[model.operator] = model.operands or model.takes


follow(_enter)
