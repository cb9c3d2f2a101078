"""The environment of one run: answers what the program reads, and tells what a test has to patch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.inputs import Inputs
from tracetwin.drawing.environment.arguments import CommandLine
from tracetwin.drawing.environment.files import Content
from tracetwin.drawing.environment.sources import EnvironmentRead, Patching
from tracetwin.drawing.environment.variables import Variables
from tracetwin.model.patch import (
    ArgumentsPatch,
    ClassPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    PatchedCall,
    StdinPatch,
    Way,
)


class PatchPlace(NamedTuple):
    """The name under which a test patches a function.

    Attributes:
        holder: what the name is looked up in.
        owner: module and name of the class written in C that it belongs to, and how else that is used there
            (`uses.uses_of`); None without one.
    """

    holder: str
    name: str
    owner: tuple[str, str, tuple[str, ...]] | None = None


class Environment:
    """The environment reads of one run.

    Attributes:
        inputs: the values of the input.
        memory: what its reads leave for later ones.
        arguments: those of the program.
        stdin: what comes from standard input.
    """

    def __init__(
        self, inputs: Inputs, options: Sequence[str] = (), writable: Sequence[str] = ()
    ) -> None:
        """Begin a run of a program that speaks of some options, and may really change some files."""
        self.inputs = inputs
        self._writable = writable
        self.memory: dict[Any, Any] = {}
        self.variables = Variables(inputs)
        self.arguments = CommandLine(inputs, options)
        self.stdin = Content(EnvironmentRead(inputs, "sys.stdin", "sys.stdin", 1), binary=False)
        self._counts: dict[str, int] = {}
        self._places: dict[tuple[int, str], PatchPlace] = {}
        self._calls: dict[tuple[int, str], list[Patching]] = {}
        self._telling: dict[tuple[int, str], bool] = {}

    def reading(
        self, title: str, handled: tuple[type[BaseException], ...], package: str = ""
    ) -> EnvironmentRead:
        """The next read of a source, by code of a package whose callers handle some exceptions."""
        number = self._counts[title] = self._counts.get(title, 0) + 1
        name = f"{title}()" if number == 1 else f"{title}({number})"
        return EnvironmentRead(
            self.inputs, title, name, number, handled, self.memory, package, self._writable
        )

    def note(
        self, slot: tuple[int, str], place: PatchPlace, patching: Patching, *, tells: bool = False
    ) -> None:
        """Remember what a call got."""
        self._telling.setdefault(slot, tells)
        self._places.setdefault(slot, place)
        self._calls.setdefault(slot, []).append(patching)

    def patches(self) -> list[Patch]:
        """The patches that a test of this run needs, in the order of the first reads."""
        found: list[Patch] = []
        if self.variables.touched:
            found.append(EnvironPatch(self.variables.drawn(), self.variables.alone))
        if self.arguments.drawn is not None:
            found.append(ArgumentsPatch(self.arguments.drawn))
        if self.stdin.touched:
            found.append(StdinPatch(self.stdin.recipe()))
        for slot, calls in self._calls.items():
            place = self._places[slot]
            if place.owner is not None and (patch := ClassPatch(place.holder, *place.owner)) not in found:
                found.append(patch)
            final = tuple(map(_final, calls))
            found.append(FunctionPatch(f"{place.holder}.{place.name}", final, self._telling[slot]))
        return found


def _final(patching: Patching) -> PatchedCall:
    """What a call does, with what is known when the run is over."""
    if isinstance(patching, PatchedCall):
        return patching
    return patching() if callable(patching) else PatchedCall(Way.RETURN, patching)
