"""One watcher per kind of mutable object: is it as it was, and put it back.

Contents are compared by identity. Methods of the built-in types are called unbound, so that an override
in a subclass of the target's is never run.
"""

from __future__ import annotations

import collections
import types
from collections.abc import Mapping
from operator import is_
from typing import Any, Final

MISSING: Final = object()


_class_attributes: Final = type.__dict__["__dict__"]


def class_attributes(thing: Any) -> Mapping[str, Any]:
    """The attributes of a class, without asking its metaclass."""
    found: Mapping[str, Any] = _class_attributes.__get__(thing)
    return found


class Watcher:
    """Base: something that can be compared with what it was."""

    __slots__ = ("size",)

    size: int  # how many entries a comparison looks at

    def same(self) -> bool:
        """True if nothing has changed."""
        raise NotImplementedError

    def same_size(self) -> bool:
        """A cheaper question: whether it still has as many entries."""
        return self.same()

    def restore(self) -> bool:
        """Put back what was; False where that is impossible."""
        raise NotImplementedError


class SequenceWatcher(Watcher):
    """A list or a deque."""

    __slots__ = ("kept", "kind", "thing")

    def __init__(self, thing: Any, kind: type[list[Any] | collections.deque[Any]]) -> None:
        self.thing = thing
        self.kind = kind
        self.kept = tuple(kind.__iter__(thing))
        self.size = len(self.kept)

    def same(self) -> bool:
        return self.kind.__len__(self.thing) == self.size and all(
            map(is_, self.kind.__iter__(self.thing), self.kept)
        )

    def same_size(self) -> bool:
        return self.kind.__len__(self.thing) == self.size

    def restore(self) -> bool:
        self.kind.clear(self.thing)
        self.kind.extend(self.thing, self.kept)
        return True


class BytesWatcher(Watcher):
    """A bytearray."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: bytearray) -> None:
        self.thing = thing
        self.kept = bytes(thing)
        self.size = 1 + len(self.kept) // 64

    def same(self) -> bool:
        return bytearray.__eq__(self.thing, self.kept) is True

    def restore(self) -> bool:
        try:
            bytearray.__setitem__(self.thing, slice(None), self.kept)
        except BufferError:
            return False
        return True


class SetWatcher(Watcher):
    """A set. Its order counts: a run can see it."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: set[Any]) -> None:
        self.thing = thing
        self.kept = tuple(set.__iter__(thing))
        self.size = len(self.kept)

    def same(self) -> bool:
        try:
            return set.__len__(self.thing) == self.size and all(map(is_, set.__iter__(self.thing), self.kept))
        except RuntimeError:  # another thread is writing
            return False

    def same_size(self) -> bool:
        return set.__len__(self.thing) == self.size

    def restore(self) -> bool:
        set.clear(self.thing)
        set.update(self.thing, self.kept)
        return True


class DictWatcher(Watcher):
    """A dictionary: a plain one, or the one behind a module or an instance."""

    __slots__ = ("ignored", "kept", "keys", "thing", "values")

    def __init__(self, thing: dict[Any, Any], ignored: frozenset[str] = frozenset()) -> None:
        self.thing = thing
        self.kept = dict(dict.items(thing))
        self.keys = tuple(self.kept)
        self.values = tuple(self.kept.values())
        self.size = len(self.keys)
        self.ignored = ignored

    def same(self) -> bool:
        thing = self.thing
        if dict.__len__(thing) != self.size:
            for name in self.ignored:
                dict.pop(thing, name, None)
            if dict.__len__(thing) != self.size:
                return False
        try:
            return all(map(is_, dict.values(thing), self.values)) and all(
                map(is_, dict.__iter__(thing), self.keys)
            )
        except RuntimeError:  # another thread is writing
            return False

    def same_size(self) -> bool:
        return dict.__len__(self.thing) == self.size

    def restore(self) -> bool:
        thing, kept, clear, update = self.thing, self.kept, dict.clear, dict.update
        if dict.__len__(thing) == self.size and all(map(is_, dict.__iter__(thing), self.keys)):
            update(thing, kept)
            return True
        # Local names only: this may be the dictionary of `builtins`.
        clear(thing)
        update(thing, kept)
        return True


class OrderedWatcher(DictWatcher):
    """An `OrderedDict`, whose order is its own: the functions of `dict` do not see it."""

    __slots__ = ()

    def __init__(self, thing: collections.OrderedDict[Any, Any]) -> None:
        super().__init__(thing)
        self.keys = tuple(collections.OrderedDict.__iter__(thing))
        self.kept = {key: self.kept[key] for key in self.keys}
        self.values = tuple(self.kept.values())

    def same(self) -> bool:
        ordered: Any = collections.OrderedDict
        try:
            return (
                dict.__len__(self.thing) == self.size
                and all(map(is_, ordered.__iter__(self.thing), self.keys))
                and all(map(is_, ordered.values(self.thing), self.values))
            )
        except RuntimeError:
            return False

    def restore(self) -> bool:
        collections.OrderedDict.clear(self.thing)
        for key, value in self.kept.items():
            collections.OrderedDict.__setitem__(self.thing, key, value)
        return True


class SlotsWatcher(Watcher):
    """The slots of an instance."""

    __slots__ = ("members", "thing", "values")

    def __init__(self, thing: object, members: list[types.MemberDescriptorType]) -> None:
        self.thing = thing
        self.members = members
        self.values = self._read()
        self.size = len(members)

    def _read(self) -> tuple[Any, ...]:
        found = []
        for member in self.members:
            try:
                found.append(member.__get__(self.thing))
            except AttributeError:
                found.append(MISSING)
        return tuple(found)

    def same(self) -> bool:
        return all(map(is_, self._read(), self.values))

    def restore(self) -> bool:
        for member, value in zip(self.members, self.values, strict=True):
            try:
                if value is MISSING:
                    member.__delete__(self.thing)
                else:
                    member.__set__(self.thing, value)
            except AttributeError:
                continue  # already absent
            except TypeError:
                return False
        return True


class CellWatcher(Watcher):
    """A variable of an enclosing function."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: types.CellType) -> None:
        self.thing = thing
        self.kept = self._read()
        self.size = 1

    def _read(self) -> Any:
        try:
            return self.thing.cell_contents
        except ValueError:
            return MISSING

    def same(self) -> bool:
        return self._read() is self.kept

    def restore(self) -> bool:
        if self.kept is MISSING:
            del self.thing.cell_contents
        else:
            self.thing.cell_contents = self.kept
        return True


class CacheWatcher(Watcher):
    """A function under `functools.lru_cache`: what it has learnt is forgotten."""

    __slots__ = ("kept", "thing")

    def __init__(self, thing: Any) -> None:
        self.thing = thing
        self.kept = thing.cache_info().misses
        self.size = 1

    def same(self) -> bool:
        # Every entry came by a miss; the number of entries stands still once the cache is full.
        return bool(self.thing.cache_info().misses == self.kept)

    def restore(self) -> bool:
        self.thing.cache_clear()
        self.kept = 0
        return True


class StateWatcher(Watcher):
    """Something with a state that can be read and set as a whole: a random generator, a memory file."""

    __slots__ = ("kept", "read", "thing", "write")

    def __init__(self, thing: Any, read: Any, write: Any) -> None:
        self.thing = thing
        self.read = read
        self.write = write
        self.kept = read(thing)
        self.size = 50

    def same(self) -> bool:
        try:
            return bool(self.read(self.thing) == self.kept)
        except ValueError:  # closed
            return False

    def restore(self) -> bool:
        try:
            self.write(self.thing, self.kept)
            self.kept = self.read(self.thing)
        except (ValueError, LookupError):
            return False
        return True
