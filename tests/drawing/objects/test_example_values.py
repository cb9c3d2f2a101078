"""What examples pass is drawn as it is where a plan draws nothing like it."""

from __future__ import annotations

from tracetwin.drawing.objects.example_values import draws, with_examples
from tracetwin.drawing.plans.containers import DictPlan, ListPlan
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import IntPlan, StrPlan
from tracetwin.model.recipe import Dictionary, Reference, list_of, tuple_of
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
