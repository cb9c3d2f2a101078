"""Watchers of classes and functions."""

from __future__ import annotations

import gc
import types
from operator import attrgetter, is_
from typing import Any, Final

from tracetwin.worker.restore.watchers import MISSING, Watcher, class_attributes

_name_of: Final = type.__dict__["__name__"].__get__
_qualname_of: Final = type.__dict__["__qualname__"].__get__
_bases_of: Final = type.__dict__["__bases__"].__get__
parts_of: Final = attrgetter("__code__", "__defaults__", "__kwdefaults__", "__annotations__")


class ClassWatcher(Watcher):
    """The attributes of a class."""

    __slots__ = ("kept", "thing", "values")

    def __init__(self, thing: type) -> None:
        self.thing = thing
        self.kept = dict(class_attributes(thing))
        self.values = tuple(self.kept.values())
        self.size = len(self.values)

    def same(self) -> bool:
        now = class_attributes(self.thing)
        return len(now) == self.size and all(map(is_, now.values(), self.values))

    def restore(self) -> bool:
        now = dict(class_attributes(self.thing))
        try:
            for name in now:
                if name not in self.kept:
                    type.__delattr__(self.thing, name)
            for name, value in self.kept.items():
                if now.get(name, MISSING) is not value:
                    type.__setattr__(self.thing, name, value)
        except (TypeError, AttributeError):
            return False
        # An attribute that was deleted and put back stands at the end now; that is the new order.
        self.values = tuple(class_attributes(self.thing).values())
        return dict(class_attributes(self.thing)) == self.kept if len(self.values) == self.size else False


class ClassHeadWatcher(Watcher):
    """State of a class beside its attributes: its names and bases."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: type) -> None:
        self.thing = thing
        self.kept = self._read()
        self.size = 3

    def _read(self) -> tuple[Any, ...]:
        thing = self.thing
        return _name_of(thing), _qualname_of(thing), _bases_of(thing)

    def same(self) -> bool:
        return all(map(is_, self._read(), self.kept))

    def restore(self) -> bool:
        name, qualname, bases = self.kept
        try:
            type.__setattr__(self.thing, "__name__", name)
            type.__setattr__(self.thing, "__qualname__", qualname)
            if _bases_of(self.thing) is not bases:
                type.__setattr__(self.thing, "__bases__", bases)
                self.kept = self._read()
        except TypeError:
            return False
        return True


class KindWatcher(Watcher):
    """The class of an instance."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: Any) -> None:
        self.thing = thing
        self.kept = type(thing)
        self.size = 1

    def same(self) -> bool:
        return type(self.thing) is self.kept

    def restore(self) -> bool:
        try:
            object.__setattr__(self.thing, "__class__", self.kept)
        except TypeError:
            return False
        return True


class SubclassesWatcher(Watcher):
    """The number of direct subclasses of a class: one that a run made is there until nothing refers to it."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: type) -> None:
        self.thing = thing
        self.kept = len(type.__subclasses__(thing))
        self.size = 1

    def same(self) -> bool:
        return len(type.__subclasses__(self.thing)) == self.kept

    def restore(self) -> bool:
        gc.collect()  # a class refers to itself
        return self.same()


class FunctionWatcher(Watcher):
    """The code and the defaults of a function."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: types.FunctionType) -> None:
        self.thing = thing
        self.kept = parts_of(thing)
        self.size = 1

    def same(self) -> bool:
        return all(map(is_, parts_of(self.thing), self.kept))

    def restore(self) -> bool:
        function = self.thing
        function.__code__, function.__defaults__, function.__kwdefaults__ = self.kept[:3]
        function.__annotations__ = self.kept[3]
        return True
