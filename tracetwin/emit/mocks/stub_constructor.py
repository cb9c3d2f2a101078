"""The constructor of a stub: what it is given, and what it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from typing import Final

from tracetwin.emit.mocks.body import STEP
from tracetwin.emit.source.layout import Atom, Group, Node, lay_out
from tracetwin.model.recipe import Recipe
from tracetwin.support.data import dataclass

_INNER: Final = 2 * STEP


@dataclass(frozen=True)
class ConstructorParameter:
    """Something that a test gives the class when it makes an instance.

    Attributes:
        name: of the parameter.
        recipe: of what is given.
        annotation: "" for none.
    """

    name: str
    recipe: Recipe
    annotation: str = ""


class Constructor:
    """Collects what the other members need of it.

    Attributes:
        parts: what it is given.
    """

    def __init__(self) -> None:
        self.parts: list[ConstructorParameter] = []
        self._statements: list[str] = []

    def given(self, wanted: str, recipe: Recipe, taken: Sequence[str]) -> str:
        """The expression of an object that the class is given, which may be used in several places.

        Args:
            wanted: what it may be called.
            recipe: of the object.
            taken: names that members have.
        """
        for part in self.parts:
            if part.recipe == recipe and not part.annotation:
                return f"self.{part.name}"
        names = {part.name for part in self.parts} | set(taken) | {"self"}
        numbered = (f"{wanted}_{number}" for number in count(2))
        name = next(one for one in chain((wanted, f"other_{wanted}"), numbered) if one not in names)
        self.parts.append(ConstructorParameter(name, recipe))
        self.start(f"self.{name} = ", Atom(name))
        return f"self.{name}"

    def value(self, name: str, recipe: Recipe, annotation: str) -> None:
        """A value that is given under a name of its own, for a member to answer with."""
        self.parts.append(ConstructorParameter(name, recipe, annotation))

    def start(self, prefix: str, node: Node) -> None:
        """A statement."""
        self._statements += lay_out(prefix, node, "", _INNER)

    @property
    def is_empty(self) -> bool:
        """Return whether it would do nothing."""
        return not (self.parts or self._statements)

    def lines(self, *, always: bool, first: Node | None = None) -> list[str]:
        """The whole function; nothing where it would do nothing.

        Args:
            always: whether it stands in the way of one that must not run.
            first: a statement to begin with.
        """
        if self.is_empty and not always:
            return []
        items = [Atom("self"), *(Atom(_parameter(part)) for part in self.parts)]
        typed = " -> None" if all(part.annotation for part in self.parts) else ""
        head = lay_out("", Group("def __init__(", tuple(items), ")"), f"{typed}:", STEP)
        before = [] if first is None else lay_out("", first, "", _INNER)
        return [*head, *([*before, *self._statements] or [" " * _INNER + "pass"])]


def _parameter(part: ConstructorParameter) -> str:
    return f"{part.name}: {part.annotation}" if part.annotation else part.name
