"""What is decided by constants, intervals and equalities alone, and that nothing false is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.evaluate import Undefined, evaluate
from runtime.expr import Node, Sort, apply, const, negate, var
from tracetwin.solving import Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.arithmetic.forms import Forms
from tracetwin.solving.stages.fold import Fold
from tracetwin.solving.task import Task

INT, BOOL, STR = Sort.INT, Sort.BOOL, Sort.STR
X, Y, S, B = var("x", INT), var("y", INT), var("s", STR), var("b", BOOL)
SORTS = {"x": INT, "y": INT, "s": STR, "b": BOOL}


def node(op: str, *args: object, sort: Sort = INT) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


def test(op: str, *args: object) -> Node:
    return node(op, *args, sort=BOOL)


test.__test__ = False  # type: ignore[attr-defined]


def folded(goal: Node, *path: Node, **current: object) -> Answer:
    values = {"x": 0, "y": 0, "s": "", "b": False, **current}
    return Fold().attempt(Task(Problem(path, goal, values, SORTS)))


LENGTH = node("len", S)

UNSAT = {
    "an equality earlier on the path": (test("le", node("add", X, 1), 3), [test("eq", X, 5)]),
    "a bound of a sum": (test("gt", node("sub", X, Y), 9), [test("lt", node("sub", Y, X), -3),
                                                            test("le", node("sub", X, Y), 9)]),
    "bounds of its parts": (test("gt", node("add", X, Y), 9), [test("lt", X, 4), test("lt", Y, 4)]),
    "a remainder": (test("eq", node("mod", node("add", X, Y), 7), 7), []),
    "a negative length": (test("lt", LENGTH, 0), []),
    "a length between bounds": (test("eq", LENGTH, 4), [test("ge", LENGTH, 5)]),
    "no multiple of two": (test("eq", node("add", X, X), 7), []),
    "a hole between the bounds": (test("le", X, 3), [test("ge", X, 3), test("ne", X, 3)]),
    "a text that is known": (test("str.startswith", S, "b"), [test("eq", S, "abc")]),
    "a flag that is known": (B, [negate(B)]),
    "a choice": (test("gt", node("ite", B, 1, node("mod", X, 3)), 2), []),
}  # fmt: skip


@pytest.mark.parametrize(("goal", "path"), UNSAT.values(), ids=UNSAT)
def test_what_no_value_can_meet_is_refuted(goal: Node, path: list[Node]) -> None:
    assert Unsat() == folded(goal, *path, s="abc" if path and path[-1].names == {"s"} else "")


OPEN = {
    "an equality of another variable": (test("gt", node("add", Y, LENGTH), 3), [test("eq", X, 5)]),
    "a float between ints": (test("gt", var("f", Sort.FLOAT), 0.5), [test("lt", X, 1)]),
    "a product of signs": (test("lt", node("mul", X, Y), 0), [test("ge", node("add", X, Y), 0)]),
    "floor division": (test("eq", node("floordiv", X, -2), -4), [test("gt", X, 6)]),
}


@pytest.mark.parametrize(("goal", "path"), OPEN.values(), ids=OPEN)
def test_what_may_be_met_is_not_refuted(goal: Node, path: list[Node]) -> None:
    values = {"x": 0, "y": 0, "s": "", "f": 0.0}
    sorts = {**SORTS, "f": Sort.FLOAT}
    assert isinstance(Fold().attempt(Task(Problem(path, goal, values, sorts))), Unknown)


def test_the_ends_of_an_interval_are_tried() -> None:
    answer = folded(test("ne", X, 40), test("ge", X, 40), test("lt", X, 50), x=40)
    assert isinstance(answer, Sat)
    assert answer.model["x"] in (41, 49)


def test_a_sum_stays_as_short_as_what_it_adds() -> None:
    total = X
    for step in range(2000):
        total = node("sub", node("add", total, Y), step)
    form = Forms().of(total)
    assert ((X, 1), (Y, 2000)) == form.weights
    assert -sum(range(2000)) == form.constant


def test_a_sum_of_many_variables_stays_short_too() -> None:
    variables = [var(f"v{n}", INT) for n in range(300)]
    total = variables[0]
    forms = Forms()
    for variable in variables[1:]:
        total = node("add", total, variable)
        assert len(forms.of(total).weights) <= 8
    assert len(variables) == len(total.names)


_LEAVES = st.sampled_from([X, Y, *map(const, (-7, -1, 0, 1, 2, 5))])


def _grown(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    binary = st.sampled_from(("add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor", "rshift"))
    return st.one_of(
        st.builds(node, binary, inner, inner),
        st.builds(node, st.sampled_from(("neg", "abs", "invert", "bit_length")), inner),
        st.builds(lambda a, b, c: node("ite", test("lt", a, b), b, c), inner, inner, inner),
    )


_INTS = st.recursive(_LEAVES, _grown, max_leaves=6)
_TESTS = st.builds(
    test, st.sampled_from(("eq", "ne", "lt", "le", "gt", "ge")), _INTS, _INTS
)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    path=st.lists(_TESTS, max_size=4),
    goal=_TESTS,
    values=st.fixed_dictionaries({"x": st.integers(-20, 20), "y": st.integers(-20, 20)}),
)
def test_nothing_is_refuted_that_has_a_solution(path: list[Node], goal: Node, values: dict[str, int]) -> None:
    """Whatever holds for these values is a path with a goal that they meet."""
    held = [_as_it_holds(condition, values) for condition in (*path, goal)]
    conditions = [condition for condition in held if condition is not None and condition.op != "const"]
    if not conditions:
        return
    *path, goal = conditions
    answer = Fold().attempt(Task(Problem(path, goal, values, SORTS)))
    assert answer != Unsat(), (path, goal, values)


def _as_it_holds(condition: Node, values: dict[str, int]) -> Node | None:
    try:
        return condition if evaluate(condition, values) else negate(condition)
    except Undefined:
        return None
