"""Watches beside the original: which changes would have given other values in a run, and which the same.

A mutant can be noticed only where what is changed has another value (necessity, or infection of the state).
Of comparisons, arithmetic, `and` and `or`, and of methods of texts that is seen while the original runs, so
that the others need no run of their own (Just, Ernst and Fraser, "Efficient Mutation Analysis by Propagating
and Partitioning State Infection", 2014). Only values of types without effects are computed with; anything
else counts as another value.
"""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import operator
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeAlias

Key: TypeAlias = tuple[int, int]
"""A mutant: its site and its choice there."""

Made: TypeAlias = Callable[[Any, Any], Any]
"""Makes something of two operands."""

_PLAIN: Final = frozenset(
    (
        int, float, complex, bool, str, bytes, type(None), decimal.Decimal, fractions.Fraction,
        dt.date, dt.datetime, dt.time, dt.timedelta,
    )
)  # fmt: skip
"""Types whose operations have no effects."""

_EXACT: Final = frozenset((int, bool, str, bytes))
"""Types whose values are the same where they are equal."""

_SIZED: Final = _PLAIN | {list, tuple, dict, set, frozenset, bytearray, range}
"""Types whose truth can be asked for."""

MOST_SEEN: Final = 200
"""Evaluations of one operation that are looked at: where there are more, each change counts as one."""

LONGEST: Final = 1_000
"""Letters of a text, and bits of a number, that are computed with once more."""


class Watch:
    """Looks at the values of one site.

    Attributes:
        keys: the mutants that it tells of.
        other: those that gave another value since `begin`.
    """

    def __init__(self, keys: Sequence[Key]) -> None:
        self.keys = tuple(keys)
        self.other: set[Key] = set()

    @property
    def watch(self) -> Watch:
        """The one that several places tell something."""
        return self

    def begin(self) -> None:
        """Forget what was seen."""
        self.other = set()

    def end(self) -> None:
        """Take in what remains open: an operand that raised."""

    def all_differ(self) -> None:
        """Take note of values that can't be computed with."""
        self.other.update(self.keys)

    def alike(self) -> Iterator[tuple[Key, Hashable]]:
        """Give mutants with what makes two of them the same run, if either asks for its value but once."""
        return iter(())


class WatchedOperation(Watch):
    """Two operands and what is made of them; `Left` keeps the left one, or it is given beside the right."""

    def __init__(self, made: Made, others: Sequence[tuple[Key, Made]]) -> None:
        super().__init__([key for key, _ in others])
        self._made = made
        self._others = others
        self._first: list[tuple[Key, Hashable]] | None = None
        self._seen = 0
        self.lefts: list[Any] = []

    def begin(self) -> None:
        super().begin()
        self._first = None
        self._seen = 0
        self.lefts = []

    def see(self, right: Any, before: Sequence[Any]) -> None:
        """Take note of the operands of one evaluation."""
        if not before and not self.lefts:
            self.all_differ()
            self._first = []
            return
        left = before[0] if before else self.lefts.pop()
        if len(self.other) == len(self.keys) and self._first is not None:
            return
        self._seen += 1
        if self._seen > MOST_SEEN:
            self.all_differ()
            return
        first: list[tuple[Key, Hashable]] = []
        if _computable(left) and _computable(right):
            value = _result(self._made, left, right)
            for key, made in self._others:
                if self._first is not None and key in self.other:
                    continue
                other = _result(made, left, right)
                if value is None or other is None or other != value:
                    self.other.add(key)
                if other is not None:
                    first.append((key, other))
        else:
            self.all_differ()
        if self._first is None:
            self._first = first

    def alike(self) -> Iterator[tuple[Key, Hashable]]:
        yield from self._first or ()


class Lookout(Protocol):
    """A place of the program that gives values to a watch."""

    @property
    def watch(self) -> Watch:
        """The one that it tells."""
        ...

    def see(self, value: Any, before: Sequence[Any]) -> None:
        """Take note of a value."""


class Left:
    """Takes the left operand of an operation."""

    def __init__(self, operation: WatchedOperation) -> None:
        self.watch = operation

    def see(self, value: Any, _before: Sequence[Any]) -> None:
        """Keep it until the right one comes."""
        self.watch.lefts.append(value)


class Junction(Watch):
    """The operands of `and` or `or`: the other of the two, and all operands but one."""

    def __init__(self, site: int, quiet: Sequence[bool], *, is_and: bool) -> None:
        """Take the number of the site, and of which operands nobody sees whether they are asked for."""
        self._last = len(quiet) - 1
        self._swapped, *self._without = ((site, choice) for choice in range(len(quiet) + 1))
        told = [key for key, is_quiet in zip(self._without[:-1], quiet, strict=False) if is_quiet]
        super().__init__([*told, self._swapped, self._without[-1]] if all(quiet[1:]) else told)
        self._going_on = is_and
        self._begun = 0

    def begin(self) -> None:
        super().begin()
        self._begun = 0

    def end(self) -> None:
        if self._begun:  # an operand raised, which the others may not ask for
            self.all_differ()

    def see_operand(self, place: int, value: Any) -> None:
        """Take note of one operand."""
        if type(value) not in _SIZED:
            self.all_differ()
            return
        stops = bool(value) is not self._going_on
        if place == 0:
            self._begun += 1
        if stops or place == self._last:
            self._begun -= 1
        if stops:
            self.other |= {self._swapped, self._without[place]}
        elif value is not self._going_on:
            self.other |= {self._swapped, self._without[-1]}


class WatchedOperand:
    """Takes one operand of a junction."""

    def __init__(self, junction: Junction, place: int) -> None:
        self.watch = junction
        self._place = place

    def see(self, value: Any, _before: Sequence[Any]) -> None:
        """Tell the junction."""
        self.watch.see_operand(self._place, value)


class Kept(Watch):
    """The condition of a comprehension, which may be left out."""

    def see(self, value: Any, _before: Sequence[Any]) -> None:
        """Take note of its value."""
        if type(value) not in _SIZED or not value:
            self.all_differ()


class Receiver(Watch):
    """The thing a method is called on: a text with methods that give the same, or a list without items."""

    def __init__(self, method: str, others: Sequence[tuple[Key, str]]) -> None:
        super().__init__([key for key, _ in others])
        self._method = method
        self._others = others

    def see(self, value: Any, _before: Sequence[Any]) -> None:
        """Take note of it."""
        if self._method == "append":
            if type(value) is not list or value:
                self.all_differ()
        elif type(value) is not str:
            self.all_differ()
        else:
            found = getattr(value, self._method)()
            self.other |= {
                key for key, other in self._others if found != (getattr(value, other)() if other else value)
            }


def _computable(value: Any) -> bool:
    kind = type(value)
    if kind is int:
        return bool(value.bit_length() <= LONGEST)
    if kind in (str, bytes):
        return len(value) <= LONGEST
    zone = value.tzinfo if kind in (dt.datetime, dt.time) else None
    return kind in _PLAIN and (zone is None or type(zone) is dt.timezone)


def _result(made: Made, left: Any, right: Any) -> Hashable | None:
    """The result of two operands, as something to compare: None where they raise."""
    try:
        if made is operator.mul and (type(left) in (str, bytes) or type(right) in (str, bytes)):
            return None  # it may be long
        if type(left) is decimal.Decimal or type(right) is decimal.Decimal:
            with decimal.localcontext():  # whose flags are the target's
                found = made(left, right)
        else:
            found = made(left, right)
        return type(found), found if type(found) in _EXACT else repr(found)
    except Exception:  # noqa: BLE001 - whatever it is: another run tells
        return None
