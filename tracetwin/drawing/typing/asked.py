"""Kinds of annotated values that the code asks for: subclasses of what is declared, and what it refuses."""

from __future__ import annotations

import builtins
import itertools
import types
import typing
from collections import abc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, ForwardRef, TypeAlias

from runtime.classes import is_subclass
from tracetwin.analysis.constructor_stores import parameters_stored_by
from tracetwin.analysis.evidence.field_uses import asked_classes, elements_named, refuses_others
from tracetwin.analysis.scopes import Scope, text_of
from tracetwin.analysis.sources import FunctionNode, receiver_of
from tracetwin.drawing.plans.containers import (
    ConvertedPlan,
    DictPlan,
    ListPlan,
    SetPlan,
    frozenset_of,
    iterator_of,
    tuple_of,
)
from tracetwin.drawing.plans.plans import Plan, UnionPlan, fixed, one_of
from tracetwin.model.errors import Unbuildable

_Place: TypeAlias = tuple[FunctionNode, str]
"""A function, and what a value is called there."""

_OTHERS: Final = (None, 0, "")
"""What is given where values of some classes are refused: the first that is of none of them."""


def abstract_kinds(annotation: Any, scope: Scope) -> tuple[type, ...]:
    """Return the abstract collections that an annotation names, to which classes of the code may conform."""
    if isinstance(annotation, (str, ForwardRef)):
        try:
            annotation = scope.evaluate(text_of(annotation))
        except Unbuildable:
            return ()
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return tuple(one for part in typing.get_args(annotation) for one in abstract_kinds(part, scope))
    kind = typing.get_origin(annotation) or annotation
    return (kind,) if isinstance(kind, type) and kind.__module__ == "collections.abc" else ()


class AskedKinds:
    """The classes that one function asks its parameters for, or that methods ask for what it stores of them.

    Args:
        node: the function, None where nobody wrote it.
        names: what its module holds.
        owner: the class whose method it is.
        plan_of: makes the plan of a class.
        methods: those of the class whose constructor it is.
    """

    def __init__(
        self,
        node: FunctionNode | None,
        names: Mapping[str, Any],
        owner: type | None,
        plan_of: Callable[[type], Plan],
        methods: Iterable[FunctionNode] = (),
    ) -> None:
        self._node = node
        self._methods = [method for method in methods if method is not node]
        functions = [*self._methods, *([] if node is None else [node])]
        receivers = [] if owner is None else filter(None, map(receiver_of, functions))
        mine = dict.fromkeys(receivers, owner)  # `self.kind` may be an attribute of the class
        self._names = {**vars(builtins), **names, **mine}
        self._plan_of = plan_of
        self._held = parameters_stored_by(owner) if owner is not None and self._methods else {}

    def classes(self, name: str) -> tuple[type, ...]:
        """Return the classes that a parameter is asked for, builtin ones as well."""
        return self._asked(self._places(name))

    def _places(self, name: str) -> list[_Place]:
        own = [] if self._node is None else [(self._node, name)]
        held = [attribute for attribute, parameter in self._held.items() if parameter == name]
        return [*own, *((node, f"{receiver_of(node)}.{one}") for node in self._methods for one in held)]

    def _asked(self, places: Iterable[_Place]) -> tuple[type, ...]:
        asked = (cls for node, name in places for cls in asked_classes(node, name, self._names))
        return tuple({id(cls): cls for cls in asked}.values())

    def beside(self, plan: Plan, name: str, declared: Sequence[type] = ()) -> Plan:
        """Return a plan, behind it those of what else the code looks for in the value, or in its elements.

        `declared`: the abstract classes that the value may be any subclass of.
        """
        return self._beside(plan, self._places(name), declared)

    def _beside(self, plan: Plan, places: Sequence[_Place], declared: Sequence[type] = ()) -> Plan:
        if isinstance(plan, ListPlan) and plan.element is not None:
            inner = [(node, one) for node, name in places for one in elements_named(node, name)]
            plan = replace(plan, element=self._beside(plan.element, inner))
        asked = self._asked(places)
        plan = self._narrowed(plan, asked, declared)
        if asked and any(refuses_others(node, name) for node, name in places):
            made = [part.produces() for part in _parts(plan)]
            others = (one for one in _OTHERS if type(one) not in made)
            fit = (one for one in others if not any(is_subclass(type(one), cls) for cls in asked))
            return one_of([plan, *map(fixed, itertools.islice(fit, 1))])
        return plan

    def _narrowed(self, plan: Plan, asked: Sequence[type], declared: Sequence[type]) -> Plan:
        """Return a plan, behind it those of subclasses of what it may make that the code asks for.

        Where each value would be what is asked for, one of another class that is declared follows.
        """
        parts = _parts(plan)
        made = [kind for part in parts if (kind := part.produces()) is not None and kind is not object]
        for cls in asked:
            if cls not in made and any(is_subclass(cls, kind) for kind in (*made, *declared)):
                with suppress(Unbuildable):
                    plan = one_of([plan, self._plan_of(cls)])
        others = (
            other
            for part in parts
            if any(part.produces() is cls for cls in asked)
            for other in _relatives(part, declared)
            if not any(is_subclass(kind, cls) for cls in asked if (kind := other.produces()) is not None)
        )
        return one_of([plan, *itertools.islice(others, 1)])


def _parts(plan: Plan) -> Sequence[Plan]:
    return plan.plans if isinstance(plan, UnionPlan) else (plan,)


def _relatives(plan: Plan, declared: Sequence[type]) -> Iterator[Plan]:
    """Plans of values of other classes with the same elements, as far as what is declared allows them."""
    for kind in declared:
        if isinstance(plan, DictPlan) and is_subclass(types.MappingProxyType, kind):
            yield ConvertedPlan("mappingproxy", plan, "types", "MappingProxyType", (types.MappingProxyType,))
        elif isinstance(plan, SetPlan) and is_subclass(frozenset, kind):
            yield frozenset_of(plan.element, plan.length)
        elif isinstance(plan, ListPlan) and is_subclass(tuple, kind):
            yield tuple_of(plan.element, plan.length)
            if kind is abc.Iterable:
                yield iterator_of(plan.element, plan.length)
