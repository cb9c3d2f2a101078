"""Which cases are replayed before any is chosen, and which whatever the time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.emit.support import function
from tracetwin.emit.select.glance import glanced
from tracetwin.model.case import Case
from tracetwin.model.observation import Observation
from tracetwin.model.status import Outcome
from tracetwin.replay.session import Replay


class Sessions:
    """Notes what is to be replayed; what it has seen of a case says which it was."""

    def glance(self, cases: list[Case], seconds: float, least: int) -> Replay:
        self.asked = [(case.target, *case.shows) for case in cases]
        self.least = least
        return Replay([Observation(Outcome.RETURNED, why=str(case.shows[0])) for case in cases])


def case(target: str, shows: str) -> Case:
    return replace(function("m", target), shows=(shows,))


def test_the_first_cases_of_each_target_come_first_and_are_replayed_whatever_the_time() -> None:
    cases = [case("f", text) for text in ("a", "b", "c", "a", "d")] + [case("g", "e")]
    sessions: Any = Sessions()
    seen = glanced(sessions, cases, 1.0)
    assert [("f", "a"), ("f", "b"), ("g", "e"), ("f", "c"), ("f", "d"), ("f", "a")] == sessions.asked
    assert sessions.least == 3
    assert ["a", "b", "c", "a", "d", "e"] == [one.why for one in seen.observations]
