"""From a value back to the input that draws it: what `Plan.build` does, the other way round.

The names are those that the plans draw under, see the README of this room. What a plan can't draw is left to
its default, so that an input may come near the value only: it is one to begin with, and the search goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from typing import Any, Final, TypeAlias

from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.plans import containers, plans
from tracetwin.drawing.plans.parameters import KWARGS, MOST_VARARGS, VARARGS, Parameter
from tracetwin.drawing.typing.guesses import DuckPlan
from tracetwin.model import recipes
from tracetwin.model.recipes import Recipe

Assignment: TypeAlias = dict[str, Any]


@singledispatch
def retraced(plan: plans.Plan, recipe: Recipe, name: str) -> Assignment | None:  # noqa: ARG001 - any plan
    """The values under which a plan draws what a recipe describes, None where it draws another kind of thing.

    Args:
        plan: how the value is drawn.
        recipe: the value.
        name: what it is called.
    """
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
            found |= _elements(item.plan, recipe[1][:MOST_VARARGS], name)
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
    passed = {key[1]: value for key, value in recipe[1]}
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


def _literal(recipe: Recipe, *kinds: type) -> bool:
    return recipe[0] == "lit" and type(recipe[1]) in kinds


@retraced.register
def _(plan: plans.IntPlan, recipe: Recipe, name: str) -> Assignment | None:
    if not _literal(recipe, int):
        return None
    low, high = plan.low is None or recipe[1] >= plan.low, plan.high is None or recipe[1] <= plan.high
    return {name: recipe[1]} if low and high else {}


@retraced.register
def _(plan: plans.StrPlan, recipe: Recipe, name: str) -> Assignment | None:
    if not _literal(recipe, str):
        return None
    return {name: recipe[1]} if plan.max_length is None or len(recipe[1]) <= plan.max_length else {}


_PLAIN: Final[dict[type[plans.Plan], tuple[type, ...]]] = {
    plans.BoolPlan: (bool,),
    plans.FloatPlan: (float, int),
    plans.BytesPlan: (bytes,),
}


@retraced.register(plans.BoolPlan)
@retraced.register(plans.FloatPlan)
@retraced.register(plans.BytesPlan)
def _(plan: plans.Plan, recipe: Recipe, name: str) -> Assignment | None:
    if not _literal(recipe, *_PLAIN[type(plan)]):
        return None
    return {name: float(recipe[1]) if isinstance(plan, plans.FloatPlan) else recipe[1]}


@retraced.register
def _(_plan: plans.ComplexPlan, recipe: Recipe, name: str) -> Assignment | None:
    if not _literal(recipe, complex):
        return None
    return {f"{name}.real": recipe[1].real, f"{name}.imag": recipe[1].imag}


@retraced.register
def _(plan: plans.FixedPlan, recipe: Recipe, _name: str) -> Assignment | None:
    return {} if recipe == plan.recipe else None


@retraced.register
def _(plan: plans.MemberPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe not in plan.recipes:
        return None
    return {f"{name}?": plan.recipes.index(recipe)} if len(plan.recipes) > 1 else {}


@retraced.register
def _(plan: plans.UnionPlan, recipe: Recipe, name: str) -> Assignment | None:
    fitting = [
        (isinstance(part, plans.FloatPlan) and not _literal(recipe, float), index, found)
        for index, part in enumerate(plan.plans)
        if (found := retraced(part, recipe, name if index == 0 else f"{name}|{index}")) is not None
    ]
    if not fitting:
        return None
    _, index, found = min(fitting, key=lambda item: item[:2])
    return {plan.topic or f"{name}?": index, **found}


# Values of the library


@retraced.register
def _(plan: plans.MadePlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[0] != "call" or recipe[2] != plan.label or len(recipe[3]) > len(plan.parts):
        return None
    found: Assignment = {}
    for (part, inner), given in zip(plan.parts, recipe[3]):  # noqa: B905 - the last ones may be left out
        found |= retraced(inner, given, f"{name}.{part}") or {}
    return found


@retraced.register
def _(plan: containers.ConvertedPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[:3] != ("call", plan.module, plan.qualname) or len(recipe[3]) != 1:
        return None
    return retraced(plan.inner, recipe[3][0], name)


# Containers


@retraced.register
def _(plan: containers.ListPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[0] != "list":
        return None
    if plan.element is None:
        return {}
    return _elements(plan.element, recipe[1][: max(containers.most_of(plan.element), plan.length)], name)


@retraced.register
def _(plan: containers.SetPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[0] != "set":
        return None
    return _elements(plan.element, recipe[1][: max(containers.FEW, plan.length)], name)


@retraced.register
def _(plan: containers.SeriesPlan, recipe: Recipe, name: str) -> Assignment | None:
    parts = _parts(recipe)
    if parts is None or plan.recipe(parts) != recipe:
        return None
    return _elements(plan.element, parts[: max(containers.FEW, plan.length)], name)


def _parts(recipe: Recipe) -> list[Recipe] | None:
    """The elements of a container, or of the list that one is made of."""
    if recipe[0] in ("list", "tuple", "set", "frozenset"):
        parts: list[Recipe] = recipe[1]
        return parts
    return _parts(recipe[3][0]) if recipe[0] == "call" and len(recipe[3]) == 1 else None


@retraced.register
def _(plan: containers.TuplePlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[0] != "tuple" or len(recipe[1]) != len(plan.items):
        return None
    return _together(
        (item, part, f"{name}[{index}]")
        for index, (item, part) in enumerate(zip(plan.items, recipe[1], strict=True))
    )


def _together(rows: Iterable[tuple[plans.Plan, Recipe, str]]) -> Assignment:
    found: Assignment = {}
    for plan, recipe, name in rows:
        found |= retraced(plan, recipe, name) or {}
    return found


@retraced.register
def _(plan: containers.DictPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[0] != "dict":
        return None
    pairs = recipe[1][: max(containers.FEW, plan.length)]
    if plan.key is None or plan.value is None:
        return {}
    keys = [(plan.key, key, f"{name}.key{index}") for index, (key, _) in enumerate(pairs)]
    values = [(plan.value, value, f"{name}.value{index}") for index, (_, value) in enumerate(pairs)]
    return {f"{name}#": len(pairs), **_together([*keys, *values])}


@retraced.register
def _(plan: containers.RecordPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[0] != "dict":
        return None
    given = {key[1]: value for key, value in recipe[1] if key[0] == "lit"}
    if any(key not in given and key not in plan.optional for key, _ in plan.fields):
        return None
    optional = [key for key, _ in plan.fields if key in plan.optional]
    found: Assignment = {f"{name}.{key}?in": int(key in given) for key in optional}
    return found | _together((item, given[key], f"{name}.{key}") for key, item in plan.fields if key in given)


# Objects


@retraced.register
def _(plan: DuckPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[:3] != ("call", "types", "SimpleNamespace"):
        return None
    given = dict(recipe[4])
    return _together((item, given[key], f"{name}.{key}") for key, item in plan.attributes if key in given)


@retraced.register
def _(plan: ConstructPlan, recipe: Recipe, name: str) -> Assignment | None:
    if recipe[0] != "call" or not _is_called(plan, recipe):
        return None
    return retraced_call(plan.parameters, _by_parameter(plan.parameters, recipe), f"{name}.")


def _is_called(plan: ConstructPlan, recipe: Recipe) -> bool:
    """True if a recipe calls what the plan calls, perhaps by the name of another module."""
    try:
        called = recipes.lookup(recipe[1], recipe[2])
        return called is recipes.lookup(plan.module, plan.qualname)
    except (AttributeError, ImportError):
        return False


def _by_parameter(parameters: Sequence[Parameter], recipe: Recipe) -> dict[str, Recipe]:
    """The arguments of a call by the names of the parameters."""
    args, named = list(recipe[3]), dict(recipe[4])
    given: dict[str, Recipe] = {}
    for item in parameters:
        if item.kind == VARARGS:
            given[f"*{item.name}"], args = ("tuple", args), []
        elif item.kind == KWARGS:
            given[f"**{item.name}"] = ("dict", [(recipes.lit(key), value) for key, value in named.items()])
        elif args and not item.keyword_only:
            given[item.name] = args.pop(0)
        elif item.name in named:
            given[item.name] = named.pop(item.name)
    return given
