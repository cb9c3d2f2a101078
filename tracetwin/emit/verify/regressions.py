"""Tests of an earlier suite that no longer hold: what they pinned has changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tracetwin.emit.verify.trial import SAID, Page, SuiteBroken, Test, TrialPlan, attempt
from tracetwin.replay.conditions.conditions import SECOND_HERE


def regressions(page: Page, seconds: dict[Test, float] | None = None) -> list[tuple[str, str]]:
    """Return the tests of a page that fail on the target as it is now, with the reason of each.

    Args:
        page: the earlier suite, which somebody has found to be right.
        seconds: gets how long each test took.
    """
    tests = tuple(_tests(page.text))
    try:
        seen = attempt(page, TrialPlan(SECOND_HERE, together=tests))
    except SuiteBroken as error:
        return [("", f"none of them can be run any more: {error}")]
    if seconds is not None:
        seconds |= seen.seconds
    found = ((".".join(filter(None, test)), failure.why) for test, failure in seen.failures.items())
    return [(test, why.removeprefix(SAID)) for test, why in found]


def _tests(text: str) -> Iterator[Test]:
    """The tests of a file that we have written."""
    for node in ast.parse(text).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for one in inner:
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name.startswith("test"):
                yield owner, one.name
