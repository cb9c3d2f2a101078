"""Objects used twice: one argument under two names, the result of one call as the argument of another."""

from __future__ import annotations

import pytest

from tests.explore.support import assert_paths

TRANSFER = """
class Account:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.balance = 0
    def deposit(self, amount: int) -> None:
        if amount <= 0:
            raise ValueError("amount")
        self.balance += amount
    def is_empty(self) -> bool:
        return self.balance == 0
def transfer(source: Account, target: Account, amount: int) -> str:
    if source is target:
        return "same"
    if amount <= 0:
        return "nothing"
    if source.balance < amount:
        return "poor"
    source.balance -= amount
    target.balance += amount
    if target.balance > 1000:
        return "rich"
    return "done"
"""


def test_an_account_that_something_was_deposited_in_can_pay_another_or_itself() -> None:
    assert_paths(TRANSFER, "transfer", "nothing", "poor", "done", "rich", "same")


MERGE = """
class Bag:
    def __init__(self) -> None:
        self._items: list[int] = []
    def add(self, n: int) -> None:
        self._items.append(n)
    def merge(self, other: "Bag") -> str:
        if other is self:
            raise ValueError("self")
        if not other._items:
            return "empty"
        if other._items[0] == 42:
            return "answer"
        self._items += other._items
        return "merged"
"""


def test_a_bag_is_merged_with_itself_and_with_one_that_holds_something() -> None:
    assert_paths(MERGE, "Bag.merge", "empty", "answer", "merged", ValueError)


HANDLE = """
class Handle:
    def __init__(self, number: int) -> None:
        self.number = number
class Store:
    def __init__(self) -> None:
        self._open: list[Handle] = []
    def open(self) -> Handle:
        made = Handle(len(self._open))
        self._open.append(made)
        return made
    def read(self, handle: Handle) -> str:
        for known in self._open:
            if known is handle:
                return "data"
        return "unknown"
"""


def test_a_handle_that_one_call_returned_is_passed_to_the_next() -> None:
    assert_paths(HANDLE, "Store.read", "data", "unknown")


TOKEN = """
import uuid
class Sessions:
    def __init__(self) -> None:
        self._known = {}
    def login(self, user: str):
        token = object()
        self._known[id(token)] = (token, user)
        return token
    def who(self, token) -> str:
        if id(token) not in self._known:
            return "nobody"
        return "known"
"""


def test_an_opaque_token_of_no_known_class_is_passed_back() -> None:
    assert_paths(TOKEN, "Sessions.who", "known", "nobody")


SPLICE = """
from typing import Optional
class Node:
    def __init__(self, value: int, next: "Optional[Node]" = None) -> None:
        self.value = value
        self.next = next
def splice(first: Optional[Node], second: Optional[Node]) -> str:
    if first is None or second is None:
        return "none"
    last = first
    while last.next is not None:
        last = last.next
        if last is second:
            return "shared"
    last.next = second
    if first.value > second.value:
        return "unsorted"
    return "ok"
"""


@pytest.mark.slow
def test_nodes_of_two_lists_are_shared() -> None:
    assert_paths(SPLICE, "splice", "none", "ok", "shared", "unsorted")


GRAPH = """
class Node:
    def __init__(self, name: str) -> None:
        self.name = name
class Graph:
    def __init__(self) -> None:
        self._edges: list[tuple[Node, Node]] = []
    def connect(self, a: Node, b: Node) -> None:
        if a is b:
            raise ValueError("loop")
        self._edges.append((a, b))
    def path(self, a: Node, b: Node) -> str:
        if a is b:
            return "same"
        for x, y in self._edges:
            if x is a and y is b:
                return "edge"
            if x is a:
                return "start"
        return "none"
"""


def test_nodes_of_earlier_calls_are_asked_for_again() -> None:
    assert_paths(GRAPH, "Graph.path", "same", "edge", "start", "none")


LISTS = """
def extend(a: list[int], b: list[int]) -> str:
    if a is b: return "same"
    a.append(1)
    if len(b) > len(a): return "longer"
    return "ok"
"""


def test_two_lists_may_be_one() -> None:
    assert_paths(LISTS, "extend", "same", "longer", "ok")


CYCLE = """
class Node:
    def __init__(self, name: str) -> None:
        self.name = name
        self._next: list["Node"] = []
    def link(self, other: "Node") -> None: self._next.append(other)
    def successors(self) -> list["Node"]: return list(self._next)
def shape(node: Node) -> str:
    if not node.successors(): return "leaf"
    if node in node.successors(): return "loop"
    for s in node.successors():
        if node in s.successors(): return "cycle"
    if len(node.successors()) > 1: return "fan"
    return "line"
"""


def test_objects_are_linked_to_each_other() -> None:
    assert_paths(CYCLE, "shape", "leaf", "loop", "cycle", "fan", "line")


ITERATORS = """
class Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._cursors: list = []
    def cursor(self):
        made = iter(self._lines)
        self._cursors.append(made)
        return made
    def fetch(self, cursor) -> str:
        if not any(c is cursor for c in self._cursors): return "foreign"
        for line in cursor:
            return line
        return "end"
"""


def test_an_iterator_that_a_call_returned_is_used_up_by_another() -> None:
    assert_paths(ITERATORS, "Reader.fetch", "foreign", "end", "")


INVOICE = """
class Line:
    def __init__(self, text: str, price: int) -> None:
        self.text = text
        self.price = price
class Invoice:
    def __init__(self, customer: str) -> None:
        self.customer = customer
        self._state = "draft"
        self._lines: list[Line] = []
    def add(self, line: Line) -> str:
        if self._state != "draft":
            return "too late"
        self._lines.append(line)
        return "added"
    def send(self) -> None:
        if self._lines:
            self._state = "sent"
"""


def test_a_method_that_changes_the_state_each_time_lets_others_be_called_before_it() -> None:
    assert_paths(INVOICE, "Invoice.add", "added", "too late", runs=100)


WEAKLY = """
import weakref
class Table:
    def __init__(self) -> None:
        self.cells = [1, 2]
class Rows:
    def __init__(self, table: Table) -> None:
        self._held = weakref.ref(table)
    def count(self) -> int:
        table = self._held()
        return -1 if table is None else len(table.cells)
"""


def test_what_an_object_refers_to_weakly_is_kept() -> None:
    assert_paths(WEAKLY, "Rows.count", 2)
