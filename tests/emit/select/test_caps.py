"""Of each function at most so many tests are written as its goals are worth."""

from __future__ import annotations

from tests.emit.support import function, seen, target
from tracetwin.emit.select.caps import LEAST, PER_BRANCH, most_tests, within_caps
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.replay.static import coverable

SHAPES = coverable(target("shapes").file)


def test_the_cap_grows_with_the_branches_of_a_function() -> None:
    assert most_tests("identity", SHAPES) == LEAST
    assert most_tests("weight_category", SHAPES) == LEAST + 4 * PER_BRANCH + 1, "and one for its assertion"
    assert most_tests("defined_elsewhere", SHAPES) == LEAST


def test_what_shows_most_is_kept() -> None:
    cases = [function("shapes", "identity", n) for n in range(LEAST + 5)]
    lines = sorted(SHAPES.lines)
    made = [seen(lines=tuple(lines[: 2 if n == 11 else 1])) for n in range(len(cases))]
    kept = within_caps(cases, made, SHAPES, [BRANCH])
    assert len(kept) == LEAST
    assert 11 in kept
    assert kept == sorted(kept)


def test_few_tests_and_those_of_the_user_stay() -> None:
    cases = [function("shapes", "identity", n) for n in range(LEAST + 2)]
    made = [seen() for _ in cases]
    assert len(within_caps(cases, made, SHAPES, [BRANCH], first=range(len(cases)))) == len(cases)
    assert within_caps(cases[:3], made[:3], SHAPES, [BRANCH]) == [0, 1, 2]
