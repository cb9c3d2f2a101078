"""How long written tests are waited for."""

from __future__ import annotations

from tracetwin.emit.verify.trial import TOOK_TOO_LONG, Page, TrialFailure, TrialOutcome
from tracetwin.target.module import TargetModule

TARGET = TargetModule("shop", "/nowhere/shop.py", "/nowhere")


def test_after_tests_that_took_too_long_the_others_are_waited_for_less() -> None:
    page = Page("", TARGET, seconds=5.0)
    assert [5.0, 2.0, 2.0, 1.0, 1.0] == [page.patience(late) for late in (0, 1, 2, 3, 40)]


def test_those_of_earlier_pages_count_as_well() -> None:
    page = Page("", TARGET, seconds=5.0, late=2)
    assert [2.0, 1.0] == [page.patience(late) for late in (0, 1)]


def test_only_what_took_too_long_is_late() -> None:
    late, other = TrialFailure(TOOK_TOO_LONG), TrialFailure("another reason")
    seen = TrialOutcome({("Case", "test_one"): late, ("Case", "test_two"): other})
    assert 1 == seen.late
