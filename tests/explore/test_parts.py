"""The parts of the search: tree, frontier, budgets, simplification, determinism."""

from __future__ import annotations

import itertools
import math
import time

import pytest

from runtime.expr import Node, Sort, apply, const, negate, var
from runtime.trace import Kind
from tests.explore.support import Explored, explore
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.frontier import Frontier
from tracetwin.explore.loop.run import PathStep, Request, Run
from tracetwin.explore.loop.simplify import simplified
from tracetwin.explore.loop.tree import ConstraintTree
from tracetwin.model.status import Status

X = var("x", Sort.INT)


def above(limit: int) -> Node:
    return apply("gt", Sort.BOOL, X, const(limit))


def step(node: Node, site: int = 1, outcome: int = 1, kind: Kind = Kind.BRANCH) -> PathStep:
    return PathStep(node, site, outcome, int(kind))


def run_of(*steps: PathStep) -> Run:
    return Run(Request("f", (), {}), Status.RETURNED, path=steps)


def test_a_new_path_opens_the_other_side_of_each_condition() -> None:
    opened = ConstraintTree().insert(run_of(step(above(1)), step(above(2), site=2)))
    assert [(1, 0), (2, 0)] == [flip.goal for flip in opened]


def test_a_known_path_opens_nothing() -> None:
    tree = ConstraintTree()
    tree.insert(run_of(step(above(1)), step(above(2), site=2)))
    assert [] == tree.insert(run_of(step(above(1)), step(above(2), site=2)))
    assert [] == tree.insert(run_of(step(above(1)), step(negate(above(2)), site=2, outcome=0)))


def test_a_side_that_was_run_is_not_opened_again() -> None:
    tree = ConstraintTree()
    tree.insert(run_of(step(above(1))))
    opened = tree.insert(run_of(step(negate(above(1)), outcome=0), step(above(-5), site=3)))
    assert [(3, 0)] == [flip.goal for flip in opened]


def test_the_same_condition_behind_another_prefix_is_open() -> None:
    tree = ConstraintTree()
    tree.insert(run_of(step(above(1)), step(above(9), site=2)))
    opened = tree.insert(run_of(step(negate(above(1)), outcome=0), step(above(9), site=2)))
    assert [(2, 0)] == [flip.goal for flip in opened]


def test_assumptions_are_never_opened() -> None:
    assert [] == ConstraintTree().insert(run_of(step(above(1), site=0, kind=Kind.ASSUME)))


def frontier_of(covered: set[int], *steps: PathStep, alternatives: bool = False) -> Frontier:
    frontier = Frontier(covered, alternatives=alternatives)
    for flip in ConstraintTree().insert(run_of(*steps)):
        frontier.add(flip)
    return frontier


def order(frontier: Frontier) -> list[tuple[int, int]]:
    goals = []
    while (chosen := frontier.pop()) is not None:
        goals.append(chosen[1].goal)
    return goals


def test_what_else_an_argument_could_be_is_tried_beside_the_sides_of_conditions() -> None:
    """But not what a part of one could be; so handlers of errors are reached, which have no condition."""
    names = [apply("eq", Sort.BOOL, var(name, Sort.INT), const(0)) for name in ("p?", "p.q?")]
    sides = [step(above(number), site=number) for number in range(1, 6)]
    steps = [*(step(node, 0, 0, Kind.INPUT) for node in names), *sides]
    found = sorted(order(frontier_of(set(), *steps, alternatives=True))[:4])
    assert [(0, 1), *((number, 0) for number in (1, 2, 3))] == found
    assert all(site for site, _ in order(frontier_of(set(), *steps))[:4])


def test_uncovered_sides_come_first() -> None:
    frontier = frontier_of({1 * 2}, step(above(1), site=1), step(above(2), site=2))
    assert [(2, 0), (1, 0)] == order(frontier)


def test_explicit_sides_come_before_checks_and_these_before_given_up_pins() -> None:
    frontier = frontier_of(
        set(),
        step(above(1), site=-7, kind=Kind.PIN),
        step(above(2), site=-8, kind=Kind.CHECK),
        step(above(3), site=5),
    )
    assert [(5, 0), (-8, 0), (-7, 0)] == order(frontier)


def test_a_loop_does_not_starve_the_others() -> None:
    loop = [step(above(i), site=1) for i in range(30)]
    frontier = frontier_of(set(), *loop, step(above(99), site=2))
    assert (2, 0) in order(frontier)[:2]


def test_the_shallowest_of_a_side_comes_first() -> None:
    frontier = frontier_of(set(), step(above(1)), step(above(2)), step(above(3)))
    assert 3 == len(frontier)
    first = frontier.pop()
    assert first is not None
    assert 0 == first[1].index
    assert 2 == len(frontier)
    assert {(1, 0)} == frontier.pending_goals()


def test_a_part_of_a_budget_spends_the_whole() -> None:
    whole = Budget(3, time.monotonic() + 60)
    part = whole.part(2)
    part.take()
    part.take()
    assert part.spent()
    assert not whole.spent()
    whole.take()
    assert whole.spent()
    assert Budget(None, time.monotonic() - 1).spent()
    assert whole.part(None).spent()


SOURCE = """
def f(words: list[str], k: int) -> str:
    for word in words:
        if word == "stop":
            return "stopped"
        if len(word) > k:
            return "long"
    if k * 7 == 7007:
        return "magic"
    return "fine"
"""


@pytest.mark.parametrize("most", [1, 2, 3, 10, 50])
def test_a_budget_of_runs_is_never_exceeded(most: int) -> None:
    found = explore(SOURCE, "f", runs=most)
    assert len(found.runs) <= most
    assert found.outcome.statistics.runs == len(found.runs)


def test_several_rounds_have_a_budget_each() -> None:
    assert len(explore(SOURCE, "f", runs=5, rounds=3).runs) <= 15


def _inputs(found: Explored) -> list[str]:
    return [repr(sorted(run.values.items())) for run in found.runs]


@pytest.mark.parametrize("seed", [0, 5])
def test_the_same_seed_gives_the_same_runs(seed: int) -> None:
    one, other = explore(SOURCE, "f", seed=seed, runs=120), explore(SOURCE, "f", seed=seed, runs=120)
    assert _inputs(one) == _inputs(other)
    assert [c.last.args for c in one.outcome.cases] == [c.last.args for c in other.outcome.cases]


def test_other_targets_explored_before_change_nothing() -> None:
    alone = _inputs(explore(SOURCE, "f", runs=80))
    explore("def g(x: int, y: str) -> bool:\n    return x > 3 and y == 'no'\n", "g", runs=40)
    assert alone == _inputs(explore(SOURCE, "f", runs=80))


def simplify(value: object, keep: object) -> object:
    """The value that is left of `value` when `keep` says what must stay."""
    assert callable(keep)

    def execute(assignment: dict[str, object]) -> Run:
        status = Status.RETURNED if keep(assignment["x"]) else Status.RAISED
        from runtime.expr import sort_of

        variables = {"x": (sort_of(assignment["x"]), assignment["x"])}
        return Run(Request("f", (), assignment), status, variables=variables)

    return simplified(execute({"x": value}), execute).values["x"]


@pytest.mark.parametrize(
    ("value", "keep", "simple"),
    [
        (987654, lambda v: True, 0),
        (987654, lambda v: v > 0, 1),
        (-987654, lambda v: v < 0, -1),
        (True, lambda v: True, False),
        (12345.678, lambda v: True, 0.0),
        (12345.678, lambda v: v > 0.5, 1.0),
        ("kqzx", lambda v: True, ""),
        ("kqzx", lambda v: v, "a"),
        ("kq:zx", lambda v: ":" in v, ":"),
        (b"kqzx", lambda v: True, b""),
    ],
    ids=itertools.count(),
)
def test_inputs_become_simple(value: object, keep: object, simple: object) -> None:
    assert (type(simple), simple) == (type(simplify(value, keep)), simplify(value, keep))


def test_not_a_number_stays() -> None:
    left = simplify(math.nan, math.isnan)
    assert isinstance(left, float)
    assert math.isnan(left)


def test_no_run_is_made_once_the_budget_is_spent() -> None:
    base = Run(Request("f", (), {}), Status.RETURNED, variables={"x": (Sort.INT, 5)})
    assert base is simplified(base, lambda assignment: None)
