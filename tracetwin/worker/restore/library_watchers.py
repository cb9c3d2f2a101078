"""Watchers of objects of the standard library that hold their state in a way of their own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from operator import is_
from typing import Any, Final

from tracetwin.worker.restore.watchers import (
    DictWatcher,
    SequenceWatcher,
    SlotsWatcher,
    StateWatcher,
    Watcher,
)

WEAK: Final = ("WeakKeyDictionary", "WeakValueDictionary", "WeakSet")


class WeakWatcher(Watcher):
    """A dictionary or set that does not keep what is in it alive."""

    __slots__ = ("data", "kept", "references", "thing")

    def __init__(self, thing: Any) -> None:
        self.thing = thing
        self.kept = self._contents()
        self.data: Any = self.thing.data
        self.references = tuple(_members(self.data))
        self.size = len(self.references) + 1

    def _contents(self) -> list[Any]:
        """The members, kept alive from now on: they are to be put back."""
        if hasattr(type(self.thing), "items"):
            return list(type(self.thing).items(self.thing))
        return list(type(self.thing).__iter__(self.thing))

    def same(self) -> bool:
        data = self.thing.data
        return (
            data is self.data
            and len(data) * (2 if type(data) is dict else 1) == len(self.references)
            and all(map(is_, _members(data), self.references))
        )

    def restore(self) -> bool:
        """Put the same references back: what watches the data itself finds them as they were."""
        data = self.thing.data
        if data is not self.data:
            return False
        data.clear()
        half = len(self.references) // 2
        data.update(
            zip(self.references[half:], self.references[:half], strict=True)
            if type(data) is dict
            else self.references
        )
        return True


def _members(data: Any) -> Iterator[Any]:
    if type(data) is dict:
        yield from data.values()
    yield from data


def attributes_watcher(thing: Any, kind: type, *names: str) -> SlotsWatcher | None:
    """A watcher of attributes that a class written in C keeps in its instances."""
    members = [vars(kind)[name] for name in names if name in vars(kind)]
    return SlotsWatcher(thing, members) if members else None


_NUMBERS: Final = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


def _read_context(context: Any) -> tuple[Any, ...]:
    numbers = [getattr(context, name) for name in _NUMBERS]
    return (*numbers, dict(context.flags), dict(context.traps))


def _write_context(context: Any, state: tuple[Any, ...]) -> None:
    for name, value in zip(_NUMBERS, state, strict=False):
        setattr(context, name, value)
    for table, kept in ((context.flags, state[-2]), (context.traps, state[-1])):
        for signal, value in kept.items():
            table[signal] = value


def context_watcher(thing: Any) -> Watcher:
    """A decimal context."""
    return StateWatcher(thing, _read_context, _write_context)


def write_lock(lock: Any, held: bool) -> None:
    """Put a lock of the `_thread` module back."""
    lock.acquire(False) if held else lock.release()


class LoggingWatcher(Watcher):
    """The `logging` module: its loggers with their levels, handlers and filters, and the names of levels."""

    __slots__ = ("manager", "parts")

    def __init__(self, logging: Any) -> None:
        self.manager: Any = logging.root.manager
        loggers = [*self.manager.loggerDict.values(), logging.root]
        self.parts: list[Watcher] = [
            DictWatcher(self.manager.loggerDict),
            DictWatcher(vars(self.manager)),
            DictWatcher(getattr(logging, "_levelToName")),  # noqa: B009 - no public name
            DictWatcher(getattr(logging, "_nameToLevel")),  # noqa: B009
        ]
        for logger in loggers:
            self.parts.append(DictWatcher(vars(logger)))
            for name in ("handlers", "filters"):
                if type(getattr(logger, name, None)) is list:
                    self.parts.append(SequenceWatcher(getattr(logger, name), list))
        self.size = sum(part.size for part in self.parts)

    def same(self) -> bool:
        return all(part.same() for part in self.parts)

    def restore(self) -> bool:
        for part in self.parts:
            if not part.same() and not part.restore():
                return False
        self.manager._clear_cache()  # noqa: SLF001 - what loggers remember of levels
        return True


_CONFIGURING: Final = frozenset(
    "getLogger getChild setLevel addHandler removeHandler addFilter removeFilter basicConfig dictConfig"
    " fileConfig disable disabled propagate handlers filters addLevelName captureWarnings setLoggerClass"
    " setLogRecordFactory root manager".split()
)


def library_watchers(named: AbstractSet[str]) -> list[Watcher]:
    """Watchers of what loaded modules of the library hold for everybody."""
    found: list[Watcher] = []
    logging, decimal, copyreg = map(sys.modules.get, ("logging", "decimal", "copyreg"))
    if logging is not None and not named.isdisjoint(_CONFIGURING):
        found.append(LoggingWatcher(logging))
    if decimal is not None and "DefaultContext" in named:
        found.append(context_watcher(vars(decimal)["DefaultContext"]))
    if copyreg is not None and not named.isdisjoint(("copyreg", "pickle")):
        found.append(DictWatcher(vars(copyreg)["dispatch_table"]))
    return found
