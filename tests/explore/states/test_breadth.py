from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.explore.support import InProcess, _Here, twin_module
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.states.breadth import Breadth, IterationRow, Settings
from tracetwin.run.studies.explore import graph_data
from tracetwin.solving import build_chain

TREE = """
class Node:
    def __init__(self, value: int):
        self.value, self.left, self.right = value, None, None

class Tree:
    def __init__(self):
        self.root = None

    def insert(self, value: int) -> None:
        if self.root is None:
            self.root = Node(value)
            return
        node = self.root
        while True:
            if value < node.value:
                if node.left is None:
                    node.left = Node(value)
                    return
                node = node.left
            elif value > node.value:
                if node.right is None:
                    node.right = Node(value)
                    return
                node = node.right
            else:
                return

    def contains(self, value: int) -> bool:
        node = self.root
        while node is not None and node.value != value:
            node = node.left if value < node.value else node.right
        return node is not None
"""


@contextmanager
def explorer(source: str, target: str, words: str, **settings: Any) -> Iterator[Breadth]:
    with twin_module(textwrap.dedent(source)) as (module, _):
        executor = InProcess(_Here(module, 2.0))
        yield Breadth(executor, build_chain(), target, Settings(words.split(), **settings))


def rows(
    source: str, target: str, words: str, depth: int, *, runs: int | None = None, **settings: Any
) -> list[IterationRow]:
    with explorer(source, target, words, **settings) as breadth:
        return list(breadth.explore(depth, Budget(runs, time.monotonic() + 60)))


def new(*arguments: Any, **options: Any) -> list[int]:
    return [row.new for row in rows(*arguments, **options)]


def test_search_trees_are_counted_by_catalan():
    assert [1, 1, 2, 5, 14, 42] == new(TREE, "Tree.insert", "insert", 5)


def test_observers_find_no_new_states():
    assert [1, 1, 2, 5] == new(TREE, "Tree.insert", "insert contains", 3)


def test_order_takes_no_solver():
    found = rows(TREE, "Tree.insert", "insert contains", 4)
    assert 0 == sum(row.solved for row in found)
    assert all(row.complete for row in found)


def test_every_path_is_run_once():
    with explorer(TREE, "Tree.insert", "insert") as breadth:
        found = list(breadth.explore(4, Budget(None, time.monotonic() + 60)))
    # A tree of n nodes has n + 1 places for another, and n values that it holds.
    assert [1, 1, 3, 2 * 5, 5 * 7] == [row.runs for row in found]
    assert 0 == breadth.expander.spent.diverged


def test_concrete_states_are_more():
    assert [1, 1, 2, 6] == new(TREE, "Tree.insert", "insert", 3, concrete=True)


def test_without_subsumption_every_condition_is_a_state():
    source = """
    class Box:
        def __init__(self):
            self.value = 0
        def wide(self, value: int):
            if value < 5:
                self.value = value
        def narrow(self, value: int):
            if value < 3:
                self.value = value
    """
    assert [1, 1] == new(source, "Box.wide", "wide narrow", 1)
    assert [1, 2] == new(source, "Box.wide", "wide narrow", 1, subsumption=False)


def test_attributes_that_do_not_matter_tell_no_states_apart():
    source = """
    class Door:
        def __init__(self):
            self.open, self.uses = False, 0
        def use(self):
            self.open, self.uses = not self.open, self.uses + 1
    """
    assert [1, 1, 1, 1] == new(source, "Door.use", "use", 3)
    assert [1, 1, 0] == new(source, "Door.use", "use", 3, relevant=frozenset(["open"]))


def test_an_account_is_a_sum():
    source = """
    class Account:
        def __init__(self):
            self.balance = 0
        def pay_in(self, amount: int):
            if amount <= 0:
                raise ValueError(amount)
            self.balance += amount
        def pay_out(self, amount: int):
            if 0 < amount <= self.balance:
                self.balance -= amount
    """
    # 0; any positive balance; any balance that is not negative: which the other two were part of
    assert [1, 1, 1, 0] == new(source, "Account.pay_in", "pay_in pay_out", 4)


def test_a_constructor_has_paths_too():
    source = """
    class Buffer:
        def __init__(self, size: int):
            if size < 0:
                raise ValueError(size)
            self.size = size
            self.kind = "small" if size < 10 else "large"
        def grow(self):
            self.size += 1
    """
    assert [2, 1, 1] == new(source, "Buffer.grow", "grow", 2)
    assert [1, 1, 1] == new(source, "Buffer.grow", "grow", 2, default_receiver=True)


def test_what_the_constructor_was_given_is_held():
    source = """
    class Bounded:
        def __init__(self, limit: int = 2):
            self.limit = limit
            self.count = 0
        def add(self):
            if self.count < self.limit:
                self.count += 1
    """
    assert [1, 1, 1, 0] == new(source, "Bounded.add", "add", 5, default_receiver=True)
    assert 5 < len(new(source, "Bounded.add", "add", 5))


def test_strings_and_dicts():
    source = """
    class Store:
        def __init__(self):
            self.items = {}
        def put(self, key: str, value: int):
            self.items[key] = value
    """
    assert [1, 1, 1] == new(source, "Store.put", "put", 2)


def test_exceptions_end_no_exploration():
    source = """
    class Stack:
        def __init__(self):
            self.items = []
        def push(self, item: int):
            self.items.append(item)
        def pop(self):
            return self.items.pop()
    """
    with explorer(source, "Stack.pop", "push pop") as breadth:
        found = [row.new for row in breadth.explore(3, Budget(None, time.monotonic() + 60))]
    assert [1, 1, 1, 1] == found
    assert 1 == breadth.endings["raised IndexError"]


def test_the_most_states_end_it():
    with explorer(TREE, "Tree.insert", "insert", most_states=7) as breadth:
        found = list(breadth.explore(5, Budget(None, time.monotonic() + 60)))
    assert 7 == found[-1].states
    assert breadth.stopped
    assert not found[-1].complete


def test_the_budget_ends_it():
    with explorer(TREE, "Tree.insert", "insert") as breadth:
        found = list(breadth.explore(5, Budget(10, time.monotonic() + 60)))
    assert 10 == sum(row.runs for row in found)
    assert breadth.stopped


def test_the_most_paths_make_it_incomplete():
    found = rows(TREE, "Tree.insert", "insert", 2, most_paths=2)
    assert [True, True, False] == [row.complete for row in found]


def test_numbers_that_code_needs_as_they_are_are_not_all_tried():
    source = """
    class Table:
        def __init__(self, size: int):
            self.cells = [0] * size
        def get(self, place: int):
            return self.cells
    """
    found = rows(source, "Table.get", "get", 1)
    assert 1 < found[0].new < 40
    assert not found[0].complete


def test_it_repeats():
    def once() -> list[tuple[int, int, int, int]]:
        return [(r.new, r.runs, r.queries, r.subsumed) for r in rows(TREE, "Tree.insert", "insert", 4)]

    assert once() == once()


def test_instances_of_subclasses_only_stand_in_for_what_has_none():
    source = """
    import abc
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self) -> int: ...
        def grow(self):
            self.size = self.area() + 1
    class Square(Shape):
        def __init__(self):
            self.size = 1
        def area(self) -> int:
            return self.size * self.size
    class Fixed(Square):
        def area(self) -> int:
            return 7
    """
    with twin_module(textwrap.dedent(source)) as (module, _):
        for name, count in (("Shape", 2), ("Square", 1), ("Fixed", 1)):
            settings = Settings(["grow"], owner=f"{module.__name__}:{name}")
            executor = InProcess(_Here(module, 2.0))
            method = "grow" if name == "Shape" else "area"
            breadth = Breadth(executor, build_chain(), f"{name}.{method}", settings)
            first, second = breadth.explore(1, Budget(None, time.monotonic() + 60))
            assert (count, count) == (first.new, second.new)


def test_values_that_are_lost_are_told():
    source = """
    class Sums:
        def __init__(self):
            self.last = 0
        def take(self, numbers: set[int]):
            for number in numbers:
                self.last = number
    """
    with explorer(source, "Sums.take", "take") as breadth:
        list(breadth.explore(1, Budget(None, time.monotonic() + 60)))
    assert {("set.__iter__", 6)} == {(name, line) for name, line, _ in breadth.losses}


ACCOUNT = """
class Account:
    def __init__(self):
        self.balance, self.closed = 0, False

    def deposit(self, amount: int) -> None:
        if amount > 0 and not self.closed:
            self.balance += amount

    def close(self) -> None:
        self.closed = True
"""


def test_the_graph_tells_states_in_words_and_which_of_them_subsumes_what_a_call_leads_to() -> None:
    with explorer(ACCOUNT, "Account.deposit", "deposit close") as breadth:
        list(breadth.explore(2, Budget(500, time.monotonic() + 30)))
        graph = graph_data(breadth.graph)
    assert [(state["number"], state["calls"]) for state in graph["states"]][:3] == [
        (0, []), (1, ["deposit"]), (2, ["close"])
    ]  # fmt: skip
    assert graph["states"][1]["holds"] == {"balance": "amount", "closed": "False"}
    assert graph["states"][1]["when"] == "amount > 0"
    moves = {(move["before"], move["after"], move["call"], move["new"]) for move in graph["moves"]}
    assert {(-1, 0, "", True), (0, 1, "deposit", True), (0, 2, "close", True)} <= moves
    assert (1, 1, "deposit", False) in moves  # more money is money
    assert (2, 2, "close", False) in moves
