"""Members of tables: each gets an input, once all that is wanted had its turns."""

from __future__ import annotations

from runtime.expr import Node, Sort, apply, const, var
from runtime.trace import MEMBERS, Kind
from tracetwin.explore.loop.frontier import Frontier
from tracetwin.explore.loop.run import PathStep, Request, Run
from tracetwin.explore.loop.tree import ConstraintTree
from tracetwin.model.status import Status
from tracetwin.worker.library.modules import BEYOND

X = var("x", Sort.INT)


def equals(value: int) -> Node:
    return apply("eq", Sort.BOOL, X, const(value))


def member(value: int) -> PathStep:
    return PathStep(equals(value), MEMBERS[value], 0, Kind.HINT)


def branch(site: int) -> PathStep:
    return PathStep(equals(100 + site), site, 0, Kind.BRANCH)


def run(*path: PathStep) -> Run:
    return Run(Request("f", (), {"x": 0}), Status.RETURNED, path=path, stages=(0,))


def popped(run: Run, covered: set[int]) -> list[int]:
    frontier = Frontier(covered)
    for flip in ConstraintTree().insert(run):
        frontier.add(flip)
    sites = []
    while found := frontier.pop():
        sites.append(found[1].goal[0])
    return sites


def test_they_come_after_all_other_sides() -> None:
    path = member(1), member(2), branch(3), branch(4)
    assert popped(run(*path), {3 * 2, 3 * 2 + 1}) == [4, 3, MEMBERS[1], MEMBERS[2]]


def test_they_make_nothing_deeper() -> None:
    found = run(member(1), branch(3), member(2), branch(4))
    assert found.depths == [0, 0, 1, 1, 2]
    assert [flip.depth for flip in ConstraintTree().insert(found)] == [0, 0, 1, 1]


def test_what_a_library_decides_counts_as_it_did() -> None:
    step = PathStep(equals(5), BEYOND - 7, 0, Kind.BRANCH)
    found = run(step, branch(3), PathStep(equals(6), BEYOND - 8, 0, Kind.HINT))
    assert found.depths == [0, 1, 2, 3]


def test_which_one_it_was_is_no_decision_that_a_test_shows() -> None:
    step = PathStep(equals(5), -7, 1, Kind.HINT)
    found = run(member(1), step)
    assert found.decisions == {(MEMBERS[1], 0), (-7, 1)}
    assert found.shown_decisions == {(-7, 1)}
