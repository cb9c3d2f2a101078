"""Compares many watched things at once: a large package has 20,000 of them, and a run takes a millisecond."""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import is_
from typing import Any, Final

from tracetwin.worker.restore.code_watchers import ClassWatcher, FunctionWatcher, parts_of
from tracetwin.worker.restore.watchers import (
    DictWatcher,
    SequenceWatcher,
    SetWatcher,
    Watcher,
    class_attributes,
)

_values_of: Final = types.MappingProxyType.values


class Bulk:
    """Watchers whose question is answered for all of them together, by functions of the interpreter.

    What has changed more than once is asked by itself from then on: else it would be for its sake that all
    of them are asked one by one after each run.

    Attributes:
        watchers: all of them, which say which one has changed where something has.
    """

    def __init__(self, watchers: Iterable[Watcher]) -> None:
        self.watchers = list(watchers)
        self._once: set[Watcher] = set()
        self._often: list[Watcher] = []
        self._together = self.watchers
        self._gather()

    def _gather(self) -> None:
        """Lay out what is compared together, as it was when it began to be watched."""
        self._dicts: list[dict[Any, Any]] = []
        self._others: list[Any] = []  # lists and sets
        self._classes: list[types.MappingProxyType[str, Any]] = []
        self._functions: list[types.FunctionType] = []
        self._singly: list[Watcher] = []
        kept: list[Sequence[Any]] = []
        sized: list[list[Watcher]] = [[], [], []]
        kept_others: list[Sequence[Any]] = []
        kept_classes: list[Sequence[Any]] = []
        kept_parts: list[Sequence[Any]] = []
        kept_keys: list[Sequence[Any]] = []
        for watcher in self._together:
            if type(watcher) is DictWatcher and type(watcher.thing) is dict:
                self._dicts.append(watcher.thing)
                sized[0].append(watcher)
                kept.append(watcher.values)
                kept_keys.append(watcher.keys)
            elif isinstance(watcher, (SequenceWatcher, SetWatcher)) and type(watcher.thing) in (list, set):
                self._others.append(watcher.thing)
                sized[1].append(watcher)
                kept_others.append(watcher.kept)
            elif type(watcher) is ClassWatcher:
                # A view of what the class holds now, whenever it is looked at.
                self._classes.append(class_attributes(watcher.thing))  # type: ignore[arg-type]
                sized[2].append(watcher)
                kept_classes.append(watcher.values)
            elif type(watcher) is FunctionWatcher:
                self._functions.append(watcher.thing)
                kept_parts.append(watcher.kept)
            else:
                self._singly.append(watcher)
        self._kept_dicts = [watcher for watcher in sized[0] if type(watcher) is DictWatcher]
        self._kept_classes = [watcher for watcher in sized[2] if type(watcher) is ClassWatcher]
        self._sized = list(chain(*sized))
        self._sizes = [len(one) for one in (*kept, *kept_others, *kept_classes)]
        self._keys = list(chain.from_iterable(kept_keys))
        self._values = list(chain.from_iterable(kept))
        self._items = list(chain.from_iterable(kept_others))
        self._attributes = list(chain.from_iterable(kept_classes))
        self._parts = list(chain.from_iterable(kept_parts))

    def same(self) -> bool:
        """Return whether nothing has changed; that runs no code of the target."""
        return self._same_together() and all(watcher.same() for watcher in self._often)

    def _same_together(self) -> bool:
        try:
            return (
                list(map(len, chain(self._dicts, self._others, self._classes))) == self._sizes
                and all(map(is_, chain.from_iterable(map(dict.values, self._dicts)), self._values))
                and all(map(is_, chain.from_iterable(self._dicts), self._keys))
                and all(map(is_, chain.from_iterable(self._others), self._items))
                and all(map(is_, chain.from_iterable(map(_values_of, self._classes)), self._attributes))
                and all(map(is_, chain.from_iterable(map(parts_of, self._functions)), self._parts))
                and all(watcher.same() for watcher in self._singly)
            )
        except RuntimeError:  # another thread is writing
            return False

    def refresh(self) -> None:
        """Take over what restoring has made: another order of a class's attributes, other counters."""
        self._values = list(chain.from_iterable(watcher.values for watcher in self._kept_dicts))
        self._attributes = list(chain.from_iterable(watcher.values for watcher in self._kept_classes))

    def resized(self) -> list[Watcher]:
        """Return the watchers of what has not as many entries as it had; the rest of it is not looked at."""
        often = [watcher for watcher in self._often if not watcher.same_size()]
        sizes = list(map(len, chain(self._dicts, self._others, self._classes)))
        if sizes == self._sizes:
            return often
        found = zip(self._sized, sizes, self._sizes, strict=True)
        return [watcher for watcher, size, known in found if size != known] + often

    def changed(self) -> list[Watcher]:
        """Return the watchers of what has changed."""
        often = [watcher for watcher in self._often if not watcher.same()]
        if self._same_together():
            return often
        found = [watcher for watcher in self._together if not watcher.same()]
        if again := [watcher for watcher in found if watcher in self._once]:
            self._often += again
            self._together = [watcher for watcher in self._together if watcher not in again]
            self._gather()
        self._once.update(found)
        return found + often
