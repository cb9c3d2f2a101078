"""Counters of `itertools.count` that a namespace holds: one that has gone on is replaced by another.

Numbers for new objects (``_ids = itertools.count()``) are drawn from such counters, which can't be put back:
without this each run that makes an object would cost its process.
"""

from __future__ import annotations

import ast
import itertools
import types
from collections.abc import Iterator
from typing import Any, Final

from tracetwin.worker.restore.code_watchers import ClassWatcher
from tracetwin.worker.restore.watchers import DictWatcher, Watcher

_WRAPPER: Final = types.MethodWrapperType


class HeldCounter:
    """A name of a namespace for a counter, or for the method that moves it on."""

    __slots__ = ("counter", "name", "table")

    def __init__(self, table: DictWatcher | ClassWatcher, name: Any, counter: Any) -> None:
        self.table = table
        self.name = name
        self.counter = counter

    def put(self, counter: Any) -> None:
        """Bind the name to another counter, as it was bound to the one before."""
        table, name = self.table, self.name
        new = counter.__next__ if type(table.kept[name]) is _WRAPPER else counter
        table.kept[name] = new
        table.values = tuple(table.kept.values())
        if isinstance(table, DictWatcher):
            dict.__setitem__(table.thing, name, new)
        else:
            type.__setattr__(table.thing, name, new)


class CounterWatcher(Watcher):
    """A counter with all its names; what takes its place is known to the watchers of their namespaces."""

    __slots__ = ("counter", "names", "shown")

    def __init__(self, held: HeldCounter) -> None:
        self.names = [held]
        self.counter = held.counter
        self.shown = repr(self.counter)
        self.size = 0  # it is compared after each run, whatever else there is

    def same(self) -> bool:
        return repr(self.counter) == self.shown

    def restore(self) -> bool:
        self.counter = itertools.count(*(_numbers(self.shown) or ()))
        for name in self.names:
            name.put(self.counter)
        return True


def contents_of(table: DictWatcher | ClassWatcher) -> Iterator[object]:
    """Yield what a namespace holds, with counters of plain numbers as such."""
    for name, value in table.kept.items():
        counter = _counter_of(value)
        is_plain = counter is not None and _numbers(repr(counter)) is not None
        yield HeldCounter(table, name, counter) if is_plain else value


def _counter_of(value: Any) -> Any:
    """The counter that a value is or moves on; None for all others."""
    if type(value) is _WRAPPER and value.__name__ == "__next__":
        value = value.__self__
    return value if type(value) is itertools.count else None


def _numbers(shown: str) -> tuple[Any, ...] | None:
    """The plain numbers with which a counter is made that shows itself so; None where they are others."""
    try:
        found = ast.literal_eval(f"({shown.removeprefix('count(').removesuffix(')')},)")
    except (SyntaxError, ValueError):
        return None
    return found if isinstance(found, tuple) and all(type(one) in (int, float) for one in found) else None
