"""Checks of plain data that came from another process: each returns what is there, or raises `Malformed`.

Behind a border a target may have spoken in our place, so that anything may come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

Plain: TypeAlias = Any
"""What `marshal` takes."""

Item = TypeVar("Item")


class Malformed(Exception):
    """Plain data that are not the form of what is to be decoded."""


def text(plain: Plain) -> str:
    """The text that is there."""
    if type(plain) is not str:
        raise Malformed(f"not a text: {type(plain).__name__}")
    return plain


def number(plain: Plain) -> int:
    """The integer that is there."""
    if type(plain) is not int:
        raise Malformed(f"not an integer: {type(plain).__name__}")
    return plain


def flag(plain: Plain) -> bool:
    """The truth value that is there."""
    if type(plain) is not bool:
        raise Malformed(f"not a truth value: {type(plain).__name__}")
    return plain


def items(plain: Plain) -> Iterable[Plain]:
    """The items of a list or tuple."""
    if type(plain) not in (list, tuple):
        raise Malformed(f"not a list: {type(plain).__name__}")
    return plain  # type: ignore[no-any-return]


def table(plain: Plain) -> dict[str, Plain]:
    """A dict whose keys are texts."""
    if type(plain) is not dict or any(type(name) is not str for name in plain):
        raise Malformed(f"not a table: {type(plain).__name__}")
    return plain


def parts(plain: Plain, count: int) -> tuple[Plain, ...]:
    """So many items."""
    found = tuple(items(plain))
    if len(found) != count:
        raise Malformed(f"not {count} parts: {type(plain).__name__}")
    return found


def pairs(plain: Plain, read: Callable[[Plain], Item]) -> tuple[tuple[str, Item], ...]:
    """Pairs of a name and something else."""
    return tuple((text(name), read(value)) for name, value in (parts(pair, 2) for pair in items(plain)))


def optional(plain: Plain, read: Callable[[Plain], Item]) -> Item | None:
    """Something or None."""
    return None if plain is None else read(plain)


def fields(plain: Plain, names: frozenset[str]) -> dict[str, Plain]:
    """A table that has these names."""
    found = table(plain)
    if not names <= found.keys():
        raise Malformed(f"lacks {sorted(names - found.keys())}")
    return found


def member_of(kind: Callable[[str], Item], plain: Plain) -> Item:
    """The member of an enum whose value is there."""
    try:
        return kind(text(plain))
    except ValueError as error:
        raise Malformed(f"not a {kind}: {type(plain).__name__}") from error
