"""Notices whether a case left its process as it was, so that the next one may run in it as well."""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Sequence
from typing import Final, Protocol

from tracetwin.worker.restore.ambient import Ambient
from tracetwin.worker.restore.bulk import Bulk
from tracetwin.worker.restore.state import IGNORED_NAMES, StateGuard, package_modules
from tracetwin.worker.restore.watch import watch
from tracetwin.worker.restore.watchers import Watcher

_OF_THE_INTERPRETER: Final = ("sys", "linecache")
"""Modules whose public containers change by any import or traceback; `Ambient` sees what matters of them."""


class _Compared(Protocol):
    """Tells whether something is as it was."""

    def same(self) -> bool: ...


class Untouched:
    """The state of the target's modules and of the interpreter, as the import left it."""

    def __init__(self, module: types.ModuleType, *others: types.ModuleType) -> None:
        own = module.__name__.partition(".")[0]
        guarded = [*package_modules(module), *others]
        self._guard = StateGuard(guarded)
        found = [watcher for other in _imported(guarded) for watcher in _surface(other)]
        self._surface = Bulk(watcher for watcher in found if isinstance(watcher, Watcher))
        self._names = [watcher for watcher in found if not isinstance(watcher, Watcher)]
        self._ambient = Ambient(sys.getrecursionlimit(), own=own, forgets=True)

    def changed(self) -> bool:
        """True if the state of the target's modules may be another than that which the import left."""
        return not self._is_surface_same() or self._guard.dirty()

    def has_only_grown(self) -> bool:
        """Return whether the target's modules are as they were, but for new names of what is defined."""
        return self._guard.has_only_grown()

    def again(self, *, restore: bool = True) -> bool:
        """Put back what a case changed; False where that can't be done, and only a new process will do.

        `restore`: changes to the target's modules may be put back; else there must be none.
        """
        tracer = sys.gettrace()  # of coverage.py
        gc.collect(1)  # finalizers of what the case made are still its own
        settled = self._ambient.settle() and self._is_surface_same()
        settled = settled and (not self._guard.dirty() or (restore and self._guard.restore()))
        settled = settled and self._ambient.gone()
        sys.settrace(tracer)
        return settled

    def _is_surface_same(self) -> bool:
        return self._surface.same() and all(names.same() for names in self._names)


def _imported(modules: Sequence[types.ModuleType]) -> list[types.ModuleType]:
    """Return the modules that some modules hold under a name, but for themselves."""
    held = (value for module in modules for value in list(vars(module).values()))
    found = {id(value): value for value in held if type(value) is types.ModuleType}
    known = {*map(id, modules), *(id(sys.modules.get(name)) for name in _OF_THE_INTERPRETER)}
    return [value for number, value in found.items() if number not in known]


class _PublicNames:
    """The public names of a module of the library: a fork gives `threading`, for one, other private ones."""

    def __init__(self, module: types.ModuleType) -> None:
        self._names = vars(module)
        self._kept = [(name, value) for name, value in list(self._names.items()) if _is_meant(name)]

    def same(self) -> bool:
        return all(self._names.get(name) is value for name, value in self._kept)


def _is_meant(name: str) -> bool:
    # What `tempfile` has found out stays found out.
    return not name.startswith("_") and name != "tempdir"


def _surface(module: types.ModuleType) -> list[_Compared]:
    """Return watchers of a module's names and of containers that have a public one, which is no cache."""
    public = (value for name, value in list(vars(module).items()) if not name.startswith("_"))
    held = [value for value in public if type(value) in (dict, list, set)]
    found: list[_Compared] = [watcher for thing in held for watcher in watch(thing, IGNORED_NAMES)[0]]
    if module.__name__.partition(".")[0] in sys.stdlib_module_names:
        return [_PublicNames(module), *found]
    return [*watch(module, IGNORED_NAMES)[0], *found]
