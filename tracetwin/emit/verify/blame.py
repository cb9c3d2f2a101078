"""Finds out what a test depends on that does not pass each time: one thing at a time is changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tracetwin.emit.verify.trial import (
    TOOK_TOO_LONG,
    Failures,
    Page,
    SuiteBroken,
    Test,
    TrialFailure,
    TrialOutcome,
    TrialPlan,
    attempt,
)
from tracetwin.replay.conditions.conditions import (
    ADDRESSES,
    HERE,
    SECOND_HERE,
    Conditions,
    flaky,
    one_by_one,
    other_addresses,
)

ORDER: Final = "the order of tests"
ALL_OF_IT: Final = "what surrounds it"
MOST: Final = 40


def blamed(page: Page, plan: TrialPlan, seen: TrialOutcome) -> Failures:
    """The failures, with words on what makes them.

    A test that fails under all conditions is wrong, and its failure stays as it is. So does that of one that
    took too long: to see whether it does elsewhere takes too long as well.

    Args:
        page: the file.
        plan: the run in which they failed.
        seen: what was seen there.
    """
    tests = [test for test, failure in seen.failures.items() if failure.why != TOOK_TOO_LONG][:MOST]
    causes = _hindered(page, plan, seen, tests)
    left = [test for test in tests if test not in causes]
    causes.update(_surroundings(page, plan.conditions, left))
    # What fails alone wherever it is tried, and passes after others, needs those.
    causes.update({test: ORDER for test in left if test not in causes and test in seen.passed})
    return {
        test: failure._replace(why=flaky(causes[test], failure.why)) if test in causes else failure
        for test, failure in seen.failures.items()
    }


def _hindered(page: Page, plan: TrialPlan, seen: TrialOutcome, tests: list[Test]) -> dict[Test, str]:
    """Those that pass alone where they failed with others, which also change addresses."""
    others = [test for test in tests if test not in seen.alone]
    if others and not plan.alone:
        failed = _alone(page, plan.conditions, others)
        others = [test for test in others if test not in failed]
    causes = dict.fromkeys(others, ORDER)
    for conditions in other_addresses(plan.conditions):
        if others:
            causes.update(dict.fromkeys(_alone(page, conditions, others), ADDRESSES))
    return causes


def _surroundings(page: Page, failed_in: Conditions, tests: list[Test]) -> dict[Test, str]:
    """Return what else must be as it was where they failed."""
    causes: dict[Test, str] = {}
    # A file is run here first, and what it was made from had been replayed there.
    start = HERE if failed_in == SECOND_HERE else SECOND_HERE
    failing = _alone(page, start, tests) if tests and start == HERE else {}
    left = [test for test in tests if test not in failing]
    for name, conditions in one_by_one(start, failed_in):
        if left:
            causes.update(dict.fromkeys(_alone(page, conditions, left), name))
            left = [test for test in left if test not in causes]
    return {**causes, **dict.fromkeys(left, ALL_OF_IT)}


def _alone(page: Page, conditions: Conditions, tests: Iterable[Test]) -> Failures:
    try:
        return attempt(page, TrialPlan(conditions, alone=tuple(tests))).failures
    except SuiteBroken as error:
        return dict.fromkeys(tests, TrialFailure(str(error)))
