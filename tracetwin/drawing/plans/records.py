"""Plans of dicts of known types: `TypedDict`, the keywords of one (PEP 655, PEP 692), `defaultdict`."""

from __future__ import annotations

import collections
import re
import sys
import typing
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, ForwardRef

from tracetwin.analysis.scopes import Scope, text_of
from tracetwin.drawing.plans.containers import DictPlan, RecordPlan
from tracetwin.drawing.plans.parameters import KWARGS, Parameter
from tracetwin.drawing.plans.plans import NONE, Built, FloatPlan, IntPlan, Plan, StrPlan
from tracetwin.drawing.plans.special_forms import is_special, unpacked
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Reference
from tracetwin.model.recipes import call, lit

PlanOf = Callable[[Any, Scope, int], Plan]
"""The plan of an annotation in a scope, at a depth."""

_MARKED: Final = re.compile(r"^(?:\w+\.)*(?:ReadOnly\[(?:\w+\.)*)?(NotRequired|Required)\[")


def is_typed_dict(cls: Any) -> bool:
    """True if a class is a `TypedDict`, also one of `typing_extensions`."""
    extensions = sys.modules.get("typing_extensions")
    return typing.is_typeddict(cls) or bool(extensions and extensions.is_typeddict(cls))


def typed_dict_plan(cls: Any, scope: Scope, depth: int, plan_of: PlanOf) -> RecordPlan:
    """The plan of a `TypedDict`; optional keys that can't be built are left out.

    Raises:
        Unbuildable: a required key can't be built.
    """
    fields: list[tuple[str, Plan]] = []
    optional: set[str] = set()
    for key, annotation in _annotations(cls).items():
        needed = _is_needed(cls, key, annotation)
        try:
            fields.append((key, plan_of(annotation, _home(cls, annotation, scope), depth + 1)))
        except Unbuildable as error:
            if needed:
                raise Unbuildable(f"key {key!r} of {cls.__name__}: {error}") from error
            continue
        if not needed:
            optional.add(key)
    return RecordPlan(tuple(fields), frozenset(optional), cls.__name__, depth > 0)


def _annotations(cls: Any) -> dict[str, Any]:
    return dict(getattr(cls, "__annotations__", {}))


def _home(cls: Any, annotation: Any, scope: Scope) -> Scope:
    """The scope in which the annotation of a key is read: that of the module of the class that has it."""
    name = getattr(annotation, "__forward_module__", None) if isinstance(annotation, ForwardRef) else None
    home = sys.modules.get(name if isinstance(name, str) else cls.__module__)
    return replace(scope, names=vars(home) if home else scope.names, owner=None)


def _is_needed(cls: Any, key: str, annotation: Any) -> bool:
    """True if a key must be there; in a text the class has not seen what it says."""
    if marked := _MARKED.match(text_of(annotation).strip("\"'")):
        return marked[1] == "Required"
    return key in getattr(cls, "__required_keys__", ())


def keywords_of(annotation: Any, scope: Scope, depth: int, plan_of: PlanOf) -> RecordPlan | None:
    """The keywords that ``**kwargs: Unpack[cls]`` gives a function; None for other annotations.

    Raises:
        Unbuildable: a required keyword can't be built.
    """
    if isinstance(annotation, (str, ForwardRef)):
        if "Unpack" not in text_of(annotation):
            return None
        annotation = scope.evaluate(text_of(annotation))
    inner = unpacked(annotation)
    cls = typing.get_origin(inner) or inner
    if inner is None or not is_typed_dict(cls) or is_special(cls, "TypedDict"):
        return None
    return typed_dict_plan(cls, scope, depth - 1, plan_of)


def with_keywords(name: str, record: RecordPlan) -> Parameter:
    """The parameter ``**name`` that takes the keys of a record."""
    keys = tuple(key for key, _ in record.fields)
    plans = tuple(plan for _, plan in record.fields)
    needed = frozenset(key for key in keys if key not in record.optional)
    return Parameter(name, NONE, KWARGS, keywords=keys, of_keywords=plans, needed=needed)


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
