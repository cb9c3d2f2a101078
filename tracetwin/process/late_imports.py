"""Modules that a target imports while it runs: those that come after have them already.

A function that imports a large package when it is called would do so anew in each runner, replay and test:
none of them outlives what it may have changed. A runner says what it had to import, the driver remembers it
by the target's file, and the processes from which others are forked import it once. Modules of the target's
own package may enter themselves somewhere in it: where their import does more than give names to what there
is, they are left to those who need them. Written tests are run without them, as a user's are.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

from tracetwin.process import bytecode

MOST: Final = 1_000
"""Names that are told or remembered for one target."""

_REMEMBERED: Final[dict[str, dict[str, None]]] = {}
_LET_GO: Final[list[str]] = []
_REFUSED: Final[dict[str, str]] = {}
"""By file the package of which nothing is imported ahead, or nothing at all where that is empty."""

_names_of: Final[Any] = vars(types.ModuleType)["__dict__"].__get__
"""Returns the names of a module, also of a class of its own, none of whose code is run."""


class LateImports:
    """The modules that a runner has to import."""

    def __init__(self) -> None:
        self._known = set(sys.modules)
        self._told: set[str] = set()

    def new(self) -> list[str]:
        """The names of modules with a file that were imported since the last time, in order."""
        loaded = sys.modules
        gone = [name for name in _LET_GO if name not in self._told]
        self._told.update(gone)
        _LET_GO.clear()
        if type(loaded) is not dict or (len(loaded) == len(self._known) and not gone):
            return gone
        found = [name for name in list(loaded) if type(name) is str and name not in self._known]
        self._known.update(found)
        return [*gone, *(name for name in found if _is_plain(name, loaded[name]))][:MOST]


def let_go(names: Iterable[str]) -> None:
    """Forget modules that a run imported; they are told of as others are."""
    for name in names:
        module = sys.modules.pop(name)
        if _is_plain(name, module):
            _LET_GO.append(name)


def _is_plain(name: str, module: object) -> bool:
    """True for what importing its name gives."""
    if not issubclass(type(module), types.ModuleType):
        return False
    spec = _names_of(module).get("__spec__")
    return getattr(spec, "name", None) == name and isinstance(getattr(spec, "origin", None), str)


def load(names: Iterable[object], folder: str) -> list[str]:
    """Import modules, by the bytecode that a folder of the cache has; returns sources that have none."""
    with bytecode.kept_in(folder):
        for name in names:
            with suppress(BaseException):  # as in the runner, which came through it: whatever it raises
                __import__(str(name))  # which the walls see, other than `importlib.import_module`
    return bytecode.sources_without() if folder else []


def package_changed(target: str, names: Sequence[str], stays: Callable[[], bool]) -> str | None:
    """Return the package of a target where imports of its own modules changed it; else None.

    Args:
        target: the module under test.
        names: what was imported.
        stays: tells whether the target is as its import left it, but for new names of what it defines.
    """
    package = target.partition(".")[0]
    if not any(_is_of(name, package) for name in names):
        return None
    return None if stays() else package


def remember(file: str, names: object) -> None:
    """Keep what a runner of a target told; it may have told anything."""
    refused = _REFUSED.get(file)
    if refused == "" or not isinstance(names, list):
        return
    known = _REMEMBERED.setdefault(file, {})
    for name in names:
        if type(name) is str and len(known) < MOST and not _is_of(name, refused):
            known[name] = None


def _is_of(name: str, package: str | None) -> bool:
    return package is not None and name.partition(".")[0] == package


def remembered(file: str, *, without: str | None = None) -> list[str]:
    """The modules that runs of a target imported, without those of a package."""
    # Another thread may add to them.
    return [name for name in list(_REMEMBERED.get(file, ())) if not _is_of(name, without)]


def refuse(file: str, package: str = "") -> None:
    """Import nothing ahead for a target any more, or nothing of a package, whose state that would change."""
    if _REFUSED.get(file) == "":
        return
    _REFUSED[file] = package
    kept = remembered(file, without=package) if package else []
    _REMEMBERED[file] = dict.fromkeys(kept)
