"""From annotations to plans: the dispatch over the forms that an annotation can take."""

from __future__ import annotations

import collections
import collections.abc as abc
import enum
import inspect
import sys
import types
import typing
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ForwardRef

from tracetwin.inputs import containers, recipes, stdlib_types
from tracetwin.inputs.containers import DictPlan, ListPlan, RecordPlan, SetPlan, TuplePlan
from tracetwin.inputs.plans import (
    NONE,
    BoolPlan,
    BytesPlan,
    CallablePlan,
    FloatPlan,
    IntPlan,
    MemberPlan,
    Plan,
    StrPlan,
    Unbuildable,
    UnionPlan,
    enum_plan,
    members,
    one_of,
)
from tracetwin.inputs.scopes import Scope, text_of

MAX_DEPTH = 4

ClassPlanner = Callable[[type, Scope, int], Plan]


def _special(*names: str) -> tuple[Any, ...]:
    """The objects of these names in `typing` and, when the target has loaded it, `typing_extensions`."""
    homes = [typing, *([sys.modules["typing_extensions"]] if "typing_extensions" in sys.modules else [])]
    found = [getattr(home, name) for home in homes for name in names if hasattr(home, name)]
    return tuple(found)


def _is(annotation: Any, *names: str) -> bool:
    return any(annotation is special for special in _special(*names))


class Resolver:
    """Plans for annotations. `depth` counts the classes and forward references around."""

    def __init__(self, plan_class: ClassPlanner) -> None:
        self._plan_class = plan_class
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
        if annotation is inspect.Parameter.empty or annotation is object or _is(annotation, "Any"):
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
        if (
            depth
            and isinstance(chosen, UnionPlan)
            and NONE in chosen.plans
            and chosen.plans[0].is_composite()
        ):
            return replace(chosen, default=chosen.plans.index(NONE))  # a nested structure ends soon
        return chosen

    def _plan_variable(self, annotation: Any, scope: Scope, depth: int) -> Plan | None:
        """Plans of type variables, new types, aliases and `Self`."""
        if isinstance(annotation, typing.TypeVar):
            if annotation in scope.bindings:
                return self.plan(scope.bindings[annotation], replace(scope, bindings={}), depth)
            if annotation.__constraints__:
                topic = f"~{annotation.__name__}"
                return self.union(annotation.__constraints__, scope, depth, topic)
            if annotation.__bound__ is not None:
                return self.plan(annotation.__bound__, scope, depth)
            return one_of([IntPlan(), StrPlan()], topic=f"~{annotation.__name__}")
        if hasattr(annotation, "__supertype__"):
            return self.plan(annotation.__supertype__, scope, depth)
        if type(annotation).__name__ == "TypeAliasType":
            if depth > MAX_DEPTH:
                raise Unbuildable("nested too deep")
            return self.plan(annotation.__value__, scope, depth + 1)
        if _is(annotation, "Self"):
            if scope.owner is None:
                raise Unbuildable("Self outside of a class")
            return self.plan(scope.owner, scope, depth)
        if _is(annotation, "LiteralString"):
            return StrPlan()
        if _is(annotation, "Never", "NoReturn"):
            raise Unbuildable("no value has this type")
        return None

    def _plan_form(self, origin: Any, args: tuple[Any, ...], form: Any, scope: Scope, depth: int) -> Plan:
        """Plans of `origin[args]`."""
        if origin is typing.Union or origin is types.UnionType:
            return self.union(args, scope, depth)
        if _is(origin, "Literal"):
            return members(list(args), text_of(form))
        if _is(origin, "Annotated"):
            return self._annotated(self.plan(args[0], scope, depth), getattr(form, "__metadata__", ()))
        if _is(origin, "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Unpack"):
            return self.plan(args[0], scope, depth)
        if _is(origin, "TypeGuard", "TypeIs"):
            return BoolPlan()
        if origin is type:
            return self._plan_class_object(args[0] if args else object, scope, depth)
        if origin is abc.Callable:
            return self._plan_callable(args, scope, depth)
        if type(origin).__name__ == "TypeAliasType":
            parameters = getattr(origin, "__type_params__", ())
            bound = replace(scope, bindings={**scope.bindings, **dict(zip(parameters, args, strict=False))})
            return self.plan(origin.__value__, bound, depth + 1)
        if (container := self._container(origin, args, scope, depth)) is not None:
            return container
        if origin is typing.IO:
            return self._plan_bare(typing.BinaryIO if args == (bytes,) else typing.TextIO, scope, depth)
        if isinstance(origin, type):
            parameters = getattr(origin, "__parameters__", ())
            resolved = [scope.bindings.get(arg, arg) for arg in args]
            bound = replace(scope, bindings=dict(zip(parameters, resolved, strict=False)))
            return self._plan_bare(origin, bound, depth)
        raise Unbuildable("this form of annotation is not known")

    def _plan_bare(self, annotation: Any, scope: Scope, depth: int) -> Plan:
        """Plans of classes and of special forms without arguments."""
        if annotation in _SCALARS if isinstance(annotation, type) else False:
            return _SCALARS[annotation]
        if isinstance(annotation, tuple) and annotation:  # `(int, str)` as a quick union
            return self.union(annotation, scope, depth)
        if not isinstance(annotation, type):
            origin = typing.get_origin(annotation)
            if _is(annotation, "Final", "ClassVar"):
                return self.anything(depth)
            if callable(annotation) and getattr(annotation, "__name__", "") in ("callable", "any"):
                return CallablePlan(-1, IntPlan()) if annotation is callable else self.anything(depth)
            raise Unbuildable(f"it is {origin or type(annotation).__name__}, not a type")
        if annotation is type:
            return self._plan_class_object(object, scope, depth)
        if annotation in (abc.Callable, types.FunctionType, types.LambdaType):
            return CallablePlan(-1, self.plan(int, scope, depth))
        if (container := self._container(annotation, (), scope, depth)) is not None:
            return container
        if (plan := stdlib_types.plan(annotation)) is not None:
            return plan
        if issubclass(annotation, enum.Enum):
            return enum_plan(annotation)
        if typing.is_typeddict(annotation):
            return self._plan_typed_dict(annotation, scope, depth)
        if getattr(annotation, "__supertype__", None) is not None:
            return self.plan(annotation.__supertype__, scope, depth)
        return self._instance(annotation, scope, depth)

    @staticmethod
    def _annotated(plan: Plan, metadata: tuple[Any, ...]) -> Plan:
        """Bounds as `annotated-types` and similar write them: attributes gt, ge, lt, le, max_length."""
        if isinstance(plan, StrPlan):
            longest = [m for item in metadata if type(m := getattr(item, "max_length", None)) is int]
            return replace(plan, max_length=longest[0]) if longest else plan
        if not isinstance(plan, IntPlan):
            return plan
        low, high = plan.low, plan.high
        for item in metadata:
            for name, shift in (("ge", 0), ("gt", 1), ("le", 0), ("lt", -1)):
                bound = getattr(item, name, None)
                if type(bound) is not int:
                    continue
                if name[0] == "g":
                    low = bound + shift if low is None else max(low, bound + shift)
                else:
                    high = bound + shift if high is None else min(high, bound + shift)
        return replace(plan, low=low, high=high)

    def _plan_class_object(self, wanted: Any, scope: Scope, depth: int) -> Plan:
        """A class itself: `type[T]`."""
        if isinstance(wanted, (str, ForwardRef)):
            wanted = scope.evaluate(text_of(wanted))
        if isinstance(wanted, typing.TypeVar):
            wanted = scope.bindings.get(wanted, wanted.__bound__ or wanted.__constraints__ or object)
        origin = typing.get_origin(wanted)
        if origin is typing.Union or origin is types.UnionType:
            wanted = typing.get_args(wanted)
        elif origin is not None:
            wanted = origin
        if wanted is object or _is(wanted, "Any"):
            wanted = (int, str)
        classes: list[type] = []
        for item in wanted if isinstance(wanted, tuple) else (wanted,):
            if isinstance(item, type):
                classes += [item, *(c for c in subclasses(item) if c.__module__ == scope.module.__name__)]
        usable = []
        for cls in classes:
            try:
                usable.append((cls, ("ref", *recipes.reference(cls, scope.module))))
            except recipes.NotNameable:
                continue
        if not usable:
            raise Unbuildable("no class for it can be imported")
        label = f"type[{usable[0][0].__name__}]"
        return MemberPlan(tuple(c for c, _ in usable), tuple(r for _, r in usable), label)

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
            required = getattr(base, "__required_keys__", frozenset())
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


def subclasses(cls: type) -> list[type]:
    """All subclasses that exist, nearest first, without repetition."""
    found: list[type] = []
    queue = collections.deque([cls])
    while queue:
        try:
            children = type.__subclasses__(queue.popleft())
        except TypeError:
            continue
        for child in children:
            if child not in found:
                found.append(child)
                queue.append(child)
    return found


_SCALARS: dict[type, Plan] = {
    int: IntPlan(),
    bool: BoolPlan(),
    float: FloatPlan(),
    str: StrPlan(),
    bytes: BytesPlan(),
}
_LISTS = frozenset(
    (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection, abc.Container, abc.Sized)
    + (abc.Reversible,)
)
_SETS = frozenset((set, abc.Set, abc.MutableSet))
_DICTS = frozenset(
    (dict, abc.Mapping, abc.MutableMapping, collections.defaultdict, collections.OrderedDict)
    + (collections.ChainMap, types.MappingProxyType)
)
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
    abc.ValuesView: lambda element, length: ListPlan(element, length),
}
