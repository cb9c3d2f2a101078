"""Arithmetic and bit operators of a twin.

Python dispatches on traced operands by itself, with one exception: a float or bool on the left takes a
traced int or bool on the right for a plain one. That, and text formatting, is what the guards look for.
Where an operand is a literal not even that can be, and the function is Python's own.

Each function is written out, for it runs in place of one instruction: whatever it called would cost as
much again. One that fails takes its own entry out of the traceback, and its operands out of its frame.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.
# ruff: noqa: TRY300 - these run in place of one instruction

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from runtime import trace
from runtime.containers import SList
from runtime.containers.decisions import KEYS, with_keys_decided
from runtime.containers.sized import pin_length
from runtime.frames import shed
from runtime.lookup import has_traced
from runtime.names import keep_builtins
from runtime.numbers import binary
from runtime.percent import percent
from runtime.values import TRACED, SBool, SBytes, SInt, SStr, kind_of, lose_all, plain

keep_builtins(globals())

__all__ = [
    "add", "add_const", "and_", "and_const", "floordiv", "floordiv_const", "iadd", "iadd_const", "iand",
    "iand_const", "ifloordiv", "ifloordiv_const", "ilshift", "ilshift_const", "imatmul", "imod",
    "imod_const", "imul", "imul_const", "invert", "ior", "ior_const", "ipow", "ipow_const", "irshift",
    "irshift_const", "isub", "isub_const", "itruediv", "itruediv_const", "ixor", "ixor_const", "lshift",
    "lshift_const", "matmul", "mod", "mod_const", "mul", "mul_const", "neg", "or_", "or_const", "pos",
    "pow", "pow_const", "rshift", "rshift_const", "sub", "sub_const", "truediv", "truediv_const", "xor",
    "xor_const",
]  # fmt: skip

_FORMATTED: Final = TRACED | {tuple, dict}
_TEXTS: Final = frozenset((str, bytes, SStr, SBytes))


def _shadowed(name: str, left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    """The operation on two operands that Python might take for plain ones."""
    result = binary(name, left, right)
    if result is not NotImplemented:
        return result
    if type(left) is bytearray:
        lose_all("bytearray", right)
        return native(left, plain(right))
    return native(left, right)


def _extended(left: list[Any], right: SList) -> list[Any]:
    """`left += right` of a plain list: the reflected addition of the traced one would answer first."""
    pin_length(right)
    return left.__iadd__(right)


def _held(values: Any) -> Any:
    return values.values() if type(values) is dict else values


def _formatted(left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    """`left % right` where the right operand is traced, a tuple or a dict."""
    try:
        if kind_of(left) not in _TEXTS:
            return _shadowed("mod", left, right, native) if type(right) in TRACED else native(left, right)
        if type(left) in TRACED or type(right) in TRACED or has_traced(_held(right)):
            return percent(left, right)
        return native(left, right)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def add(left: Any, right: Any) -> Any:
    """`left + right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _shadowed("add", left, right, operator.add)
            if type(left) is Counter and trace.traced_keys:
                return with_keys_decided(operator.add, left, right)
        elif kind is Counter and trace.traced_keys:
            return with_keys_decided(operator.add, left, right)
        return left + right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def sub(left: Any, right: Any) -> Any:
    """`left - right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool:
                return _shadowed("sub", left, right, operator.sub)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.sub, left, right)
        elif kind is not int and kind is not float and trace.traced_keys and id(kind) in KEYS:
            return with_keys_decided(operator.sub, left, right)
        return left - right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def mul(left: Any, right: Any) -> Any:
    """`left * right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("mul", left, right, operator.mul)
        return left * right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def truediv(left: Any, right: Any) -> Any:
    """`left / right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("truediv", left, right, operator.truediv)
        return left / right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def floordiv(left: Any, right: Any) -> Any:
    """`left // right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("floordiv", left, right, operator.floordiv)
        return left // right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def mod(left: Any, right: Any) -> Any:
    """`left % right`."""
    try:
        if type(left) is not type(right) and type(type(right)) is type and type(right) in _FORMATTED:
            return _formatted(left, right, operator.mod)
        return left % right
    except BaseException as error:
        shed(error)
        del left, right
        raise


def pow(left: Any, right: Any) -> Any:  # noqa: A001 - the interface's names are Python's
    """`left ** right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("pow", left, right, operator.pow)
        return left ** right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def lshift(left: Any, right: Any) -> Any:
    """`left << right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("lshift", left, right, operator.lshift)
        return left << right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def rshift(left: Any, right: Any) -> Any:
    """`left >> right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("rshift", left, right, operator.rshift)
        return left >> right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def and_(left: Any, right: Any) -> Any:
    """`left & right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool:
                return _shadowed("and_", left, right, operator.and_)
            if kind is not int and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.and_, left, right)
        elif kind is not int and trace.traced_keys and id(kind) in KEYS:
            return with_keys_decided(operator.and_, left, right)
        return left & right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def or_(left: Any, right: Any) -> Any:
    """`left | right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool:
                return _shadowed("or_", left, right, operator.or_)
            if kind is not int and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.or_, left, right)
        elif kind is not int and trace.traced_keys and id(kind) in KEYS:
            return with_keys_decided(operator.or_, left, right)
        return left | right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def xor(left: Any, right: Any) -> Any:
    """`left ^ right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool:
                return _shadowed("xor", left, right, operator.xor)
            if kind is not int and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.xor, left, right)
        elif kind is not int and trace.traced_keys and id(kind) in KEYS:
            return with_keys_decided(operator.xor, left, right)
        return left ^ right
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def iadd(left: Any, right: Any) -> Any:
    """`left += right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool or kind is SStr or kind is SBytes:
                return _shadowed("add", left, right, operator.iadd)
            if kind is SList:
                return _extended(left, right) if type(left) is list else left + right
            if type(left) is Counter and trace.traced_keys:
                return with_keys_decided(operator.iadd, left, right)
        elif kind is Counter and trace.traced_keys:
            return with_keys_decided(operator.iadd, left, right)
        left += right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def isub(left: Any, right: Any) -> Any:
    """`left -= right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool:
                return _shadowed("sub", left, right, operator.isub)
            if kind is not int and kind is not float and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.isub, left, right)
        elif kind is not int and kind is not float and trace.traced_keys and id(kind) in KEYS:
            return with_keys_decided(operator.isub, left, right)
        left -= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def imul(left: Any, right: Any) -> Any:
    """`left *= right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("mul", left, right, operator.imul)
        left *= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def itruediv(left: Any, right: Any) -> Any:
    """`left /= right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("truediv", left, right, operator.itruediv)
        left /= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def ifloordiv(left: Any, right: Any) -> Any:
    """`left //= right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("floordiv", left, right, operator.ifloordiv)
        left //= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def imod(left: Any, right: Any) -> Any:
    """`left %= right`."""
    try:
        if type(left) is not type(right) and type(type(right)) is type and type(right) in _FORMATTED:
            return _formatted(left, right, operator.imod)
        left %= right
        return left
    except BaseException as error:
        shed(error)
        del left, right
        raise


def ipow(left: Any, right: Any) -> Any:
    """`left **= right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("pow", left, right, operator.ipow)
        left **= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def ilshift(left: Any, right: Any) -> Any:
    """`left <<= right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("lshift", left, right, operator.ilshift)
        left <<= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def irshift(left: Any, right: Any) -> Any:
    """`left >>= right`."""
    try:
        if type(left) is not type(right) and (type(right) is SInt or type(right) is SBool):
            return _shadowed("rshift", left, right, operator.irshift)
        left >>= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def iand(left: Any, right: Any) -> Any:
    """`left &= right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool:
                return _shadowed("and_", left, right, operator.iand)
            if kind is not int and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.iand, left, right)
        elif kind is not int and trace.traced_keys and id(kind) in KEYS:
            return with_keys_decided(operator.iand, left, right)
        left &= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def ior(left: Any, right: Any) -> Any:
    """`left |= right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool:
                return _shadowed("or_", left, right, operator.ior)
            if kind is not int and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.ior, left, right)
        elif kind is not int and trace.traced_keys and id(kind) in KEYS:
            return with_keys_decided(operator.ior, left, right)
        left |= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


def ixor(left: Any, right: Any) -> Any:
    """`left ^= right`."""
    try:
        kind = type(right)
        if type(left) is not kind:
            if kind is SInt or kind is SBool:
                return _shadowed("xor", left, right, operator.ixor)
            if kind is not int and trace.traced_keys and id(type(left)) in KEYS:
                return with_keys_decided(operator.ixor, left, right)
        elif kind is not int and trace.traced_keys and id(kind) in KEYS:
            return with_keys_decided(operator.ixor, left, right)
        left ^= right
        return left
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del left, right
        raise


matmul = operator.matmul
imatmul = operator.imatmul
neg = operator.neg
pos = operator.pos
invert = operator.invert

add_const = operator.add
sub_const = operator.sub
mul_const = operator.mul
truediv_const = operator.truediv
floordiv_const = operator.floordiv
mod_const = operator.mod
pow_const = operator.pow
lshift_const = operator.lshift
rshift_const = operator.rshift
and_const = operator.and_
or_const = operator.or_
xor_const = operator.xor
iadd_const = operator.iadd
isub_const = operator.isub
imul_const = operator.imul
itruediv_const = operator.itruediv
ifloordiv_const = operator.ifloordiv
imod_const = operator.imod
ipow_const = operator.ipow
ilshift_const = operator.ilshift
irshift_const = operator.irshift
iand_const = operator.iand
ior_const = operator.ior
ixor_const = operator.ixor
