"""Kinds of annotated values that the code asks for: subclasses of what is declared, and what it refuses."""

from __future__ import annotations

import builtins
import itertools
import types
import typing
from collections import abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, ForwardRef

from runtime.classes import is_subclass
from tracetwin.analysis.evidence.field_uses import asked_classes, elements_named, refuses_others
from tracetwin.analysis.scopes import Scope, text_of
from tracetwin.analysis.sources import FunctionNode
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
    """The classes that one function asks its parameters for.

    Args:
        node: the function.
        names: what its module holds.
        owner: the class whose method it is.
        plan_of: makes the plan of a class.
    """

    def __init__(
        self,
        node: FunctionNode,
        names: Mapping[str, Any],
        owner: type | None,
        plan_of: Callable[[type], Plan],
    ) -> None:
        self._node = node
        first = next((item.arg for item in (*node.args.posonlyargs, *node.args.args)), "")
        mine = {} if owner is None else {first: owner}  # `self.kind` may be an attribute of the class
        self._names = {**vars(builtins), **names, **mine}
        self._plan_of = plan_of

    def classes(self, name: str) -> tuple[type, ...]:
        """Return the classes that a parameter is asked for, builtin ones as well."""
        return asked_classes(self._node, name, self._names)

    def beside(self, plan: Plan, name: str, declared: Sequence[type] = ()) -> Plan:
        """Return a plan, behind it those of what else the code looks for in the value, or in its elements.

        `declared`: the abstract classes that the value may be any subclass of.
        """
        asked = self.classes(name)
        if isinstance(plan, ListPlan) and plan.element is not None:
            for inner in elements_named(self._node, name):
                plan = replace(plan, element=self.beside(plan.element, inner))
            if not declared:
                return plan
        plan = self._narrowed(plan, asked, declared)
        if asked and refuses_others(self._node, name):
            fit = (one for one in _OTHERS if not any(is_subclass(type(one), cls) for cls in asked))
            return one_of([plan, *map(fixed, itertools.islice(fit, 1))])
        return plan

    def _narrowed(self, plan: Plan, asked: Sequence[type], declared: Sequence[type]) -> Plan:
        """Return a plan, behind it those of subclasses of what it may make that the code asks for.

        Where each value would be what is asked for, one of another class that is declared follows.
        """
        parts = plan.plans if isinstance(plan, UnionPlan) else (plan,)
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
