"""Values back to the inputs that draw them: what plans build from these inputs is the value again."""

from __future__ import annotations

import enum
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from runtime import trace
from runtime.inputs import Inputs
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.objects.encoding import retraced, retraced_call
from tracetwin.drawing.plans.parameters import Parameter, build_arguments, with_default
from tracetwin.drawing.plans.plans import BoolPlan, IntPlan, StrPlan
from tracetwin.model import recipes
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    PreparedObject,
    Reference,
    Series,
    SeriesKind,
    list_of,
    replace_children,
    tuple_of,
)
from tracetwin.model.recipes import Recipe, call, lit


class Kind(enum.Enum):
    A = 1
    B = 2


class Base:
    def __init__(self, size: int, name: str = "x", *, deep: bool = False) -> None:
        self.size = size


class Other(Base):
    def __init__(self, part: Base) -> None:
        super().__init__(1)


@dataclass
class Row:
    key: str
    value: float


HERE = sys.modules[__name__]


def of(cls: type, *args: Recipe, **kwargs: Recipe) -> Recipe:
    return call(__name__, cls.__qualname__, *args, **kwargs)


def rebuilt(annotation: Any, recipe: Recipe) -> Recipe:
    """What the plan of an annotation draws from the retraced input."""
    planner = Planner(HERE)
    plan = planner.resolver.plan(annotation, planner.scope(), 0)
    found = retraced(plan, recipe, "x")
    assert found is not None
    trace.start()
    try:
        made: Recipe = plan.build(Inputs(found), "x")[1]
    finally:
        trace.stop()
    return made.construction if isinstance(made, PreparedObject) else made


CASES: list[tuple[Any, Recipe]] = [
    (int, lit(-7)),
    (bool, lit(True)),
    (float, lit(2.5)),
    (str, lit("a|b")),
    (bytes, lit(b"\xff")),
    (complex, lit(1 + 2j)),
    (None, lit(None)),
    (int | None, lit(None)),
    (int | str | list[int], list_of(lit(4), lit(5))),
    (float | int, lit(3)),
    (Literal["a", "b", "c"], lit("c")),
    (Kind, Reference(__name__, "Kind.B")),
    (list[int], list_of()),
    (list[int | str], list_of(lit("a"), lit(2))),
    (tuple[int, str], tuple_of(lit(4), lit("b"))),
    (tuple[int, ...], tuple_of(lit(4), lit(5), lit(6))),
    (set[str], Series(SeriesKind.SET, (lit("p"), lit("q")))),
    (frozenset[int], Series(SeriesKind.FROZENSET, (lit(8),))),
    (dict[str, int], Dictionary(((lit("k"), lit(1)), (lit("l"), lit(2))))),
    (Mapping[str, Sequence[int]], Dictionary(((lit("k"), list_of(lit(1))),))),
    (Base, of(Base, lit(3))),
    (Base, of(Base, lit(3), lit("y"), deep=lit(True))),
    (Base, of(Other, of(Base, lit(9)))),
    (Row, of(Row, lit("k"), lit(0.5))),
    (list[Row], list_of(of(Row, lit("k"), lit(0.5)))),
]


@pytest.mark.parametrize(("annotation", "recipe"), CASES)
def test_what_is_built_from_the_retraced_input_is_the_value(annotation, recipe):
    made = rebuilt(annotation, recipe)
    assert recipes.of_value(recipes.evaluate(made)) == recipes.of_value(recipes.evaluate(recipe))
    if isinstance(recipe, (Call, Series)):
        assert shape(made) == shape(recipe)


def shape(recipe: Recipe) -> Recipe:
    """A recipe without the notes on which object is which."""
    if isinstance(recipe, PreparedObject):
        return shape(recipe.construction)
    return replace_children(recipe, shape)


@pytest.mark.parametrize(
    ("annotation", "recipe"),
    [
        (int, lit("a")),
        (int, lit(True)),
        (str, lit(b"")),
        (list[int], tuple_of()),
        (Base, lit(1)),
        (Kind, lit(1)),
    ],
)
def test_another_kind_of_value_has_no_input(annotation, recipe):
    planner = Planner(HERE)
    plan = planner.resolver.plan(annotation, planner.scope(), 0)
    assert retraced(plan, recipe, "x") is None


def test_what_a_plan_can_not_draw_is_left_to_its_default():
    made = rebuilt(list[int], list_of(lit("odd"), lit(5)))
    assert made == list_of(lit(0), lit(5))


PARAMETERS = (
    Parameter("a", IntPlan()),
    with_default(Parameter("b", StrPlan()), None),
    Parameter("rest", IntPlan(), "*"),
    Parameter("more", BoolPlan(), "**", keywords=("p", "q")),
)


@pytest.mark.parametrize(
    ("given", "args", "kwargs"),
    [
        ({"a": lit(4)}, [lit(4)], []),
        ({"a": lit(4), "b": lit("t")}, [lit(4), lit("t")], []),
        ({"a": lit(4), "b": lit(None)}, [lit(4)], []),
        ({"a": lit(4), "b": lit("t"), "*rest": tuple_of(lit(1))}, [lit(4), lit("t"), lit(1)], []),
        ({"a": lit(4), "**more": Dictionary(((lit("q"), lit(True)),))}, [lit(4)], [("q", lit(True))]),
    ],
)
def test_calls_are_drawn_as_they_were_made(given, args, kwargs):
    trace.start()
    try:
        made = build_arguments(Inputs(retraced_call(PARAMETERS, given)), PARAMETERS)
    finally:
        trace.stop()
    assert (made.arg_recipes, made.kwarg_recipes) == (args, kwargs)
