"""The alternatives of choices in words, each told once to whoever explores a target."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from runtime.class_choices import Alternative
from tracetwin.support.text import is_a

LONGEST: Final = 40
"""Characters of a constant that are told."""

_PLAIN: Final = (int, float, bool, str, bytes, type(None))


class ChoiceWords:
    """Remembers which choices were told."""

    def __init__(self) -> None:
        self._told: dict[str, set[str]] = {}

    def forget(self) -> None:
        """Begin anew: who asks from now on knows nothing."""
        self._told.clear()

    def new(self, target: str, offered: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, list[str]]]:
        """Give those choices of a target with their alternatives in words that were not told."""
        told = self._told.setdefault(target, set())
        for name in offered.keys() - told:
            told.add(name)
            yield name, [word_of(one) for one in offered[name]]


def word_of(offered: object) -> str:
    """Return what a value is if it is chosen, "" where that can't be said in a word or two."""
    kind = type(offered)
    if kind is Alternative:
        return _of_alternative(offered)  # type: ignore[arg-type]
    if kind in _PLAIN:
        text = repr(offered)
        return f"is {text}" if len(text) <= LONGEST else ""
    if issubclass(kind, enum.Enum):
        return f"is {type.__dict__['__qualname__'].__get__(kind)}.{offered._name_}"[:LONGEST]  # type: ignore[attr-defined]
    return f"is {_name(offered)}" if issubclass(kind, type) else ""


def _of_alternative(one: Alternative) -> str:
    if one.cls is None:
        return "is a mock" if one.mock else ""
    if one.cls is type(None):
        return "is None"
    return is_a(_name(one.cls))


def _name(cls: Any) -> str:
    name: str = type.__dict__["__qualname__"].__get__(cls)
    return name[:LONGEST]
