"""Of each function at most so many tests are written as its goals are worth."""

from __future__ import annotations

from dataclasses import replace

from tests.emit.support import function, raised, seen, target
from tracetwin.emit.select.caps import (
    LEAST,
    LEAST_OF_MODULE,
    PER_BRANCH,
    most_of_module,
    most_tests,
    within_caps,
)
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.explore.criteria.exception import CRITERION as EXCEPTION
from tracetwin.explore.criteria.mutation import CRITERION as MUTATION
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


def test_no_cap_of_a_function_cuts_a_line_that_nothing_else_runs() -> None:
    """What others run as well seems to show more where only the tests of the function are looked at."""
    lines = sorted(SHAPES.lines)[: 2 * LEAST + 1]
    cases = [function("shapes", "identity", n) for n in range(LEAST + 1)]
    made = [seen(lines=tuple(lines[2 * n : 2 * n + 2])) for n in range(LEAST + 1)]
    every = function("shapes", "weight_category", 1)
    kept = within_caps([*cases, every], [*made, seen(lines=tuple(lines[:-1]))], SHAPES, [BRANCH])
    assert LEAST in kept


def test_few_tests_and_those_of_the_user_stay() -> None:
    cases = [function("shapes", "identity", n) for n in range(LEAST + 2)]
    made = [seen() for _ in cases]
    assert len(within_caps(cases, made, SHAPES, [BRANCH], first=range(len(cases)))) == len(cases)
    assert within_caps(cases[:3], made[:3], SHAPES, [BRANCH]) == [0, 1, 2]


def test_a_module_of_150_lines_gets_forty_tests() -> None:
    assert most_of_module(replace(SHAPES, lines=frozenset((1, 150)))) == 40
    assert most_of_module(replace(SHAPES, lines=frozenset())) == LEAST_OF_MODULE


def test_the_cap_of_a_module_keeps_branches_then_what_notices_most() -> None:
    few = replace(SHAPES, lines=frozenset((1, 2)))
    cases = [function("shapes", f"f{n // 5}", n) for n in range(30)]
    noticing = [replace(case, shows=(f"kills {n}",)) for n, case in enumerate(cases)]
    noticing[28] = replace(noticing[28], shows=("kills 1", "kills 2", "kills 3"))
    made = [seen(own_lines=(2,) if n == 29 else ()) for n in range(30)]
    kept = within_caps(noticing, made, few, [MUTATION, BRANCH])
    assert len(kept) == LEAST_OF_MODULE
    assert {28, 29} <= set(kept)
    assert {n // 5 for n in kept} == set(range(6)), "each function has one that returns"


def test_an_exception_that_another_function_shows_goes_first() -> None:
    few = replace(SHAPES, lines=frozenset((1, 2)), raising=frozenset((2,)))
    cases = [function("shapes", f"f{n}", n) for n in range(30)]
    lines = [2] * 29 + [1]
    made = [raised("ValueError", raised_at=line) for line in lines]
    kept = within_caps(cases, made, few, [EXCEPTION])
    assert 29 in kept
