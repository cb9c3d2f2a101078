"""Runs the text of a test file in every way in which tests may be run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from tracetwin.emit.verify.blame import blamed
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
from tracetwin.replay.conditions.conditions import FURTHER, SECOND_ELSEWHERE, SECOND_HERE

__all__ = ["TOOK_TOO_LONG", "Failures", "Page", "SuiteBroken", "Test", "TrialFailure", "verify"]

Attempt = Callable[[Page, TrialPlan], TrialOutcome]


def verify(
    page: Page, tests: Sequence[Test], *, explain: bool = False, seconds: dict[Test, float] | None = None
) -> Failures:
    """Tests that did not pass in every run, and why; none only if all did.

    Each test is run alone, and all of them forwards, backwards and shuffled, under conditions that differ in
    all that `Conditions` names; none of these are the conditions under which the cases were replayed. Where
    the program does what may depend on hashes, time or chance, there are further runs.

    Of two tests that hinder each other one fails forwards and the other backwards, and without one of them
    the other passes. So what fails backwards is told only where nothing fails forwards.

    Args:
        page: the file.
        tests: class and method of each test, in their order.
        explain: whether to find out what a test that does not pass depends on.
        seconds: gets how long each test took.

    Raises:
        Broken: importing the file raised or ended the process.
    """
    there = tuple((str(class_name), str(name)) for class_name, name in tests)
    plans = [
        TrialPlan(SECOND_HERE, alone=there, together=there),
        TrialPlan(SECOND_ELSEWHERE, shuffled=there, together=there[::-1]),
    ]
    shaky = False
    for plan, seen in _both(page, plans):
        if seconds is not None:
            seconds |= seen.seconds
        if seen.failures:
            return blamed(page, plan, seen) if explain else seen.failures
        shaky = shaky or seen.shaky
    if shaky:
        return _further(page, there, explain=explain)
    return {}


def _both(page: Page, plans: list[TrialPlan]) -> list[tuple[TrialPlan, TrialOutcome]]:
    with ThreadPoolExecutor(2) as pool:
        return list(zip(plans, pool.map(lambda plan: attempt(page, plan), plans), strict=True))


def _further(page: Page, tests: tuple[Test, ...], *, explain: bool) -> Failures:
    """Under more conditions: in which order they are run was tried already."""
    failures: Failures = {}
    for plan, seen in _both(page, [TrialPlan(conditions, together=tests) for conditions in FURTHER]):
        new = {test: failure for test, failure in seen.failures.items() if test not in failures}
        failures.update(blamed(page, plan, replace(seen, failures=new)) if explain and new else new)
    return failures
