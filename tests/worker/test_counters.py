"""A counter that a namespace holds is replaced by another where a run has moved it on."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

from tracetwin.worker.restore.state import StateGuard

SOURCE = """
import itertools

ids = itertools.count(5, 2)
step = itertools.count().__next__

class Field:
    created = itertools.count(1.5)

class Registry:
    def __init__(self):
        self.numbers = itertools.count(7)

registry = Registry()
shared = same_again = itertools.count()
in_a_list = itertools.count()
kept_elsewhere = [in_a_list]

def draw():
    return next(ids), step(), next(Field.created), next(registry.numbers)

def draw_shared():
    return next(shared), next(same_again)

def draw_of_list():
    return next(in_a_list)

def rebind():
    global ids
    drawn = next(ids)
    ids = None
    return drawn
"""


@pytest.fixture
def module() -> Iterator[Any]:
    made = types.ModuleType("sample_of_counters")
    sys.modules[made.__name__] = made
    exec(compile(SOURCE, "sample.py", "exec"), vars(made))
    yield made
    del sys.modules[made.__name__]


def test_counters_of_modules_classes_and_objects_begin_anew(module: Any) -> None:
    guard = StateGuard([module])
    for _ in range(3):  # what changes often is compared by itself from the second time on
        assert module.draw() == (5, 0, 1.5, 7)
        assert module.draw() == (7, 1, 2.5, 8)
        assert guard.dirty()
        assert guard.restore()
    assert not guard.dirty()


def test_one_with_two_names_stays_one(module: Any) -> None:
    guard = StateGuard([module])
    for _ in range(2):
        assert module.draw_shared() == (0, 1)
        assert guard.dirty()
        assert guard.restore()


def test_one_that_other_things_hold_too_costs_the_process(module: Any) -> None:
    guard = StateGuard([module])
    module.draw_of_list()
    assert guard.dirty()
    assert not guard.restore()


def test_a_name_that_was_bound_to_something_else_holds_a_counter_again(module: Any) -> None:
    guard = StateGuard([module])
    for _ in range(2):
        assert module.rebind() == 5
        assert guard.dirty()
        assert guard.restore()
    assert module.draw()[0] == 5
