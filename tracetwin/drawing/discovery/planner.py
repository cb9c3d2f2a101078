"""Plans for signatures and classes: annotations first, then what the code does with the value."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from tracetwin.analysis.evidence.dispatch import compared_objects
from tracetwin.analysis.scopes import (
    Scope,
    annotations_of,
    as_called,
    as_taken,
    code_within,
    is_anything,
    shown,
    unwrapped,
)
from tracetwin.analysis.sources import FunctionNode, Source, read
from tracetwin.drawing.discovery.handing_on import with_handed_on
from tracetwin.drawing.discovery.matches import with_own_matches
from tracetwin.drawing.mocks.plan import awaited
from tracetwin.drawing.mocks.planning import MockPlanner
from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.objects.constructors import constructor_parameters
from tracetwin.drawing.objects.example_values import as_it_is, with_examples
from tracetwin.drawing.objects.instances import Instances
from tracetwin.drawing.objects.origins import concrete_classes
from tracetwin.drawing.plans.parameters import KINDS, KWARGS, VARARGS, Parameter, with_default
from tracetwin.drawing.plans.plans import NONE, IntPlan, Plan, UnionPlan, one_of
from tracetwin.drawing.plans.records import keywords_of, with_keywords
from tracetwin.drawing.plans.special_forms import is_protocol
from tracetwin.drawing.rules.user_rules import Guide
from tracetwin.drawing.typing.asked import AskedKinds, abstract_kinds
from tracetwin.drawing.typing.completed import Completion, record_plans
from tracetwin.drawing.typing.conforming import conforming, scope_of
from tracetwin.drawing.typing.guesses import Guess, is_namespace, namespace_plan, plan_guess
from tracetwin.drawing.typing.overloads import overloaded, overloads
from tracetwin.drawing.typing.resolve import MAX_DEPTH, Resolver
from tracetwin.drawing.typing.usage import Usage
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Reference

EMPTY = inspect.Parameter.empty
MOST_SUBCLASSES = 12
MOST_GUESSED, MOST_TESTED = 8, 20
SEVERAL = 2
"""Values of `*args` or `**kwargs` at first where the code goes over them: the second shows what it does."""
_OTHERS: tuple[Plan, ...] = (NONE, IntPlan())
_FIRST = 2
"""Classes derived from a guessed one, itself among them, that come before other guesses."""
_STRANGE = ("name", "value", "other", "extra", "more")
"""Keywords for ``**kwargs`` that stand for any others."""


class _Asked(NamedTuple):
    """A parameter to be planned: of which function, in which scope its annotation is read, how deep it is."""

    item: inspect.Parameter
    qualname: str
    function: Callable[..., Any]
    scope: Scope
    depth: int


class Planner:
    """Makes plans for everything in one module."""

    def __init__(
        self,
        module: ModuleType,
        source: Source | None = None,
        guide: Guide | None = None,
        changing: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.module = module
        self.source = read(module) if source is None else source
        self.usage = Usage(module, self.source)
        self.guide = guide or Guide()
        self.mocks = MockPlanner(self)
        self.resolver = Resolver(self.plan_class, self.mocks, lambda cls: self.guide.factory(cls) is not None)
        self.resolver.known_records = lambda: record_plans(self.usage.records(), self.resolver, self.scope())
        self.instances = Instances(self, changing or {})
        self._has_loaded = False
        self._classes: dict[Any, Plan | Unbuildable] = {}

    def scope(self, function: Any = None, owner: type | None = None) -> Scope:
        """The scope in which the annotations of a function or class are read."""
        inner = unwrapped(function) if callable(function) else None
        names: Mapping[str, Any] = getattr(inner, "__globals__", None) or {}
        if not names and owner is not None:
            names = vars(sys.modules.get(owner.__module__, self.module))
        names = names or vars(self.module)
        if parameters := getattr(inner, "__type_params__", ()):
            names = {**names, **{item.__name__: item for item in parameters}}
        return Scope(self.module, self.source, names, owner)

    def parameters(
        self,
        function: Callable[..., Any],
        *,
        qualname: str,
        scope: Scope,
        skip_first: bool,
        depth: int = 0,
        signature: inspect.Signature | None = None,
    ) -> tuple[Parameter, ...]:
        """The parameters of a callable with their plans.

        Raises:
            Unbuildable: there is no signature, or a required parameter has no plan.
        """
        follows = signature is None
        try:
            signature = signature or inspect.signature(as_called(function))
        except (ValueError, TypeError) as error:
            raise Unbuildable("it has no signature that can be read") from error
        annotations = annotations_of(unwrapped(function))
        items = as_taken(function, list(signature.parameters.values()))
        if skip_first and items and items[0].kind is not inspect.Parameter.VAR_POSITIONAL:
            items = items[1:]
        made = []
        for item in items:
            annotation = annotations.get(item.name, item.annotation)
            if annotation is EMPTY or (isinstance(annotation, str) and not annotation.isascii()):
                annotation = EMPTY
            made.append(self._parameter(_Asked(item, qualname, function, scope, depth), annotation))
        if follows:
            made = [*with_handed_on(self, made, function, scope, depth, bound=skip_first)]
        found = overloads(self.source, qualname, skip_first=skip_first)
        if not found:
            return tuple(made)
        defaults = {item.name: item.default for item in items if item.default is not EMPTY}
        plan_of = partial(self.resolver.plan, scope=scope, depth=depth)
        return overloaded(made, found, plan_of, defaults, f"{qualname}@overload")

    def _parameter(self, one: _Asked, annotation: Any) -> Parameter:
        item, qualname, function, scope, depth = one
        kind = KINDS[item.kind]
        try:
            given = keywords_of(annotation, scope, depth, self.resolver.plan) if kind == KWARGS else None
            if given is not None:
                return with_keywords(item.name, given)
            plan = self._plan_parameter(one, annotation)
        except Unbuildable as error:
            if item.default is EMPTY and kind not in (VARARGS, KWARGS):
                what = f"{shown(annotation)} of parameter {item.name!r}"
                raise Unbuildable(f"argument type could not be built: {what} ({error})") from error
            return Parameter(item.name, None, kind, item.default is not EMPTY)
        names = [vars(base) for base in scope.owner.__mro__[:-1]] if scope.owner is not None else []
        node = self.source.function(qualname)
        plan = with_own_matches(plan, node, item.name, [*names, vars(self.module)])
        if kind != KWARGS:
            calls = self.guide.learned.calls(qualname)
            plan = with_examples(plan, item.name, calls, is_part=kind == VARARGS)
        keywords = self._keywords(one) if kind == KWARGS else ()
        known = annotation is not EMPTY and not is_anything(annotation)
        if not known:
            plan = self._with_own_objects(plan, node, item.name)
        of_keywords: tuple[Plan, ...] = ()
        if keywords and (annotation is EMPTY or is_anything(annotation)):
            of_keywords = tuple(
                self._one_guessed(self.usage.elements(qualname, item.name, key, function), scope, depth)
                if self.usage.tells_of_elements(qualname, item.name, key)
                else IntPlan()  # that it is there is what matters
                for key in keywords
            )
        needed = self.usage.needed_keywords(qualname, item.name) if keywords else frozenset()
        several = kind in (VARARGS, KWARGS) and depth == 0 and self.usage.goes_over(qualname, item.name)
        parameter = Parameter(
            item.name, plan, kind, keywords=keywords, of_keywords=of_keywords,
            needed=needed, usual=SEVERAL * several, annotated=known,
        )  # fmt: skip
        return parameter if item.default is EMPTY else with_default(parameter, item.default)

    def _with_own_objects(self, plan: Plan, node: FunctionNode | None, name: str) -> Plan:
        """The plan of a parameter, behind it the objects of the module that it may be."""
        asked = [] if node is None else compared_objects(node, name, self.module)
        return one_of([plan, *(as_it_is(Reference(*place)) for place in asked)])

    def _keywords(self, one: _Asked) -> tuple[str, ...]:
        """The keywords to pass as ``**name``: the keys that the code asks for, and one or two others."""
        known = self.usage.keywords(one.qualname, one.item.name)
        code = code_within(unwrapped(one.function))
        count = 0 if code is None else code.co_argcount + code.co_kwonlyargcount
        taken = {*known, *(() if code is None else code.co_varnames[:count])}
        strange = [name for name in _STRANGE if name not in taken]
        return (*known, *strange[: 1 if known else 2])

    def _plan_parameter(self, one: _Asked, annotation: Any) -> Plan:
        item, qualname, function, *_ = one
        if annotation is not EMPTY:
            return self._annotated(one, annotation)
        declared = self.usage.declared(qualname, item.name, function)
        if declared is not EMPTY and KINDS[item.kind] not in (VARARGS, KWARGS):
            with suppress(Unbuildable):  # of what only the stub knows
                return self._annotated(one, declared)
        return self._guessed(one)

    def _annotated(self, one: _Asked, annotation: Any) -> Plan:
        item, qualname, function, scope, depth = one
        if is_anything(annotation) and self._has_evidence(one):
            guessed = self._guessed(one)
            return one_of([guessed, self.resolver.anything(depth)])
        try:
            plan = self.resolver.plan(annotation, scope, depth)
            found = self.usage.guesses(qualname, function).get(item.name, [])
            if not is_namespace(plan):
                plan = awaited(Completion(self.resolver, scope, depth).of(plan, found), found)
                node = self.usage.node(qualname, function)
                methods = self._methods_beside(function, scope.owner)
                if node is None and not methods:
                    return plan
                plan_of = partial(self.resolver.plan, scope=scope, depth=depth)
                kinds = AskedKinds(node, scope.names, scope.owner, plan_of, methods)
                strange = tuple(cls for cls in kinds.classes(item.name) if cls.__module__ != "builtins")
                declared = abstract_kinds(annotation, scope)
                return self.mocks.beside(kinds.beside(plan, item.name, declared), strange)
            return namespace_plan(plan, found, self.resolver, scope, depth)
        except Unbuildable as error:
            if "unknown here" not in str(error) and "can't be evaluated" not in str(error):
                raise
            if not self._has_evidence(one):
                raise
            return self._guessed(one)

    def _methods_beside(self, function: Callable[..., Any], owner: type | None) -> list[FunctionNode]:
        """The methods of a class whose constructor this is, as far as the module defines it."""
        if owner is None or owner.__module__ != self.module.__name__ or function.__name__ != "__init__":
            return []
        return list(self.source.methods(owner.__qualname__).values())

    def _has_evidence(self, one: _Asked) -> bool:
        """True if more than its name tells what a parameter is."""
        known = self.usage.has_evidence(one.qualname, one.item.name, one.function)
        return known or bool(self.guide.learned.guesses(one.qualname, one.item.name))

    def _guessed(self, one: _Asked) -> Plan:
        """The plan of an unannotated parameter: what tests passed, then by its default and its uses."""
        item, qualname, function, scope, depth = one
        kind = KINDS[item.kind]
        if kind in (VARARGS, KWARGS):
            found = self.usage.elements(qualname, item.name, function=function)
            found = self.guide.learned.ahead_of(found, qualname, kind + item.name)
            return self._one_guessed(found, scope, depth)
        found = self.usage.guesses(qualname, function).get(item.name, [])
        found = self.guide.learned.ahead_of(found, qualname, item.name)
        tested = self.usage.is_tested(qualname, item.name, function)
        return self._one_guessed(found, scope, depth, is_tested=tested)

    def _one_guessed(
        self, found: Sequence[Guess], scope: Scope, depth: int, *, is_tested: bool = False
    ) -> Plan:
        plans: list[Plan] = []
        for guess in found:
            try:
                plans.append(plan_guess(guess, self.resolver, scope, depth))
            except Unbuildable:
                continue
        if not plans:
            return self.resolver.anything(depth)
        plans = _in_turn(plans)
        if is_tested:
            plans = [*plans[:MOST_TESTED], *_OTHERS]  # what is none of the classes that are tested for
        most = MOST_TESTED if is_tested else MOST_GUESSED
        return one_of(plans, most=most + len(_OTHERS))

    def plan_class(self, cls: type, scope: Scope, depth: int) -> Plan:
        """An instance of a class or of one of its subclasses in the module.

        Raises:
            Unbuildable: with the reason.
        """
        key = (cls, depth, tuple(scope.bindings.items()))
        known = self._classes.get(key)
        if known is None:
            try:
                known = self._plan_class(cls, scope, depth)
            except Unbuildable as error:
                known = error
            self._classes[key] = known
        if isinstance(known, Unbuildable):
            raise known
        return known

    def _plan_class(self, cls: type, scope: Scope, depth: int) -> Plan:
        if depth > MAX_DEPTH:
            raise Unbuildable("nested too deep")
        if issubclass(cls, type):
            raise Unbuildable(f"{cls.__name__} is a metaclass")
        concrete = concrete_classes(cls, self.module)
        if not concrete and self._load_what_checkers_see():
            concrete = concrete_classes(cls, self.module)
        if is_protocol(cls):
            concrete += [c for c in conforming(cls, self.module, self.usage) if c not in concrete]
        if self.guide.factory(cls) is not None:
            return self._instances(cls, concrete, scope, depth)
        return self._instances_or_mock(cls, concrete, scope, depth)

    def _instances_or_mock(self, cls: type, concrete: list[type], scope: Scope, depth: int) -> Plan:
        """Instances of the module's own classes, a mock where it may stand in, instances of other classes.

        Implementations elsewhere are other units: they may start threads or open connections.
        """
        wants, modules = self.mocks.wants(cls), (cls.__module__, self.module.__name__)
        concrete = [item for item in concrete if not self.guide.patches.stands_in_for(item)]
        near = [item for item in concrete if not wants or item.__module__ in modules]
        parts: list[Plan] = []
        reason = "" if concrete else f"{_sort_of(cls)} {cls.__name__} has no concrete class in the module"
        for group in (near, None, [item for item in concrete if item not in near]):
            try:
                if group:
                    parts.append(self._instances(cls, group, scope, depth))
                elif group is None and (wants or not parts):
                    parts.append(self.mocks.of(cls, scope, reason))
            except Unbuildable as error:
                reason = str(error)
        if not parts:
            raise Unbuildable(reason)
        return one_of(parts)

    def _load_what_checkers_see(self) -> bool:
        """Import, once, what the module imports for type checkers only: subclasses may live there."""
        if self._has_loaded:
            return False
        self._has_loaded = True
        for name in self.source.checking_imports:
            try:
                self.scope().evaluate(name)
            except Unbuildable:
                continue
        return bool(self.source.checking_imports)

    def _instances(self, cls: type, concrete: list[type], scope: Scope, depth: int) -> Plan:
        """The choice among classes; for each its own constructor first, other ways to one come last."""
        firsts: list[Plan] = []
        others: list[Plan] = []
        reason: Unbuildable | None = None
        tried = concrete[:MOST_SUBCLASSES] + [cls] * (cls in concrete[MOST_SUBCLASSES:])
        for item in [cls] if self.guide.factory(cls) is not None else tried:
            try:
                first, *further = self.instances.of(item, scope_of(item, cls, scope, self.scope), depth)
            except Unbuildable as error:
                reason = reason or error
                continue
            firsts.append(first)
            others += further
        if not firsts:
            raise reason or Unbuildable(f"{cls.__name__} can't be constructed")
        if depth or cls in concrete[1:]:  # what leaves something open to classes derived from it stays last
            firsts.sort(key=lambda plan: (cls in concrete[1:] and plan.produces() is cls, _needs(plan)))
        return one_of([*firsts, *others])

    def constructor(self, cls: type, scope: Scope, depth: int = 0) -> tuple[Parameter, ...]:
        """The parameters of a class's constructor.

        Raises:
            Unbuildable: with the reason.
        """
        return constructor_parameters(self, cls, scope, depth)


def _in_turn(plans: list[Plan]) -> list[Plan]:
    """The plans of guesses, the many subclasses of one behind what else a value could be."""
    parts = [list(plan.plans) if isinstance(plan, UnionPlan) else [plan] for plan in plans]
    return [part for own in parts for part in own[:_FIRST]] + [part for own in parts for part in own[_FIRST:]]


def is_typed(plan: Plan | None, depth: int = MAX_DEPTH) -> bool:
    """True if no part of a plan is a guess: neither of constructor arguments nor of elements."""
    if plan is None or depth < 0:
        return True
    if isinstance(plan, ConstructPlan):
        return all((p.annotated or p.variadic != "") and is_typed(p.plan, depth - 1) for p in plan.parameters)
    if isinstance(plan, UnionPlan):
        return all(is_typed(part, depth - 1) for part in plan.plans)
    return is_typed(getattr(plan, "element", None) or getattr(plan, "inner", None), depth - 1)


def _needs(plan: Plan) -> int:
    """The effort of a construction, for putting leaves of a nested structure first."""
    if not isinstance(plan, ConstructPlan):
        return 100
    count = 0
    for item in plan.parameters:
        if item.plan is not None and not item.has_default:
            hard = item.plan.is_composite() and not (
                isinstance(item.plan, UnionPlan) and not item.plan.plans[item.plan.default].is_composite()
            )
            count += 10 if hard else 1
    return count


def _sort_of(cls: type) -> str:
    return "protocol" if is_protocol(cls) else "abstract class"
