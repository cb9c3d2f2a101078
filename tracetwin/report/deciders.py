"""Barriers that runs do not get past, and what decides there: parameters and objects, as advice says it."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from typing import Final

from tracetwin.analysis.entries import Definition
from tracetwin.analysis.slices import Slice
from tracetwin.run.results.places import FUNCTIONS, Places
from tracetwin.support.data import dataclass
from tracetwin.support.text import listed

_MOST_NAMED: Final = 3

_OF_KINDS: Final = re.compile(
    "argument types|misuse|another kind|could not be built|TypeError|AttributeError"
)
"""Reasons that say that a value of another kind is what is missing."""

_MAKING: Final = ("__init__", "__new__", "__post_init__")


@dataclass(frozen=True)
class Barrier:
    """A condition, or a line from which nothing goes on, in a function.

    Attributes:
        name: the qualified name of the function.
        node: its definition.
        takes: what has to hold there, in a sentence; "" where that is not known.
    """

    name: str
    node: Definition
    line: int
    reason: str
    takes: str = ""

    @property
    def example(self) -> str:
        """Return the beginning of advice to show an input that leads past it."""
        which = "for which that holds" if self.takes else "that comes there"
        return f"A test or a doctest of yours {which} shows the way"


class Deciders:
    """Names what decides the conditions of one module."""

    def __init__(self, tree: ast.Module, places: Places) -> None:
        self._places = places
        self._functions = [one for one in ast.walk(tree) if isinstance(one, FUNCTIONS)]

    def nearest(self, spot: Barrier, cut: Slice) -> list[str]:
        """Return the parameters that come to a condition by the fewest steps.

        In a constructor these are its arguments, as there is no object yet that holds anything else.
        """
        receiver = self._places.receiver(spot.line)
        made = spot.node.name in _MAKING and cut.near.keys() != {receiver}
        near = {name: steps for name, steps in cut.near.items() if not (made and name == receiver)}
        return [name for name, steps in near.items() if steps == min(near.values())]

    def told(self, spot: Barrier, name: str) -> str:
        """Return a parameter as the head of its function writes it."""
        around = (one for one in self._functions if one.lineno <= spot.line <= (one.end_lineno or 0))
        for node in around:
            for mark, one in (("*", node.args.vararg), ("**", node.args.kwarg)):
                if one is not None and one.arg == name:
                    return f"`{mark}{name}`"
        return f"`{name}`"

    def hint(self, spot: Barrier, cut: Slice, called: str, misfits: Collection[int]) -> str:
        """Return which parameters decide a condition whose types were guessed wrong, "" for none.

        Args:
            spot: the condition.
            cut: what decides it.
            called: the function to which values are passed.
            misfits: the lines in which values of wrong types ended runs of that.
        """
        node, names = spot.node, self.nearest(spot, cut)
        if "has to come out of" in spot.takes:
            names = re.findall(r"\w+", spot.takes)  # what is written there
        elif cut.names and not names:
            return ""
        for around in self._places.qualified(called):
            if around is not node and around.lineno <= node.lineno <= (around.end_lineno or 0):
                node, names = around, []  # only what is passed to that one is an input
        known = [one for one in _parameters(node) if not names or one.arg in names]
        bare = [one.arg for one in known if one.annotation is None]
        if not (cut.asked or _OF_KINDS.search(spot.reason)):
            bare = [name for name in bare if self._is_misfit(name, node, misfits)]
        told = _kinds_asked(spot, cut, known) or [f"`{name}`" for name in bare[:_MOST_NAMED]]
        if not told:
            return ""
        where = f"`def {node.name}` (line {node.lineno})"
        return f"A type hint for {listed(told)} in {where} says what is passed."


    def _is_misfit(self, name: str, node: Definition, misfits: Collection[int]) -> bool:
        """Return whether values of wrong types ended runs where a parameter of a function comes to."""
        inside = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        cuts = (self._places.cut(line) for line in misfits if line in inside)
        return any(cut is not None and name in cut.near for cut in cuts)


def either(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _parameters(node: Definition) -> list[ast.arg]:
    """The parameters of a function, but for those that it has as a method."""
    found = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [one for one in found if one.arg not in ("self", "cls")]


def _kinds_asked(spot: Barrier, cut: Slice, known: list[ast.arg]) -> list[str]:
    """The hints that a condition asks for by `isinstance`, where that has to hold."""
    asked = [call for call in cut.asked if len(call.args) == 2]
    meant = (one for one in asked if f"not {ast.unparse(one)}" not in spot.takes and spot.takes)
    names = [one.arg for one in known if one.annotation is None]
    parts = ((one.args[0], one.args[1]) for one in meant)
    return [
        f"`{one.id}: {ast.unparse(kind)}`"
        for one, kind in parts
        if isinstance(one, ast.Name) and one.id in names
    ]
