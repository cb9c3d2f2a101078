"""Noticing, and where possible undoing, what a run wrote into modules and classes.

A `StateGuard` remembers, for everything mutable that is reachable from the guarded modules (bounded),
the identities of its direct contents. After a run, comparing identities is a few C calls per object and
never runs code of the target. What was changed is put back in place, object by object; where that can't
be done the runner has to be replaced.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from tracetwin.worker.restore.bulk import Bulk
from tracetwin.worker.restore.code_watchers import (
    ClassHeadWatcher,
    ClassWatcher,
    FunctionWatcher,
    KindWatcher,
    SubclassesWatcher,
)
from tracetwin.worker.restore.counters import CounterWatcher, HeldCounter
from tracetwin.worker.restore.library_watchers import library_watchers
from tracetwin.worker.restore.watch import watch
from tracetwin.worker.restore.watchers import MISSING, CacheWatcher, DictWatcher, Watcher, class_attributes
from tracetwin.worker.restore.writes import Writes, found_at, functions_of, used_as_values, writes_of

_MOST_OBJECTS: Final = 20_000
_MOST_DEPTH: Final = 12
# Up to so many entries are compared after every run; beyond that, larger containers take turns, so many
# entries of them at a time.
_EAGER_ENTRIES: Final = 10_000
_TURN_ENTRIES: Final = 1_000
_RARELY: Final = (FunctionWatcher, ClassHeadWatcher, KindWatcher, SubclassesWatcher)
"""What hardly any program changes: it is looked at in turns before anything else is."""

_IMMUTABLE: Final = frozenset(
    (int, float, complex, str, bytes, bool, type(None), type(Ellipsis), type(NotImplemented), range, slice)
)
_OF_TYPING: Final = (typing.TypeVar, type(typing.ClassVar), type(typing.ClassVar[int]))
_DEFINED: Final = (
    types.ModuleType, type, types.FunctionType, types.GenericAlias, types.UnionType, *_OF_TYPING
)  # fmt: skip
_MOST_ROUNDS: Final = 8
_CONTAINERS: Final = frozenset((dict, list, set))
_attributes_of: Final = attrgetter("__dict__")
# Names that the interpreter itself writes into a module at any time.
IGNORED_NAMES: Final = frozenset(("__warningregistry__",))


def package_modules(module: types.ModuleType) -> list[types.ModuleType]:
    """Return the loaded modules of the top-level package, or module, that a module belongs to."""
    top = module.__name__.partition(".")[0]
    loaded: list[tuple[str, object]] = list(sys.modules.items())  # None, for instance, may be in it
    return [
        found
        for name, found in loaded
        if isinstance(found, types.ModuleType) and (name == top or name.startswith(f"{top}."))
    ]


class StateGuard:
    """Guards the state of some modules."""

    def __init__(self, modules: Iterable[types.ModuleType], others: Iterable[types.ModuleType] = ()) -> None:
        self._modules = list(modules)
        self._module_ids = {id(module) for module in self._modules}
        self._names = {module.__name__ for module in self._modules}
        self._seen: dict[int, object] = {}  # keeps what it has seen alive, so that ids stay unique
        self._counters: dict[int, CounterWatcher] = {}
        self._eager: list[Watcher] = []
        self._lazy: list[Watcher] = []
        self._always: list[Watcher] = []
        self._namespaces: list[tuple[types.ModuleType, Watcher]] = []
        self._tables: set[Watcher] = set()  # of the names of modules
        self._plain_functions: list[types.FunctionType] = []
        self._functions: list[types.FunctionType] = []
        self._codes: list[types.CodeType] = []
        self._swapped = Bulk(())  # functions that may get other code, which may need new names of its module
        self._rare: list[object] = []  # what is not watched in every respect
        self._turn = 0
        self._changed: list[Watcher] = []
        for module in self._modules:
            vars(module).pop("__warningregistry__", None)
        self._explore()
        self._watch_what_is_rare()
        for module in others:
            self._watch_surface(module)
        self._arrange()

    def _watch_surface(self, module: types.ModuleType) -> None:
        for thing in (module, *vars(module).values()):
            if (thing is module or type(thing) in _CONTAINERS) and id(thing) not in self._seen:
                self._seen[id(thing)] = thing
                watchers, _contents = watch(thing, IGNORED_NAMES)
                self._eager.extend(watchers)

    def _watch_what_is_rare(self) -> None:
        """Watch what hardly any program writes, where the code of this one could."""
        writes = self._read_code()
        if writes.stores("__code__"):
            self._swapped = Bulk(map(FunctionWatcher, functions_of(self._modules)))
        if writes.stores("__code__", "__defaults__", "__kwdefaults__", "__annotations__"):
            self._eager += [FunctionWatcher(function) for function in self._functions]
        if "__annotations__" in writes.named:
            self._eager += [DictWatcher(function.__annotations__) for function in self._functions]
        classes = [thing for thing in self._rare if issubclass(type(thing), type)]
        if writes.stores("__name__", "__qualname__", "__bases__"):
            self._eager += [ClassHeadWatcher(thing) for thing in classes]  # type: ignore[arg-type]
        if "__subclasses__" in writes.named:
            self._eager += [SubclassesWatcher(thing) for thing in classes]  # type: ignore[arg-type]
        if writes.stores("__class__"):
            self._eager += [KindWatcher(thing) for thing in self._rare if not issubclass(type(thing), type)]
        self._watch_foreign(writes)
        self._eager += library_watchers(writes.named)
        self._rare.clear()
        self._codes.clear()

    def _read_code(self) -> Writes:
        """The possible writes of all the code; what none writes is looked at lazily from now on."""
        codes: dict[int, list[types.CodeType]] = {id(vars(module)): [] for module in self._modules}
        for function in functions_of(self._modules):
            codes[id(function.__globals__)].append(function.__code__)
        self._codes = [code for found in codes.values() for code in found]
        by_module = {table: writes_of(found) for table, found in codes.items()}
        writes = Writes()
        for found in by_module.values():
            writes.add(found)
        paths = sorted(writes.places)
        tables = [vars(module) for module in self._modules]
        patched = {id(part) for names in tables for path in paths for part in found_at(names, path)}
        for module, watcher in self._namespaces:
            if writes.any_global or id(module) in patched or by_module[id(vars(module))].rebinds:
                self._always.append(watcher)
            else:
                self._lazy.append(watcher)
        return writes

    def _watch_foreign(self, writes: Writes) -> None:
        """Watch what the code may patch in modules and classes that are not guarded."""
        handed = used_as_values(self._codes) if writes.anything else set()
        known = {id(thing): thing for thing in (*self._rare, *self._functions)}
        for module in self._modules:
            names = vars(module)
            paths = set(writes.places)
            paths |= {(name,) for name in handed if issubclass(type(names.get(name)), types.ModuleType)}
            for path in sorted(paths):
                for thing in found_at(names, path):
                    if type(thing) not in _IMMUTABLE and id(thing) not in known:
                        known[id(thing)] = thing
                        self._watch_alone(thing)

    def _watch_alone(self, thing: object) -> None:
        """Watch an object with its attributes, but not what these hold."""
        watchers, contents = watch(thing, IGNORED_NAMES)
        self._eager.extend(watchers)
        if not issubclass(type(thing), (type, types.ModuleType)):
            self._eager.extend(DictWatcher(part) for part in contents if type(part) is dict)

    def dirty(self) -> bool:
        """True if something was written since the start or the last `restore`.

        A change inside a very large container may be noticed some runs late, and so may other code of a
        function, but not where its module got other names: the new code may need those, which are taken away.
        """
        changed = self._bulk.changed()
        if self._turns:
            self._turn = (self._turn + 1) % len(self._turns)
            changed += self._turns[self._turn].changed()
            changed += self._late.resized()
        if self._swapped.watchers and not self._tables.isdisjoint(changed):
            changed += self._swapped.changed()
        # Subclasses go when nothing holds them any more.
        self._changed = sorted(dict.fromkeys(changed), key=lambda one: type(one) is SubclassesWatcher)
        return bool(changed) or any(map(_attributes_of, self._plain_functions))

    def has_only_grown(self) -> bool:
        """Return whether all that was written are new names of modules, classes, types and functions.

        That is what an import does that enters itself nowhere; a package may also let classes say that they
        are from elsewhere. Caches that it filled are emptied, as they are after each run.
        """
        changed = [*self._bulk.changed(), *self._late.changed()]
        caches = [watcher for watcher in changed if isinstance(watcher, CacheWatcher) and watcher.restore()]
        changed = [watcher for watcher in changed if watcher not in caches]
        altered = any(map(_attributes_of, self._plain_functions))
        return not altered and all(map(self._is_growth, changed))

    def _is_growth(self, watcher: Watcher) -> bool:
        if isinstance(watcher, ClassWatcher):
            now, kept = dict(class_attributes(watcher.thing)), watcher.kept
            names = (now.keys() | kept.keys()) - {"__module__"}
            return all(now.get(name, MISSING) is kept.get(name, MISSING) for name in names)
        tables = [id(vars(module)) for module in self._modules]
        if not isinstance(watcher, DictWatcher) or id(watcher.thing) not in tables:
            return False
        table = dict(dict.items(watcher.thing))
        new = [value for name, value in table.items() if name not in watcher.kept]
        same = all(table.get(name, MISSING) is value for name, value in watcher.kept.items())
        return same and all(issubclass(type(value), _DEFINED) for value in new)

    def restore(self) -> bool:
        """Put back what the last `dirty` found, and what shows only then; False where that is impossible."""
        tried: set[Watcher] = set()
        for _ in range(_MOST_ROUNDS):
            tried.update(self._changed)
            if not self._restore_found():
                return False
            # Others have their turn of being looked at, or are not as they were since these were put back.
            if not self.dirty():
                return True
            if not tried.isdisjoint(self._changed):
                return False
        return False

    def _restore_found(self) -> bool:
        if not all(watcher.restore() for watcher in self._changed):
            return False
        if any(type(watcher) in (ClassWatcher, CounterWatcher) for watcher in self._changed):
            for bulk in (self._bulk, self._late, *self._turns):
                bulk.refresh()
        for function in self._plain_functions:
            function.__dict__.clear()
        return True

    def _arrange(self) -> None:
        """Compare after every run namespaces that code writes, and small containers; large ones in turns."""
        budget = _EAGER_ENTRIES
        watchers = sorted(self._eager, key=lambda watcher: (type(watcher) in _RARELY, watcher.size))
        self._eager = list(self._always)
        for watcher in watchers:
            budget -= watcher.size
            (self._eager if budget >= 0 or watcher.size == 0 else self._lazy).append(watcher)
        self._gather()

    def _gather(self) -> None:
        self._bulk = Bulk(self._eager)
        self._late = Bulk(self._lazy)
        turns: list[list[Watcher]] = []
        left = 0
        for watcher in self._lazy:
            if left <= 0:
                turns.append([])
                left = _TURN_ENTRIES
            turns[-1].append(watcher)
            left -= watcher.size
        self._turns = list(map(Bulk, turns))

    def _explore(self) -> None:
        """Find everything mutable, breadth first."""
        wave: list[object] = list(self._modules)
        for _ in range(_MOST_DEPTH):
            following: list[object] = []
            for thing in wave:
                following.extend(self._visit(thing))
            if not following or len(self._seen) > _MOST_OBJECTS:
                return
            wave = following

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
        if kind is HeldCounter and (known := self._counters.get(id(thing.counter))) is not None:  # type: ignore[attr-defined]
            known.names.append(thing)  # type: ignore[arg-type]
            return ()
        watchers, contents = watch(thing, IGNORED_NAMES)
        self._counters.update((id(one.counter), one) for one in watchers if isinstance(one, CounterWatcher))
        if issubclass(kind, types.ModuleType):
            self._tables.add(watchers[0])
            self._namespaces.append((thing, watchers[0]))  # type: ignore[arg-type] # seen one line above
        else:
            self._eager.extend(watchers)
        self._rare.append(thing)
        return contents

    def _function(self, function: types.FunctionType) -> Iterable[object]:
        if function.__module__ not in self._names:
            # What the library makes for the module's functions, as `singledispatch` does, keeps its state so.
            return function.__closure__ or ()
        self._functions.append(function)
        contents: list[object] = [*(function.__defaults__ or ()), *(function.__closure__ or ())]
        if function.__kwdefaults__:
            contents.append(function.__kwdefaults__)
        if function.__dict__:
            contents.append(function.__dict__)
        else:
            self._plain_functions.append(function)
        return contents
