"""Choices of an input are combined without running one combination twice."""

from __future__ import annotations

from dataclasses import replace

from runtime.expr import Sort, apply, const, var
from runtime.trace import Kind
from tests.explore.support import assert_paths, explore
from tracetwin.explore.loop.paths import Otherwise, Shapes, causes, chosen_for, chosen_otherwise, shape_of
from tracetwin.explore.loop.run import PathStep, Request, Run
from tracetwin.model.status import Status


def run_with(values: dict[str, object], structural: set[str]) -> Run:
    variables = {name: (Sort.INT, value) for name, value in values.items()}
    return Run(
        Request("f", (), values), Status.RETURNED, variables=variables, structural=frozenset(structural)
    )


def test_a_shape_is_what_was_chosen_otherwise_than_at_first() -> None:
    run = run_with({"a?": 1, "b?": 0, "a|1": 7}, {"a?", "b?"})
    assert shape_of(run, {"a?": 1, "b?": 0, "a|1": 7}) == {("a?", 1)}


def test_what_hangs_on_a_choice_goes_with_it() -> None:
    run = run_with({"x~0": 1, "x~0.add.item?": 2, "y@": 1}, {"x~0", "x~0.add.item?", "y@"})
    changed = {"x~0": 2, "x~0.add.item?": 2, "y@": 1}
    assert shape_of(run, changed, "x~0") == {("x~0", 2), ("y@", 1)}


def test_what_prepares_an_object_goes_when_another_takes_its_place() -> None:
    run = run_with({"x@": 0, "x~0": 1, "xy?": 1}, {"x@", "x~0", "xy?"})
    assert shape_of(run, {"x@": 2, "x~0": 1, "xy?": 1}, "x@") == {("x@", 2), ("xy?", 1)}


BANK = """
class Account:
    def __init__(self) -> None:
        self.balance = 0
    def deposit(self, amount: int) -> None:
        if amount <= 0:
            raise ValueError("amount")
        self.balance += amount
class Bank:
    def __init__(self) -> None:
        self._accounts: list[Account] = []
    def open(self, account: Account) -> None:
        self._accounts.append(account)
    def move(self, source: Account, target: Account, amount: int) -> str:
        if source is target:
            return "same"
        if source not in self._accounts or target not in self._accounts:
            return "unknown"
        source.balance -= amount
        target.deposit(amount)
        return "moved"
"""


def test_two_different_arguments_that_exist_already_are_found_together() -> None:
    assert_paths(BANK, "Bank.move", "same", "unknown", "moved", ValueError)


STORE = """
class Store:
    def __init__(self) -> None:
        self.level = 0
    def touch(self) -> None:
        self.other = 1
    def put(self, value: int) -> None:
        setattr(self, "_".join(["lev", "el"]).replace("_", ""), value)
    def state(self) -> str:
        return "high" if self.level > 700 else "low"
"""


def test_a_write_that_only_a_run_shows_leads_to_the_state_that_it_makes() -> None:
    assert_paths(STORE, "Store.state", "high", "low")


SHARED = """
from typing import Protocol
class Observer(Protocol):
    def changed(self, new: int) -> None: ...
def pair(first: Observer, second: Observer) -> str:
    return "same" if first is second else "two"
"""


def test_one_mock_may_be_passed_twice() -> None:
    assert len(explore(SHARED, "pair").outcome.covered) == 2


def test_a_choice_behind_a_new_side_is_taken_though_its_shape_is_known() -> None:
    decided = apply("lt", Sort.BOOL, var("x!", Sort.INT), const(2))
    path = (PathStep(decided, 0, 1, Kind.ASSUME),)
    run = replace(run_with({"x!": 0}, {"x!"}), path=path, marks={8: 0, 6: 1})
    known: Shapes = {frozenset(), frozenset({("x!", 1)})}
    assert list(chosen_otherwise(run, 0, {8}, known)) == [{"x!": 1}]
    assert list(chosen_otherwise(run, 0, {6}, known)) == []


MANY_WORDS = """
def f(number: int, word: str) -> str:
    if word in ("red", "green", "blue", "white", "black", "grey"):
        return "colour"
    return "solved" if number * 3 == 2_961 else "other"
"""


def test_questions_take_turns_with_the_constants_of_the_code() -> None:
    assert {"solved", "colour"} <= explore(MANY_WORDS, "f", runs=6).endings


def test_inputs_that_choose_otherwise_wait_their_turn() -> None:
    waiting = Otherwise()
    waiting.extend([{"x": 1}, {"x": 2}])
    assert ({"x": 1}, 1) == (waiting.pop(), len(waiting))


SPAN = """
import datetime

def span(start=None, end=None, years=0, months=0, days=0, hours=0, minutes=0, year=None, month=None, day=None,
         hour=None, minute=None, second=None):
    if start and end:
        if not (isinstance(start, datetime.date) and isinstance(end, datetime.date)):
            return "no dates"
        return "between"
    return int(years)
"""


def test_choices_that_come_to_a_missed_condition_are_made_otherwise_before_all_others() -> None:
    assert_paths(SPAN, "span", "between", runs=8)


def test_how_a_library_builds_what_is_passed_waits_until_choices_were_made() -> None:
    source = SPAN.replace("return int(years)", 'return "late" if day == 31 else int(years)')
    assert_paths(source, "span", "between", "late", runs=60)


def test_the_choices_from_which_a_missed_condition_is_reached_first_are_its_causes() -> None:
    near, far, other = (
        PathStep(apply("eq", Sort.BOOL, var(name, Sort.INT), const(0)), 0, 1, Kind.INPUT)
        for name in ("near?", "x.far?", "other?")
    )
    run = replace(run_with({}, set()), path=(other, far, near), marks={14: 3})
    wanted = {15}
    assert chosen_for(run, wanted, lambda site: {"near": 0, "far": 1} if site == 7 else {}) == {1: 15, 2: 15}
    assert chosen_for(run, wanted, lambda site: {"near": 0, "far": 4}) == {2: 15}
    assert chosen_for(run, {17}, lambda site: {"near": 0}) == {}


def test_a_key_that_is_there_or_not_is_chosen_for_its_name() -> None:
    names = {"box?": 0, "box.options.dots?in": 1, "box.options.frozen?in": 0}
    path = [
        PathStep(apply("eq", Sort.BOOL, var(name, Sort.INT), const(value)), 0, 1, Kind.INPUT)
        for name, value in names.items()
    ]
    run = replace(run_with(dict(names), set(names)), path=tuple(path), marks={7 * 2: 3})
    assert chosen_for(run, {7 * 2 + 1}, lambda site: {"options": 0, "frozen": 0}) == {2: 15}


def test_a_condition_that_was_decided_before_is_turned_round_where_that_was() -> None:
    decided = PathStep(apply("gt", Sort.BOOL, var("size", Sort.INT), const(10)), 3, 0, Kind.BRANCH)
    run = replace(run_with({"size": 1}, set()), path=(decided,), entailed={7 * 2: 0})
    assert causes(run, {7 * 2 + 1}, lambda site: {}) == {0: 7 * 2 + 1}
    assert causes(run, {5}, lambda site: {}) == {}


def test_a_condition_on_what_the_constructor_asked_already_is_met_both_ways() -> None:
    source = """
class Box:
    def __init__(self, **options: bool) -> None:
        self.options = options
        if options.get("frozen"):
            self.frozen = 1
    def put(self, n: int) -> str:
        if self.options.get("frozen"):
            return "frozen"
        return "put"
"""
    assert_paths(source, "Box.put", "frozen", "put", runs=60)
