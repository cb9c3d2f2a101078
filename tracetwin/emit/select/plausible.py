"""Tidy and telling values in the place of others: what a caller might pass, where the call goes the same way.

Zeros, ones and empty texts hide faults and tell a reader nothing; texts that a solver made, or that are the
module's own error messages, make no sense. Whatever takes their place must lead the same way to a like end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from tracetwin.emit.naming.variables import arguments
from tracetwin.emit.select.likely_values import LikelyValues
from tracetwin.emit.select.select import goals_of, unseen_goals
from tracetwin.emit.select.shorten import Improving, Run, Seen, ends_alike, is_whole, kind_of
from tracetwin.emit.select.telling.tidy import tidier
from tracetwin.emit.select.variants import with_parts
from tracetwin.explore.criteria.base import Criterion
from tracetwin.model.case import RESULT, Act, Case
from tracetwin.model.codec import case_key
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import Call, Dictionary, Recipe, Scalar, ScalarValue, Series, walk
from tracetwin.model.snapshot import Iterated, Shuffled, Snapshot
from tracetwin.model.status import Outcome
from tracetwin.replay.stability import type_of
from tracetwin.replay.static import Coverable
from tracetwin.support.data import dataclass

MOST_TRIED: Final = 12
"""Replays for one case."""

LONGEST: Final = 2
"""Letters of a text that says nothing."""

FIRST_YEAR: Final = 1900
"""Years before it are none that a test should speak of without need."""

_DAY, _TIME = ("year", "month", "day"), ("hour", "minute", "second")
_CALENDAR: Final = {
    "datetime.date": _DAY, "datetime.datetime": (*_DAY, *_TIME), "datetime.time": _TIME,
    "datetime.timedelta": ("day", "second"),
}  # fmt: skip


@dataclass(frozen=True)
class Leaf:
    """A value in a test that could be a more telling one.

    Attributes:
        place: its number, from left to right.
        name: the parameter that it is for.
    """

    place: int
    name: str
    part: Recipe


Better: TypeAlias = Callable[[Sequence[Leaf], Coverable], dict[int, list[Recipe]]]
"""Gives better values for some of those in a test, by their places."""


def enliven(work: Improving, *, tidy: bool = False) -> list[Seen]:
    """Return each case with its observation, with telling values where there are any.

    `tidy`: only in the place of values that nobody would write.
    """
    better = _tidied if tidy else partial(_telling, LikelyValues())
    telling = {case.target for case, seen in work.chosen if _tells(seen.value)}
    now = list(work.chosen)
    for position, (case, seen) in enumerate(work.chosen):
        if position in work.settled or any(map(is_whole, case.shows)) or time.monotonic() >= work.until:
            continue
        if unseen_goals(case, seen, work.coverable, work.criteria):
            continue  # another value may go the same way and be off a border
        judge = _Judge(case, seen, work.coverable, work.criteria, fuller=case.target not in telling)
        now[position] = _enlivened(case, seen, work.run, judge, better)
        telling |= {case.target} if _tells(now[position][1].value) else set()
    return now


def _enlivened(case: Case, seen: Observation, run: Run, judge: _Judge, better: Better) -> Seen:
    """The case with all values that have better ones replaced at once, or as many as can be one by one."""
    options = better(list(_leaves(case, judge.coverable)), judge.coverable)
    every = {place: some[0] for place, some in options.items() if some}
    tried = 0
    taken: Seen = (case, seen)
    trials = [every] if len(every) > 1 else []
    trials += [{place: new} for place, some in options.items() for new in some]
    done: set[int] = set()
    for trial in trials:
        if tried >= MOST_TRIED:
            break
        if done & trial.keys():
            continue
        candidate = replace(taken[0], steps=with_parts(taken[0], trial))
        if case_key(candidate) == case_key(taken[0]):
            continue
        tried += 1
        (after,) = run([replace(candidate, asks_paths=False)])
        if judge.accepts(taken[1], candidate, after):
            taken = (replace(candidate, shows=judge.shows(taken[1], after, candidate)), after)
            done |= trial.keys()
            if trial is every:
                break
    return taken


def _leaves(case: Case, coverable: Coverable) -> Iterator[Leaf]:
    """The values of all steps with the names of what they are for, in the order in which they stand."""
    place = 0
    for step in case.steps:
        names = [name for name, _ in arguments(step, coverable, case)]
        if step.act is Act.SET:
            names = [step.name]
        for name, given in zip(names, step.given, strict=True):
            for known, part in _named(name, given, coverable):
                yield Leaf(place, known, part)
                place += 1


def _named(name: str, recipe: Recipe, coverable: Coverable) -> Iterator[tuple[str, Recipe]]:
    """The recipe and all inside of it in the order of `walk`, with names."""
    yield name, recipe
    match recipe:
        case Series(_, items):
            for item in items:
                yield from _named(name.removesuffix("s"), item, coverable)
        case Call():
            place = f"{recipe.module}.{recipe.qualname}"
            known = _CALENDAR.get(place) or coverable.classes.get(recipe.qualname, ())
            for number, part in enumerate(recipe.args):
                yield from _named(known[number] if number < len(known) else "", part, coverable)
            for key, part in recipe.kwargs:
                yield from _named(key, part, coverable)
        case _:
            inside = walk(recipe)
            next(inside)
            yield from (("", part) for part in inside)


def is_dull(leaf: Leaf, refusals: frozenset[str] = frozenset()) -> bool:
    """Return whether a value hides what is done with it, or makes no sense."""
    part = leaf.part
    if isinstance(part, Series):
        return len(part.items) <= 1 and part.kind.value in ("list", "tuple") and _is_plain(part)
    value = part.value if isinstance(part, Scalar) else None
    if type(value) is int:
        return -1 <= value <= 1 or (leaf.name == "year" and value < FIRST_YEAR)
    if type(value) is float:
        return value in (0.0, 1.0, -1.0)
    if type(value) is str:
        return len(value) <= LONGEST or value.strip() in refusals
    return type(value) is bytes and len(value) <= LONGEST


def _is_plain(series: Series[Recipe]) -> bool:
    return bool(series.items) and all(isinstance(item, Scalar) for item in series.items)


def _tidied(leaves: Sequence[Leaf], _: Coverable) -> dict[int, list[Recipe]]:
    """Tidier values in the place of those that nobody would write."""
    return {
        leaf.place: list(map(Scalar, tidier(leaf.part.value, leaf.name)))
        for leaf in leaves if isinstance(leaf.part, Scalar)
    }  # fmt: skip


def _telling(likely: LikelyValues, leaves: Sequence[Leaf], coverable: Coverable) -> dict[int, list[Recipe]]:
    """Values that a caller might pass in the place of dull ones."""
    dull = [leaf for leaf in leaves if is_dull(leaf, coverable.messages)]
    return {leaf.place: list(_likely(leaf, number, likely)) for number, leaf in enumerate(dull)}


def _likely(leaf: Leaf, number: int, likely: LikelyValues) -> Iterator[Recipe]:
    part = leaf.part
    if isinstance(part, Scalar):
        yield from (Scalar(value) for value in likely.of(leaf.name, part.value, number))
    elif isinstance(part, Series) and isinstance(part.items[0], Scalar):
        value: ScalarValue = part.items[0].value
        if not isinstance(value, bool) and value is not None:
            items = [next(likely.of("", value, at)) for at in (1, 0, 2)]
            yield Series(part.kind, tuple(map(Scalar, items)))


@dataclass(frozen=True)
class _Judge:
    """Says whether one case may take the place of another.

    Attributes:
        case: what something else is to take the place of.
        seen: what was seen of it.
        coverable: what there is to cover.
        criteria: say what a case has to keep.
        fuller: whether a result may be fuller than before: no test of the function returns a full one.
    """

    case: Case
    seen: Observation
    coverable: Coverable
    criteria: Sequence[Criterion]
    fuller: bool

    def accepts(self, before: Observation, candidate: Case, after: Observation) -> bool:
        """Return whether a candidate goes the way of what was seen before, and ends like it."""
        if not after.outcome.is_answer or not (self._alike(before, after, candidate)):
            return False
        if self._way(before) != self._way(after):
            return False
        goals = [self._goals(candidate, one) for one in (before, after)]
        return goals[0] <= goals[1]

    def shows(self, before: Observation, after: Observation, candidate: Case) -> tuple[int | str, ...]:
        """Return what a candidate shows: not the kind of the result any more where that is another."""
        if kind_of(before.value) == kind_of(after.value):
            return candidate.shows
        return tuple(one for one in candidate.shows if not str(one).startswith(RESULT))

    def _alike(self, before: Observation, after: Observation, candidate: Case) -> bool:
        if ends_alike(before, after, candidate):
            return True
        returned = before.outcome is after.outcome is Outcome.RETURNED
        grown = not _tells(before.value) and _tells(after.value)
        same = type_of(before.value) == type_of(after.value) and before.how == after.how
        return self.fuller and returned and grown and same and set(before.touched) <= set(after.touched)

    def _way(self, seen: Observation) -> frozenset[tuple[int, int]]:
        function = self.coverable.function(self.case.target)
        arcs = frozenset(seen.own_arcs)
        return arcs if function is None else arcs & function.arcs

    def _goals(self, case: Case, seen: Observation) -> set[object]:
        return {goal for goal in goals_of(case, seen, self.coverable, self.criteria) if goal[0] != "shown"}


def _tells(value: Snapshot) -> bool:
    """Return whether a result is more than nothing, zero or empty."""
    match value:
        case Scalar(inner):
            return bool(inner)
        case Series(_, items) | Shuffled(_, items) | Iterated(_, items):
            return bool(items)
        case Dictionary(pairs):
            return bool(pairs)
        case _:
            return True
