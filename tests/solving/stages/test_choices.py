"""Conditions about choices and truths: all combinations, what exists before what would be made."""

from __future__ import annotations

from runtime.expr import Node, Sort, apply, conjunction, const, disjunction, negate, var
from tracetwin.solving.answers import Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.stages.choices import Choices
from tracetwin.solving.task import Task

INT, BOOL = Sort.INT, Sort.BOOL
CHOICE = var("x?", INT)
DERIVES, OTHER = var("x|2<:m:J", BOOL), var("x|2<:m:K", BOOL)
BOUNDS = (apply("ge", BOOL, CHOICE, const(0)), apply("lt", BOOL, CHOICE, const(3)))


def chosen(place: int) -> Node:
    return apply("eq", BOOL, CHOICE, const(place))


def asked(goal: Node, *conditions: Node, **sorts: Sort) -> Answer:
    known = {"x?": INT, "x|2<:m:J": BOOL, "x|2<:m:K": BOOL, **sorts}
    current: dict[str, object] = {name: False if sort is BOOL else 0 for name, sort in known.items()}
    return Choices().attempt(Task(Problem((*BOUNDS, *conditions), goal, current, known)))


IS_J = disjunction((chosen(1), conjunction((chosen(2), DERIVES))))
IS_K = conjunction((chosen(2), OTHER))


def test_what_exists_comes_first() -> None:
    answer = asked(IS_J)
    assert isinstance(answer, Sat)
    assert 1 == answer.model["x?"]


def test_else_a_mock_derives_from_what_is_asked_for() -> None:
    answer = asked(IS_K, IS_J)
    assert isinstance(answer, Sat)
    assert (2, True, True) == tuple(answer.model[name] for name in ("x?", "x|2<:m:J", "x|2<:m:K"))


def test_what_was_refused_stays_so() -> None:
    answer = asked(IS_K, negate(IS_J))
    assert isinstance(answer, Sat)
    assert (2, False, True) == tuple(answer.model[name] for name in ("x?", "x|2<:m:J", "x|2<:m:K"))


def test_what_does_not_go_together_is_unsatisfiable() -> None:
    conflict = negate(conjunction((DERIVES, OTHER)))
    assert Unsat() == asked(IS_K, negate(chosen(1)), IS_J, conflict)


def test_other_values_are_for_other_stages() -> None:
    free = var("n", INT)
    assert isinstance(asked(apply("gt", BOOL, free, const(3)), n=INT), Unknown)
    text = apply("eq", BOOL, var("s", Sort.STR), const("a"))
    assert isinstance(asked(text, s=Sort.STR), Unknown)


def test_a_number_with_wide_bounds_is_for_other_stages() -> None:
    number = var("n", INT)
    bounds = (apply("ge", BOOL, number, const(0)), apply("lt", BOOL, number, const(1 << 128)))
    assert isinstance(asked(apply("gt", BOOL, number, const(3)), *bounds, n=INT), Unknown)
