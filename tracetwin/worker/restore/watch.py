"""Which watchers an object needs, and what else is reachable through it.

Positions of iterators, read without moving them.
"""

from __future__ import annotations

import _thread
import collections
import contextvars
import functools
import gc
import io
import random
import types
import warnings
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from tracetwin.process.own_attributes import own_attributes
from tracetwin.worker.restore.code_watchers import ClassWatcher
from tracetwin.worker.restore.counters import CounterWatcher, HeldCounter, contents_of
from tracetwin.worker.restore.library_watchers import (
    WEAK,
    WeakWatcher,
    attributes_watcher,
    context_watcher,
    write_lock,
)
from tracetwin.worker.restore.watchers import (
    MISSING,
    BytesWatcher,
    CacheWatcher,
    CellWatcher,
    DictWatcher,
    OrderedWatcher,
    SequenceWatcher,
    SetWatcher,
    SlotsWatcher,
    StateWatcher,
    Watcher,
    class_attributes,
)

_LruWrapper: Final = type(functools.lru_cache(maxsize=1)(len))


def _write_memory_file(file: Any, state: tuple[Any, int]) -> None:
    file.seek(0)
    file.truncate()
    file.write(state[0])
    file.seek(state[1])


def _write_variable(variable: contextvars.ContextVar[Any], value: Any) -> None:
    # It can't be unset without its token, but it can be set to its default, if it has one.
    variable.set(contextvars.Context().run(variable.get) if value is MISSING else value)


Found: TypeAlias = tuple[list[Watcher], Iterable[object]]
_Nothing: Final[Found] = ([], ())


_OF_EXCEPTIONS: Final = ("args", "__traceback__", "__context__", "__cause__", "__suppress_context__")
"""The state of an exception beside its dictionary."""

# Names in every module whose values are the interpreter's.
_MACHINERY: Final = frozenset(("__builtins__", "__spec__", "__loader__", "__cached__"))


def watch(thing: Any, ignored_names: frozenset[str]) -> Found:
    """The watchers of one object (none: it can't change, or can't be watched), and what it contains."""
    kind = type(thing)
    if kind in (tuple, frozenset):
        return [], thing
    if issubclass(kind, types.ModuleType):
        names = DictWatcher(types.ModuleType.__getattribute__(thing, "__dict__"), ignored_names)
        pairs = zip(names.keys, contents_of(names), strict=True)
        return [names], [value for name, value in pairs if name not in _MACHINERY]
    if issubclass(kind, type):
        attributes = ClassWatcher(thing)
        return [attributes], _unwrapped(contents_of(attributes))
    if kind is HeldCounter:
        return [CounterWatcher(thing)], ()
    special = _special(thing, kind)
    if special is not None:
        return special
    if kind is types.MethodType:
        return [], (thing.__self__, thing.__func__)
    container = _container(thing, kind)
    slots, contents = _instance(thing, kind)
    if container is None:
        return slots, contents
    return [*container[0], *slots], [*container[1], *contents]


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


def _special(thing: Any, kind: type) -> Found | None:
    """Objects that hold their state in C, or in objects that change by themselves."""
    contents = _inside(thing, kind)
    watcher = _in_c(thing, kind) or _of_library(thing, kind)
    if watcher is None and contents is None:
        return None
    return ([] if watcher is None else [watcher]), [*(contents or ()), *_attributes(thing)]


def _inside(thing: Any, kind: type) -> list[object] | None:
    """The content of an object that does not show it, None for all others."""
    if kind is memoryview:
        return [] if _is_released(thing) else [thing.obj]
    if kind is types.MappingProxyType:
        return list(gc.get_referents(thing))
    if issubclass(kind, _thread._local):  # noqa: SLF001
        return [kind.__getattribute__(thing, "__dict__")]  # that of this thread
    if kind is types.GeneratorType and thing.gi_frame is not None:
        return list(thing.gi_frame.f_locals.values())
    return None


def _in_c(thing: Any, kind: type) -> Watcher | None:
    """A watcher of an object that holds its state in C."""
    if kind is _LruWrapper:
        return CacheWatcher(thing)
    if kind is bytearray:
        return BytesWatcher(thing)
    if issubclass(kind, random.Random) and kind is not random.SystemRandom:
        return StateWatcher(thing, random.Random.getstate, random.Random.setstate)
    if issubclass(kind, (io.StringIO, io.BytesIO)):
        return StateWatcher(thing, lambda file: (file.getvalue(), file.tell()), _write_memory_file)
    if kind is contextvars.ContextVar:
        return StateWatcher(thing, lambda variable: variable.get(MISSING), _write_variable)
    return SpentWatcher(thing) if kind is types.GeneratorType or is_iterator(kind) else None


def _of_library(thing: Any, kind: type) -> Watcher | None:
    """Objects of some modules of the library, which need not be loaded."""
    module, name = kind.__module__, kind.__name__
    if module == "array":
        return StateWatcher(thing, lambda array: (array.typecode, array.tobytes()), _write_array)
    if module in ("weakref", "_weakrefset") and name in WEAK:
        return WeakWatcher(thing)
    if module == "_thread":
        if name == "lock":
            return StateWatcher(thing, lambda lock: lock.locked(), write_lock)
        return StateWatcher(thing, repr, _refuse) if name == "RLock" else None
    if module == "decimal" and name == "Context":
        return context_watcher(thing)
    return None


def _write_array(thing: Any, state: tuple[str, bytes]) -> None:
    del thing[:]
    thing.frombytes(state[1])


def _refuse(_thing: Any, _state: Any) -> None:
    raise LookupError("this can't be put back")


def _is_released(view: memoryview) -> bool:
    try:
        return view.nbytes < 0
    except ValueError:
        return True


def _container(thing: Any, kind: type) -> Found | None:
    if kind is types.CellType:
        cell = CellWatcher(thing)
        return [cell], () if cell.kept is MISSING else (cell.kept,)
    if issubclass(kind, list):
        items = SequenceWatcher(thing, list)
        return [items], items.kept
    if issubclass(kind, collections.deque):
        items = SequenceWatcher(thing, collections.deque)
        return [items], items.kept
    if issubclass(kind, dict):
        mapping = (OrderedWatcher if issubclass(kind, collections.OrderedDict) else DictWatcher)(thing)
        calls_one = issubclass(kind, collections.defaultdict)
        factory = attributes_watcher(thing, collections.defaultdict, "default_factory") if calls_one else None
        held = contents_of(mapping) if type(mapping) is DictWatcher else mapping.values
        return [mapping, *([factory] if factory else [])], [*mapping.keys, *held]
    if issubclass(kind, set):
        return [SetWatcher(thing)], [*set.__iter__(thing)]
    return None


def _attributes(thing: Any) -> Iterable[object]:
    """The dictionary of an instance, to be watched as a dictionary."""
    attributes = own_attributes(thing)
    return () if attributes is None else (attributes,)


def _instance(thing: Any, kind: type) -> Found:
    """Any other object: its dictionary and its slots."""
    if _is_leaf(kind):
        return _Nothing
    contents = list(_attributes(thing))
    if issubclass(kind, (tuple, frozenset)):
        contents.extend(kind.__iter__(thing))
    if issubclass(kind, functools.partial):
        contents += [thing.func, *thing.args, thing.keywords]
    if issubclass(kind, BaseException):
        known = attributes_watcher(thing, BaseException, *_OF_EXCEPTIONS)
        return ([known] if known else []), [*contents, *thing.args]
    members = [
        member
        for base in kind.__mro__
        if "__slots__" in class_attributes(base)
        for member in class_attributes(base).values()
        if type(member) is types.MemberDescriptorType
    ]
    if not members:
        return [], contents
    slots = SlotsWatcher(thing, members)
    return [slots], [*contents, *(value for value in slots.values if value is not MISSING)]


# Objects whose inside is the interpreter's or a cache of its own, and no state of the target.
_LEAF_MODULES: Final = frozenset(
    (
        *("re", "_sre", "logging", "_thread", "weakref", "_weakref", "abc", "_abc"),
        *("typing", "importlib", "_frozen_importlib", "_frozen_importlib_external", "asyncio"),
    )
)


def _is_leaf(kind: type) -> bool:
    module: object = kind.__module__  # the target's to set
    if module == "threading":  # events, conditions and the like are plain objects
        return kind.__name__ in ("Thread", "_MainThread", "_DummyThread", "Timer")
    return isinstance(module, str) and module.partition(".")[0] in _LEAF_MODULES


_MOST_DEPTH: Final = 6
_PLAIN: Final = (int, float, str, bytes, bool, type(None))


class SpentWatcher(Watcher):
    """An iterator that advances and can't be put back; compared by what it tells about itself."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: Any) -> None:
        self.thing = thing
        self.kept = progress(thing)
        self.size = 5

    def same(self) -> bool:
        now = progress(self.thing)
        return len(now) == len(self.kept) and all(map(_alike, now, self.kept))

    def restore(self) -> bool:
        return False


def _alike(now: Any, then: Any) -> bool:
    """Identical, or equal where comparing runs no code of the target's."""
    return now is then or (type(now) is type(then) and type(now) in _PLAIN and bool(now == then))


def is_iterator(kind: type) -> bool:
    """True if objects of a type of the interpreter's or the library's are iterators."""
    return hasattr(kind, "__next__") and (kind.__module__ in ("builtins", "itertools"))


def progress(thing: Any) -> tuple[Any, ...]:
    """The parts that change when an iterator moves: objects, to be compared by identity, and plain values."""
    return tuple(_progress(thing, 0))


def _progress(thing: Any, depth: int) -> list[Any]:
    kind = type(thing)
    if isinstance(thing, (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)):
        return _of_frame(thing)
    found: list[Any] = [thing]
    try:
        found.append(kind.__length_hint__(thing))
    except (AttributeError, TypeError):
        found.append(repr(thing) if kind.__name__ in ("count", "repeat") else None)
    if kind.__module__ == "itertools":
        found += _of_indices(thing)
    if depth < _MOST_DEPTH:
        for part in _parts(thing):
            found += _progress(part, depth + 1)
    return found


def _of_frame(thing: Any) -> list[Any]:
    for name in ("gi_frame", "cr_frame", "ag_frame"):
        frame = getattr(thing, name, None)
        if frame is not None:
            return [thing, frame.f_lasti, *frame.f_locals.values()]
    return [thing]


def _parts(thing: Any) -> list[Any]:
    """The iterators that an iterator takes its items from."""
    found = []
    for part in gc.get_referents(thing):
        if type(part) is tuple:
            found += [item for item in part if is_iterator(type(item))]
        elif is_iterator(type(part)):
            found.append(part)
    return found


def _of_indices(thing: Any) -> list[Any]:
    """The numbers in which those of `itertools` that hold no iterator keep their place."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # reading it is deprecated from 3.12 on
            state = thing.__reduce__()
    except (TypeError, AttributeError):
        return []
    found: list[Any] = []
    for part in state[1:]:
        for item in part if type(part) is tuple else (part,):
            if type(item) in (int, bool):
                found.append(item)
            elif type(item) is tuple:
                found += [number for number in item if type(number) is int]
    return found
