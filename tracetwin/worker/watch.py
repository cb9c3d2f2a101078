"""Which watcher an object needs, and what else is reachable through it."""

from __future__ import annotations

import collections
import contextvars
import functools
import io
import random
import types
from collections.abc import Iterable
from typing import Any, Final

from tracetwin.worker.watchers import (
    MISSING,
    BytesWatcher,
    CacheWatcher,
    CellWatcher,
    ClassWatcher,
    DictWatcher,
    OrderedWatcher,
    SequenceWatcher,
    SetWatcher,
    SlotsWatcher,
    SpentWatcher,
    StateWatcher,
    Watcher,
    class_attributes,
)

_LruWrapper: Final = type(functools.lru_cache(maxsize=1)(len))


def _generator_state(generator: types.GeneratorType[Any, Any, Any]) -> int | None:
    frame = generator.gi_frame
    return None if frame is None else frame.f_lasti


def _read_memory_file(file: Any) -> tuple[Any, int]:
    return file.getvalue(), file.tell()


def _write_memory_file(file: Any, state: tuple[Any, int]) -> None:
    file.seek(0)
    file.truncate()
    file.write(state[0])
    file.seek(state[1])


def _read_variable(variable: contextvars.ContextVar[Any]) -> Any:
    return variable.get(MISSING)


def _write_variable(variable: contextvars.ContextVar[Any], value: Any) -> None:
    # It can't be unset without its token, but it can be set to its default, if it has one.
    variable.set(contextvars.Context().run(variable.get) if value is MISSING else value)


_EMPTY: Final[tuple[Any, ...]] = ([], (), {}, set(), "", b"", range(0), {}.items(), {}.values())
_ITERATORS: Final = frozenset(type(iter(empty)) for empty in _EMPTY)
_Nothing: Final[tuple[Watcher | None, Iterable[object]]] = (None, ())


# Names in every module whose values are the interpreter's.
_MACHINERY: Final = frozenset(("__builtins__", "__spec__", "__loader__", "__cached__"))


def watch(thing: Any, ignored_names: frozenset[str]) -> tuple[Watcher | None, Iterable[object]]:
    """A watcher for one object (None: it can't change, or can't be watched), and what it contains.

    Args:
        thing: anything but a function.
        ignored_names: names in a module's dictionary that are no state.
    """
    kind = type(thing)
    if kind in (tuple, frozenset):
        return None, thing
    if issubclass(kind, types.ModuleType):
        names = types.ModuleType.__getattribute__(thing, "__dict__")
        return DictWatcher(names, ignored_names), [v for name, v in names.items() if name not in _MACHINERY]
    if issubclass(kind, type):
        return ClassWatcher(thing), _unwrapped(class_attributes(thing).values())
    special = _special(thing, kind)
    if special is not None:
        return special, _attributes(thing)
    if kind is types.MethodType:
        return None, (thing.__self__, thing.__func__)
    return _container(thing, kind) or _instance(thing, kind)


def _unwrapped(values: Iterable[object]) -> list[object]:
    """The contents of a class: functions come out of what wraps them."""
    found: list[object] = []
    for value in values:
        if isinstance(value, (staticmethod, classmethod)):
            found.append(value.__func__)
        elif isinstance(value, property):
            found += [part for part in (value.fget, value.fset, value.fdel) if part is not None]
        elif isinstance(value, functools.cached_property):
            found.append(value.func)
        else:
            found.append(value)
    return found


def _special(thing: Any, kind: type) -> Watcher | None:
    """Objects that hold their state in C."""
    if kind is _LruWrapper:
        return CacheWatcher(thing)
    if kind is bytearray:
        return BytesWatcher(thing)
    if issubclass(kind, random.Random) and kind is not random.SystemRandom:
        return StateWatcher(thing, random.Random.getstate, random.Random.setstate)
    if kind in (io.StringIO, io.BytesIO):
        return StateWatcher(thing, _read_memory_file, _write_memory_file)
    if kind is contextvars.ContextVar:
        return StateWatcher(thing, _read_variable, _write_variable)
    if kind is types.GeneratorType:
        return SpentWatcher(thing, _generator_state)
    if kind in _ITERATORS or kind.__module__ == "itertools":
        return _iterator(thing)
    return None


def _iterator(thing: Any) -> Watcher | None:
    if type(thing).__name__ in ("count", "repeat"):
        return SpentWatcher(thing, repr)
    try:
        return SpentWatcher(thing, lambda it: repr(it.__length_hint__()))
    except (AttributeError, TypeError):
        return None


def _container(thing: Any, kind: type) -> tuple[Watcher | None, Iterable[object]] | None:
    if kind is types.CellType:
        cell = CellWatcher(thing)
        return cell, () if cell.kept is MISSING else (cell.kept,)
    extra = _attributes(thing)
    if issubclass(kind, list):
        items = SequenceWatcher(thing, list)
        return items, [*items.kept, *extra]
    if issubclass(kind, collections.deque):
        items = SequenceWatcher(thing, collections.deque)
        return items, [*items.kept, *extra]
    if issubclass(kind, dict):
        mapping = (OrderedWatcher if issubclass(kind, collections.OrderedDict) else DictWatcher)(thing)
        return mapping, [*mapping.keys, *mapping.values, *extra]
    if issubclass(kind, set):
        return SetWatcher(thing), [*set.__iter__(thing), *extra]
    return None


def _attributes(thing: Any) -> Iterable[object]:
    """The dictionary of an instance, to be watched as a dictionary."""
    try:
        attributes = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return ()
    return (attributes,) if type(attributes) is dict else ()


def _instance(thing: Any, kind: type) -> tuple[Watcher | None, Iterable[object]]:
    """Any other object: its dictionary and its slots."""
    if _is_leaf(kind):
        return _Nothing
    contents = list(_attributes(thing))
    if issubclass(kind, (tuple, frozenset)):
        contents.extend(kind.__iter__(thing))
    if issubclass(kind, functools.partial):
        contents += [thing.func, *thing.args, thing.keywords]
    members = [
        member
        for base in kind.__mro__
        if "__slots__" in class_attributes(base)
        for member in class_attributes(base).values()
        if type(member) is types.MemberDescriptorType
    ]
    if not members:
        return None, contents
    slots = SlotsWatcher(thing, members)
    return slots, [*contents, *(value for value in slots.values if value is not MISSING)]


# Objects whose inside is the interpreter's or a cache of its own, and no state of the target.
_LEAF_MODULES: Final = frozenset(
    (
        *("re", "_sre", "logging", "_thread", "threading", "weakref", "_weakref", "abc", "_abc"),
        *("typing", "importlib", "_frozen_importlib", "_frozen_importlib_external", "asyncio"),
    )
)


def _is_leaf(kind: type) -> bool:
    module: object = kind.__module__  # the target's to set
    return isinstance(module, str) and module.partition(".")[0] in _LEAF_MODULES
