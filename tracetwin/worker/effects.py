"""Which attributes of a receiver a call changed, as far as can be seen from the receiver itself."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from runtime.values import plain
from tracetwin.worker.picture import SCALARS, attributes_of, native_items

MOST_ELEMENTS: Final = 300


class Surface:
    """The attributes of an object at one time, with the elements of the containers among them."""

    def __init__(self, receiver: object) -> None:
        """Look at it; runs no code of its class."""
        self._receiver = receiver
        self._before = _surface(receiver)

    def changed(self) -> list[str]:
        """The attributes that hold something else now, or are new, or gone."""
        after = _surface(self._receiver)
        names = {*self._before, *after}
        return sorted(
            name for name in names
            if name not in after or name not in self._before or not _same(self._before[name], after[name])
        )  # fmt: skip


def _surface(receiver: object) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    found = {name: (value, _elements(value)) for name, value in attributes_of(receiver)}
    found["[]"] = (None, _elements(receiver))
    return found


def _elements(value: Any) -> tuple[Any, ...]:
    items = native_items(value)
    return () if items is None else tuple(islice(items, MOST_ELEMENTS))


def _same(before: tuple[Any, tuple[Any, ...]], after: tuple[Any, tuple[Any, ...]]) -> bool:
    if not _is(before[0], after[0]) or len(before[1]) != len(after[1]):
        return False
    return all(map(_is, before[1], after[1]))


def _is(one: Any, other: Any) -> bool:
    if one is other:
        return True
    one, other = plain(one), plain(other)
    if type(one) is tuple and type(other) is tuple:  # items of a dict
        return len(one) == len(other) and all(map(_is, one, other))
    return type(one) is type(other) and type(one) in SCALARS and one == other
