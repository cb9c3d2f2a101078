"""Small ints tried one after the other: what is found, what is a proof, and that it ends."""

from __future__ import annotations

from runtime.expr import Node, Sort, apply, const, var
from tracetwin.solving.answers import Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.stages.sweep import Sweep
from tracetwin.solving.task import Task

INT, BOOL = Sort.INT, Sort.BOOL
X, Y, Z = var("x", INT), var("y", INT), var("z", INT)


def node(op: str, *args: object, sort: Sort = INT) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


def is_(op: str, *args: object) -> Node:
    return node(op, *args, sort=BOOL)


def sweep(goal: Node, current: dict[str, object], *conditions: Node) -> Answer:
    return Sweep("sweep", 1000).attempt(Task(Problem(conditions, goal, current, dict.fromkeys(current, INT))))


def test_a_power_with_a_modulus_is_inverted() -> None:
    answer = sweep(is_("eq", node("pow", X, 13, 101), 42), {"x": 10})
    assert isinstance(answer, Sat)
    assert pow(answer.model["x"], 13, 101) == 42  # type: ignore[call-overload]


def test_two_ints_are_varied_together() -> None:
    both = is_("eq", node("add", node("mul", X, X), node("mod", node("mul", Y, 7), 23)), 143)
    assert isinstance(sweep(both, {"x": 0, "y": 0}), Sat)


def test_few_values_that_all_fail_are_a_proof() -> None:
    bounds = (is_("ge", X, 0), is_("lt", X, 500))
    assert sweep(is_("eq", node("mod", node("mul", X, X), 7), 3), {"x": 1}, *bounds) == Unsat()


def test_values_without_a_meaning_prove_nothing() -> None:
    bounds = (is_("ge", X, 0), is_("lt", X, 5))
    assert isinstance(sweep(is_("eq", node("floordiv", 7, X), 100), {"x": 1}, *bounds), Unknown)


def test_bounds_far_from_the_current_values_are_reached_at_once() -> None:
    assert isinstance(sweep(is_("gt", node("mod", X, 9), 7), {"x": 0}, is_("gt", X, 10**30)), Sat)


def test_bounds_that_leave_nothing_end_the_sweep() -> None:
    nothing = (is_("gt", X, 5), is_("lt", X, 5), is_("gt", Y, 3))
    assert isinstance(sweep(is_("eq", node("mul", X, Y), 77), {"x": 1, "y": 2}, *nothing), Unknown)


def test_few_pairs_that_all_fail_are_a_proof() -> None:
    bounds = (is_("ge", X, 0), is_("lt", X, 20), is_("ge", Y, 0), is_("lt", Y, 20))
    squares = node("add", node("mul", X, X), node("mul", Y, Y))
    assert sweep(is_("eq", node("mod", squares, 4), 3), {"x": 1, "y": 1}, *bounds) == Unsat()


def test_narrow_bounds_beside_a_wide_one_do_not_make_it_slow() -> None:
    bounds = [is_("ge", v, 1) for v in (X, Y, Z)] + [is_("le", X, 10**6), is_("le", Y, 12), is_("le", Z, 31)]
    total = node("add", node("mod", node("mul", X, X), 101), node("add", Y, Z))
    assert isinstance(sweep(is_("eq", total, 1000), {"x": 5, "y": 1, "z": 1}, *bounds), Unknown)
