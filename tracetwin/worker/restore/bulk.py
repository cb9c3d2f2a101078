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

    Attributes:
        watchers: all of them, which say which one has changed where something has.
    """

    def __init__(self, watchers: Iterable[Watcher]) -> None:
        self.watchers = list(watchers)
        self._dicts: list[dict[Any, Any]] = []
        self._others: list[Any] = []  # lists and sets
        self._classes: list[types.MappingProxyType[str, Any]] = []
        self._functions: list[types.FunctionType] = []
        self._singly: list[Watcher] = []
        kept: list[Sequence[Any]] = []
        kept_others: list[Sequence[Any]] = []
        kept_classes: list[Sequence[Any]] = []
        kept_parts: list[Sequence[Any]] = []
        for watcher in self.watchers:
            if type(watcher) is DictWatcher and type(watcher.thing) is dict:
                self._dicts.append(watcher.thing)
                kept.append(watcher.values)
            elif isinstance(watcher, (SequenceWatcher, SetWatcher)) and type(watcher.thing) in (list, set):
                self._others.append(watcher.thing)
                kept_others.append(watcher.kept)
            elif type(watcher) is ClassWatcher:
                # A view of what the class holds now, whenever it is looked at.
                self._classes.append(class_attributes(watcher.thing))  # type: ignore[arg-type]
                kept_classes.append(watcher.values)
            elif type(watcher) is FunctionWatcher:
                self._functions.append(watcher.thing)
                kept_parts.append(watcher.kept)
            else:
                self._singly.append(watcher)
        self._kept_classes = [watcher for watcher in self.watchers if type(watcher) is ClassWatcher]
        self._sizes = [len(one) for one in (*kept, *kept_others, *kept_classes)]
        self._keys = [key for thing in self._dicts for key in dict.__iter__(thing)]
        self._values = list(chain.from_iterable(kept))
        self._items = list(chain.from_iterable(kept_others))
        self._attributes = list(chain.from_iterable(kept_classes))
        self._parts = list(chain.from_iterable(kept_parts))

    def same(self) -> bool:
        """Return whether nothing has changed; that runs no code of the target."""
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
        """Take over what restoring has made of classes: the order of their attributes may be another."""
        self._attributes = list(chain.from_iterable(watcher.values for watcher in self._kept_classes))

    def same_sizes(self) -> bool:
        """Return whether everything has as many entries as it had; the rest of it is not looked at."""
        return list(map(len, chain(self._dicts, self._others, self._classes))) == self._sizes

    def changed(self) -> list[Watcher]:
        """Return the watchers of what has changed."""
        return [] if self.same() else [watcher for watcher in self.watchers if not watcher.same()]
