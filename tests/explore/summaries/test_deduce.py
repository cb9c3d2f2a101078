"""Sequences deduced backwards, each confirmed by a run."""

from __future__ import annotations

import pytest

from runtime.expr import Sort, apply, const_int, var
from tests.explore.summaries.support import opened
from tests.explore.summaries.test_summary import COIN_BOX
from tracetwin.explore.summaries.deduce import SearchLimits, SequenceSearch

COUNTER = """
class Counter:
    def __init__(self):
        self._count = 0

    def increment(self) -> None:
        self._count += 1

    def reset(self) -> None:
        self._count = 0

    def is_jubilee(self) -> bool:
        if self._count == LIMIT:
            return True
        return False
"""

LOCK = """
class Lock:
    CODE = (7, 3, 9, 1, 4, 8)

    def __init__(self):
        self._matched = 0

    def press(self, digit: int) -> None:
        if self._matched < 6 and digit == self.CODE[self._matched]:
            self._matched += 1
        else:
            self._matched = 0

    def is_open(self) -> bool:
        if self._matched == 6:
            return True
        return False
"""

CONNECTION = """
class Connection:
    def __init__(self, host: str) -> None:
        if not host:
            raise ValueError("no host")
        self._state = "closed"
        self._user = None

    def open(self) -> None:
        if self._state != "closed":
            raise RuntimeError("open")
        self._state = "open"

    def authenticate(self, user: str, password: str) -> None:
        if self._state == "open" and user and password == user[::-1]:
            self._user = user
            self._state = "ready"

    def send(self, text: str) -> str:
        if self._state != "ready":
            raise RuntimeError("not ready")
        return text
"""


@pytest.mark.parametrize("limit", [1, 50, 1000])
def test_a_counter_is_counted_up_at_once(limit: int) -> None:
    with opened(COUNTER.replace("LIMIT", str(limit)), "Counter.is_jubilee") as counter:
        found = counter.deduced(counter.sides(f"== {limit}")[0])
        assert found is not None
        assert ("increment",) * limit == found[0].prefix
        assert len(counter.executor.runs) < 30, "it is deduced, not tried out"


def test_a_code_of_six_digits() -> None:
    with opened(LOCK, "Lock.is_open") as lock:
        found = lock.deduced(lock.sides("== 6:")[0])
        assert found is not None
        digits = [found[0].assignment[f"{place}.press.digit"] for place in range(1, 7)]
        assert [7, 3, 9, 1, 4, 8] == digits


def test_a_connection_is_opened_and_authenticated_first() -> None:
    with opened(CONNECTION, "Connection.send") as connection:
        found = connection.deduced(connection.sides('if self._state != "ready"')[1])
        assert found is not None
        deduced, run = found
        assert ("open", "authenticate") == deduced.prefix
        assert "returned" == run.status
        assert deduced.assignment["connection.host"] != ""


def test_the_sequence_of_the_paper() -> None:
    """Pair 07: what must hold for vend to use the coins, right after return_qtrs."""
    with opened(COIN_BOX, "CoinBox.vend", words=("return_qtrs", "add_qtr", "vend")) as box:
        conditions = [
            apply("ne", Sort.BOOL, var("self.allow_vend", Sort.INT), const_int(0)),
            apply("eq", Sort.BOOL, var("self.cur_qtrs", Sort.INT), const_int(0)),
        ]
        found = next(iter(SequenceSearch(box.summaries, conditions)))
        assert ("add_qtr", "add_qtr", "return_qtrs") == found.prefix
        assert found.sure


def test_what_no_sequence_reaches_is_proved() -> None:
    source = """
        class Gate:
            def __init__(self):
                self.level = 0

            def up(self) -> None:
                if self.level < 3:
                    self.level += 1

            def is_high(self) -> bool:
                if self.level == 4:
                    return True
                return False
    """
    with opened(source, "Gate.is_high", words=("up", "is_high")) as gate:
        search = SequenceSearch(gate.summaries, gate.goals(gate.sides("== 4")[0])[0])
        assert [] == list(search)
        assert search.exhausted
        assert "" == search.why


def test_a_bound_is_no_proof() -> None:
    with opened(LOCK, "Lock.is_open") as lock:
        search = SequenceSearch(lock.summaries, lock.goals(lock.sides("== 6:")[0])[0], SearchLimits(states=2))
        assert [] == list(search)
        assert not search.exhausted
        assert "more than 2 states" == search.why
        search.extend(30)
        assert 6 == len(next(iter(search)).prefix)


def test_bounded_deposits_add_up() -> None:
    source = """
        class Account:
            def __init__(self):
                self.balance = 0

            def deposit(self, amount: int) -> None:
                if amount <= 0 or amount > 10:
                    raise ValueError
                self.balance += amount

            def is_rich(self) -> bool:
                if self.balance >= 500:
                    return True
                return False
    """
    with opened(source, "Account.is_rich", words=("deposit",)) as account:
        found = account.deduced(account.sides(">= 500")[0])
        assert found is not None
        assert 50 == len(found[0].prefix)
        assert {10} == set(found[0].assignment.values())


def test_lists_are_filled() -> None:
    source = """
        class Queue:
            def __init__(self):
                self._waiting = []

            def put(self, n: int) -> None:
                self._waiting.append(n)

            def is_crowded(self) -> bool:
                if len(self._waiting) >= 20:
                    return True
                return False
    """
    with opened(source, "Queue.is_crowded", words=("put",)) as queue:
        found = queue.deduced(queue.sides(">= 20")[0])
        assert found is not None
        assert 20 == len(found[0].prefix)


def test_objects_held_are_spoken_of() -> None:
    source = """
        class Engine:
            def __init__(self):
                self.heat = 0

        class Car:
            def __init__(self):
                self._engine = Engine()

            def drive(self) -> None:
                self._engine.heat += 7

            def is_hot(self) -> bool:
                if self._engine.heat > 30:
                    return True
                return False
    """
    with opened(source, "Car.is_hot", words=("drive",)) as car:
        found = car.deduced(car.sides("> 30")[0])
        assert found is not None
        assert ("drive",) * 5 == found[0].prefix


def test_the_search_is_the_same_each_time() -> None:
    found = []
    for _ in range(2):
        with opened(CONNECTION, "Connection.send") as connection:
            deduced = connection.deduced(connection.sides('if self._state != "ready"')[1])
            assert deduced is not None
            found.append(deduced[0])
    assert found[0] == found[1]
