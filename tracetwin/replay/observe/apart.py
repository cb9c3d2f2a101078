"""Containers that a call hands out and that are nobody else's: changing one changes no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from tracetwin.model.observation import AGAIN, Root, ValuePath
from tracetwin.process.own_attributes import own_attributes

_MUTABLE: Final = (list, dict, set, bytearray)

MOST: Final = 200
"""Items of containers that are compared."""


def apart(result: Any, given: Iterable[tuple[ValuePath, Any]]) -> Iterator[tuple[str, ValuePath]]:
    """Give parts of a result that are copies of what was given, each with the place of that.

    A part is the name of an attribute, "" the result itself.
    """
    parts = list(_containers(result))
    for path, value in given:
        for name, held in _containers(value):
            place = path.of(name) if name else path
            yield from ((part, place) for part, mine in parts if _is_copy(mine, held))


def apart_from_receiver(result: Any, name: str, receiver: Any) -> Iterator[tuple[str, ValuePath]]:
    """Give that a result is none of the containers that its receiver keeps: the next call gives another."""
    own = own_attributes(receiver)
    if type(result) in _MUTABLE and own and not any(one is result for one in own.values()):
        yield "", ValuePath(Root.VAR, name, AGAIN)


def _containers(value: Any) -> Iterator[tuple[str, Any]]:
    """The container that a value is, or those that are its attributes."""
    if type(value) in _MUTABLE:
        yield "", value
        return
    for name, held in (own_attributes(value) or {}).items():
        if type(held) in _MUTABLE and isinstance(name, str) and name.isidentifier() and name[0] != "_":
            yield name, held


def _is_copy(mine: Any, other: Any) -> bool:
    """Return whether a container is another one, of the same things."""
    if mine is other or type(mine) is not type(other) or len(mine) != len(other) or len(mine) > MOST:
        return False
    if isinstance(mine, dict):
        pairs = [*zip(mine, other, strict=True), *zip(mine.values(), other.values(), strict=True)]
        return all(one is two for one, two in pairs)
    if isinstance(mine, set):
        return set(map(id, mine)) == set(map(id, other))
    return all(one is two for one, two in zip(mine, other, strict=True))
