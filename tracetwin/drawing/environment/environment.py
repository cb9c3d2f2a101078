"""The environment of one run: answers what the program reads, and tells what a test has to patch."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from runtime.inputs import Inputs
from tracetwin.drawing.environment.files import Content
from tracetwin.drawing.environment.sources import NOTHING, EnvironmentRead
from tracetwin.drawing.environment.variables import Variables
from tracetwin.model.recipes import Recipe, lit

Patch: TypeAlias = tuple[str, str, Any]
"""A patch in a test: ``(dotted name, how, what)``, to be applied in order.

- ``results``: the outcomes of the calls: ``("return", recipe)``, ``("raise", recipe)``, ``("file", recipe)``
  of the contents, ``("sink", recipe)`` of a file to write, ``("pick", recipe)`` of a place in the sequence
  that the function gets, or ``("nothing", recipe)`` where nobody asks;
- ``told``: the same of a function whose call is an effect, to be asserted;
- ``environ``: variables with their texts, and whether there are no others;
- ``stdin``: the recipe of a text;
- ``class``: module and name of a class written in C, of which a subclass takes the place, so that its methods
  can be patched, and what else that has to do.
"""


class PatchPlace(NamedTuple):
    """The name under which a test patches a function.

    Attributes:
        holder: what the name is looked up in.
        name: the name.
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
        variables: those of the environment.
        stdin: what comes from standard input.
    """

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.memory: dict[Any, Any] = {}
        self.variables = Variables(inputs)
        self.stdin = Content(EnvironmentRead(inputs, "sys.stdin", "sys.stdin", 1), binary=False)
        self._counts: dict[str, int] = {}
        self._places: dict[tuple[int, str], PatchPlace] = {}
        self._outcomes: dict[tuple[int, str], list[tuple[str, Any]]] = {}
        self._ways: dict[tuple[int, str], str] = {}

    def reading(self, title: str, handled: tuple[type[BaseException], ...]) -> EnvironmentRead:
        """The next read of a source, whose callers handle some exceptions."""
        number = self._counts[title] = self._counts.get(title, 0) + 1
        name = f"{title}()" if number == 1 else f"{title}({number})"
        return EnvironmentRead(self.inputs, title, name, number, handled, self.memory)

    def note(
        self, slot: tuple[int, str], place: PatchPlace, outcome: tuple[str, Recipe], *, tells: bool = False
    ) -> None:
        """Remember what a call got.

        Args:
            slot: the object that holds the function, by its identity, and the name there.
            place: where a test patches it.
            outcome: as in `Patch`.
            tells: whether the call is an effect.
        """
        self._ways.setdefault(slot, "told" if tells else "results")
        self._places.setdefault(slot, place)
        self._outcomes.setdefault(slot, []).append(outcome)

    def patches(self) -> list[Patch]:
        """The patches that a test of this run needs, in the order of the first reads."""
        found: list[Patch] = []
        if self.variables.touched:
            found.append(("os.environ", "environ", (self.variables.drawn(), self.variables.alone)))
        if self.stdin.touched:
            found.append(("sys.stdin", "stdin", self.stdin.recipe()))
        for slot, outcomes in self._outcomes.items():
            place = self._places[slot]
            if place.owner is not None and (place.holder, "class", place.owner) not in found:
                found.append((place.holder, "class", place.owner))
            final = list(map(_final, outcomes))
            found.append((f"{place.holder}.{place.name}", self._ways[slot], final))
        return found


def _final(outcome: tuple[str, Any]) -> tuple[str, Recipe]:
    """An outcome with what is known when the run is over."""
    how, what = outcome
    if what is NOTHING:
        return "nothing", lit(None)
    if how == "return" and what[0] == "file":
        content: Content = what[1]
        return "file", content.recipe()
    if how == "return" and what[0] == "sink":
        return "sink", lit("")
    if how == "return" and what[0] == "pick":
        return "pick", lit(what[1])
    return how, what
