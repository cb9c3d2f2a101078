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


def truth(value: Any, site: int) -> bool:
    """`bool(value)`."""
    result = bool(value)
    SITES.append((site, result))
    return result


def iterate(iterable: Iterable[Any], site: int) -> Iterable[Any]:
    """The iterable itself."""
    return iterable


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
    """The parts joined."""
    return "".join(parts)
