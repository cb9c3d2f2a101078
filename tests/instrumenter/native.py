"""The twin interface with Python's own meaning: a twin that calls it behaves as its original."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

add, sub, mul, truediv, floordiv = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
)  # fmt: skip
mod, pow, matmul, lshift, rshift = (  # noqa: A001 - the interface's name
    operator.mod, operator.pow, operator.matmul, operator.lshift, operator.rshift,
)  # fmt: skip
and_, or_, xor = operator.and_, operator.or_, operator.xor
iadd, isub, imul, itruediv, ifloordiv = (
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv,
)  # fmt: skip
imod, ipow, imatmul, ilshift, irshift = (
    operator.imod, operator.ipow, operator.imatmul, operator.ilshift, operator.irshift,
)  # fmt: skip
iand, ior, ixor = operator.iand, operator.ior, operator.ixor
neg, pos, invert, not_ = operator.neg, operator.pos, operator.invert, operator.not_
lt, le, eq, ne, gt, ge = operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge
is_, is_not, getitem, delitem = operator.is_, operator.is_not, operator.getitem, operator.delitem
slice_ = slice

is_const, is_not_const, getitem_const = operator.is_, operator.is_not, operator.getitem
lt_const, le_const, eq_const, ne_const, gt_const, ge_const = lt, le, eq, ne, gt, ge
add_const, sub_const, mul_const, truediv_const, floordiv_const = add, sub, mul, truediv, floordiv
mod_const, pow_const, lshift_const, rshift_const = mod, pow, lshift, rshift
and_const, or_const, xor_const = and_, or_, xor
iadd_const, isub_const, imul_const, itruediv_const, ifloordiv_const = iadd, isub, imul, itruediv, ifloordiv
imod_const, ipow_const, ilshift_const, irshift_const = imod, ipow, ilshift, irshift
iand_const, ior_const, ixor_const = iand, ior, ixor

SITES: list[tuple[int, bool]] = []
"""Decisions seen by `truth`, for tests that look at sites."""


def in_(item: Any, container: Any) -> bool:
    """`item in container`."""
    return item in container


def not_in(item: Any, container: Any) -> bool:
    """`item not in container`."""
    return item not in container


def setitem(value: Any, obj: Any, key: Any) -> None:
    """`obj[key] = value`."""
    obj[key] = value


def callee(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself."""
    return function


callee0 = callee1 = callee2 = callee


def truth(value: Any, site: int) -> bool:
    """`bool(value)`."""
    result = bool(value)
    SITES.append((site, result))
    return result


def _decided(operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any, int], bool]:
    return lambda left, right, site: truth(operator(left, right), site)


if_lt, if_le, if_eq, if_ne, if_gt, if_ge = map(_decided, (lt, le, eq, ne, gt, ge))
if_in, if_not_in = map(_decided, (in_, not_in))


def if_not(value: Any, operand: int, site: int) -> bool:
    """`not value`."""
    return truth(not truth(value, operand), site)


def iterate(iterable: Iterable[Any], site: int) -> Iterable[Any]:
    """The iterable itself."""
    return iterable


def returned(value: Any) -> Any:
    return value


def subject(value: Any) -> Any:
    """The value itself."""
    return value


def field(value: Any, conversion: str, spec: str) -> str:
    """The text of one replacement field, made at once as CPython does."""
    if conversion:
        converters: dict[str, Callable[[Any], str]] = {"r": repr, "s": str, "a": ascii}
        value = converters[conversion](value)
    return format(value, spec)


def fstring(*parts: str) -> str:
    """The parts joined; a single one may be of a subclass and stays what it is."""
    return parts[0] if len(parts) == 1 else "".join(parts)
