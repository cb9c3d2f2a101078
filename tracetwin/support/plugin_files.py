"""Source files of entry points that run in the worker: found in the driver without importing anything."""

from __future__ import annotations

import functools
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from typing import Final

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
