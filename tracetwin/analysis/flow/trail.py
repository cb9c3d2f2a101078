"""The effects of each node of a function on attributes, globals and containers, and its calls."""

from __future__ import annotations

import enum
from dataclasses import field

from instrumenter.lowering.code import Function
from tracetwin.analysis.flow.state import Place
from tracetwin.support.data import dataclass


class AttributePart(enum.IntEnum):
    """The part of an attribute: itself, the elements of the container in it, anything within."""

    WHOLE = 0
    ELEMENTS = 1
    WITHIN = 2


class Nearness(enum.IntEnum):
    """Whose attribute it is: that of another object, perhaps the receiver's, certainly the receiver's."""

    OTHER = 0
    PERHAPS = 1
    RECEIVER = 2


EVERYTHING = "*"
"""Stands for every attribute of a class."""


@dataclass(frozen=True, slots=True)
class Event:
    """A definition or a use of a place."""

    defines: bool
    place: Place
    part: AttributePart
    nearness: Nearness


@dataclass(frozen=True, slots=True)
class Callee:
    """A function that may be called, with the places that hold its receiver.

    `member` is the name that it was found under, for calls on the receiver; `after` the class behind
    which `super()` looks for it.
    """

    function: Function
    nearness: Nearness
    member: str = ""
    after: str = ""
    holders: tuple[Place, ...] = ()


@dataclass(slots=True)
class Trail:
    """The events and callees of one function, by node, in order."""

    events: dict[int, dict[Event, None]] = field(default_factory=dict)
    callees: dict[int, dict[Callee, None]] = field(default_factory=dict)

    def note(self, node: int, event: Event) -> None:
        """Add an event once."""
        self.events.setdefault(node, {})[event] = None

    def call(self, node: int, callee: Callee) -> None:
        """Add a callee once."""
        self.callees.setdefault(node, {})[callee] = None
