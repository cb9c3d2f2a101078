"""Classes of every kind, from the command line to suites that pass on the original."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run, run_suite

pytestmark = pytest.mark.slow

SOURCE = """
import contextlib
import functools
from abc import ABC, abstractmethod

COUNT = 0


def bump(by: int) -> None:
    global COUNT
    COUNT += by


def level() -> str:
    if COUNT > 10:
        return "high"
    return "low"


class Thermostat:
    LOWEST = 5

    def __init__(self) -> None:
        self._target = 20
        self.locked = False

    @property
    def target(self) -> int:
        if self._target == self.LOWEST:
            return -1
        return self._target

    @target.setter
    def target(self, value: int) -> None:
        if self.locked:
            raise PermissionError("locked")
        if value < self.LOWEST:
            raise ValueError("too cold")
        self._target = value

    @target.deleter
    def target(self) -> None:
        if self._target == 30:
            raise RuntimeError("is hot")
        self._target = 20


class Shape(ABC):
    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def area(self) -> int: ...

    def label(self) -> str:
        if self.area() > 100:
            return "big " + self.name
        return self.name


class Square(Shape):
    def __init__(self, name: str, side: int) -> None:
        super().__init__(name)
        self.side = side

    def area(self) -> int:
        return self.side * self.side


class Lock:
    def __init__(self) -> None:
        self.held = 0
        self.broken = False

    def __enter__(self) -> "Lock":
        self.held += 1
        return self

    def __exit__(self, kind, error, trace) -> bool:
        self.held -= 1
        if kind is None:
            return False
        self.broken = True
        return issubclass(kind, KeyError)

    def work(self, n: int) -> int:
        if not self.held:
            raise RuntimeError("not held")
        if n == 11:
            return 0
        return n


@contextlib.contextmanager
def opened(log: list[str]):
    log.append("open")
    try:
        yield len(log)
    except KeyError:
        log.append("lost")
    finally:
        log.append("close")


def sums(limit: int):
    total = 0
    while total < limit:
        got = yield total
        if got == "reset":
            total = 0
        total += 1


class Grid:
    def __init__(self) -> None:
        self.cells: dict[int, str] = {}

    def __setitem__(self, i: int, value: str) -> None:
        self.cells[i] = value

    def render(self) -> str:
        if self.cells.get(2) == "q":
            return "queen"
        return "empty"


class Strict:
    def __init__(self) -> None:
        self.n = 0

    def is_eight(self) -> bool:
        if self.n == 8:
            return True
        return False


class Meta(type):
    def label(cls, n: int) -> str:
        if n == 7:
            return "seven"
        return cls.__name__


class Made(metaclass=Meta):
    def size(self) -> int:
        return 1


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, thing, owner=None):
        return getattr(thing, self.name, 0)

    def __set__(self, thing, value):
        if value < 0:
            raise ValueError("negative")
        setattr(thing, self.name, value)


class Account:
    balance = Positive()

    def rich(self) -> bool:
        if self.balance == 500:
            return True
        return False


class Memo:
    @functools.lru_cache(maxsize=None)
    def power(self, n: int) -> int:
        if n == 9:
            return -1
        return n
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path, Path]:
    folder = tmp_path_factory.mktemp("kinds")
    target = folder / "kinds.py"
    target.write_text(SOURCE, encoding="utf-8")
    out = folder / "out"
    limits = ("--time-limit", "30", "--max-runs", "1500")
    done = run("generate", target, "-o", out, *limits, "--json", "-", cwd=folder, timeout=120)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)["modules"][0], out, folder


BRANCHES = (
    "level",
    "Thermostat.target",
    "Thermostat.target.setter",
    "Thermostat.target.deleter",
    "Shape.label",
    "Lock.__exit__",
    "Lock.work",
    "sums",
    "Grid.render",
    "Strict.is_eight",
    "Meta.label",
    "Account.rich",
    "Memo.power",
)


@pytest.mark.parametrize("name", BRANCHES)
def test_all_branches_are_taken(result: tuple[dict[str, Any], Path, Path], name: str) -> None:
    functions = {row["name"]: row for row in result[0]["functions"]}
    row = functions[name]
    assert row["branches"] > 0
    assert row["covered_branches"] == row["branches"], result[0]


def test_a_manager_is_left_in_every_way(result: tuple[dict[str, Any], Path, Path]) -> None:
    row = next(row for row in result[0]["functions"] if row["name"] == "opened")
    assert row["covered_lines"] == row["lines"]


def test_nothing_is_without_a_test(result: tuple[dict[str, Any], Path, Path]) -> None:
    assert [row["name"] for row in result[0]["functions"] if not row["covered_lines"] and row["lines"]] == []


def test_the_suite_passes_on_the_original(result: tuple[dict[str, Any], Path, Path]) -> None:
    _, out, folder = result
    done = run_suite(out, folder)
    assert done.returncode == 0, done.stdout + done.stderr
