"""Parameters with their plans, and how a whole argument list is drawn."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import field, replace
from types import FunctionType
from typing import Any

from runtime.class_choices import Alternative
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, Plan
from tracetwin.drawing.plans.reuse import earlier_result, same_container, shared
from tracetwin.model import recipes
from tracetwin.model.recipe import Reference, Scalar
from tracetwin.model.recipes import Recipe
from tracetwin.support.data import dataclass

POSITIONAL_ONLY = "positional only"
EITHER = "positional or keyword"
KEYWORD_ONLY = "keyword only"
VARARGS = "*"
KWARGS = "**"

KINDS: dict[Any, str] = {
    inspect.Parameter.POSITIONAL_ONLY: POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD: EITHER,
    inspect.Parameter.KEYWORD_ONLY: KEYWORD_ONLY,
    inspect.Parameter.VAR_POSITIONAL: VARARGS,
    inspect.Parameter.VAR_KEYWORD: KWARGS,
}

MOST_VARARGS = 3


@dataclass(frozen=True)
class Parameter:
    """One parameter of something that can be called.

    Attributes:
        plan: how its value (an element of `*args`, a value of `**kwargs`) is drawn; None: always left out.
        kind: one of the constants above.
        default: the recipe of its default; None when there is none or it can't be written down.
        starts_at_default: the plan's first value is the default; else leaving it out is a choice.
        keywords: the keys that are used of `**kwargs`.
        of_keywords: the plans of their values, where each has its own.
        needed: the keys that are always passed.
        usual: how many are passed as `*args`, or of the keys, unless the input says otherwise.
        annotated: its type is known from an annotation, not guessed.
    """

    name: str
    plan: Plan | None
    kind: str = EITHER
    has_default: bool = False
    default: Recipe | None = None
    starts_at_default: bool = False
    keywords: tuple[str, ...] = ()
    of_keywords: tuple[Plan, ...] = ()
    needed: frozenset[str] = frozenset()
    usual: int = 0
    annotated: bool = True

    @property
    def keyword_only(self) -> bool:
        """True if it can't be passed by position."""
        return self.kind == KEYWORD_ONLY

    @property
    def variadic(self) -> str:
        """``"*"``, ``"**"`` or the empty string."""
        return self.kind if self.kind in (VARARGS, KWARGS) else ""


_OUTSIDE = frozenset(("asyncio", "datetime", "random", "secrets", "time"))
"""Modules whose functions wait, or ask a clock or for chance."""


_CLOCKS = frozenset(("time", "monotonic", "perf_counter", "process_time", "thread_time"))


def with_default(parameter: Parameter, value: Any) -> Parameter:
    """The parameter with a default, where its plan starts if it can.

    A default that waits, or asks a clock or for chance, is there to be replaced: another is always passed.
    """
    plan = parameter.plan
    if plan is not None and (parameter.annotated or plan.produces() is FunctionType) and _is_outside(value):
        return replace(parameter, plan=plan.in_place_of(value))
    started = None if parameter.plan is None else parameter.plan.starting_at(value)
    return replace(
        parameter,
        plan=parameter.plan if started is None else started,
        has_default=True,
        default=recipes.of_value(value),
        starts_at_default=started is not None,
    )


def _is_outside(value: Any) -> bool:
    """Return whether a value is a function that waits, or asks a clock or for chance."""
    owner = getattr(value, "__self__", None)
    home = getattr(value, "__module__", None) or type(owner).__module__
    return callable(value) and not isinstance(value, type) and str(home).partition(".")[0] in _OUTSIDE


def is_clock(value: Any) -> bool:
    """Return whether a value is a function of `time` that tells it."""
    return getattr(value, "__module__", None) == "time" and value.__name__.removesuffix("_ns") in _CLOCKS


@dataclass
class Arguments:
    """Drawn arguments: the traced values, and the shortest recipes that pass the same."""

    args: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)
    arg_recipes: list[Recipe] = field(default_factory=list)
    kwarg_recipes: list[tuple[str, Recipe]] = field(default_factory=list)


def build_arguments(draw: Draw, parameters: tuple[Parameter, ...], prefix: str = "") -> Arguments:
    """Draw a value for each parameter.

    Raises:
        SetupFailed: a constructor refused.
    """
    made = Arguments()
    drawn: list[tuple[Parameter, Any, Recipe]] = []
    extra: list[Built] = []
    for parameter in parameters:
        name = prefix + parameter.name
        if parameter.plan is None:
            continue
        if parameter.kind == VARARGS:
            count = _usually(draw, f"{name}#", MOST_VARARGS + 1, parameter.usual)
            extra = [parameter.plan.build(draw, f"{name}[{index}]") for index in range(count)]
        elif parameter.kind == KWARGS:
            _draw_keywords(draw, parameter, name, made)
        elif parameter.has_default and not parameter.starts_at_default:
            built = _draw_given(draw, parameter.plan, parameter, name, drawn)
            drawn += [] if built is None else [(parameter, *built)]
        else:
            drawn.append((parameter, *_draw_one(draw, parameter.plan, parameter, name, drawn)))
    _place(parameters, drawn, extra, made)
    return made


def _draw_given(
    draw: Draw, plan: Plan, parameter: Parameter, name: str, drawn: list[tuple[Parameter, Any, Recipe]]
) -> Built | None:
    """Draw one argument where the input says that there is one; else the default is what the program sees."""
    choice = f"{name}?given"
    given = draw.choice(choice, 2)
    default = parameter.default
    kinds = [
        Alternative(type(default.value) if isinstance(default, Scalar) else None),
        plan.alternative(name),
    ]
    if not given:
        if isinstance(default, Scalar) and default.value is None:
            draw.decided(None, choice, given, kinds)
        return None
    built = _draw_one(draw, plan, parameter, name, drawn)
    draw.decided(built[0], choice, given, kinds)
    return built


def _draw_one(
    draw: Draw, plan: Plan, parameter: Parameter, name: str, drawn: list[tuple[Parameter, Any, Recipe]]
) -> Built:
    """Draw one argument: something that exists already where the input says so, else a new value."""
    found = earlier_result(draw, plan, name, annotated=parameter.annotated)
    if found is not None:
        return found
    earlier = [(item.plan, (value, recipe)) for item, value, recipe in drawn if item.plan is not None]
    place = same_container(draw, plan, name, earlier)
    if place is None:
        return plan.build(draw, name)
    other, *built = drawn[place]
    value, recipe = shared(draw, (built[0], built[1]), other.name)
    drawn[place] = (other, value, recipe)
    return value, recipe


def _usually(draw: Draw, name: str, count: int, usual: int) -> int:
    """Draw a choice that is the usual one unless the input says otherwise, also where any other would do."""
    if usual:
        draw.homes[name] = usual
    return draw.choice(name, count, usual)


def _draw_keywords(draw: Draw, parameter: Parameter, name: str, made: Arguments) -> None:
    assert parameter.plan is not None
    plans = parameter.of_keywords or (parameter.plan,) * len(parameter.keywords)
    for place, (key, plan) in enumerate(zip(parameter.keywords, plans, strict=True)):
        usual = int(place < parameter.usual)
        if key in parameter.needed or _usually(draw, f"{name}.{key}?in", 2, usual):
            value, recipe = plan.build(draw, f"{name}.{key}")
            made.kwargs[key] = value
            made.kwarg_recipes.append((key, recipe))


def _place(
    parameters: tuple[Parameter, ...],
    drawn: list[tuple[Parameter, Any, Recipe]],
    extra: list[tuple[Any, Recipe]],
    made: Arguments,
) -> None:
    """Decide position or keyword; what equals a default is left out of the recipes."""
    by_name: Mapping[str, tuple[Any, Recipe]] = {item.name: (value, recipe) for item, value, recipe in drawn}
    in_order = [item for item in parameters if item.kind in (POSITIONAL_ONLY, EITHER)]
    if extra and all(item.name in by_name for item in in_order):
        # `*args` can only be reached past all the others.
        row = [*(by_name[item.name] for item in in_order), *extra]
        made.args += [value for value, _ in row]
        made.arg_recipes += [recipe for _, recipe in row]
    else:
        _place_in_order(in_order, by_name, made)
    for item in parameters:
        if item.kind == KEYWORD_ONLY and item.name in by_name:
            value, recipe = by_name[item.name]
            made.kwargs[item.name] = value
            if not _is_default(item, recipe):
                made.kwarg_recipes.append((item.name, recipe))


def _place_in_order(
    in_order: list[Parameter], by_name: Mapping[str, tuple[Any, Recipe]], made: Arguments
) -> None:
    """By position up to the first one left out, then by keyword."""
    gap = recipe_gap = False
    for index, item in enumerate(in_order):
        if item.name not in by_name or (gap and item.kind == POSITIONAL_ONLY):
            gap = recipe_gap = True
            continue
        value, recipe = by_name[item.name]
        if gap:
            made.kwargs[item.name] = value
        else:
            made.args.append(value)
        later = [other for other in in_order[index + 1 :] if other.kind == POSITIONAL_ONLY]
        if _is_default(item, recipe) and all(_passes_default(other, by_name) for other in later):
            recipe_gap = True
        elif recipe_gap:
            made.kwarg_recipes.append((item.name, recipe))
        else:
            made.arg_recipes.append(recipe)


def _passes_default(item: Parameter, by_name: Mapping[str, tuple[Any, Recipe]]) -> bool:
    return item.name not in by_name or _is_default(item, by_name[item.name][1])


def _is_default(item: Parameter, recipe: Recipe) -> bool:
    """True if a recipe spells exactly the default (immutable values only; 1, 1.0 and True differ)."""
    return (
        item.default is not None
        and isinstance(recipe, (Scalar, Reference))
        and repr(recipe) == repr(item.default)
    )
