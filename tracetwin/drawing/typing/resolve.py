"""From annotations to plans: the dispatch over the forms that an annotation can take."""

from __future__ import annotations

import collections
import enum
import inspect
import types
import typing
from collections import abc
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ForwardRef

from tracetwin.analysis.scopes import Scope, is_anything, text_of, unwrapped
from tracetwin.drawing.adapters.registry import ADAPTERS
from tracetwin.drawing.plans import containers
from tracetwin.drawing.plans.constrained import constrained
from tracetwin.drawing.plans.constraints import constraints_of
from tracetwin.drawing.plans.containers import DictPlan, ListPlan, SetPlan, TuplePlan
from tracetwin.drawing.plans.enumerations import enum_plan
from tracetwin.drawing.plans.plans import (
    NONE,
    UNTOLD,
    BoolPlan,
    BytesPlan,
    FloatPlan,
    IntPlan,
    Plan,
    StrPlan,
    UnionPlan,
    members,
    one_of,
)
from tracetwin.drawing.plans.records import DefaultDictPlan, is_typed_dict, typed_dict_plan
from tracetwin.drawing.plans.special_forms import class_object, default_of, is_special, unpacked
from tracetwin.drawing.plans.stand_ins import StandIns
from tracetwin.drawing.typing import generics
from tracetwin.drawing.typing.tuples import tuple_plan
from tracetwin.model import recipes
from tracetwin.model.class_stand_in import real_class
from tracetwin.model.errors import Unbuildable

MAX_DEPTH = 4

ClassPlanner = Callable[[type, Scope, int], Plan]


class Resolver:
    """Plans for annotations. `depth` counts the classes and forward references around."""

    def __init__(
        self,
        plan_class: ClassPlanner,
        stand_ins: StandIns,
        has_factory: Callable[[type], bool] = lambda cls: False,
    ) -> None:
        self._plan_class = plan_class
        self.stand_ins = stand_ins
        self._has_factory = has_factory
        self.known_records: Callable[[], list[Plan]] = list
        self._records: list[Plan] | None = None
        self._reading: list[str] = []
        self._known: dict[tuple[Any, ...], tuple[Scope, Plan | Unbuildable]] = {}

    def plan(self, annotation: Any, scope: Scope, depth: int = 0) -> Plan:
        """The plan of an annotation.

        Raises:
            Unbuildable: with the reason.
        """
        annotation = real_class(annotation)
        if isinstance(annotation, (str, ForwardRef)):
            return self._named(text_of(annotation), scope, depth)
        if annotation is None or annotation is type(None):
            return NONE
        if annotation is inspect.Parameter.empty or annotation is object or is_special(annotation, "Any"):
            return self.anything(depth)
        if (plan := self._plan_variable(annotation, scope, depth)) is not None:
            return plan
        origin = typing.get_origin(annotation)
        if origin is not None:
            return self._plan_form(origin, typing.get_args(annotation), annotation, scope, depth)
        return self._plan_bare(annotation, scope, depth)

    def _named(self, text: str, scope: Scope, depth: int) -> Plan:
        """The plan of an annotation given as text; an alias that leads back to itself nests."""
        if depth > MAX_DEPTH:
            raise Unbuildable("nested too deep")
        place = (id(scope.names), id(scope.owner), tuple(scope.bindings.items()))
        key = (text, depth, *place, *sorted(self._reading))
        if key not in self._known:  # an alias may lead back to itself in many places
            self._known[key] = (scope, self._read(text, scope, depth))
        plan = self._known[key][1]
        if isinstance(plan, Unbuildable):
            raise plan
        return plan

    def _read(self, text: str, scope: Scope, depth: int) -> Plan | Unbuildable:
        again = text in self._reading
        if not again:
            self._reading.append(text)
        try:
            return self.plan(scope.evaluate(text), scope, depth + again)
        except Unbuildable as error:
            return error
        finally:
            if not again:
                self._reading.pop()

    def _instance(self, cls: type, scope: Scope, depth: int) -> Plan:
        """The plan of a class; the class counts as nesting, so that the texts around it do not."""
        outer, self._reading = self._reading, []
        try:
            return self._plan_class(cls, scope, depth)
        finally:
            self._reading = outer

    def anything(self, depth: int = 0) -> Plan:
        """The plan of an argument without any hint."""
        start = 1 if depth == 0 else 0
        return one_of(
            [
                IntPlan(),
                *self._known_records(),
                StrPlan(),
                NONE,
                ListPlan(IntPlan(), start),
                FloatPlan(),
                DictPlan(StrPlan(), IntPlan(), start),
            ]
        )

    def _known_records(self) -> list[Plan]:
        """The dicts that the module looks into: what comes from somewhere else may be one."""
        if self._records is None:
            self._records = []  # within one of them others are not known
            self._records = self.known_records()
        return self._records

    def maybe(self, annotation: Any, scope: Scope, depth: int) -> Plan | None:
        """The plan of an element, or None where only an empty container can be had."""
        try:
            return self.plan(annotation, scope, depth)
        except Unbuildable:
            return None

    def union(self, parts: tuple[Any, ...], scope: Scope, depth: int, topic: str | None = None) -> Plan:
        """The choice among annotations; those that can't be built are left out.

        Raises:
            Unbuildable: none can, with the first reason.
        """
        plans: list[Plan] = []
        reason: Unbuildable | None = None
        for part in parts:
            try:
                plans.append(self.plan(part, scope, depth))
            except Unbuildable as error:
                reason = reason or error
        if not plans and reason is not None:
            raise reason
        chosen = one_of(plans, topic=topic)
        nested = depth > 0 and isinstance(chosen, UnionPlan) and chosen.plans[0].is_composite()
        if nested and isinstance(chosen, UnionPlan) and NONE in chosen.plans:
            return replace(chosen, default=chosen.plans.index(NONE))  # a nested structure ends soon
        return chosen

    def _plan_variable(self, annotation: Any, scope: Scope, depth: int) -> Plan | None:
        """Plans of type variables, new types, aliases and forms without arguments; None for the rest."""
        if isinstance(annotation, typing.TypeVar):
            return self._type_variable(annotation, scope, depth)
        if generics.is_variadic(annotation):
            return self.union(scope.bindings.get(annotation) or (int, str), scope, depth)
        if hasattr(annotation, "__supertype__"):
            return self.plan(annotation.__supertype__, scope, depth)
        if type(annotation).__name__ == "TypeAliasType":
            return self._alias(annotation, scope, depth)
        if is_special(annotation, "Self"):
            if scope.owner is None:
                raise Unbuildable("Self outside of a class")
            return self.plan(scope.owner, scope, depth)
        if is_special(annotation, "Never", "NoReturn"):
            raise Unbuildable("no value has this type")
        return StrPlan() if is_special(annotation, "LiteralString") else None

    def _type_variable(self, variable: Any, scope: Scope, depth: int) -> Plan:
        topic = f"~{variable.__name__}"
        if variable in scope.bindings:
            return self.plan(scope.bindings[variable], replace(scope, bindings={}), depth)
        if variable.__constraints__:
            return self.union(variable.__constraints__, scope, depth, topic)
        if variable.__bound__ is not None:
            return self.plan(variable.__bound__, scope, depth)
        plain: list[Plan] = [IntPlan(), StrPlan()]
        if (default := default_of(variable)) is None:
            return one_of(plain, topic=topic)
        return one_of([self.plan(default, scope, depth), *plain], topic=topic)

    def _alias(self, alias: Any, scope: Scope, depth: int, args: tuple[Any, ...] = ()) -> Plan:
        """An alias of the ``type`` statement."""
        if depth > MAX_DEPTH:
            raise Unbuildable("nested too deep")
        given = [generics.substituted(arg, scope.bindings) for arg in args]
        inner = replace(scope, bindings={**scope.bindings, **generics.bound(alias, given)})
        return self.plan(alias.__value__, inner, depth + 1)

    def _plan_form(self, origin: Any, args: tuple[Any, ...], form: Any, scope: Scope, depth: int) -> Plan:
        if origin is typing.Union or origin is types.UnionType:
            return self.union(args, scope, depth)
        if origin is type:
            return class_object(args[0] if args else object, scope)
        if origin is abc.Callable:
            return self._plan_callable(args, scope, depth)
        if (special := self._plan_special(origin, args, form, scope, depth)) is not None:
            return special
        if origin is tuple and not args and isinstance(form, types.GenericAlias):
            return TuplePlan(())
        if (container := self._container(origin, args, scope, depth)) is not None:
            return container
        if isinstance(origin, type):
            known = None if self._has_factory(origin) else ADAPTERS.plan(origin, args, scope.source)
            if known is not None:
                return known
            given = [generics.settled(generics.substituted(arg, scope.bindings), scope) for arg in args]
            return self._plan_type(origin, replace(scope, bindings=generics.bound(origin, given)), depth)
        raise Unbuildable("this form of annotation is not known")

    def _plan_special(
        self, origin: Any, args: tuple[Any, ...], form: Any, scope: Scope, depth: int
    ) -> Plan | None:
        """Plans of forms that are no generic classes; None for the rest."""
        if is_special(origin, "Literal"):
            return members(list(args), text_of(form))
        if is_special(origin, "Annotated"):
            metadata = getattr(form, "__metadata__", ())
            return constrained(self.plan(args[0], scope, depth), constraints_of(metadata))
        if is_special(origin, "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"):
            return self.plan(args[0], scope, depth)
        if (inner := unpacked(form)) is not None:  # of ``*args``, whose elements are wanted
            parts = tuple(part for part in typing.get_args(inner) or (inner,) if part is not Ellipsis)
            return self.union(parts, scope, depth)
        if is_special(origin, "TypeGuard", "TypeIs"):
            return BoolPlan()
        if type(origin).__name__ == "TypeAliasType":
            return self._alias(origin, scope, depth, args)
        if origin is typing.IO:
            return self._plan_type(typing.BinaryIO if args == (bytes,) else typing.TextIO, scope, depth)
        return None

    def _plan_bare(self, annotation: Any, scope: Scope, depth: int) -> Plan:
        """Plans of what has no arguments: classes, and things that are written where a type should be."""
        if isinstance(annotation, type):
            return self._plan_type(annotation, scope, depth)
        if isinstance(inner := unwrapped(annotation), type):  # a decorator took its place
            return self._plan_type(inner, scope, depth)
        if isinstance(annotation, tuple) and annotation:
            return self.union(annotation, scope, depth)
        if annotation is any or is_special(annotation, "Final", "ClassVar"):
            return self.anything(depth)
        if annotation is callable:
            return self.stand_ins.function(-1, IntPlan(), is_open=True)
        if (made := ADAPTERS.plan(annotation, (), scope.source)) is not None:
            return made
        raise Unbuildable(f"it is a {type(annotation).__name__}, not a type")

    def _plan_type(self, cls: type, scope: Scope, depth: int) -> Plan:
        if self._has_factory(cls):
            return self._instance(cls, scope, depth)
        if cls in _SCALARS:
            return _SCALARS[cls]
        if cls is type:
            return class_object(object, scope)
        if cls in _FUNCTIONS:
            return self.stand_ins.function(-1, IntPlan(), is_open=True)
        known = self._container(cls, (), scope, depth) or ADAPTERS.plan(cls, (), scope.source)
        if known is not None:
            return known
        if issubclass(cls, enum.Enum):
            return enum_plan(cls)
        if is_typed_dict(cls):
            if depth > MAX_DEPTH:
                raise Unbuildable("nested too deep")
            return typed_dict_plan(cls, scope, depth, self.plan)
        return self._instance(cls, scope, depth)

    def _plan_callable(self, args: tuple[Any, ...], scope: Scope, depth: int) -> Plan:
        if not args:
            return self.stand_ins.function(-1, IntPlan(), is_open=True)
        count = len(args[0]) if isinstance(args[0], list) else -1
        is_async = typing.get_origin(args[-1]) in (abc.Awaitable, abc.Coroutine)
        returned = typing.get_args(args[-1])[-1] if is_async else args[-1]
        count = count if count <= recipes.MOST_PARAMETERS else -1
        if is_anything(returned):
            return self.stand_ins.function(count, IntPlan(), is_async=is_async, is_open=True)
        try:
            result = self.plan(returned, scope, depth)
        except Unbuildable as error:
            raise Unbuildable(f"the result of the function: {error}") from error
        return self.stand_ins.function(count, result, is_async=is_async)

    def _container(self, origin: Any, args: tuple[Any, ...], scope: Scope, depth: int) -> Plan | None:
        """Plans of lists, tuples, dicts, sets, iterators and their abstract kin."""
        start = 1 if depth == 0 else 0
        if origin is tuple:
            return tuple_plan(args, scope.bindings, lambda item: self.plan(item, scope, depth), start)
        if origin in _LISTS:
            return ListPlan(self.maybe(args[0], scope, depth) if args else UNTOLD, start)
        if origin in _SETS:
            return SetPlan(_hashable(self.maybe(args[0], scope, depth) if args else UNTOLD), start)
        if origin in _SERIES:
            element = self.maybe(args[0], scope, depth) if args else UNTOLD
            element = _hashable(element) if origin in (frozenset, abc.KeysView) else element
            return _SERIES[origin](element, start)
        if origin is collections.Counter:
            key = _hashable(self.maybe(args[0], scope, depth)) if args else StrPlan()
            counted = DictPlan(key, IntPlan(), start)
            return containers.ConvertedPlan(
                "Counter", counted, "collections", "Counter", (collections.Counter,)
            )
        if origin not in _DICTS:
            return None
        key = _hashable(self.maybe(args[0], scope, depth)) if args else StrPlan()
        value = self.maybe(args[1], scope, depth) if len(args) > 1 else UNTOLD
        plain = DictPlan(key, value, start)
        if origin is collections.defaultdict:
            return DefaultDictPlan(plain)
        if origin in _WRAPPED_DICTS:
            module, name = _WRAPPED_DICTS[origin]
            return containers.ConvertedPlan(name, plain, module, name, (origin,))
        return plain


def _hashable(plan: Plan | None) -> Plan | None:
    return None if plan is None else plan.hashable()


_SCALARS: dict[type, Plan] = {
    int: IntPlan(),
    bool: BoolPlan(),
    float: FloatPlan(),
    str: StrPlan(),
    bytes: BytesPlan(),
}
_FUNCTIONS: tuple[Any, ...] = (abc.Callable, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_LISTS: frozenset[Any] = frozenset((
    list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection, abc.Container, abc.Sized,
    abc.Reversible,
))  # fmt: skip
_SETS: frozenset[Any] = frozenset((set, abc.Set, abc.MutableSet))
_DICTS: frozenset[Any] = frozenset((
    dict, abc.Mapping, abc.MutableMapping, collections.defaultdict, collections.OrderedDict,
    collections.ChainMap, types.MappingProxyType,
))  # fmt: skip
_WRAPPED_DICTS: dict[Any, tuple[str, str]] = {
    collections.OrderedDict: ("collections", "OrderedDict"),
    collections.ChainMap: ("collections", "ChainMap"),
    types.MappingProxyType: ("types", "MappingProxyType"),
}
_SERIES: dict[Any, Callable[[Plan | None, int], Plan]] = {
    frozenset: containers.frozenset_of,
    collections.deque: containers.deque_of,
    abc.Iterator: containers.iterator_of,
    abc.Generator: containers.generator_of,
    abc.KeysView: containers.frozenset_of,
    abc.ValuesView: ListPlan,
}
