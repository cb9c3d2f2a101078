"""Operators of a twin: arithmetic, comparisons, and comparisons that are conditions at once.

Python dispatches on traced operands by itself, with exceptions: a float, bool or text on the left takes a
traced value on the right for a plain one; dicts and sets compare keys by their hash; `%` formats texts.
That is what the guards of a function look for. Where an operand is a literal not even that can be, and the
function is Python's.

Each function runs in place of one instruction: whatever it called would cost as much again. So each is
written out, by `_written` from two tables, and compiled when this module is imported. One that fails takes
its own entry out of the traceback, and its operands out of its frame.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.
# ruff: noqa: F401 - the functions that are written out name all of these

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from runtime import trace
from runtime.containers import SList
from runtime.containers.decisions import KEYS, with_keys_decided
from runtime.containers.sized import pin_length
from runtime.frames import trim_traceback
from runtime.lookup import has_traced
from runtime.models.texts.percent import percent
from runtime.operations.conditions import decided
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary, compare
from runtime.values import TRACED, SBool, SBytes, SInt, SStr, kind_of, lose_all, plain

keep_builtins(globals())

__all__ = [
    "add", "add_const", "and_", "and_const", "eq", "eq_const", "floordiv", "floordiv_const", "ge", "ge_const",
    "gt", "gt_const", "iadd", "iadd_const", "iand", "iand_const", "if_eq", "if_ge", "if_gt", "if_le", "if_lt",
    "if_ne", "ifloordiv", "ifloordiv_const", "ilshift", "ilshift_const", "imatmul", "imod", "imod_const",
    "imul", "imul_const", "invert", "ior", "ior_const", "ipow", "ipow_const", "irshift", "irshift_const",
    "isub", "isub_const", "itruediv", "itruediv_const", "ixor", "ixor_const",
    "le", "le_const", "lshift", "lshift_const", "lt", "lt_const", "matmul", "mod", "mod_const", "mul",
    "mul_const", "ne", "ne_const", "neg", "or_", "or_const", "pos", "pow", "pow_const", "rshift",
    "rshift_const", "sub", "sub_const", "truediv", "truediv_const", "xor", "xor_const",
]  # fmt: skip

_FORMATTED: Final = TRACED | {tuple, dict}
_TEXTS: Final = frozenset((str, bytes, SStr, SBytes))


def _combined(name: str, left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    """Return the result of an operator on two operands that Python might take for plain ones."""
    result = binary(name, left, right)
    if result is not NotImplemented:
        return result
    if type(left) is bytearray:
        lose_all("bytearray", right)
        return native(left, plain(right))
    return native(left, right)


def _compared(name: str, left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    """Return the outcome of a comparison of two operands that Python might take for plain ones."""
    result = compare(name, left, right)
    return native(left, right) if result is NotImplemented else result


def _extended(left: Any, right: SList) -> Any:
    """Return `left += right`: the reflected addition of the traced list would answer before a plain one."""
    if type(left) is not list:
        return left + right
    pin_length(right)
    return left.__iadd__(right)


def _formatted(left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    """Return `left % right` where the right operand is traced, a tuple or a dict."""
    try:
        if kind_of(left) not in _TEXTS:
            return _combined("mod", left, right, native) if type(right) in TRACED else native(left, right)
        given = right.values() if type(right) is dict else right
        if type(left) in TRACED or type(right) in TRACED or has_traced(given):
            return percent(left, right)
        return native(left, right)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


_FUNCTION: Final = """
def {function}(left, right{site}):
    try:
        kind = type(right)
        if {guarded}:
{guards}
        {operation}
    except BaseException as error:
        {trim_traceback}
        del left, right
        raise
"""
_SHED: Final = "error.__traceback__ = error.__traceback__.tb_next"

_NO_TEXT: Final = "kind is not int and kind is not float"
_SCALAR: Final = f"{_NO_TEXT} and kind is not str"
"""The types of right operands that go straight to Python, which asks a traced left operand itself."""

_NUMBER: Final = """
            if kind is SInt or kind is SBool:
                return {result}"""
_VALUE: Final = """
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return {result}"""
_LOOKUP: Final = """
            if trace.traced_keys and id(type(left)) in KEYS:
                return {by_keys}"""
_COUNTER: Final = """
            if trace.traced_keys and type(left) is Counter:
                return {by_keys}"""
_EXTENSION: Final = """
            if kind is SList and type(left) is not SList:
                return _extended(left, right)"""
_FORMAT: Final = """
            if type(left) is not kind and type(kind) is type and kind in _FORMATTED:
                return _formatted(left, right, {native})"""

_ARITHMETIC: Final[dict[str, tuple[str, str]]] = {
    "add": ("+", _VALUE + _COUNTER),
    "sub": ("-", _NUMBER + _LOOKUP),
    "mul": ("*", _NUMBER),
    "truediv": ("/", _NUMBER),
    "floordiv": ("//", _NUMBER),
    "mod": ("%", _FORMAT),
    "pow": ("**", _NUMBER),
    "lshift": ("<<", _NUMBER),
    "rshift": (">>", _NUMBER),
    "and_": ("&", _NUMBER + _LOOKUP),
    "or_": ("|", _NUMBER + _LOOKUP),
    "xor": ("^", _NUMBER + _LOOKUP),
}
"""The sign of each arithmetic operator, and the guards of its function."""

_COMPARISONS: Final = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}
"""The sign of each comparison; all have the same guards."""

_VALUED: Final = "return left {sign} right"
_IN_PLACE: Final = """left {sign}= right
        return left"""
_DECIDED: Final = """outcome = left {sign} right
        if outcome is True:
            trace.note_true(site)
            return True
        if outcome is False:
            trace.note_false(site)
            return False
        return decided(outcome, site)"""


def _function(function: str, name: str, sign: str, guards: str, operation: str) -> str:
    """Return the source of one function; `name` is that of the operator itself."""
    native = f"operator.{function if operation is _IN_PLACE else name}"
    result = f'{"_compared" if name in _COMPARISONS else "_combined"}("{name}", left, right, {native})'
    by_keys = f"with_keys_decided({native}, left, right)"
    if operation is _DECIDED:
        result, by_keys = f"decided({result}, site)", f"decided({by_keys}, site)"
    return _FUNCTION.format(
        function=function,
        site=", site" if operation is _DECIDED else "",
        guarded=f"{_SCALAR} and kind is not list" if name in ("add", *_COMPARISONS) else _NO_TEXT,
        guards=guards.format(result=result, by_keys=by_keys, native=native)[1:],
        operation=operation.format(sign=sign),
        trim_traceback="trim_traceback(error)" if guards is _FORMAT else _SHED,
    )


def _written() -> str:
    """Return the source of all functions."""
    parts = []
    for name, (sign, guards) in _ARITHMETIC.items():
        parts.append(_function(name, name, sign, guards, _VALUED))
        in_place = _VALUE + _EXTENSION + _COUNTER if name == "add" else guards
        parts.append(_function(f"i{name.rstrip('_')}", name, sign, in_place, _IN_PLACE))
    for name, sign in _COMPARISONS.items():
        parts.append(_function(name, name, sign, _VALUE + _LOOKUP, _VALUED))
        parts.append(_function(f"if_{name}", name, sign, _VALUE + _LOOKUP, _DECIDED))
    return "".join(parts)


_made: dict[str, Callable[..., Any]] = {}
exec(compile(_written(), f"{__file__}.generated", "exec", dont_inherit=True), globals(), _made)  # noqa: S102 - ours

add, sub, mul, truediv, floordiv, mod, pow, lshift, rshift, and_, or_, xor = map(  # noqa: A001 - Python's names
    _made.__getitem__, _ARITHMETIC
)
iadd, isub, imul, itruediv, ifloordiv, imod, ipow, ilshift, irshift, iand, ior, ixor = (
    _made[f"i{name.rstrip('_')}"] for name in _ARITHMETIC
)
lt, le, eq, ne, gt, ge = map(_made.__getitem__, _COMPARISONS)
if_lt, if_le, if_eq, if_ne, if_gt, if_ge = (_made[f"if_{name}"] for name in _COMPARISONS)

matmul, imatmul, neg, pos, invert = (
    operator.matmul, operator.imatmul, operator.neg, operator.pos, operator.invert,
)  # fmt: skip
(
    add_const, sub_const, mul_const, truediv_const, floordiv_const, mod_const, pow_const, lshift_const,
    rshift_const, and_const, or_const, xor_const,
) = (getattr(operator, name) for name in _ARITHMETIC)  # fmt: skip
(
    iadd_const, isub_const, imul_const, itruediv_const, ifloordiv_const, imod_const, ipow_const,
    ilshift_const, irshift_const, iand_const, ior_const, ixor_const,
) = (getattr(operator, f"i{name.rstrip('_')}") for name in _ARITHMETIC)  # fmt: skip
lt_const, le_const, eq_const, ne_const, gt_const, ge_const = (
    getattr(operator, name) for name in _COMPARISONS
)
