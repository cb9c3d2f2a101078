"""The signatures that `typing.overload` gives a function: its arguments are drawn as one of them says."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from tracetwin.analysis.sources import FunctionNode, Source
from tracetwin.drawing.plans.parameters import KWARGS, VARARGS, Parameter
from tracetwin.drawing.plans.plans import Plan, UnionPlan, fixed
from tracetwin.model.errors import Unbuildable
from tracetwin.support.data import dataclass

MOST: Final = 8
"""Overloads of one function that are looked at."""


@dataclass(frozen=True)
class Overload:
    """One signature.

    Attributes:
        annotations: by name, those of its parameters.
        places: the names of the parameters that can be passed by position.
    """

    annotations: dict[str, str]
    places: tuple[str, ...]

    def annotation(self, name: str, place: int) -> str | None:
        """That of the parameter of this name, or else at this position; None where it has none."""
        if name in self.annotations:
            return self.annotations[name]
        at = self.places[place] if 0 <= place < len(self.places) else ""
        return self.annotations.get(at) if at.startswith("__") else None


def overloads(source: Source, qualname: str, *, skip_first: bool) -> list[Overload]:
    """The overloads of a function, in the order of the text."""
    nodes = [node for node in source.definitions.get(qualname, ()) if not isinstance(node, ast.ClassDef)]
    return [_overload(node, skip_first) for node in nodes if _is_overload(node)][:MOST]


def _is_overload(node: FunctionNode) -> bool:
    names = [ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list]
    return "overload" in names


def _overload(node: FunctionNode, skip_first: bool) -> Overload:
    by_place = [*node.args.posonlyargs, *node.args.args][int(skip_first) :]
    items = [*by_place, *node.args.kwonlyargs]
    known = {item.arg: ast.unparse(item.annotation) for item in items if item.annotation is not None}
    return Overload(known, tuple(item.arg for item in by_place))


def overloaded(
    parameters: Sequence[Parameter],
    found: Sequence[Overload],
    plan_of: Callable[[str], Plan],
    defaults: dict[str, Any],
    topic: str,
) -> tuple[Parameter, ...]:
    """The parameters drawn as one overload says, the same for all of them, or as the function itself says."""
    usable = [item for item in found if _can_be_planned(item, plan_of)]
    if not usable:
        return tuple(parameters)
    says_itself = any(parameter.annotated and not parameter.variadic for parameter in parameters)
    made = []
    for place, parameter in enumerate(parameters):
        plans = list(_plans(parameter, place, usable, plan_of, defaults))
        if says_itself and parameter.plan is not None:
            plans.append(parameter.plan)
        if parameter.plan is None or parameter.kind in (VARARGS, KWARGS):
            made.append(parameter)
        elif all(plan == plans[0] for plan in plans):
            made.append(replace(parameter, plan=plans[0], annotated=True))
        else:
            made.append(replace(parameter, plan=UnionPlan(tuple(plans), 0, topic), annotated=True))
    return tuple(made)


def _can_be_planned(item: Overload, plan_of: Callable[[str], Plan]) -> bool:
    try:
        for annotation in item.annotations.values():
            plan_of(annotation)
    except Unbuildable:
        return False
    return True


def _plans(
    parameter: Parameter,
    place: int,
    found: Sequence[Overload],
    plan_of: Callable[[str], Plan],
    defaults: dict[str, Any],
) -> Iterator[Plan]:
    """One plan for each overload: what it says, or the default where it has no such parameter."""
    for item in found:
        annotation = item.annotation(parameter.name, place)
        if annotation is not None:
            plan = plan_of(annotation)
            started = plan.starting_at(defaults[parameter.name]) if parameter.name in defaults else None
            yield started or plan
            continue
        try:
            yield fixed(defaults[parameter.name])
        except (KeyError, Unbuildable):
            if parameter.plan is not None:
                yield parameter.plan
