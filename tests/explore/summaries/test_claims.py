"""What is said of definition-use pairs is true: random classes and calls against the table."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tracetwin.analysis.flow.analyse import facts_of
from tracetwin.explore.summaries.static_pairs import outside_state

FIDELITY = Path(__file__).resolve().parents[3] / "benchmarks" / "fidelity"


@pytest.fixture(scope="module")
def tools() -> Any:
    """The benchmark's parts: `random_classes`, `calls` and `pairs`."""
    sys.path.insert(0, str(FIDELITY))
    try:
        yield {name: importlib.import_module(name) for name in ("random_classes", "calls", "pairs")}
    finally:
        sys.path.remove(str(FIDELITY))


def verdict(tools: dict[str, ModuleType], source: str, seed: int, fates: dict[int, str]) -> Any:
    found = tools["calls"].fuzz(source, "Thing", 60, seed)
    assert found.sequences == 60 > found.cut
    return tools["pairs"].judged("", source, "Thing", found, fates)


@pytest.mark.parametrize("seed", range(20))
def test_no_pair_that_is_executed_is_marked_by_the_text_or_missing(tools: Any, seed: int) -> None:
    told = verdict(tools, tools["random_classes"].source_of(seed), seed, {})
    assert [] == told.wrong
    assert [] == told.missing


@pytest.mark.parametrize("seed", [0, 8])
def test_no_pair_that_is_executed_is_marked_by_search(tools: Any, seed: int) -> None:
    source = tools["random_classes"].simple_source_of(seed)
    told = verdict(tools, source, seed, tools["pairs"].searched_fates(source, "Thing", 300))
    assert [] == told.wrong


def infeasible(source: str) -> set[tuple[str, int, int]]:
    pairs = facts_of(source, "claims").pairs["Box"]
    return {(p.attribute, p.define.line, p.use.line) for p in pairs if not p.feasible}


BOX = """class Box:
    def __init__(self):
        self.a = 0
        self.on = False
    def fill(self, n):
        self.on = True
        self.a = n
        {after}
        self.on = False
    def use(self):
        if self.on:
            return self.a
{more}"""


@pytest.mark.parametrize(
    ("after", "more", "certain"),
    [
        ("pass", "", True),
        ("n.go()", "", False),  # it may raise, and the caller may go on
        ("look(self)", "def look(box):\n    box.use()\n", False),
        ("(lambda box: box.use())(self)", "", False),
        ("yield n", "", False),
        ("self.use()", "", False),
    ],
)
def test_what_happens_in_the_middle_of_a_call_is_possible(after: str, more: str, certain: bool) -> None:
    found = infeasible(BOX.format(after=after, more=more))
    assert certain == (("a", 7, 12) in found)


def test_an_object_that_may_be_another_one_is_not_taken_for_the_receiver() -> None:
    source = (
        "class Box:\n    def __init__(self):\n        self.a = 0\n"
        "    def use(self, n):\n        other = Box() if n else self\n"
        "        other.a = 1\n        return self.a\n"
    )
    assert set() == infeasible(source)


@pytest.mark.parametrize(
    ("line", "steady"),
    [
        ("import math", True),
        ("import random", False),
        ("from . import state", False),
        ("LIMIT = 3", True),
        ("SEEN = []", False),
        ("class A:\n    n = 0\n    def go(self): A.n += 1", False),
        ("class A:\n    n = 0\n    def go(self): type(self).n += 1", False),
        ("class A:\n    n = 0\n    def go(self): self.n += 1", True),
        ("def f():\n    global g\n    g = 1", False),
    ],
)
def test_search_proves_nothing_where_something_else_can_change(line: str, steady: bool) -> None:
    assert steady == (not outside_state(ast.parse(line)))
