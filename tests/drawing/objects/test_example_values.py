"""What examples pass is drawn as it is where a plan draws nothing like it."""

from __future__ import annotations

import collections

import pytest

from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.objects.encoding import retraced
from tracetwin.drawing.objects.example_values import draws, with_examples
from tracetwin.drawing.plans.containers import DictPlan, ListPlan
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import IntPlan, SetupFailed, StrPlan
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    PreparedObject,
    PreparingCall,
    Reference,
    list_of,
    tuple_of,
)
from tracetwin.model.recipes import Recipe, lit

NESTED: Recipe = Dictionary(((lit("name"), Dictionary(((lit("type"), lit("string")),))),))


def test_what_a_plan_draws_adds_nothing() -> None:
    plan = DictPlan(StrPlan(), IntPlan(), 0)
    assert with_examples(plan, "x", [{"x": Dictionary(((lit("a"), lit(1)),))}, {"y": NESTED}]) == plan


def test_other_values_are_drawn_as_they_are() -> None:
    plan = with_examples(DictPlan(StrPlan(), IntPlan(), 0), "x", [{"x": NESTED}, {"x": NESTED}])
    assert plan.describe() == "dict[str, int] | a value of an example"
    value, recipe = plan.build(PlainDraw({"x?": 1}), "x")
    assert value == {"name": {"type": "string"}}
    assert recipe == NESTED
    again, _ = plan.build(PlainDraw({"x?": 1}), "x")
    assert again is not value


def test_a_name_is_drawn_as_what_it_names() -> None:
    plan = with_examples(IntPlan(), "kind", [{"kind": Reference("builtins", "int")}])
    assert plan.build(PlainDraw({"kind?": 1}), "kind")[0] is int


def test_values_of_a_rest_are_looked_at_one_by_one() -> None:
    plan = with_examples(IntPlan(), "rest", [{"*rest": tuple_of(lit(1), lit("a"))}], is_part=True)
    assert plan.describe() == "int | 'a'"


def test_a_value_that_is_cut_is_another_one() -> None:
    long = list_of(*map(lit, range(60)))
    assert not draws(ListPlan(IntPlan(), 0), long)


def test_an_object_of_an_example_is_prepared_anew_each_time() -> None:
    calls = [PreparingCall("append", (lit(2),)), PreparingCall("append", (lit(3),))]
    shown = PreparedObject(7, "", Call("collections", "deque", (list_of(lit(1)),)), calls)
    plan = with_examples(IntPlan(), "x", [{"x": shown}])
    value, recipe = plan.build(PlainDraw({"x?": 1}), "x")
    assert list(value) == [1, 2, 3]
    assert isinstance(recipe, PreparedObject)
    assert recipe.calls == calls
    assert recipe.hint == "x"


def test_an_example_that_fails_is_no_input() -> None:
    plan = with_examples(IntPlan(), "x", [{"x": Call("datetime", "date", (lit(2024), lit(13), lit(1)))}])
    with pytest.raises(SetupFailed, match="an example raised ValueError"):
        plan.build(PlainDraw({"x?": 1}), "x")


def test_instances_with_arguments_that_a_plan_leaves_out_are_drawn_as_they_are() -> None:
    empty = ConstructPlan(collections.deque, "collections", "deque", ())
    filled = Call("collections", "deque", (list_of(lit(1), lit(2)),))
    plan = with_examples(empty, "x", [{"x": filled}, {"x": Call("collections", "deque")}])
    assert plan.describe() == f"{empty.describe()} | a value of an example"
    assert retraced(plan, filled, "x") == {"x?": 1}
