"""Scores of criteria, and what `--fail-under` makes of them."""

from __future__ import annotations

import pytest

from tracetwin.cli.report.scores import Score, missed, scores, thresholds
from tracetwin.model.goal import Goal, GoalFate


def goals(criterion: str, *fates: GoalFate) -> list[Goal]:
    return [Goal(criterion, f"goal {place}", "f", place, fate) for place, fate in enumerate(fates)]


COVERED, OPEN, INFEASIBLE = GoalFate.COVERED, GoalFate.OPEN, GoalFate.INFEASIBLE


def test_infeasible_goals_do_not_count() -> None:
    found = scores([*goals("branch", COVERED, OPEN, INFEASIBLE), *goals("mutation", COVERED)])
    assert {"branch": Score(1, 2), "mutation": Score(1, 1)} == found
    assert "1/2 (50 %)" == found["branch"].text


def test_nothing_to_cover_is_covered() -> None:
    assert 100 == Score(0, 0).percent


def test_a_percentage_is_not_rounded_up() -> None:
    assert "199/200 (99 %)" == Score(199, 200).text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("90", {"branch": 90.0}),
        ("branch=90,mutation=80.5", {"branch": 90.0, "mutation": 80.5}),
        (" mutation = 100 ", {"mutation": 100.0}),
    ],
)
def test_thresholds_are_read(text: str, wanted: dict[str, float]) -> None:
    assert wanted == thresholds(text, ("branch", "mutation"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("path=3", "'path' is no criterion of this run, which has branch"),
        ("branch=many", "'branch=many' is no percentage"),
        ("branch=101", "from 0 to 100"),
        ("", "is no percentage"),
    ],
)
def test_a_threshold_that_means_nothing_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        thresholds(text, ("branch",))


def test_what_falls_short_is_named() -> None:
    found = {"branch": Score(9, 10), "mutation": Score(1, 2)}
    assert ["mutation: 1/2 (50 %) is less than 80 %"] == list(missed(found, {"branch": 90, "mutation": 80}))
