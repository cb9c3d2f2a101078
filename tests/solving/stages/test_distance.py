"""How far values are from making conditions true."""

from __future__ import annotations

from runtime.expr import FALSE, Node, Sort, apply, const, var
from runtime.meanings.arithmetic import OPERATORS
from tracetwin.solving.program import Program
from tracetwin.solving.stages.distance import Distance

X = var("x", Sort.INT)


def is_(op: str, *args: Node) -> Node:
    return apply(op, Sort.BOOL, *args)


def test_only_conditions_that_fail_are_far() -> None:
    program = Program([is_("gt", X, const(3)), is_("lt", X, const(9))])
    distance = Distance(program)
    assert distance.total({"x": 5}) == 0.0
    assert program.failing() == []
    assert distance.total({"x": 11}) > distance.total({"x": 10}) > 0.0
    assert program.failing() == [is_("lt", X, const(9))]


def test_what_conditions_share_is_measured_once() -> None:
    node = is_("gt", X, const(3))
    for number in range(50):  # without memory, 2 to the power of 50 paths lead to the first condition
        low = is_("eq", X, const(-number - 1))
        node = is_("and", is_("or", node, low), is_("or", node, is_("eq", X, FALSE)))
    assert 0.0 < Distance(Program([node])).total({"x": 0}) <= 1.0


def test_whether_a_power_fits_into_a_float_is_said_without_computing_it() -> None:
    fits = OPERATORS["pow_fits"]
    assert not fits(10, 10**12)
    assert (fits(10, -3), fits(0, -1), fits(10.0, 400), fits(2, 1023)) == (True, False, False, True)
