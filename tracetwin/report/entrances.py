"""Entrances: public functions by which others are called, with what these leave in the object before."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Final

from tracetwin.analysis.entries import Definition
from tracetwin.report.deciders import Barrier
from tracetwin.report.outside_names import OutsideNames, is_self
from tracetwin.report.result import Module
from tracetwin.run.results.places import Places
from tracetwin.support.reaching import reached
from tracetwin.support.text import listed

_MOST_NAMED: Final = 3


class Entrances:
    """Finds the public functions of one module that come to a place by their own calls.

    Args:
        module: with its tests, and the functions that were explored.
        places: its functions by their lines.
        names: of the attributes that its methods set.
    """

    def __init__(self, module: Module, places: Places, names: OutsideNames) -> None:
        self._coming: dict[int, set[str]] = {}
        for case in module.cases:
            for line in case.lines:
                self._coming.setdefault(line, set()).add(case.function)
        self._known: dict[str, list[str]] = {}
        self._explored = {one.name for one in module.functions}
        self._places = places
        self._names = names

    def of(self, spot: Barrier, *, only_setting: bool = False) -> tuple[str, str]:
        """Return the function to begin with, and what speaks for it, both "" for none.

        That is one which sets attributes that the place looks at, or whose tests come there; of a private
        function any that comes to it. Where the function can be called by itself, only one that sets some.
        """
        fields = self._fields(spot)
        ranked: list[tuple[int, bool, int, str, list[str]]] = []
        for name in self._above(spot.name):
            if name in self._explored and _is_public(name):
                sets = [f"`{field}`" for field, setters in fields.items() if name in setters]
                comes = name in self._coming.get(spot.line, ())
                if sets or (not only_setting and (comes or not _is_public(spot.name))):
                    ranked.append((-len(sets), not comes, len(ranked), name, sets))
        if not ranked:
            return "", ""
        _, far, _, name, sets = min(ranked)
        does = [f"sets {listed(sets[:_MOST_NAMED])}"] if sets else []
        does.append("leads here" if far else "comes here")
        return name, f"`{name}` {listed(does)}"

    def _fields(self, spot: Barrier) -> dict[str, set[str]]:
        """The attributes of the object on which a place hangs, each with the methods that set it."""
        owner, cut = self._names.owner(spot.name), self._places.cut(spot.line)
        whole = "excluded on each path" in spot.reason  # by what stands before the condition, too
        if not owner or cut is None or not (whole or self._places.receiver(spot.line) in cut.near):
            return {}
        called = self._places.reached(name for _, name in cut.calls)
        own = {spot.line, *cut.lines}
        read = [*_read(spot.node, None if whole else own), *(one for part in called for one in _read(part))]
        return {one: {name for name, _ in self._names.setters(owner, one)} for one in dict.fromkeys(read)}

    def _above(self, name: str) -> list[str]:
        """The functions that call one, directly or by others, near ones first."""
        if name not in self._known:
            self._known[name] = reached([name], self._calling)[1:]
        return self._known[name]

    def _calling(self, name: str) -> list[str]:
        """The functions that call one, or read the method of their object."""
        around = (self._places.around(line) for line in self._places.calling(name))
        place = self._names.owner(name), name.rpartition(".")[2]
        return [*(one[0] for one in around if one is not None), *self._handing.get(place, ())]

    @cached_property
    def _handing(self) -> dict[tuple[str, str], list[str]]:
        """The methods that read an attribute of their object, by its class and name."""
        found: dict[tuple[str, str], list[str]] = {}
        for name, node in self._places.all:
            if owner := self._names.owner(name):
                for field in dict.fromkeys(_read(node)):
                    found.setdefault((owner, field), []).append(name)
        return found


def _read(function: Definition, lines: Collection[int] | None = None) -> Iterator[str]:
    """The attributes of its object that a function reads, in some lines or anywhere."""
    for one in ast.walk(function):
        if isinstance(one, ast.Attribute) and is_self(one.value) and isinstance(one.ctx, ast.Load) and (
            lines is None or one.lineno in lines
        ):
            yield one.attr


def _is_public(name: str) -> bool:
    return not any(part.startswith("_") and not part.endswith("__") for part in name.split("."))
