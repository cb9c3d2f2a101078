"""Public attributes that a test may store on an object, and a plan for the value of each."""

from __future__ import annotations

import ast
import enum
import functools
from collections.abc import Iterator
from types import MemberDescriptorType
from typing import Any, TypeAlias

from tracetwin.analysis.effects.mutators import is_frozen
from tracetwin.analysis.scopes import Scope, own_annotations, text_of
from tracetwin.analysis.sources import MOST_WALKED, FunctionNode, walk
from tracetwin.drawing.adapters.registry import ADAPTERS
from tracetwin.drawing.objects.planning import Planning
from tracetwin.drawing.plans.parameters import Parameter
from tracetwin.drawing.plans.plans import Plan, one_of
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable

_Store: TypeAlias = tuple[str, ast.expr | None, ast.expr | None]
"""What is stored: the name of the attribute, its value, its annotation."""

MAKERS = ("__new__", "__init__", "__post_init__")
"""The functions that give an instance its attributes."""

_FIXED = ("ClassVar", "Final", "InitVar", "KW_ONLY")
_MOST_PLANS = 4
_SHARED = (list, dict, set)
"""A container in the body of a class is there for all instances."""


class ClassAttributes:
    """The attributes of the classes of one module."""

    def __init__(self, planner: Planning) -> None:
        """Look nothing up before it is asked for."""
        self._planner = planner
        self._source = planner.source

    def of(self, cls: type) -> dict[str, Parameter]:
        """The public attributes that can be stored on an instance, in the order of the text.

        Those that only the class has, constants (``LIMIT``), methods and what refuses to be stored are none.
        """
        if issubclass(cls, (tuple, enum.Enum, type)) or is_frozen(cls):
            return {}
        found: dict[str, Parameter] = {}
        for base in reversed(cls.__mro__):
            if recipes.is_traced(base.__module__) or base.__module__ == self._planner.module.__name__:
                for name in self._names(base):
                    if name not in found and self._is_wanted(name) and _can_be_stored(cls, name):
                        plan, known = self._plan(cls, base, name)
                        if plan is not None:
                            found[name] = Parameter("value", plan, annotated=known)
        return found

    def _names(self, base: type) -> Iterator[str]:
        """Attributes that the body of one class, or what makes its instances, gives a value."""
        for name, annotation in own_annotations(base).items():
            text = text_of(annotation).strip("'\"").rpartition("typing.")[2]
            if not text.startswith(_FIXED) and not isinstance(vars(base).get(name), _SHARED):
                yield name
        fixed = set(own_annotations(base))
        for name, value in list(vars(base).items()):
            plain = _is_data(value) and not isinstance(value, _SHARED)
            if plain and name not in fixed and not name.isupper():
                yield name
        for node in self._makers(base):
            for place, _value, _annotation in _stores(node):
                yield place

    def _makers(self, base: type) -> list[FunctionNode]:
        methods = self._source.methods(base.__qualname__)
        return [methods[name] for name in MAKERS if name in methods]

    def _is_wanted(self, name: str) -> bool:
        """True if it is public, or private ones are wanted; not what only its class can name."""
        return not name.startswith("_") or (self._planner.guide.private and not name.startswith("__"))

    def _plan(self, cls: type, base: type, name: str) -> tuple[Plan | None, bool]:
        """By annotation, by the constructor's parameter it takes its value from, by values and uses.

        And whether its type is known: not by uses alone.
        """
        scope = self._planner.scope(None, base)
        if (adapter := ADAPTERS.of(cls)) is not None:
            try:
                planned = adapter.field_plan(cls, name, lambda item: self._planner.resolver.plan(item, scope))
            except Unbuildable:
                return None, True
            if planned is not None:
                return planned, True
        annotation = own_annotations(base).get(name)
        stores = [row for node in self._makers(base) for row in _stores(node) if row[0] == name]
        written = [ast.unparse(row[2]) for row in stores if row[2] is not None]
        for text in [annotation] * (annotation is not None) + written:
            try:
                return self._planner.resolver.plan(text, scope), True
            except Unbuildable:
                continue
        taken = self._taken(cls, [row[1] for row in stores])
        if taken is not None:
            return taken.plan, taken.annotated or taken.starts_at_default
        return self._guessed(base, name, scope, stores)

    def _taken(self, cls: type, values: list[ast.expr | None]) -> Parameter | None:
        """The constructor's parameter that is stored as it is."""
        names = [value.id for value in values if isinstance(value, ast.Name)]
        try:
            parameters = self._planner.constructor(cls, self._planner.scope(None, cls)) if names else ()
        except Exception:  # noqa: BLE001 - signatures and metaclasses are the target's code
            return None
        by_name = {item.name: item for item in parameters if not item.variadic and item.plan is not None}
        return next((by_name[name] for name in names if name in by_name), None)

    def _guessed(
        self, base: type, name: str, scope: Scope, stores: list[_Store]
    ) -> tuple[Plan | None, bool]:
        """By the values that it is given, and by what the methods do with it."""
        kinds = [kind for _, value, _ in stores if (kind := _kind(value)) is not None]
        if _is_data(initial := vars(base).get(name)) and initial is not None:
            kinds.append(type(initial))
        known = bool(kinds)
        kinds += self._planner.usage.attribute_types(base.__qualname__, name)
        plans = []
        for kind in dict.fromkeys(kinds):
            try:
                plans.append(self._planner.resolver.plan(kind, scope))
            except Unbuildable:
                continue
        return one_of(plans, most=_MOST_PLANS) if plans else None, known


@functools.lru_cache(maxsize=MOST_WALKED)
def _stores(node: FunctionNode) -> tuple[_Store, ...]:
    """Each ``self.name = value`` in a function."""
    return tuple(_stores_in(node))


def _stores_in(node: FunctionNode) -> Iterator[_Store]:
    names = [*node.args.posonlyargs, *node.args.args]
    this = {names[0].arg} if names else set()
    this |= {target.id for target in _returned(node)}  # `__new__` has another name for it
    for part in walk(node):
        pairs: list[tuple[ast.expr, ast.expr | None, ast.expr | None]] = []
        if isinstance(part, ast.Assign):
            pairs = [pair for target in part.targets for pair in _paired(target, part.value)]
        elif isinstance(part, ast.AnnAssign):
            pairs = [(part.target, part.value, part.annotation)]
        for target, value, annotation in pairs:
            place = target.value if isinstance(target, ast.Attribute) else None
            if isinstance(target, ast.Attribute) and isinstance(place, ast.Name) and place.id in this:
                yield target.attr, value, annotation


def _returned(node: FunctionNode) -> list[ast.Name]:
    if node.name != "__new__":
        return []
    values = [part.value for part in walk(node) if isinstance(part, ast.Return)]
    return [value for value in values if isinstance(value, ast.Name)]


def _paired(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr | None, ast.expr | None]]:
    """The parts of ``a, b = c, d`` in pairs."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return [(target, value, None)]
    values: list[ast.expr | None] = [None] * len(target.elts)
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
        values = list(value.elts)
    return [(part, given, None) for part, given in zip(target.elts, values, strict=True)]


_DISPLAYS: dict[type[ast.expr], type] = {
    ast.List: list,
    ast.ListComp: list,
    ast.Dict: dict,
    ast.DictComp: dict,
    ast.Set: set,
    ast.SetComp: set,
    ast.JoinedStr: str,
    ast.Compare: bool,
}


def _kind(value: ast.expr | None) -> type | None:
    """The type of a value that can be seen in the text."""
    if isinstance(value, ast.Constant):
        return None if value.value is None or value.value is ... else type(value.value)
    if isinstance(value, ast.UnaryOp):
        return bool if isinstance(value.op, ast.Not) else _kind(value.operand)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.keywords:
        return {"list": list, "dict": dict, "set": set, "int": int, "str": str}.get(value.func.id)
    return None if value is None else _DISPLAYS.get(type(value))


def _is_data(value: Any) -> bool:
    """True if a value in the body of a class is data, not something that binds, calls or makes."""
    kind = type(value)
    return not (callable(value) or any(hasattr(kind, name) for name in ("__get__", "__set__", "__delete__")))


def _can_be_stored(kind: type, name: str) -> bool:
    """True if storing it puts a value into the instance: it is no method, property or the like."""
    for base in kind.__mro__:
        if name in vars(base):
            member = vars(base)[name]
            return _is_data(member) or isinstance(member, MemberDescriptorType)
    return kind.__dictoffset__ != 0
