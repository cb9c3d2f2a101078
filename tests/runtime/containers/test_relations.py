"""Sets and dicts with traced keys: what of them is a decision, and what is one condition."""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from runtime import trace
from runtime.evaluate import evaluate
from runtime.inputs import Inputs
from runtime.operations import operators
from runtime.values import SBool, without_pinning

VALUES = {"a": 1, "b": 2}


@pytest.fixture
def draw() -> Iterator[Inputs]:
    trace.start()
    yield Inputs(VALUES)
    trace.stop()


def test_an_element_left_out_as_it_repeats_another_is_a_decision(draw: Inputs) -> None:
    first, again = draw.integer("a"), draw.integer("c", 1)

    assert not draw.is_new(again, [first])
    assert [trace.Kind(kind) for *_, kind in trace.current.path] == [trace.Kind.INPUT]


def test_different_elements_are_assumed_to_differ(draw: Inputs) -> None:
    assert draw.is_new(draw.integer("a"), [draw.integer("b")])
    assert [trace.Kind(kind) for *_, kind in trace.current.path] == [trace.Kind.ASSUME]


@pytest.mark.parametrize("other", [{1, 2}, {1, 3}, {1}, {1, 2, 3}, set()])
@pytest.mark.parametrize("name", ["eq", "ne", "le", "lt", "ge", "gt"])
def test_sets_are_compared_by_one_condition(draw: Inputs, name: str, other: set[int]) -> None:
    traced = without_pinning(set, [draw.integer("a"), draw.integer("b")])
    native: Callable[[Any, Any], bool] = getattr(operator, name)

    result = getattr(operators, name)(traced, other)

    assert not trace.current.path
    assert bool(getattr(result, "v", result)) is native({1, 2}, other)
    if type(result) is SBool:
        assert evaluate(result.e, VALUES) is result.v


@pytest.mark.parametrize("other", [{1: "x", 2: "y"}, {1: "x", 2: "z"}, {1: "x"}])
def test_dicts_are_compared_by_one_condition(draw: Inputs, other: dict[int, str]) -> None:
    traced = without_pinning(dict, [(draw.integer("a"), "x"), (draw.integer("b"), "y")])

    result = operators.eq(traced, other)

    assert not trace.current.path
    assert bool(getattr(result, "v", result)) is ({1: "x", 2: "y"} == other)


def test_a_count_of_zero_equals_none(draw: Inputs) -> None:
    traced = without_pinning(collections.Counter, {draw.integer("a"): 1, draw.integer("b"): 0})

    assert operators.eq(traced, collections.Counter({1: 1}))
