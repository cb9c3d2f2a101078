"""Modules of other packages that a target imports while it runs: those that come after have them already.

A function that imports a large package when it is called would do so anew in each runner, replay and test:
none of them outlives what it may have changed. A runner says what it had to import, the driver remembers it
by the target's file, and the processes from which others are forked import it once.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from tracetwin.process import bytecode

MOST: Final = 1_000
"""Names that are told or remembered for one target."""

_REMEMBERED: Final[dict[str, dict[str, None]]] = {}
_REFUSED: Final[set[str]] = set()


class LateImports:
    """The modules that a runner has to import; the package of the module under test is left alone."""

    def __init__(self, target: str) -> None:
        self._package = target.partition(".")[0]
        self._known = set(sys.modules)

    def new(self) -> list[str]:
        """The names of modules with a file that were imported since the last time, in order."""
        loaded = sys.modules
        if type(loaded) is not dict or len(loaded) == len(self._known):
            return []
        found = [name for name in list(loaded) if type(name) is str and name not in self._known]
        self._known.update(found)
        return [name for name in found if self._is_plain(name, loaded[name])][:MOST]

    def _is_plain(self, name: str, module: object) -> bool:
        """True for what importing its name gives, outside of the target's package."""
        if type(module) is not types.ModuleType or name.partition(".")[0] == self._package:
            return False
        spec = vars(module).get("__spec__")
        return getattr(spec, "name", None) == name and isinstance(getattr(spec, "origin", None), str)


def load(names: Iterable[object], folder: str) -> list[str]:
    """Import modules, by the bytecode that a folder of the cache has; returns sources that have none."""
    with bytecode.kept_in(folder):
        for name in names:
            with suppress(BaseException):  # as in the runner, which came through it: whatever it raises
                __import__(str(name))  # which the walls see, other than `importlib.import_module`
    return bytecode.sources_without() if folder else []


def remember(file: str, names: object) -> None:
    """Keep what a runner of a target told; it may have told anything."""
    if file in _REFUSED or not isinstance(names, list):
        return
    known = _REMEMBERED.setdefault(file, {})
    for name in names:
        if type(name) is str and len(known) < MOST:
            known[name] = None


def remembered(file: str) -> list[str]:
    """The modules that runs of a target imported."""
    return list(_REMEMBERED.get(file, ()))


def refuse(file: str) -> None:
    """Import nothing ahead for a target any more: it was not got over."""
    _REFUSED.add(file)
    _REMEMBERED.pop(file, None)
