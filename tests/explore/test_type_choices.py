"""Conditions on the class of a value leave open the choice that decided it, and prove nothing."""

from __future__ import annotations

import pytest

from runtime.expr import Sort, apply, const, var
from runtime.trace import Kind
from tests.explore.support import assert_paths, explore
from tracetwin.explore.loop.questions import chooses, kinds_asked
from tracetwin.explore.loop.run import PathStep, Request, Run
from tracetwin.explore.loop.tree import Flip
from tracetwin.model.status import Status

MANY = """
class A:
    def __init__(self, n: int = 0) -> None:
        self.n = n
class B(A): pass
class D(A): pass
class E: pass

def deep(a: A | E | None, b: A | E | None, c: A | E | None, d: A | E | None, e: A | E | None = None) -> str:
    if isinstance(a, B):
        if isinstance(b, E):
            if c is None:
                if type(d) is D:
                    if e is not None and isinstance(e, (B, D)):
                        if a.n == 7 and e.n == 33:
                            return "all"
                        return "nearly"
                    return "four"
                return "three"
            return "two"
        return "one"
    return "none"
"""


@pytest.mark.slow
def test_of_a_thousand_combinations_the_right_ones_are_solved_for() -> None:
    assert_paths(MANY, "deep", "none", "one", "two", "three", "four", "nearly", "all", runs=120)


@pytest.mark.slow
def test_parts_of_a_subject_are_chosen_for_its_pattern() -> None:
    source = """
from dataclasses import dataclass

class Node: pass
@dataclass
class Leaf(Node):
    n: int
@dataclass
class Pair(Node):
    left: Node
    right: Node

def f(e: Node) -> str:
    match e:
        case Pair(Pair(Leaf(), Pair()), Leaf(7)):
            return "deep"
        case Pair(Leaf(), Leaf()):
            return "leaves"
    return "other"
"""
    assert_paths(source, "f", "deep", "leaves", "other", runs=250)


def test_a_class_that_no_alternative_has_is_not_proved_infeasible() -> None:
    source = """
class A: pass
class B(A): pass

def f(x: int | str | float) -> str:
    if isinstance(x, int):
        if isinstance(x, (int, A)):
            return "int"
        return "never"
    return "other"
"""
    found = explore(source, "f", runs=60)
    assert {"int", "other"} == found.endings
    assert "infeasible" not in found.reason('"never"')


def test_a_side_that_the_known_classes_refuse_is_not_proved_infeasible() -> None:
    source = """
def f(x: int | str | float) -> str:
    if isinstance(x, (int, str)):
        return "first"
    ok = isinstance(x, float)
    if not ok:
        return "never"
    return "other"
"""
    found = explore(source, "f", runs=60)
    assert {"first", "other"} == found.endings
    assert "infeasible" not in found.reason('"never"')


def step(node: object, kind: Kind, site: int = 0) -> PathStep:
    return PathStep(node, site, 1, kind)  # type: ignore[arg-type]


CHOICE, LENGTH, NUMBER = var("x?", Sort.INT), var("x#", Sort.INT), var("n", Sort.INT)
CHOSEN = apply("eq", Sort.BOOL, CHOICE, const(1))


def flip(*path: PathStep) -> Flip:
    run = Run(Request("f", (), {}), Status.RETURNED, path=path, structural=frozenset(("x?", "x#")))
    return Flip(run, len(path) - 1)


def test_only_what_says_how_a_choice_was_made_is_left_out() -> None:
    asked = flip(step(CHOSEN, Kind.INPUT), step(CHOSEN, Kind.BRANCH, 7))
    choices = kinds_asked(asked)
    assert frozenset(("x?",)) == choices
    assert chooses(step(CHOSEN, Kind.INPUT), choices)
    assert not chooses(step(CHOSEN, Kind.BRANCH, 7), choices)
    assert not chooses(step(apply("lt", Sort.BOOL, CHOICE, const(2)), Kind.ASSUME), choices)
    assert not chooses(step(apply("eq", Sort.BOOL, NUMBER, const(2)), Kind.INPUT), choices)


def test_lengths_and_other_values_are_no_kinds() -> None:
    for node in (apply("gt", Sort.BOOL, LENGTH, const(2)), apply("gt", Sort.BOOL, NUMBER, const(2))):
        assert frozenset() == kinds_asked(flip(step(node, Kind.BRANCH, 7)))
    assert frozenset() == kinds_asked(flip(step(CHOSEN, Kind.INPUT)))
