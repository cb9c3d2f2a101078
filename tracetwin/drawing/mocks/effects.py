"""Effects of mocks: writes into mutable arguments of a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from runtime.containers.bytearrays import bytes_of
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, Plan
from tracetwin.model.recipe import Place
from tracetwin.model.recipes import lit
from tracetwin.support.data import dataclass

KINDS: Final = (list, dict, set, bytearray)

MOST_OCTETS: Final = 16
"""Octets of a buffer that are drawn."""


@dataclass(frozen=True)
class Effect:
    """New contents for one argument.

    Attributes:
        place: where it is passed.
        plans: of its new contents, by what it is.
    """

    place: int
    name: str
    plans: Mapping[type, Plan]

    def found(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Place, Any, Plan] | None:
        """The place, the argument and what may be written into it; None where nothing may."""
        place: Place = self.place if self.place < len(args) else self.name
        target: Any = args[place] if isinstance(place, int) else kwargs.get(place)
        kind = next((kind for kind in KINDS if isinstance(target, kind)), None)
        plan = None if kind is None else self.plans.get(kind)
        if kind is bytearray and plan is not None:
            plan = OctetsPlan(len(target))
        return None if plan is None else (place, target, plan)


@dataclass(frozen=True)
class OctetsPlan(Plan):
    """The content of a buffer of a given length: its first octets are drawn, the others are zero."""

    length: int

    def build(self, draw: Draw, name: str) -> Built:
        count = min(self.length, MOST_OCTETS)
        drawn = [draw.integer(f"{name}[{index}]", 0, 0, 255) for index in range(count)]
        octets = [*drawn, *[0] * (self.length - count)]
        return octets, lit(bytes(map(draw.concrete, octets)))

    def describe(self) -> str:
        return "contents of a buffer"


def fill(target: Any, contents: Any) -> None:
    """Put new contents in the place of the old ones."""
    if isinstance(target, (dict, set)):
        target.clear()
        target.update(contents)
    elif isinstance(target, bytearray) and isinstance(contents, list):
        target[:] = bytes_of(contents)
    else:
        target[:] = contents
