"""Constraint trees are drawn in words: limits of inputs are left out, kinds are named by what was seen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from runtime.expr import Node, Sort, apply, const_int, negate, var
from tracetwin.explore.loop.growth import ROOT, Growth, GrowthNode
from tracetwin.explore.objects.drawn_tree import drawn
from tracetwin.model.tree import EVENTS, NodeState

if TYPE_CHECKING:
    from tracetwin.explore.loop.run import Run
    from tracetwin.explore.loop.tree import Flip

KIND = var("x?", Sort.INT)


def compared(op: str, left: Node, right: int) -> Node:
    return apply(op, Sort.BOOL, left, const_int(right))


def grown() -> Growth:
    """Return the tree of three runs: x was a str, an int, and of a kind of which nothing is known."""
    growth = Growth()
    first, other = compared("eq", KIND, 0), compared("eq", KIND, 2)
    growth.nodes = [
        GrowthNode(ROOT, compared("ge", KIND, 0), 0, 1, can_turn=False),
        GrowthNode(0, compared("lt", KIND, 3), 0, 1, can_turn=False),
        GrowthNode(1, first, 0, 1, NodeState.RUN, {"x?": 0, "x": "a", "n": 1}, "returned"),
        GrowthNode(1, negate(first), 0, 2),
        GrowthNode(3, compared("eq", KIND, 1), 0, 2, NodeState.RUN, {"x?": 1, "x|1": 7}),
        GrowthNode(3, other, 0, 3, NodeState.RUN, {"x?": 2}),
        GrowthNode(5, compared("gt", var("n", Sort.INT), 4), 8, 3, can_turn=False),
    ]
    return growth


def test_limits_of_inputs_are_no_conditions() -> None:
    nodes = drawn(grown(), [], 500, complete=True).nodes
    assert [node.parent for node in nodes] == [-1, -1, 1, 1, 3]
    assert nodes[-1].text == "n > 4", "a precondition is shown"


def test_alternatives_are_named_by_the_values_that_were_seen() -> None:
    nodes = drawn(grown(), [], 500, complete=True).nodes
    texts = ["x is a str", "not x is a str", "x is an int", "x is of kind 2"]
    assert [node.text for node in nodes[:4]] == texts
    assert nodes[0].values == (("x", "'a'"), ("n", "1"))
    assert nodes[3].values == (("x", "of kind 2"),)


def test_alternatives_are_named_as_they_were_told() -> None:
    growth = grown()
    growth.kinds = {"x?": ("", "is True", "is None")}
    nodes = drawn(growth, [], 500, complete=True).nodes
    assert [node.text for node in nodes[:4]] == ["x is a str", "not x is a str", "x is True", "x is None"]
    assert nodes[3].values == (("x", "None"),)


def test_a_side_that_waits_hangs_below_what_is_shown() -> None:
    nodes = drawn(grown(), [], 500, complete=False).nodes
    waiting = [(node.parent, node.text) for node in nodes if node.state is NodeState.PENDING]
    assert (1, "not x is an int") in waiting
    assert all(parent < len(nodes) for parent, _ in waiting)


def test_events_are_told_with_what_became_of_them() -> None:
    growth, run = Growth(), cast("Run", SimpleNamespace(path=[], kinds={}))
    step = SimpleNamespace(node=compared("eq", KIND, 1), site=4)
    flip = cast("Flip", SimpleNamespace(run=run, index=0, step=step))
    growth.note(run)
    growth.note(run)
    growth.followed(kept=True, again=False)
    growth.note(run)
    growth.followed(kept=False, again=True)
    growth.refused(flip, proved=False, again=False)
    growth.refused(flip, proved=True, again=True)
    tree = drawn(growth, [], 500, complete=True)
    assert tree.events == "rsDuP"
    assert set(tree.events.lower()) == set(EVENTS)
    assert [(node.order, node.state) for node in tree.nodes] == [(4, NodeState.INFEASIBLE)]
