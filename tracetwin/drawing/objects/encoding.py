"""From a value back to the input that draws it: what `Plan.build` does, the other way round.

The names are those that the plans draw under, see the README of this room. What a plan can't draw is left to
its default, so that an input may come near the value only: it is one to begin with, and the search goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from typing import Any, TypeAlias, TypeVar

from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.plans import containers, plans
from tracetwin.drawing.plans.parameters import KWARGS, MOST_VARARGS, VARARGS, Parameter
from tracetwin.drawing.typing.guesses import DuckPlan
from tracetwin.model import recipes
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    PreparingCall,
    Scalar,
    Series,
    SeriesKind,
    children,
    tuple_of,
)
from tracetwin.model.recipes import Recipe

Assignment: TypeAlias = dict[str, Any]


@singledispatch
def retraced(plan: plans.Plan, recipe: Recipe, name: str) -> Assignment | None:  # noqa: ARG001 - any plan
    """The values under which a plan draws what a recipe describes, None where it draws other things."""
    return None


def retraced_call(
    parameters: Sequence[Parameter], given: Mapping[str, Recipe], prefix: str = ""
) -> Assignment:
    """The values under which parameters are drawn as in a call.

    Args:
        parameters: of what is called.
        given: the arguments by parameter, those of ``*rest`` as one tuple under ``*rest``, those of
            ``**more`` as one dict under ``**more``.
        prefix: what the names of drawn values start with.
    """
    found: Assignment = {}
    for item in parameters:
        recipe = given.get(f"{item.variadic}{item.name}")
        if item.plan is None or recipe is None:
            continue
        name = prefix + item.name
        if item.kind == VARARGS:
            found |= _elements(item.plan, children(recipe)[:MOST_VARARGS], name)
        elif item.kind == KWARGS:
            found |= _keywords(item, recipe, name)
        else:
            found |= _argument(item, item.plan, recipe, name)
    return found


def _argument(item: Parameter, plan: plans.Plan, recipe: Recipe, name: str) -> Assignment:
    found = retraced(plan, recipe, name)
    asked = item.has_default and not item.starts_at_default
    if asked and recipe == item.default:
        return {f"{name}?given": 0}
    if found is None:
        return {}
    return {f"{name}?given": 1, **found} if asked else found


def _keywords(item: Parameter, recipe: Recipe, name: str) -> Assignment:
    passed = _by_key(recipe)
    of_keys = item.of_keywords or (item.plan,) * len(item.keywords)
    found: Assignment = {}
    for key, plan in zip(item.keywords, of_keys, strict=True):
        found[f"{name}.{key}?in"] = int(key in passed)
        if key in passed and plan is not None:
            found |= retraced(plan, passed[key], f"{name}.{key}") or {}
    return found


def _elements(element: plans.Plan | None, parts: Sequence[Recipe], name: str) -> Assignment:
    """A number of elements, and those of them that can be drawn."""
    found: Assignment = {f"{name}#": len(parts)}
    for index, part in enumerate(parts):
        if element is not None:
            found |= retraced(element, part, f"{name}[{index}]") or {}
    return found


# Scalars


Wanted = TypeVar("Wanted", bool, int, float, str, bytes, complex)


def _scalar(recipe: Recipe, kind: type[Wanted]) -> Wanted | None:
    """The scalar of exactly that type that a recipe stands for."""
    return recipe.value if isinstance(recipe, Scalar) and type(recipe.value) is kind else None


@retraced.register(plans.IntPlan)
def _(plan: plans.IntPlan, recipe: Recipe, name: str) -> Assignment | None:
    value = _scalar(recipe, int)
    if value is None:
        return None
    low, high = plan.low is None or value >= plan.low, plan.high is None or value <= plan.high
    return {name: value} if low and high else {}


@retraced.register(plans.StrPlan)
def _(plan: plans.StrPlan, recipe: Recipe, name: str) -> Assignment | None:
    value = _scalar(recipe, str)
    if value is None:
        return None
    return {name: value} if plan.max_length is None or len(value) <= plan.max_length else {}


@retraced.register(plans.BoolPlan)
def _(_plan: plans.BoolPlan, recipe: Recipe, name: str) -> Assignment | None:
    value = _scalar(recipe, bool)
    return None if value is None else {name: value}


@retraced.register(plans.BytesPlan)
def _(_plan: plans.BytesPlan, recipe: Recipe, name: str) -> Assignment | None:
    value = _scalar(recipe, bytes)
    return None if value is None else {name: value}


@retraced.register(plans.FloatPlan)
def _(_plan: plans.FloatPlan, recipe: Recipe, name: str) -> Assignment | None:
    value = _scalar(recipe, float)
    value = _scalar(recipe, int) if value is None else value
    return None if value is None else {name: float(value)}


@retraced.register(plans.ComplexPlan)
def _(_plan: plans.ComplexPlan, recipe: Recipe, name: str) -> Assignment | None:
    value = _scalar(recipe, complex)
    return None if value is None else {f"{name}.real": value.real, f"{name}.imag": value.imag}


@retraced.register(plans.FixedPlan)
def _(plan: plans.FixedPlan, recipe: Recipe, _name: str) -> Assignment | None:
    return {} if recipe == plan.recipe else None


@retraced.register(plans.MemberPlan)
def _(plan: plans.MemberPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe not in plan.recipes:
        return None
    return {f"{name}?": plan.recipes.index(recipe)} if len(plan.recipes) > 1 else {}


@retraced.register(plans.UnionPlan)
def _(plan: plans.UnionPlan, recipe: Recipe, name: str) -> Assignment | None:
    is_made = not isinstance(recipe, Scalar)  # other plans may draw a part of it only
    fitting = [
        (
            isinstance(part, plans.FloatPlan) and _scalar(recipe, float) is None,
            is_made and not isinstance(part, plans.FixedPlan),
            index,
            found,
        )
        for index, part in enumerate(plan.plans)
        if (found := retraced(part, recipe, name if index == 0 else f"{name}|{index}")) is not None
    ]
    if not fitting:
        return None
    *_, index, found = min(fitting, key=lambda item: item[:3])
    return {plan.topic or f"{name}?": index, **found}


# Values of the library


@retraced.register(plans.MadePlan)
def _(plan: plans.MadePlan, recipe: Recipe, name: str) -> Assignment | None:
    if not isinstance(recipe, Call) or recipe.qualname != plan.label or len(recipe.args) > len(plan.parts):
        return None
    found: Assignment = {}
    for (part, inner), given in zip(plan.parts, recipe.args):  # noqa: B905 - the last ones may be left out
        found |= retraced(inner, given, f"{name}.{part}") or {}
    return found


@retraced.register(containers.ConvertedPlan)
def _(plan: containers.ConvertedPlan, recipe: Recipe, name: str) -> Assignment | None:
    if not isinstance(recipe, Call) or len(recipe.args) != 1:
        return None
    same = (recipe.module, recipe.qualname) == (plan.module, plan.qualname)
    return retraced(plan.inner, recipe.args[0], name) if same else None


# Containers


@retraced.register(containers.ListPlan)
def _(plan: containers.ListPlan, recipe: Recipe, name: str) -> Assignment | None:
    items = _items(recipe, SeriesKind.LIST)
    if items is None:
        return None
    if plan.element is None:
        return {}
    return _elements(plan.element, items[: max(containers.most_of(plan.element), plan.length)], name)


@retraced.register(containers.SetPlan)
def _(plan: containers.SetPlan, recipe: Recipe, name: str) -> Assignment | None:
    items = _items(recipe, SeriesKind.SET)
    return None if items is None else _elements(plan.element, items[: max(containers.FEW, plan.length)], name)


def _items(recipe: Recipe, kind: SeriesKind) -> tuple[Recipe, ...] | None:
    """The items of a container of that kind."""
    return recipe.items if isinstance(recipe, Series) and recipe.kind is kind else None


@retraced.register(containers.SeriesPlan)
def _(plan: containers.SeriesPlan, recipe: Recipe, name: str) -> Assignment | None:
    parts = _parts(recipe)
    if parts is None or plan.recipe(parts) != recipe:
        return None
    return _elements(plan.element, parts[: max(containers.FEW, plan.length)], name)


def _parts(recipe: Recipe) -> list[Recipe] | None:
    """The elements of a container, or of the list that one is made of."""
    if isinstance(recipe, Series):
        return list(recipe.items)
    return _parts(recipe.args[0]) if isinstance(recipe, Call) and len(recipe.args) == 1 else None


@retraced.register(containers.TuplePlan)
def _(plan: containers.TuplePlan, recipe: Recipe, name: str) -> Assignment | None:
    items = _items(recipe, SeriesKind.TUPLE)
    if items is None or len(items) != len(plan.items):
        return None
    pairs = enumerate(zip(plan.items, items, strict=True))
    return _together((item, part, f"{name}[{index}]") for index, (item, part) in pairs)


def _together(rows: Iterable[tuple[plans.Plan, Recipe, str]]) -> Assignment:
    found: Assignment = {}
    for plan, recipe, name in rows:
        found |= retraced(plan, recipe, name) or {}
    return found


@retraced.register(containers.DictPlan)
def _(plan: containers.DictPlan, recipe: Recipe, name: str) -> Assignment | None:
    if not isinstance(recipe, Dictionary):
        return None
    pairs = recipe.pairs[: max(containers.FEW, plan.length)]
    if plan.key is None or plan.value is None:
        return {}
    keys = [(plan.key, key, f"{name}.key{index}") for index, (key, _) in enumerate(pairs)]
    values = [(plan.value, value, f"{name}.value{index}") for index, (_, value) in enumerate(pairs)]
    return {f"{name}#": len(pairs), **_together([*keys, *values])}


@retraced.register(containers.RecordPlan)
def _(plan: containers.RecordPlan, recipe: Recipe, name: str) -> Assignment | None:
    if not isinstance(recipe, Dictionary):
        return None
    given = _by_key(recipe)
    if any(key not in given and key not in plan.optional for key, _ in plan.fields):
        return None
    optional = [key for key, _ in plan.fields if key in plan.optional]
    found: Assignment = {f"{name}.{key}?in": int(key in given) for key in optional}
    return found | _together((item, given[key], f"{name}.{key}") for key, item in plan.fields if key in given)


def _by_key(recipe: Recipe) -> dict[Any, Recipe]:
    """The values of a dict by those of its keys that are scalars."""
    pairs = recipe.pairs if isinstance(recipe, Dictionary) else ()
    return {key.value: value for key, value in pairs if isinstance(key, Scalar)}


# Objects


@retraced.register(DuckPlan)
def _(plan: DuckPlan, recipe: Recipe, name: str) -> Assignment | None:
    if not isinstance(recipe, Call) or (recipe.module, recipe.qualname) != ("types", "SimpleNamespace"):
        return None
    given = dict(recipe.kwargs)
    return _together((item, given[key], f"{name}.{key}") for key, item in plan.attributes if key in given)


@retraced.register(ConstructPlan)
def _(plan: ConstructPlan, recipe: Recipe, name: str) -> Assignment | None:
    if not isinstance(recipe, Call) or not _is_called(plan, recipe):
        return None
    return retraced_call(plan.parameters, by_parameter(plan.parameters, recipe), f"{name}.")


def _is_called(plan: ConstructPlan, recipe: Call) -> bool:
    """True if a recipe calls what the plan calls, perhaps by the name of another module."""
    try:
        called = recipes.lookup(recipe.module, recipe.qualname)
        return called is recipes.lookup(plan.module, plan.qualname)
    except (AttributeError, ImportError):
        return False


def by_parameter(parameters: Sequence[Parameter], recipe: Call | PreparingCall) -> dict[str, Recipe]:
    """The arguments of a call by the names of the parameters."""
    args, named = list(recipe.args), dict(recipe.kwargs)
    given: dict[str, Recipe] = {}
    for item in parameters:
        if item.kind == VARARGS:
            given[f"*{item.name}"], args = tuple_of(*args), []
        elif item.kind == KWARGS:
            given[f"**{item.name}"] = Dictionary(
                tuple((recipes.lit(key), value) for key, value in named.items())
            )
        elif args and not item.keyword_only:
            given[item.name] = args.pop(0)
        elif item.name in named:
            given[item.name] = named.pop(item.name)
    return given
