"""What other distributions add by entry points: a broken one costs a sentence, not the run.

Source files of entry points that run in the worker: found in the driver without importing anything.
"""

from __future__ import annotations

import functools
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from tracetwin.support.data import dataclass

THEORIES = "tracetwin.theories"
"""Entry points that name a theory for z3 (a subclass of `tracetwin.solving.smt.theory.Theory`)."""

MODELS = "tracetwin.models"
"""Entry points that name a module which registers models of library functions."""


@dataclass(frozen=True)
class Plugins:
    """The entry points of one group.

    Attributes:
        found: what they name, in the order of their names.
        broken: a sentence about each that can't be loaded.
    """

    found: tuple[object, ...]
    broken: tuple[str, ...]


_broken: list[str] = []


@functools.cache
def plugins(group: str) -> Plugins:
    """Load the entry points of a group, once."""
    found, unusable = [], []
    for point in sorted(points_of(group), key=lambda point: (point.name, point.value)):
        try:
            found.append(point.load())
        except Exception as error:  # noqa: BLE001 - code of others, which may raise anything; it is told
            unusable.append(sentence(group, point, error))
    _broken.extend(unusable)
    return Plugins(tuple(found), tuple(unusable))


def broken() -> tuple[str, ...]:
    """A sentence about each entry point that could not be loaded so far."""
    return tuple(_broken)


def sentence(group: str, point: EntryPoint, error: Exception) -> str:
    """What the user is told of an entry point that can't be used."""
    source = f" of {point.dist.name}" if point.dist is not None else ""
    text = " ".join(str(error).split())
    why = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return f"the entry point {point.name!r}{source} in {group} was left out: {why}"


ADAPTERS: Final = "tracetwin.adapters"
"""Entry points that name an object of a subclass of `tracetwin.drawing.adapters.interface.Adapter`."""


def points_of(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group; what is installed is looked up once for a search path."""
    return _points(group, tuple(sys.path))


@functools.cache
def _points(group: str, _path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


@functools.cache
def plugin_files(group: str) -> tuple[tuple[str, str, str], ...]:
    """The name, source file ("" without one) and attribute of each entry point of a group."""
    points = sorted(points_of(group), key=lambda point: (point.name, point.value))
    return tuple((point.name, _file_of(point), point.attr) for point in points)


def _file_of(point: EntryPoint) -> str:
    path: list[str] | None = None
    spec: ModuleSpec | None = None
    parts = point.module.split(".")
    for count in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:count]), path)
        if spec is None:
            return ""
        path = list(spec.submodule_search_locations or ())
    return spec.origin or "" if spec is not None and spec.has_location else ""
