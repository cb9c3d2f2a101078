"""What z3 is not asked, or asked with less effort, since it could not answer anyway."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.expr import Node, Sort
from tests.solving.smt.test_theories import S, X, is_, node
from tracetwin.solving.answers import Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.smt import stage as stages
from tracetwin.solving.smt.stage import TOO_LARGE, Z3Stage
from tracetwin.solving.smt.theory import TheoryTurn
from tracetwin.solving.task import Task
from tracetwin.solving.vain import DEEPEST, PATIENT, RETRIED, Vain

GIVEN_UP = Unknown("reals+sequence: canceled")


def rewritten(times: int) -> Node:
    """A text without some letters, each taken out after the other."""
    text: Node = S
    for number in range(times):
        text = node("str.replace", Sort.STR, text, chr(98 + number), "")
    return text


def asked(goal: Node, effort: float, names: dict[str, Any]) -> Answer:
    sorts = {"s": Sort.STR, "x": Sort.INT}
    problem = Problem([], goal, names, {name: sorts[name] for name in names}, effort)
    return Z3Stage(TheoryTurn.USUAL, 500_000, 60.0).attempt(Task(problem))


def test_a_question_of_more_terms_than_its_effort_can_look_at_is_not_asked() -> None:
    text = rewritten(6)
    goal = is_("eq", node("add", Sort.STR, text, text), "aa")
    refused = asked(goal, 0.02, {"s": "bcd"})
    assert isinstance(refused, Unknown)
    assert TOO_LARGE in refused.reason
    assert isinstance(asked(goal, 4.0, {"s": "bcd"}), Sat)


@pytest.mark.parametrize(("most", "shown"), [(stages.MOST_SHOWN, True), (0, False)])
def test_the_text_of_a_large_question_is_not_written(
    monkeypatch: pytest.MonkeyPatch, most: int, shown: bool
) -> None:
    from tracetwin.solving import figures

    monkeypatch.setattr(figures, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(stages, "MOST_SHOWN", most)
    stage = Z3Stage(TheoryTurn.USUAL, 500_000, 60.0)
    goal = is_("eq", node("mul", Sort.INT, X, X), 49)
    assert isinstance(stage.attempt(Task(Problem([], goal, {"x": 1}, {"x": Sort.INT}, 1.0))), Sat)
    assert [shown] == [bool(slow.smtlib) for slow in stage.slowest]


def test_a_theory_that_gives_up_again_and_again_gets_less_and_less_effort() -> None:
    vain = Vain()
    parts = []
    for _ in range(4 * RETRIED):
        parts.append(vain.part("sequences"))
        vain.note("sequences", GIVEN_UP)
    assert [1.0] * PATIENT == parts[:PATIENT]
    assert [0.25] * PATIENT == parts[PATIENT : 2 * PATIENT]
    assert 0.25**DEEPEST == min(parts)
    assert [1.0] * 4 == parts[::RETRIED]
    assert 1.0 == vain.part("characters")


def test_an_answer_gives_a_theory_all_the_effort_back() -> None:
    answers: tuple[Answer, ...] = (Unsat(), Sat({}, "sequences"))
    for answer in answers:
        vain = Vain()
        for _ in range(PATIENT + 1):
            vain.note("sequences", GIVEN_UP)
        assert vain.part("sequences") < 1
        vain.note("sequences", answer)
        assert 1.0 == vain.part("sequences")


def test_what_a_theory_can_do_nothing_with_is_not_held_against_it() -> None:
    vain = Vain()
    for _ in range(2 * PATIENT):
        vain.note("characters", Unknown("no model survived the check"))
    assert 1.0 == vain.part("characters")


def test_the_effort_of_a_question_is_lowered_by_earlier_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []

    def check(session: Any, rlimit: int, *extra: Any) -> str:
        limits.append(rlimit)
        return "canceled"

    monkeypatch.setattr("tracetwin.solving.smt.session.SolverSession.check", check)
    stage = Z3Stage(TheoryTurn.USUAL, 500_000, 60.0)
    for number in range(PATIENT + 1):
        goal = is_("eq", node("mul", Sort.INT, X, X), number)
        assert isinstance(stage.attempt(Task(Problem([], goal, {"x": 1}, {"x": Sort.INT}, 1.0))), Unknown)
    assert limits[-1] == limits[0] // 4
