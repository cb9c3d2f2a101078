"""Kinds of annotated values that the code asks for: subclasses of what is declared, and what it refuses."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from runtime.classes import is_subclass
from tracetwin.analysis.evidence.field_uses import asked_classes, elements_named, refuses_others
from tracetwin.analysis.sources import FunctionNode
from tracetwin.drawing.plans.containers import ListPlan
from tracetwin.drawing.plans.plans import Plan, UnionPlan, fixed, one_of
from tracetwin.model.errors import Unbuildable

_OTHERS: Final = (None, 0, "")
"""What is given where values of some classes are refused: the first that is of none of them."""


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

    def beside(self, plan: Plan, name: str) -> Plan:
        """Return a plan, behind it those of what else the code looks for in the value, or in its elements."""
        if isinstance(plan, ListPlan) and plan.element is not None:
            for inner in elements_named(self._node, name):
                plan = replace(plan, element=self.beside(plan.element, inner))
            return plan
        asked = self.classes(name)
        plan = self._narrowed(plan, asked)
        if asked and refuses_others(self._node, name):
            fit = (one for one in _OTHERS if not any(is_subclass(type(one), cls) for cls in asked))
            return one_of([plan, *map(fixed, itertools.islice(fit, 1))])
        return plan

    def _narrowed(self, plan: Plan, asked: Sequence[type]) -> Plan:
        """Return a plan, behind it those of subclasses of what it makes that the code asks for."""
        parts = plan.plans if isinstance(plan, UnionPlan) else (plan,)
        made = [kind for part in parts if (kind := part.produces()) is not None and kind is not object]
        for cls in asked:
            if cls not in made and any(is_subclass(cls, kind) for kind in made):
                with suppress(Unbuildable):
                    plan = one_of([plan, self._plan_of(cls)])
        return plan
