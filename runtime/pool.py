"""Holds the objects of one input: what was built or returned so far and may be passed once more.

An object that exists already is another candidate for an argument of its class: that is how two arguments
become one object (aliasing), and how the result of a call becomes the argument of a later one
(return-argument, JTestCraft 4.1). What is held is never compared or called, as its methods are the target's.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CoroutineType
from typing import Any, Final

from runtime.classes import bases_of
from runtime.containers import CONTAINERS
from runtime.values import TRACED_IDS

MOST_CANDIDATES: Final = 3
"""Objects offered for one argument."""

_RECEIVER, _RETURNED, _BUILT = range(3)


@dataclass(frozen=True, eq=False)
class Held:
    """One object, and the recipe that stands for it wherever it is used.

    Attributes:
        rank: receivers are offered first, then results, then what was built as an argument.
        number: counts the objects of the input.
        inner: it was an argument of a call that prepared another, and is offered to the target only.
    """

    value: Any
    recipe: Any
    rank: int
    number: int
    inner: bool


class Pool:
    """The objects of one input, and what is under construction.

    Attributes:
        nesting: how many objects are under construction around the value that is drawn now.
        preparing: how many preparing calls are.
        consumers: module and qualified name of all that gets the value that is drawn now, directly or within
            another: the target first. Empty where that is not known.
        openings: for each object that could get one more call the name of that choice, and which attributes
            each possible call may write.
        remedies: choices by their names that could help where an object could not be built.
        made: what was called for each object that could be built, and the name that its variables begin with.
        unmade: the same of the first one that could not.
        mocks: the mocks of the input, whose place in the list is their number.
        answering: the mocks, each given out by the one before, of which the last draws what is drawn now.
        raised: plans an exception that a mock raises; None where it raises none.
        used: plans what a function of that name gives, by what is done with it.
    """

    def __init__(self) -> None:
        self.nesting = 0
        self.preparing = 0
        self.consumers: list[tuple[str, str]] = []
        self.openings: list[tuple[str, list[frozenset[str]]]] = []
        self.remedies: list[tuple[str, int]] = []
        self.made: list[tuple[str, str]] = []
        self.unmade: tuple[str, str] | None = None
        self.mocks: list[Any] = []
        self.answering: tuple[Any, ...] = ()
        self.raised: Callable[[type[BaseException]], Any] = lambda error: None
        self.used: Callable[[str], Any] = lambda name: None
        self._held: list[Held] = []
        self._numbers = 0
        self._closed = 0

    def number(self) -> int:
        """Return a new number for an object or a call."""
        self._numbers += 1
        return self._numbers

    @property
    def numbered(self) -> bool:
        """Return whether anything has a number: else no recipe refers to an object or a result."""
        return self._numbers > 0

    @property
    def closed(self) -> bool:
        """Return whether objects that are built now are of no use elsewhere."""
        return self._closed > 0

    def receiver(self, value: Any, recipe: Any) -> None:
        """Hold the object that the sequence calls its methods on."""
        self._hold(value, recipe, _RECEIVER)

    def returned(self, value: Any, recipe: Any) -> bool:
        """Hold the result of a call, if a later call could want the very same; return whether it could."""
        kind = type(value)
        if id(kind) not in _NO_HANDLES and not any(id(base) in _TRACED for base in bases_of(kind)):
            return self._hold(value, recipe, _RETURNED)
        return False

    def built(self, value: Any, recipe: Any) -> None:
        """Hold an object that was made as an argument."""
        self._hold(value, recipe, _BUILT)

    def _hold(self, value: Any, recipe: Any, rank: int) -> bool:
        if self._closed or any(value is item.value for item in self._held):
            return False
        self._held.append(Held(value, recipe, rank, self.number(), self.preparing > 0))
        return True

    def referred_to_weakly(self) -> list[Any]:
        """Return the recipes of built objects with weak references: somebody has to keep those."""
        built = (item for item in self._held if item.rank == _BUILT)
        return [item.recipe for item in built if weakref.getweakrefcount(item.value)]

    def fitting(self, cls: type) -> list[Held]:
        """Return the objects of a class or of a subclass, best first."""
        return self._best(lambda item: any(base is cls for base in bases_of(type(item.value))))

    def results(self, accepts: Callable[[Any], bool]) -> list[Held]:
        """Return results of calls that a parameter accepts, the latest first."""
        return self._best(lambda item: item.rank == _RETURNED and accepts(item.value))

    def _best(self, wanted: Callable[[Held], bool]) -> list[Held]:
        if self._closed:
            return []
        found = [item for item in self._held if not (item.inner and self.preparing) and wanted(item)]
        return sorted(found, key=lambda item: (item.rank, -item.number))[:MOST_CANDIDATES]

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Make values drawn in this block anew at each use: none is held, none is taken from here."""
        self._closed += 1
        try:
            yield
        finally:
            self._closed -= 1

    @contextmanager
    def inside(self, consumer: tuple[str, str]) -> Iterator[None]:
        """Draw the parts of an object under construction in this block, for what `consumer` names."""
        self.nesting += 1
        outer, self.consumers = self.consumers, self._with(consumer)
        try:
            yield
        finally:
            self.nesting -= 1
            self.consumers = outer

    @contextmanager
    def before_use(self, consumer: tuple[str, str]) -> Iterator[None]:
        """Draw the arguments of a preparing call in this block, which `consumer` names."""
        self.preparing += 1
        before, self.nesting = self.nesting, 0
        outer, self.consumers = self.consumers, self._with(consumer)
        try:
            yield
        finally:
            self.preparing -= 1
            self.nesting, self.consumers = before, outer

    def _with(self, consumer: tuple[str, str]) -> list[tuple[str, str]]:
        return [*self.consumers, consumer] if self.consumers else []


_NO_HANDLES: Final = frozenset(
    map(id, (type(None), bool, float, complex, list, dict, set, frozenset, tuple, CoroutineType))
)
"""Types of results that can be drawn as well: they only say what happened."""

_TRACED: Final = TRACED_IDS | set(map(id, CONTAINERS))
"""Types for which the solver finds an equal value."""
