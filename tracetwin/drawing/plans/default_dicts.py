"""Default dicts, with the factory that fits their values."""

from __future__ import annotations

import collections
from typing import Any

from tracetwin.drawing.plans.containers import DictPlan
from tracetwin.drawing.plans.plans import Built, FloatPlan, IntPlan, Plan, StrPlan
from tracetwin.model.recipe import Reference
from tracetwin.model.recipes import call, lit


class DefaultDictPlan(Plan):
    """A defaultdict over a drawn dict."""

    _FACTORIES: tuple[tuple[type[Plan], type], ...] = ((IntPlan, int), (FloatPlan, float), (StrPlan, str))

    def __init__(self, plain: DictPlan) -> None:
        self._plain = plain
        self._factory: type | None = None
        label = plain.value.describe() if plain.value is not None else ""
        for kind, factory in self._FACTORIES:
            if isinstance(plain.value, kind):
                self._factory = factory
        for prefix, factory in (("list[", list), ("set[", set), ("dict[", dict), ("empty list", list)):
            if label.startswith(prefix):
                self._factory = factory

    def build(self, draw: Any, name: str) -> Built:
        value, recipe = self._plain.build(draw, name)
        factory = lit(None) if self._factory is None else Reference("builtins", self._factory.__name__)
        made: Any = collections.defaultdict(self._factory, value)
        return made, call("collections", "defaultdict", factory, recipe)

    def describe(self) -> str:
        return f"default{self._plain.describe()}"

    def starting_at(self, value: Any) -> Plan | None:
        inner = self._plain.starting_at(dict(value)) if type(value) is collections.defaultdict else None
        return DefaultDictPlan(inner) if isinstance(inner, DictPlan) else None
