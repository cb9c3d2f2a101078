"""Runs the text of a test file in every way in which tests may be run.

Finds out what a test depends on that does not pass each time: one thing at a time is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Final

from tracetwin.emit.verify.trial import (
    NOT_VERIFIED,
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
from tracetwin.model.written_test import KeptTwin
from tracetwin.replay.conditions.conditions import (
    ADDRESSES,
    FURTHER,
    HERE,
    SECOND_ELSEWHERE,
    SECOND_HERE,
    Conditions,
    flaky,
    one_by_one,
    other_addresses,
)
from tracetwin.replay.watching import COVERAGE, ENDINGS, SIDES, Doing

__all__ = [
    "NOT_VERIFIED", "TOOK_TOO_LONG", "Failures", "Page", "SuiteBroken", "Test", "TrialFailure", "verify",
    "watched",
]  # fmt: skip

Attempt = Callable[[Page, TrialPlan], TrialOutcome]


def verify(
    page: Page,
    tests: Sequence[Test],
    *,
    explain: bool = False,
    seconds: dict[Test, float] | None = None,
    proven: set[Test] | None = None,
    before: Collection[Test] = (),
) -> Failures:
    """Tests that did not pass in every run, and why; none only if all did.

    Each test is run alone, and all of them forwards, backwards and shuffled, under conditions that differ in
    all that `Conditions` names; none of these are the conditions under which the cases were replayed. Where
    the program does what may depend on hashes, time or chance, there are further runs.

    Of two tests that hinder each other one fails forwards and the other backwards, and without one of them
    the other passes. So what fails backwards is told only where nothing fails forwards, or no time is left.

    Args:
        page: the file.
        tests: class and method of each test, in their order.
        explain: whether to find out what a test that does not pass depends on.
        seconds: gets how long each test took.
        proven: gets those that passed under both conditions.
        before: those that did so in an earlier file, and are run beside the others only: where there is
            little time, it is for the rest.

    Raises:
        Broken: importing the file raised or ended the process.
    """
    there = tuple((str(class_name), str(name)) for class_name, name in tests)
    new = tuple(test for test in there if test not in before)
    plans = [
        TrialPlan(SECOND_HERE, alone=new, together=there),
        TrialPlan(SECOND_ELSEWHERE, shuffled=there, together=there[::-1]),
    ]
    both = _both(page, plans)
    failed: Failures = {**both[1][1].failures, **both[0][1].failures}
    if seconds is not None:
        for _, seen in both:
            seconds |= seen.seconds
    if proven is not None:
        proven.update(test for test in there if all(test in seen.passed for _, seen in both))
        proven.difference_update(failed)
    if page.is_over:
        return failed
    for plan, seen in both:
        if seen.failures:
            return blamed(page, plan, seen) if explain else seen.failures
    if any(seen.shaky for _, seen in both):
        return _further(page, there, explain=explain)
    return {}


def _both(page: Page, plans: list[TrialPlan]) -> list[tuple[TrialPlan, TrialOutcome]]:
    with ThreadPoolExecutor(2) as pool:
        return list(zip(plans, pool.map(lambda plan: attempt(page, plan), plans), strict=True))


def watched(
    page: Page,
    tests: tuple[Test, ...],
    doing: dict[Test, Doing],
    seconds: dict[Test, float],
    twin: KeptTwin | None = None,
) -> bool:
    """Run tests and see what each that passes does in the target; returns whether all passed.

    Args:
        page: the file.
        tests: class and method of each.
        doing: gets what each does.
        seconds: gets how long each took.
        twin: where sides of conditions are asked for.
    """
    plan = TrialPlan(SECOND_HERE, together=tests)
    more: list[TrialOutcome] = []
    try:
        both = _both(page, [replace(plan, watches=one) for one in (COVERAGE, ENDINGS)])
    except SuiteBroken:
        return False
    with suppress(SuiteBroken):  # what can't be told on the twin is not known
        more += [attempt(page, replace(plan, watches=SIDES, twin=twin))] if twin and twin.cache else []
    for seen in more:
        for test in seen.passed:
            doing[test] = doing.get(test, Doing()) | seen.doing.get(test, Doing())
    for _, seen in both:
        seconds |= seen.seconds
        for test in seen.passed - seen.failures.keys():
            doing[test] = doing.get(test, Doing()) | seen.doing.get(test, Doing())
    return all(seen.passed.issuperset(tests) and not seen.failures for _, seen in both)


def _further(page: Page, tests: tuple[Test, ...], *, explain: bool) -> Failures:
    """Under more conditions: in which order they are run was tried already."""
    failures: Failures = {}
    for plan, seen in _both(page, [TrialPlan(conditions, together=tests) for conditions in FURTHER]):
        new = {test: failure for test, failure in seen.failures.items() if test not in failures}
        failures.update(blamed(page, plan, replace(seen, failures=new)) if explain and new else new)
    return failures


ORDER: Final = "the order of tests"
ALL_OF_IT: Final = "what surrounds it"
MOST: Final = 40


def blamed(page: Page, plan: TrialPlan, seen: TrialOutcome) -> Failures:
    """The failures, with words on what makes them.

    A test that fails under all conditions is wrong, and its failure stays as it is. So does that of one that
    took too long: to see whether it does elsewhere takes too long as well.
    """
    late = (TOOK_TOO_LONG, NOT_VERIFIED)
    tests = [test for test, failure in seen.failures.items() if failure.why not in late][:MOST]
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
