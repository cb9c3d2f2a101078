"""From annotations to plans: the dispatch over the forms that an annotation can take."""

from __future__ import annotations

import collections
import enum
import inspect
import sys
import types
import typing
from collections import abc
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ForwardRef

from tracetwin.inputs import containers, recipes, stdlib_types
from tracetwin.inputs.containers import DictPlan, ListPlan, RecordPlan, SetPlan, TuplePlan
from tracetwin.inputs.enumerations import enum_plan
from tracetwin.inputs.plans import (
    NONE,
    BoolPlan,
    BytesPlan,
    CallablePlan,
    FloatPlan,
    IntPlan,
    Plan,
    StrPlan,
    Unbuildable,
    UnionPlan,
    members,
    one_of,
)
from tracetwin.inputs.scopes import Scope, text_of, unwrapped
from tracetwin.inputs.special_forms import bounded, class_object, is_special

MAX_DEPTH = 4

ClassPlanner = Callable[[type, Scope, int], Plan]


class Resolver:
    """Plans for annotations. `depth` counts the classes and forward references around."""

    def __init__(
        self, plan_class: ClassPlanner, has_factory: Callable[[type], bool] = lambda cls: False
    ) -> None:
        """Know nothing yet.

        Args:
            plan_class: plans instances of classes that are neither plain nor of the standard library.
            has_factory: whether the user says how instances of a class are made, whatever it is.
        """
        self._plan_class = plan_class
        self._has_factory = has_factory
        self._reading: list[str] = []

    def plan(self, annotation: Any, scope: Scope, depth: int = 0) -> Plan:
        """The plan of an annotation.

        Raises:
            Unbuildable: with the reason.
        """
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
        again = text in self._reading
        self._reading.append(text)
        try:
            return self.plan(scope.evaluate(text), scope, depth + again)
        finally:
            self._reading.pop()

    def _instance(self, cls: type, scope: Scope, depth: int) -> Plan:
        """The plan of a class; the class counts as nesting, so that the texts around it do not."""
        outer, self._reading = self._reading, []
        try:
            return self._plan_class(cls, scope, depth)
        finally:
            self._reading = outer

    def anything(self, depth: int = 0) -> Plan:
        """What an argument without any hint may be."""
        start = 1 if depth == 0 else 0
        return one_of(
            [
                IntPlan(),
                StrPlan(),
                NONE,
                ListPlan(IntPlan(), start),
                FloatPlan(),
                DictPlan(StrPlan(), IntPlan(), start),
            ]
        )

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
        return one_of([IntPlan(), StrPlan()], topic=topic)

    def _alias(self, alias: Any, scope: Scope, depth: int, args: tuple[Any, ...] = ()) -> Plan:
        """An alias of the ``type`` statement."""
        if depth > MAX_DEPTH:
            raise Unbuildable("nested too deep")
        bindings = dict(zip(getattr(alias, "__type_params__", ()), args, strict=False))
        inner = replace(scope, bindings={**scope.bindings, **bindings})
        return self.plan(alias.__value__, inner, depth + 1)

    def _plan_form(self, origin: Any, args: tuple[Any, ...], form: Any, scope: Scope, depth: int) -> Plan:
        """Plans of `origin[args]`."""
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
            resolved = [scope.bindings.get(arg, arg) for arg in args]
            bindings = dict(zip(getattr(origin, "__parameters__", ()), resolved, strict=False))
            return self._plan_type(origin, replace(scope, bindings=bindings), depth)
        raise Unbuildable("this form of annotation is not known")

    def _plan_special(
        self, origin: Any, args: tuple[Any, ...], form: Any, scope: Scope, depth: int
    ) -> Plan | None:
        """Plans of forms that are no generic classes; None for the rest."""
        if is_special(origin, "Literal"):
            return members(list(args), text_of(form))
        if is_special(origin, "Annotated"):
            return bounded(self.plan(args[0], scope, depth), getattr(form, "__metadata__", ()))
        if is_special(origin, "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Unpack"):
            return self.plan(args[0], scope, depth)
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
            return CallablePlan(-1, IntPlan())
        raise Unbuildable(f"it is a {type(annotation).__name__}, not a type")

    def _plan_type(self, cls: type, scope: Scope, depth: int) -> Plan:
        """Plans of classes."""
        if self._has_factory(cls):
            return self._instance(cls, scope, depth)
        if cls in _SCALARS:
            return _SCALARS[cls]
        if cls is type:
            return class_object(object, scope)
        if cls in _FUNCTIONS:
            return CallablePlan(-1, IntPlan())
        known = self._container(cls, (), scope, depth) or stdlib_types.plan(cls)
        if known is not None:
            return known
        if issubclass(cls, enum.Enum):
            return enum_plan(cls)
        if typing.is_typeddict(cls):
            return self._plan_typed_dict(cls, scope, depth)
        return self._instance(cls, scope, depth)

    def _plan_callable(self, args: tuple[Any, ...], scope: Scope, depth: int) -> Plan:
        if not args:
            return CallablePlan(-1, IntPlan())
        count = len(args[0]) if isinstance(args[0], list) else -1
        try:
            result = self.plan(args[-1], scope, depth)
        except Unbuildable as error:
            raise Unbuildable(f"the result of the function: {error}") from error
        return CallablePlan(count if count <= recipes.MOST_PARAMETERS else -1, result)

    def _plan_typed_dict(self, cls: type, scope: Scope, depth: int) -> Plan:
        if depth > MAX_DEPTH:
            raise Unbuildable("nested too deep")
        fields: list[tuple[str, Plan]] = []
        optional: set[str] = set()
        for base in (cls,):
            home = sys.modules.get(base.__module__)
            inner = replace(scope, names=vars(home) if home else scope.names, owner=None)
            required: frozenset[str] = getattr(base, "__required_keys__", frozenset())
            for key, annotation in getattr(base, "__annotations__", {}).items():
                text = text_of(annotation)
                wanted = key in required and not text.startswith(("NotRequired", "t.NotRequired"))
                wanted = wanted or text.startswith(("Required", "t.Required"))
                try:
                    fields.append((key, self.plan(annotation, inner, depth + 1)))
                except Unbuildable as error:
                    if wanted:
                        raise Unbuildable(f"key {key!r} of {cls.__name__}: {error}") from error
                    continue
                if not wanted:
                    optional.add(key)
        return RecordPlan(tuple(fields), frozenset(optional), cls.__name__, depth > 0)

    def _container(self, origin: Any, args: tuple[Any, ...], scope: Scope, depth: int) -> Plan | None:
        """Plans of lists, tuples, dicts, sets, iterators and their abstract kin."""
        start = 1 if depth == 0 else 0
        if origin is tuple:
            return self._plan_tuple(args, scope, depth, start)
        if origin in _LISTS:
            return ListPlan(self.maybe(args[0], scope, depth) if args else IntPlan(), start)
        if origin in _SETS:
            return SetPlan(_hashable(self.maybe(args[0], scope, depth) if args else IntPlan()), start)
        if origin in _SERIES:
            element = self.maybe(args[0], scope, depth) if args else IntPlan()
            element = _hashable(element) if origin in (frozenset, abc.KeysView) else element
            return _SERIES[origin](element, start)
        if origin is collections.Counter:
            key = _hashable(self.maybe(args[0], scope, depth)) if args else StrPlan()
            counted = DictPlan(key, IntPlan(), start)
            return containers.WrappedPlan(
                "Counter", counted, "collections", "Counter", (collections.Counter,)
            )
        if origin not in _DICTS:
            return None
        key = _hashable(self.maybe(args[0], scope, depth)) if args else StrPlan()
        value = self.maybe(args[1], scope, depth) if len(args) > 1 else IntPlan()
        plain = DictPlan(key, value, start)
        if origin is collections.defaultdict:
            return stdlib_types.default_dict(plain)
        if origin in _WRAPPED_DICTS:
            module, name = _WRAPPED_DICTS[origin]
            return containers.WrappedPlan(name, plain, module, name, (origin,))
        return plain

    def _plan_tuple(self, args: tuple[Any, ...], scope: Scope, depth: int, start: int) -> Plan:
        if not args:
            return containers.tuple_of(IntPlan(), start)
        if len(args) == 2 and args[1] is Ellipsis:
            return containers.tuple_of(self.maybe(args[0], scope, depth), start)
        items = [arg for arg in args if arg != ()]
        return TuplePlan(tuple(self.plan(arg, scope, depth) for arg in items))


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
    abc.Generator: containers.iterator_of,
    abc.KeysView: containers.frozenset_of,
    abc.ValuesView: ListPlan,
}
