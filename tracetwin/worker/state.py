"""Noticing, and where possible undoing, what a run wrote into modules and classes.

A `StateGuard` remembers, for everything mutable that is reachable from the guarded modules (bounded),
the identities of its direct contents. After a run, comparing identities is a few C calls per object and
never runs code of the target. What was changed is put back in place, object by object; where that can't
be done the runner has to be replaced.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from tracetwin.worker.watch import watch
from tracetwin.worker.watchers import Watcher, class_attributes

_MOST_OBJECTS: Final = 20_000
_MOST_DEPTH: Final = 12
# Up to so many entries are compared after every run; beyond that, larger containers take turns.
_EAGER_ENTRIES: Final = 2_000
_IMMUTABLE: Final = frozenset(
    (int, float, complex, str, bytes, bool, type(None), type(Ellipsis), type(NotImplemented), range, slice)
)
_CONTAINERS: Final = frozenset((dict, list, set))
_attributes_of: Final = attrgetter("__dict__")
# Names that the interpreter itself writes into a module at any time.
_IGNORED_NAMES: Final = frozenset(("__warningregistry__",))


class StateGuard:
    """Guards the state of some modules.

    Attributes:
        complete: whether everything reachable is watched (else there was too much).
    """

    def __init__(self, modules: Iterable[types.ModuleType], others: Iterable[types.ModuleType] = ()) -> None:
        """Remember the present state.

        Args:
            modules: watched with all that is reachable, but for what they import.
            others: watched at their surface: names, and containers that have a name.
        """
        self._modules = list(modules)
        self._module_ids = {id(module) for module in self._modules}
        self._names = {module.__name__ for module in self._modules}
        self._seen: dict[int, object] = {}  # keeps what it has seen alive, so that ids stay unique
        self._eager: list[Watcher] = []
        self._lazy: list[Watcher] = []
        self._plain_functions: list[types.FunctionType] = []
        self._turn = 0
        self._changed: list[Watcher] = []
        self.complete = True
        for module in self._modules:
            vars(module).pop("__warningregistry__", None)
        self._explore()
        for module in others:
            self._watch_surface(module)
        self._arrange()

    def _watch_surface(self, module: types.ModuleType) -> None:
        for thing in (module, *vars(module).values()):
            if (thing is module or type(thing) in _CONTAINERS) and id(thing) not in self._seen:
                self._seen[id(thing)] = thing
                watcher, _contents = watch(thing, _IGNORED_NAMES)
                if watcher is not None:
                    self._eager.append(watcher)

    def dirty(self) -> bool:
        """Whether something was written since the start or the last `restore`.

        A change inside a very large container may be noticed some runs late.
        """
        changed = [watcher for watcher in self._eager if not watcher.same()]
        if self._lazy:
            self._turn = (self._turn + 1) % len(self._lazy)
            late = self._lazy[self._turn]
            changed += [w for w in self._lazy if not (w.same() if w is late else w.same_size())]
        self._changed = changed
        return bool(changed) or any(map(_attributes_of, self._plain_functions))

    def restore(self) -> bool:
        """Put back what the last `dirty` found; False where that is impossible."""
        for watcher in self._changed:
            if not watcher.restore():
                return False
        for function in self._plain_functions:
            function.__dict__.clear()
        # Putting one thing back may show that another is not as it was.
        return not self.dirty()

    def _arrange(self) -> None:
        """Small containers are compared after every run, large ones in turns."""
        budget = _EAGER_ENTRIES
        watchers = sorted(self._eager, key=lambda watcher: watcher.size)
        self._eager = []
        for watcher in watchers:
            budget -= watcher.size
            (self._eager if budget >= 0 or watcher.size == 0 else self._lazy).append(watcher)

    def _explore(self) -> None:
        """Find everything mutable, breadth first."""
        wave: list[object] = list(self._modules)
        for _ in range(_MOST_DEPTH):
            following: list[object] = []
            for thing in wave:
                following.extend(self._visit(thing))
            if not following:
                return
            if len(self._seen) > _MOST_OBJECTS:
                break
            wave = following
        self.complete = False

    def _visit(self, thing: object) -> Iterable[object]:
        """Watch one object; its contents are visited next."""
        kind = type(thing)
        if kind in _IMMUTABLE or id(thing) in self._seen or len(self._seen) > _MOST_OBJECTS:
            return ()
        self._seen[id(thing)] = thing
        if kind is types.FunctionType:
            return self._function(thing)  # type: ignore[arg-type]
        # `issubclass` on the type: `isinstance` would ask the object, which may be the target's code.
        if issubclass(kind, types.ModuleType) and id(thing) not in self._module_ids:
            return ()
        if issubclass(kind, type) and class_attributes(thing).get("__module__") not in self._names:
            return ()
        watcher, contents = watch(thing, _IGNORED_NAMES)
        if watcher is not None:
            self._eager.append(watcher)
        return contents

    def _function(self, function: types.FunctionType) -> Iterable[object]:
        if function.__module__ not in self._names:
            return ()
        contents: list[object] = [*(function.__defaults__ or ()), *(function.__closure__ or ())]
        if function.__kwdefaults__:
            contents.append(function.__kwdefaults__)
        if function.__dict__:
            contents.append(function.__dict__)
        else:
            self._plain_functions.append(function)
        return contents
