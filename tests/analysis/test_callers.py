"""Lines that call a function, and none that call another one of its name."""

from __future__ import annotations

import ast
import time

import pytest

from tracetwin.analysis.callers import Callers

SOURCE = """\
import shelves

def find(x):
    return shelves.sort(x)

class Box:
    def __init__(self):
        self.items = {}
    def keys(self):
        return self.items.keys()
    def find(self, x):
        return find(x)
    def sort(self):
        return self.find(1)
    def only(self):
        return self.other.pack()

class Crate(Box):
    def find(self, x):
        return super().find(x)
    def pack(self):
        return self.keys()

class Bag:
    def sort(self):
        return []

def use(box, sort):
    mine = Bag()
    mine.sort()
    box.sort()
    sort()
    box.keys()
    box.pack()
    return Crate()
"""
CALLERS = Callers(ast.parse(SOURCE))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("find", [12]),
        ("Box.find", [14, 20]),
        ("Crate.find", [14]),
        ("Box.keys", [22]),
        ("Box.sort", []),
        ("Bag.sort", [30]),
        ("Crate.pack", [16, 34]),
        ("Box.__init__", [35]),
        ("use", []),
    ],
)
def test_only_calls_that_can_mean_a_function_are_its_callers(name: str, lines: list[int]) -> None:
    assert lines == CALLERS.lines(name)


def test_classes_of_one_family_are_gone_through_once_however_many_calls_may_mean_them() -> None:
    heirs = "".join(f"class Heir{n}(Base):\n    def go(self): ...\n" for n in range(120))
    calls = "".join(f"def use{n}(it):\n    it.go()\n" for n in range(20))
    began = time.process_time()
    callers = Callers(ast.parse(f"class Base:\n    def go(self): ...\n{heirs}{calls}"))
    assert len(callers.lines("Heir7.go")) == 20
    assert time.process_time() - began < 2, "it takes some hundredths of a second"
