"""Positions of iterators, read without moving them."""

from __future__ import annotations

import gc
import types
import warnings
from typing import Any, Final

from tracetwin.worker.restore.watchers import Watcher

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
