"""A line that is missed because others are names why the first of these is."""

from __future__ import annotations

from tracetwin.model.goal import Uncovered
from tracetwin.run.results.chains import calls_missed, linked

CALLED = "called in line {}, which no test runs"


def told(*reasons: str) -> list[str]:
    misses = [Uncovered(line, reason) for line, reason in enumerate(reasons, 1)]
    return [miss.reason for miss in linked(misses, misses)]


def test_the_root_of_a_chain_is_named() -> None:
    spent = "budget spent"
    second, third = (CALLED.format(line) for line in (1, 2))
    assert told(spent, second, third) == [spent, f"{second}: {spent}", f"{third}: {spent}"]
    assert told(*told(spent, second, third)) == told(spent, second, third), "once"
    several = "called in lines 9, 1 and others, which no test runs"
    assert told(spent, several)[1] == f"{several}: {spent}"
    assert calls_missed(f"{several}: ends in line 7") == [9, 1]


def test_nothing_is_named_where_nothing_is_known_or_the_proof_is_another_one() -> None:
    around = [CALLED.format(2), CALLED.format(1)]
    assert told(*around) == around
    assert told("infeasible (proved)", CALLED.format(1))[1] == CALLED.format(1)
