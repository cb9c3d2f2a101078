"""Constrained values: what is demanded of them holds for every value that is drawn, or ends the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from runtime import trace
from runtime.inputs import ASSUMED_SITE, INPUT_SITE, OF_AN_ARGUMENT, UnfitInput
from runtime.values import SBool
from tracetwin.drawing.plans.constraints import Constraint, all_hold
from tracetwin.drawing.plans.containers import DictPlan, ListPlan, SeriesPlan, SetPlan
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, BytesPlan, FloatPlan, IntPlan, Plan, StrPlan
from tracetwin.support.data import dataclass

LONGEST: Final = 50
"""A container that must be longer is drawn at this length, and does not keep what is demanded."""

_LETTERS: Final = "a1A-@. _"
"""The letters of the texts that are tried first."""


@dataclass(frozen=True)
class ConstrainedPlan(Plan):
    """A value that must keep constraints; an input whose values do not leads to one whose values do."""

    inner: Plan
    constraints: tuple[Constraint, ...]

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = self.inner.build(draw, name)
        for constraint in self.constraints:
            assume(constraint.holds, [value])
        return value, recipe

    def describe(self) -> str:
        return self.inner.describe()

    def starting_at(self, value: Any) -> Plan | None:
        inner = self.inner.starting_at(value)
        return None if inner is None or not all_hold(self.constraints, value) else replace(self, inner=inner)

    def is_composite(self) -> bool:
        return self.inner.is_composite()

    def produces(self) -> type | None:
        return self.inner.produces()

    def hashable(self) -> Plan | None:
        inner = self.inner.hashable()
        return None if inner is None else replace(self, inner=inner)


def constrained(plan: Plan, constraints: tuple[Constraint, ...]) -> Plan:
    """The plan of the same values as far as they keep all constraints; it starts at one that does."""
    if not constraints:
        return plan
    inner = _bounded(plan, constraints)
    for value in _candidates(inner, constraints):
        if all_hold(constraints, value) and (started := inner.starting_at(value)) is not None:
            inner = started
            break
    return ConstrainedPlan(inner, constraints)


def _bounded(plan: Plan, constraints: Iterable[Constraint]) -> Plan:
    """The plan within bounds that it knows of itself."""
    if isinstance(plan, IntPlan):
        lows = [low for low in (plan.low, *_bounds(constraints, ge=0, gt=1)) if low is not None]
        highs = [high for high in (plan.high, *_bounds(constraints, le=0, lt=-1)) if high is not None]
        return replace(plan, low=max(lows, default=None), high=min(highs, default=None))
    least = max(_bounds(constraints, min_length=0), default=0)
    most = min(_bounds(constraints, max_length=0), default=None)
    if isinstance(plan, StrPlan):
        return plan if most is None else replace(plan, max_length=most)
    if isinstance(plan, (ListPlan, SetPlan, DictPlan, SeriesPlan)):
        length = min(max(plan.length, least), LONGEST)
        return replace(plan, length=length if most is None else min(length, most))
    return plan


def _bounds(constraints: Iterable[Constraint], **shifts: int) -> list[int]:
    return [
        item.bound + shifts[item.kind] for item in constraints
        if item.kind in shifts and type(item.bound) is int
    ]  # fmt: skip


def _candidates(plan: Plan, constraints: Iterable[Constraint]) -> Iterator[Any]:
    """Values that the first input may have, plainest first."""
    if isinstance(plan, (IntPlan, FloatPlan)):
        yield from _numbers(plan, constraints)
    elif isinstance(plan, (StrPlan, BytesPlan)):
        yield plan.default
        least = max(_bounds(constraints, min_length=0), default=0)
        for length in (least, least + 1, least + 3) if least <= LONGEST else ():
            for letter in _LETTERS:
                text = letter * length
                yield text if isinstance(plan, StrPlan) else text.encode()


def _numbers(plan: IntPlan | FloatPlan, constraints: Iterable[Constraint]) -> Iterator[int | float]:
    make = int if isinstance(plan, IntPlan) else float
    starts: list[Any] = [plan.default, 0, 1]
    for item in constraints:
        if item.kind in ("gt", "ge", "lt", "le", "multiple_of") and isinstance(item.bound, (int, float)):
            starts += [item.bound, item.bound + 1, item.bound - 1, item.bound + 0.5, item.bound / 2]
            if item.kind == "multiple_of" and item.bound:
                starts += [(low // item.bound + 1) * item.bound for low in starts[:]]
    starts += [2, -1, 10, 100]
    for start in starts:
        try:
            yield make(start)
        except (OverflowError, ValueError):
            continue


def assume(holds: Callable[..., Any], values: Sequence[Any]) -> None:
    """Go on only where a condition on drawn values holds.

    Raises:
        UnfitInput: it does not hold, or can't be evaluated for these values.
    """
    current = trace.current
    start = len(current.path)
    with _unseen(current):
        try:
            result = holds(*values)
            truth = result.v if type(result) is SBool else bool(result)
        except Exception as error:  # noqa: BLE001 - a condition is code of the user's, and speaks of any value
            result, truth = error, False
    _as_choices(current, start)
    if type(result) is SBool:
        if truth:
            current.record(result.e, True, ASSUMED_SITE, trace.Kind.ASSUME)
            # The program may ask the same: that its other side is kept out is to be seen, and by what.
            current.known.discard(result.e.ident)
        else:
            current.record(result.e, False, INPUT_SITE, trace.Kind.INPUT)
    if not truth:
        raise UnfitInput


def _as_choices(current: trace.Trace, start: int) -> None:
    """Let what was decided within a condition be decisions about the input: they lead to no branch."""
    kept = []
    for node, _, outcome, kind in current.path[start:]:
        if kind in (trace.Kind.BRANCH, trace.Kind.CHECK):
            kind = int(trace.Kind.INPUT)  # noqa: PLW2901 - its other fields stay
        if kind != trace.Kind.HINT:
            kept.append((node, INPUT_SITE, outcome, kind))
    current.path[start:] = kept


@contextmanager
def _unseen(current: trace.Trace) -> Iterator[None]:
    """Let code of the target that a condition calls count for nothing: no test would run it."""
    held, failed, entailed = set(current.held), set(current.failed), dict(current.entailed)
    marks, losses = dict(current.marks), dict(current.losses)
    try:
        yield
    finally:
        for live, before in ((current.held, held), (current.failed, failed)):
            live.clear()
            live.update(before)
        current.entailed.clear()
        current.entailed.update(entailed)
        current.marks.clear()
        current.marks.update(marks)
        lost = [(key, names) for key, names in current.losses.items() if key not in losses]
        current.losses.clear()
        current.losses.update(losses)
        for (name, *_), names in lost:
            key = (name, *OF_AN_ARGUMENT)
            current.losses[key] = current.losses.get(key, frozenset()) | names
