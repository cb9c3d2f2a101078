"""Finds out what a case depends on that does not end alike each time: one thing at a time is changed.

All else stands still meanwhile, the clock too. What even then differs from run to run, such as the order in
which threads come to their turn, is out of anybody's hands.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tracetwin.model.case import Case
from tracetwin.model.observation import Observation
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.conditions.conditions import ELSEWHERE, HERE, Conditions, flaky, one_by_one
from tracetwin.replay.location_texts import Place
from tracetwin.replay.session import replay
from tracetwin.replay.stability import UNSTABLE, merge

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

MOST_CASES = 40
MOST_SECONDS_PER_CASE = 1.0
MOST_SECONDS = 60.0
RUN_TO_RUN: Final = "flaky: differs from run to run"
PLACE: Final = "the place of the project"
_HELD: Final = replace(HERE, held=True)
_FOUND: Final = re.compile(f"{UNSTABLE}(.*)", re.DOTALL)

Reasoned = tuple[Case, str]


def explained(
    module: TargetModule,
    found: Sequence[Reasoned],
    limits: Limits | None = None,
    *,
    seconds: float = MOST_SECONDS,
) -> list[Reasoned]:
    """The same cases and reasons; one that says that something is unstable now tells what it depends on."""
    asked: dict[tuple[str, str], Case] = {}
    for case, reason in found:
        if UNSTABLE in reason:
            asked.setdefault(_kind(case, reason), case)
    kinds = list(asked)[:MOST_CASES]
    if not kinds:
        return list(found)
    until = time.monotonic() + min(seconds, MOST_SECONDS)
    told = _causes(module, [asked[kind] for kind in kinds], kinds, limits, until)
    causes = dict(zip(kinds, told, strict=True))
    return [(case, _worded(reason, causes.get(_kind(case, reason)))) for case, reason in found]


def import_explained(module: TargetModule, error: str, limits: Limits | None = None) -> str:
    """Why a module can't be imported; where it can be under some conditions, what that depends on."""

    def fails(conditions: Conditions) -> bool:
        return replay(module, [], limits=limits, conditions=conditions).error is not None

    if fails(HERE):
        return error
    cause = next((name for name, conditions in one_by_one(HERE, ELSEWHERE) if fails(conditions)), None)
    return f"{module.name}: {flaky(cause, error)}" if cause else error


def _kind(case: Case, reason: str) -> tuple[str, str]:
    """Cases of which one is asked for all."""
    return case.target, reason


def _worded(reason: str, cause: str | None) -> str:
    if cause is None:
        return reason

    def word(found: re.Match[str]) -> str:
        return flaky(cause, found[1]) if cause else f"{RUN_TO_RUN} ({found[1]})"

    return _FOUND.sub(word, reason)


def _causes(
    module: TargetModule,
    cases: list[Case],
    kinds: list[tuple[str, str]],
    limits: Limits | None,
    until: float,
) -> list[str | None]:
    """For each case what it depends on: "" where it differs all the same, None where nothing was found."""

    def seen(conditions: Conditions, places: list[int]) -> dict[int, Observation]:
        asked = [cases[place] for place in places]
        made = replay(
            module, asked, timeout_per_case=MOST_SECONDS_PER_CASE, limits=limits, conditions=conditions
        )
        return dict(zip(places, made.observations, strict=False))

    every = list(range(len(cases)))
    with ThreadPoolExecutor(2) as pool:
        first, again = seen(_HELD, every), seen(_HELD, every)  # side by side they disturb each other
        apart = [place for place in first.keys() & again.keys() if _differ(first[place], again[place])]
        third, fourth = (seen(_HELD, apart), seen(_HELD, apart)) if apart else ({}, {})
        for place in third.keys() & fourth.keys():  # where it was chance, as it may be with addresses
            if not _differ(third[place], fourth[place]):
                first[place] = again[place] = third[place]
        project = Place(module)
        found = _Found([reason for _, reason in kinds], first)
        found.take("", again)
        found.take(PLACE, {place: project.moved(one) for place, one in first.items()})
        waiting = one_by_one(_HELD, ELSEWHERE)
        while waiting and found.left and time.monotonic() < until:
            some, waiting = waiting[:2], waiting[2:]
            others = pool.map(seen, [conditions for _, conditions in some], [found.left] * len(some))
            for (name, _), other in zip(some, list(others), strict=True):
                found.take(name, other)
    return found.causes()


def _differ(one: Observation, other: Observation) -> bool:
    return any(UNSTABLE in why for why in merge(one, other)[1])


class _Found:
    """The causes of some reasons, and what was seen when nothing was changed."""

    def __init__(self, reasons: list[str], first: dict[int, Observation]) -> None:
        self.reasons = reasons
        self.first = first
        self.exact: list[str | None] = [None] * len(reasons)
        self.any: list[str | None] = [None] * len(reasons)

    @property
    def left(self) -> list[int]:
        """Those of which nothing is known yet that would do exactly this."""
        return [place for place, cause in enumerate(self.exact) if cause is None]

    def take(self, name: str, other: dict[int, Observation]) -> None:
        """Note what differs where only that was changed; what was found before counts."""
        for place in other.keys() & self.first.keys():
            changed = [why for why in merge(self.first[place], other[place])[1] if UNSTABLE in why]
            if changed and self.any[place] is None:
                self.any[place] = name
            if self.exact[place] is None and any(why in self.reasons[place] for why in changed):
                self.exact[place] = name

    def causes(self) -> list[str | None]:
        """The first that changes what the reason speaks of, or else anything."""
        return [some if exact is None else exact for exact, some in zip(self.exact, self.any, strict=True)]
