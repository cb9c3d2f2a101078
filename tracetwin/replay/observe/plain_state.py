"""Pictures of the plain things that a module holds: taken once, and again where these are others.

A module of sixty classes holds some hundreds of lists that its code may change, and each replay looks at all
of them twice.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, Final

from tracetwin.model.snapshot import Snapshot

_SCALARS: Final = frozenset((bool, int, float, complex, str, bytes, type(None)))


class PlainPictures:
    """The pictures of scalars, and of lists, sets and dicts of scalars, by the names of their places."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[object, tuple[object, ...], Snapshot]] = {}

    def of(self, name: str, value: Any, take: Callable[[Any], Snapshot]) -> Snapshot | None:
        """Return the picture of what is at a place, the same one while that is as it was; else None.

        Args:
            name: of the place.
            value: what is there now.
            take: takes a picture.
        """
        parts = _parts(value)
        if parts is None:
            return None
        known = self._kept.get(name)
        if known is None or known[0] is not value or not _same(known[1], parts):
            known = self._kept[name] = (value, parts, take(value))
        return known[2]


def _same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(map(is_, before, now))


def _parts(value: Any) -> tuple[object, ...] | None:
    """Return what a plain thing holds, in its order."""
    kind = type(value)
    if kind in _SCALARS:
        return ()
    if kind is dict:
        parts = (*value, *value.values())
    elif kind is list or kind is set:
        parts = tuple(value)
    else:
        return None
    return parts if _SCALARS.issuperset(map(type, parts)) else None
