"""Objects as arguments that calls of their own bring into the state that matters."""

from __future__ import annotations

import pytest

from tests.explore.support import assert_paths

ORDER = """
from dataclasses import dataclass, field
@dataclass
class Item:
    name: str
    price: int
class Order:
    def __init__(self, customer: str) -> None:
        self.customer = customer
        self._items: list[Item] = []
    def add_item(self, item: Item, count: int) -> None:
        if count < 1 or item.price < 0:
            raise ValueError("count")
        for _ in range(count):
            self._items.append(item)
    def total(self) -> int:
        return sum(i.price for i in self._items)
def ship(order: Order) -> str:
    if order.total() > 100:
        return "free"
    if order.total() == 0:
        return "empty"
    return "paid"
"""


@pytest.mark.slow
def test_items_are_added_to_an_argument_until_their_sum_is_large() -> None:
    assert_paths(ORDER, "ship", "empty", "free", "paid")


TASKS = """
class Task:
    def __init__(self, title: str) -> None:
        self.title = title
        self.done = False
    def finish(self) -> None:
        self.done = True
def progress(tasks: list[Task]) -> str:
    done = [t for t in tasks if t.done]
    if not tasks:
        return "none"
    if len(done) == len(tasks):
        return "all"
    if len(done) >= 2:
        return "many"
    if done:
        return "some"
    return "no"
"""


def test_some_elements_of_a_list_are_prepared() -> None:
    assert_paths(TASKS, "progress", "none", "no", "some", "many", "all")


CONN = """
class Connection:
    def __init__(self, host: str) -> None:
        self.host = host
        self._state = "closed"
        self._sent = 0
    def open(self) -> None:
        if self._state != "closed":
            raise RuntimeError("open")
        self._state = "open"
    def login(self, user: str, password: str) -> bool:
        if self._state != "open":
            raise RuntimeError("not open")
        if password == "secret":
            self._state = "ready"
            return True
        return False
    def send(self, data: str) -> int:
        if self._state != "ready":
            raise RuntimeError("not ready")
        self._sent += len(data)
        return self._sent
    def close(self) -> None:
        self._state = "closed"
    @property
    def state(self) -> str:
        return self._state
    @property
    def sent(self) -> int:
        return self._sent
def push(conn: Connection, data: str) -> str:
    if conn.state == "closed":
        return "closed"
    if conn.state == "open":
        return "anonymous"
    if conn.sent > 3:
        return "used"
    return "ready"
"""


def test_a_connection_is_opened_and_used_before_it_is_passed() -> None:
    assert_paths(CONN, "push", "closed", "anonymous", "ready", "used")


OPTIONAL = """
from typing import Optional
class Config:
    def __init__(self, path: str) -> None:
        self.path = path
        self.verbose = False
        self.level: int = 0
        self._mode = "r"
    @property
    def mode(self) -> str: return self._mode
    @mode.setter
    def mode(self, value: str) -> None:
        if value not in ("r", "w"): raise ValueError(value)
        self._mode = value
def run(config: Optional[Config] = None) -> str:
    if config is None: return "none"
    if config.verbose and config.level > 3: return "loud"
    if config.verbose: return "verbose"
    if config.mode == "w": return "write"
    return "quiet"
"""


def test_public_attributes_and_properties_are_stored() -> None:
    assert_paths(OPTIONAL, "run", "none", "loud", "verbose", "write", "quiet")


ENGINE = """
class Player:
    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
    def die(self) -> None: self.alive = False
class Game:
    def __init__(self) -> None: self._players: list[Player] = []
    def join(self, player: Player) -> None: self._players.append(player)
    def players(self) -> list[Player]: return list(self._players)
class Engine:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._running = False
    def start(self) -> str:
        if self._running: return "already"
        if not self._game.players(): return "empty"
        if not all(p.alive for p in self._game.players()): return "dead"
        self._running = True
        return "started"
"""


def test_a_part_of_the_receiver_is_prepared() -> None:
    assert_paths(ENGINE, "Engine.start", "already", "empty", "dead", "started")


GENERIC = """
from typing import Generic, TypeVar
T = TypeVar("T")
class Stack(Generic[T]):
    def __init__(self) -> None: self._items: list[T] = []
    def push(self, item: T) -> None: self._items.append(item)
    def pop(self) -> T: return self._items.pop()
    def __len__(self) -> int: return len(self._items)
    def top(self) -> T: return self._items[-1]
def evaluate(s: Stack[int]) -> str:
    if len(s) == 0: return "empty"
    if s.top() == 17: return "17"
    if len(s) == 2: return "two"
    return "some"
"""


def test_a_generic_class_is_filled() -> None:
    assert_paths(GENERIC, "evaluate", "empty", "17", "two", "some")


DICTS = """
class Job:
    def __init__(self, name: str) -> None:
        self.name = name
        self._state = "new"
    def start(self) -> None: self._state = "running"
    def fail(self) -> None:
        if self._state != "running": raise RuntimeError
        self._state = "failed"
    @property
    def state(self) -> str: return self._state
def summary(jobs: dict[str, Job]) -> str:
    if not jobs: return "none"
    states = {j.state for j in jobs.values()}
    if "failed" in states: return "failed"
    if "build" in jobs and jobs["build"].state == "running": return "building"
    return "idle"
"""


def test_values_of_a_dict_are_prepared() -> None:
    assert_paths(DICTS, "summary", "none", "failed", "building", "idle")


VARARGS = """
class Counter:
    def __init__(self) -> None: self.n = 0
    def inc(self) -> None: self.n += 1
def most(*counters: Counter) -> str:
    if not counters: return "none"
    if len(counters) == 2 and counters[0] is counters[1]: return "same"
    best = max(c.n for c in counters)
    if best >= 2: return "two"
    if best: return "one"
    return "zero"
"""


def test_variadic_arguments_are_prepared_and_may_be_one() -> None:
    assert_paths(VARARGS, "most", "none", "same", "two", "one", "zero")
