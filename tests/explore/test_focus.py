"""Calls on objects in many states: which states get their turn, and when calls make more of them."""

from __future__ import annotations

import math

from tests.explore.support import assert_paths
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.objects.focus import Yields

SHELF = """
class Shelf:
    def __init__(self, kind: int) -> None:
        self.mode = ""
        for number in range(14):
            if kind == number * 7:
                self.mode = f"mode {number}"
        self.items: dict[str, str | None] = {}
    def put(self, name: str, under: str | None = None) -> None:
        if under is not None and under not in self.items:
            raise KeyError(under)
        self.items[name] = under
    def place(self, name: str) -> str:
        if self.mode == "mode 99":
            return "never"
        if name not in self.items:
            return "nowhere"
        if self.items[name] is None:
            return "top"
        return "below"
"""


def test_a_call_that_fills_an_object_comes_before_all_ways_of_making_an_empty_one_were_tried() -> None:
    assert_paths(SHELF, "Shelf.place", "nowhere", "top", runs=90)


def test_two_calls_of_which_the_second_takes_what_the_first_gave() -> None:
    assert_paths(SHELF, "Shelf.place", "top", "below", runs=200)


def test_a_call_that_made_new_states_promises_more_than_one_that_did_not() -> None:
    yields = Yields()
    yields.note("fill", 20, 4)
    yields.note("look", 20, 0)
    assert yields.of("fill") > yields.of("untried") > yields.of("look")


def test_an_attribute_that_is_assigned_from_outside_promises_less_than_a_call_that_does_the_same() -> None:
    yields = Yields()
    yields.note("color=", 4, 2)
    yields.note("paint", 4, 2)
    assert yields.of("paint") > yields.of("color=")


def test_a_share_of_counted_executions_is_counted_as_well() -> None:
    whole = Budget(20, math.inf)
    part = whole.hurried(0.25, 0)
    for _ in range(5):
        assert not part.spent()
        part.take()
    assert part.spent()
    assert not whole.spent()
    assert whole.runs == 15


def test_a_share_of_few_executions_has_the_least_that_it_is_to_have() -> None:
    assert Budget(10, math.inf).hurried(0.25, 8).runs == 8
    assert Budget(None, math.inf).hurried(0.25, 8).runs is None
