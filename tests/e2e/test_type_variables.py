"""Types as solver variables: classes that exist first, then mocks that derive from what is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run, run_suite

pytestmark = pytest.mark.slow

SOURCE = '''
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol


class I(ABC):
    @abstractmethod
    def m1(self) -> int: ...


class J(ABC):
    @abstractmethod
    def m2(self) -> int: ...


class Alone(ABC):
    """No class implements it."""

    @abstractmethod
    def m3(self) -> int: ...


class K(I, J):
    def m1(self) -> int:
        return 1

    def m2(self) -> int:
        return 2


def listing_1(i: Alone | None) -> str:
    if i is None:
        return "none"
    if isinstance(i, J):
        if i.m2() == 50:
            return "fifty"
        return "both"
    return "alone"


def listing_2(i: I) -> str:
    if not isinstance(i, J):
        return "I, not J"
    return "I and J"


def nested(i: I) -> str:
    if isinstance(i, J) and not isinstance(i, K):
        if isinstance(i, Alone):
            return "I, J, Alone, not K"
        return "I, J, not K"
    return "other"


class Shape:
    def __init__(self, width: int) -> None:
        self.width = width


class Round(Shape):
    pass


def concrete(shape: Shape) -> str:
    if isinstance(shape, Alone):
        return "alone" if shape.width == 31 else "else"
    if type(shape) is Round:
        return "round"
    return "plain"


class Expression:
    pass


@dataclass
class Number(Expression):
    value: int


@dataclass
class Sum(Expression):
    left: Expression
    right: Expression


def matched(e: Expression) -> str:
    match e:
        case Sum(Number(0), right):
            return "0 + x"
        case Sum(Sum(), Number()):
            return "(x + y) + n"
        case Number():
            return "n"
    return "other"


class Item:
    def __init__(self, weight: int = 0) -> None:
        self.weight = weight


class Box(Item):
    pass


def deep(a: Item | str | None, b: Item | str | None, c: Item | int | None, d: Item | int | None = None):
    if isinstance(a, Box):
        if isinstance(b, str) and b == "key":
            if c is None:
                if d is not None and type(d) is not Item and hasattr(d, "weight"):
                    if d.weight == 33 and a.weight == 7:
                        return "all"
                    return "nearly"
                return "three"
            return "two"
        return "one"
    return "none"


class Plugin(Protocol):
    def start(self) -> bool: ...


def optional(plugin: Plugin) -> str:
    if getattr(plugin, "priority", 0) == 41:
        return "41"
    if hasattr(plugin, "flush"):
        if plugin.flush() == 3:
            return "flushed"
        return "not flushed"
    if callable(plugin):
        return "callable"
    return "plain"


def never(i: I) -> str:
    if isinstance(i, J) and isinstance(i, Shape) and isinstance(i, int):
        return "an int with methods"
    return "other"
'''

COMPLETE = ("listing_1", "listing_2", "nested", "concrete", "matched", "deep", "optional")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path, Path]:
    folder = tmp_path_factory.mktemp("types")
    target = folder / "clients.py"
    target.write_text(SOURCE, encoding="utf-8")
    out = folder / "out"
    limits = ("--max-runs", "1500", "--time-limit", "100")
    done = run("generate", target, "-o", out, *limits, "--json", "-", cwd=folder, timeout=200)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)["modules"][0], out, folder


@pytest.mark.parametrize("name", COMPLETE)
def test_every_line_and_branch_is_reached(result: tuple[dict[str, Any], Path, Path], name: str) -> None:
    row = next(row for row in result[0]["functions"] if row["name"] == name)
    assert row["covered_branches"] == row["branches"], result[0]
    assert row["covered_lines"] == row["lines"], result[0]


def test_nothing_is_proved_of_classes_yet_to_be_written(result: tuple[dict[str, Any], Path, Path]) -> None:
    proved = {name: what for name, what in result[0].items() if name != "trees"}
    assert "infeasible" not in json.dumps(proved)


def test_the_suite_passes_on_the_original(result: tuple[dict[str, Any], Path, Path]) -> None:
    _, out, folder = result
    done = run_suite(out, folder)
    assert done.returncode == 0, done.stderr


def test_what_exists_is_passed_before_a_mock_is_written(result: tuple[dict[str, Any], Path, Path]) -> None:
    text = (result[1] / "test_clients.py").read_text(encoding="utf-8")
    assert 'assertEqual("I and J", listing_2(K()))' in text
    assert "(Shape, Alone)" in text
