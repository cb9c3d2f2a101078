"""The plans of one class's instances, and how such an instance may be changed before it is passed on."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

from tracetwin.analysis.effects.mutators import Changing, OpenAttribute
from tracetwin.analysis.effects.relevance import AttributeAccess, Consumer, Relevance, remedies
from tracetwin.analysis.scopes import Scope, unwrapped
from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.objects.origins import alternative_constructors, factories, makers
from tracetwin.drawing.objects.planning import Planning
from tracetwin.drawing.objects.prepared import ProductPlan, Sharing, Word, only_constructed
from tracetwin.drawing.objects.restored_fields import keep_drawn
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.parameters import Arguments, Parameter
from tracetwin.drawing.plans.plans import Plan
from tracetwin.drawing.typing.generics import Bindings, inherited
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable

Bound: TypeAlias = tuple[tuple[Any, Any], ...]
"""Bindings of type variables, as a key."""

MOST_WAYS = 4
"""Ways to an instance besides its constructor."""

MOST_WORDS = 80
"""Methods of a class that may change the state of an instance: those that are seen to write come first."""

WARMING_SECONDS = 3.0
"""For finding out ahead what may change instances."""

DEEPEST_ALTERNATIVE = 1
"""Objects around one for which alternative constructors are choices of their own."""


class Instances:
    """Makes the plans of instances for one planner."""

    def __init__(self, planner: Planning, changing: Mapping[str, Sequence[str]]) -> None:
        """Plan nothing yet; `changing` is as for `Changing`."""
        self._planner = planner
        self._shares: dict[Bound, Sharing] = {}
        self._changing = Changing(
            planner.source, planner.module.__name__, changing, private=planner.guide.private
        )
        self._words: dict[tuple[int, Bound], tuple[type, tuple[Word, ...]]] = {}
        self._planned: dict[tuple[int, Bound], type] = {}
        self._useful: dict[tuple[int, Bound, tuple[Consumer, ...]], tuple[Word, ...]] = {}
        self._relevance = Relevance(planner.module.__name__, planner.source)

    def of(self, cls: type, scope: Scope, depth: int) -> list[Plan]:
        """The constructor first, then other ways; only those of the user where there is one.

        Raises:
            Unbuildable: there is no way, with the reason why the constructor is none.
        """
        planner = self._planner
        own = planner.guide.factory(cls)
        if own is not None:
            maker = recipes.lookup(*own)
            inner = replace(planner.scope(None, None), bindings=scope.bindings)
            return [self._call(cls, *own, maker, inner, depth)]
        module, qualname = self._reference(cls)
        found: list[Plan] = []
        reason: Unbuildable | None = None
        try:
            found.append(self._constructed(cls, module, qualname, scope, depth))
        except Unbuildable as error:
            reason = error
        if not found or depth <= DEEPEST_ALTERNATIVE:
            found += self._alternatives(cls, module, qualname, scope, depth)
        if not found and reason is not None:
            found += self._products(cls, scope, depth)
        if not found:
            raise reason or Unbuildable(f"{cls.__name__} can't be constructed")
        return found

    def _reference(self, cls: type) -> tuple[str, str]:
        try:
            return recipes.reference(cls, self._planner.module)
        except recipes.NotNameable as error:
            # A decorator may have put a function in the place of the class, which makes its instances.
            for name, thing in list(vars(self._planner.module).items()):
                if callable(thing) and not isinstance(thing, type) and unwrapped(thing) is cls:
                    return self._planner.module.__name__, name
            raise Unbuildable(str(error)) from error

    def _constructed(self, cls: type, module: str, qualname: str, scope: Scope, depth: int) -> Plan:
        if self._planner.guide.forbids(module, qualname):
            raise Unbuildable(f"the configuration forbids to call {qualname}")
        parameters = self._planner.constructor(cls, scope, depth + 1)
        plan = self._plan(cls, module, qualname, parameters, cls, _bound(scope))
        return replace(plan, keep=keep_drawn(cls))

    def _alternatives(self, cls: type, module: str, qualname: str, scope: Scope, depth: int) -> list[Plan]:
        """Class methods that return an instance."""
        found: list[Plan] = []
        for name, function in alternative_constructors(cls, self._planner.source):
            full = f"{qualname}.{name}"
            if len(found) < MOST_WAYS and not self._planner.guide.forbids(module, full):
                try:
                    inner = replace(self._planner.scope(function, cls), bindings=scope.bindings)
                    found.append(self._call(cls, module, full, function, inner, depth))
                except Unbuildable:
                    continue
        return found

    def _products(self, cls: type, scope: Scope, depth: int) -> list[Plan]:
        """Functions, and methods of other classes, that return an instance."""
        planner, module = self._planner, self._planner.module
        found: list[Plan] = []
        for name, function in factories(cls, module, planner.source):
            if len(found) < MOST_WAYS and not planner.guide.forbids(module.__name__, name):
                try:
                    inner = replace(planner.scope(function), bindings=scope.bindings)
                    found.append(self._call(cls, module.__name__, name, function, inner, depth))
                except Unbuildable:
                    continue
        for owner, name, function in makers(cls, module, planner.source):
            full = f"{owner.__qualname__}.{name}"
            if len(found) >= MOST_WAYS or planner.guide.forbids(module.__name__, full):
                continue
            try:
                maker = planner.plan_class(owner, planner.scope(None, owner), depth + 1)
                word = self._word(owner, name, name, function, owner, depth + 1)
                word.planned()  # without arguments for it there is no such way
            except Unbuildable:
                continue
            found.append(ProductPlan(cls, only_constructed(maker), word, self._sharing(_bound(scope))))
        return found

    def _call(
        self, cls: type, module: str, qualname: str, function: Callable[..., Any], scope: Scope, depth: int
    ) -> Plan:
        parameters = self._planner.parameters(
            function, qualname=qualname, scope=scope, skip_first=False, depth=depth + 1
        )
        return self._plan(cls, module, qualname, parameters, function, _bound(scope))

    def _sharing(self, bindings: Bound) -> Sharing:
        """Returns what draws instances with these bindings of type variables."""
        if bindings not in self._shares:

            def words(cls: type, consumers: list[Consumer]) -> tuple[Word, ...]:
                return self.words(cls, consumers, bindings)

            self._shares[bindings] = Sharing(words, self._planner.guide.max_length)
        return self._shares[bindings]

    def _plan(
        self,
        cls: type,
        module: str,
        qualname: str,
        parameters: tuple[Parameter, ...],
        function: Any,
        bindings: Bound,
    ) -> ConstructPlan:
        guide = self._planner.guide
        self._planned[id(cls), bindings] = cls

        def check(made: Arguments) -> None:
            guide.assume(module, qualname, function, None, made)

        share = self._sharing(bindings)
        return ConstructPlan(
            cls, module, qualname, parameters, share, check if guide.assumes else None, self._failed
        )

    def warm(self) -> None:
        """Find out at once what may change the instances planned so far: processes forked later share it.

        Where that takes long, they find out the rest themselves, once they need it.
        """
        until = time.monotonic() + WARMING_SECONDS
        for (_, bindings), cls in list(self._planned.items()):
            if time.monotonic() < until:
                self.words(cls, [], bindings)

    # What may change them

    def words(self, cls: type, consumers: list[tuple[str, str]], bindings: Bound = ()) -> tuple[Word, ...]:
        """The calls and stores that may bring an instance into a state that matters, methods first."""
        known = self._words.get((id(cls), bindings))
        if known is None:
            words = [self._finished(cls, word) for word in self._all_words(cls, dict(bindings))]
            known = self._words[id(cls), bindings] = (cls, tuple(words))
        key = (id(cls), bindings, tuple(consumers))
        if key not in self._useful:
            self._useful[key] = tuple(self._that_matter(cls, known[1], consumers)) if consumers else known[1]
        return self._useful[key]

    def _finished(self, cls: type, word: Word) -> Word:
        return replace(word, writes=frozenset(self._access(cls, word).writes), failed=self._failed)

    def _that_matter(self, cls: type, words: tuple[Word, ...], consumers: list[Consumer]) -> list[Word]:
        """The words that write what a consumer reads, or what a word that does reads."""
        needed = self._relevance.of(consumers)
        access = {word.name: self._access(cls, word) for word in words}
        found: set[str] = set()
        reads, unknown = set(needed.reads), needed.unknown
        while True:
            new = {name for name, own in access.items()
                   if name not in found and (unknown or own.unknown or own.writes & reads)}  # fmt: skip
            if not new:
                return [word for word in words if word.name in found]
            found |= new
            for name in new:
                reads |= access[name].reads

    def _access(self, cls: type, word: Word) -> AttributeAccess:
        name = word.name.removesuffix("=")
        if not word.name.endswith("=") or isinstance(inspect.getattr_static(cls, name, None), property):
            return self._relevance.of_name(f"{cls.__qualname__}.{name}")
        return AttributeAccess(writes={name})

    def _failed(self, draw: Draw, error: Exception) -> None:
        """Note what could help where an object could not be built."""
        if not draw.pool.remedies:  # the first failure is the cause of all others
            draw.pool.remedies = remedies(draw.pool.openings, error, self._relevance)

    def _all_words(self, cls: type, bindings: Bindings) -> list[Word]:
        found: list[Word] = []
        methods = [(name, name, function, owner) for name, function, owner in self._changing.methods(cls)]
        if len(methods) > MOST_WORDS:  # whose plans would take longer than the search for inputs
            methods.sort(key=lambda row: not self._relevance.of_name(f"{cls.__qualname__}.{row[0]}").writes)
            del methods[MOST_WORDS:]
        setters = [(f"{name}=", name, put, owner) for name, put, owner in self._changing.properties(cls)]
        for word, name, function, owner in (*methods, *setters):
            names = (f"{cls.__qualname__}.{name}", f"{owner.__qualname__}.{name}")
            if _is_lazy(function) or not self._planner.guide.permits(cls.__module__, *names):
                continue
            found.append(self._word(cls, word, name, function, owner, 1, bindings))
        found += (
            Word(f"{item.name}=", _once(functools.partial(self._stored, cls, item, bindings)))
            for item in self._changing.attributes(cls)
            if self._planner.guide.permits(cls.__module__, f"{cls.__qualname__}.{item.name}")
        )
        return found

    def _word(
        self,
        cls: type,
        word: str,
        name: str,
        function: Callable[..., Any],
        owner: type,
        depth: int,
        bindings: Bindings = MappingProxyType({}),
    ) -> Word:

        def planned() -> tuple[Parameter, ...]:
            scope = self._planner.scope(function, owner)
            return self._planner.parameters(
                function,
                qualname=f"{owner.__qualname__}.{name}",
                scope=replace(scope, bindings=inherited(cls, owner, bindings)),
                skip_first=True,
                depth=depth,
            )

        once = _once(planned)
        guide = self._planner.guide
        if not guide.assumes:
            return Word(word, once)

        def check(value: Any, made: Arguments) -> None:
            bound = function.__get__(value)
            guide.assume(cls.__module__, f"{cls.__qualname__}.{name}", bound, value, made)

        return Word(word, once, check)

    def _stored(self, cls: type, item: OpenAttribute, bindings: Bindings) -> tuple[Parameter, ...]:
        scope = self._planner.scope(None, item.owner)
        scope = replace(scope, bindings=inherited(cls, item.owner, bindings))
        return (Parameter("value", self._planner.resolver.plan(item.annotation, scope, 1)),)


def _once(plan: Callable[[], tuple[Parameter, ...]]) -> Callable[[], tuple[Parameter, ...]]:
    """The same plans however often they are asked for, which are made the first time.

    Raises:
        Unbuildable: there are none, also where code of the target raised that annotations run.
    """

    @functools.cache
    def found() -> tuple[Parameter, ...] | Unbuildable:
        try:
            return plan()
        except Unbuildable as error:
            return error
        except Exception as error:  # noqa: BLE001 - of the target
            return Unbuildable(str(error))

    def planned() -> tuple[Parameter, ...]:
        known = found()
        if isinstance(known, Unbuildable):
            raise known
        return known

    return planned


def _bound(scope: Scope) -> Bound:
    return tuple(scope.bindings.items())


def _is_lazy(function: Any) -> bool:
    """True if calling it does nothing yet."""
    return (
        inspect.iscoroutinefunction(function)
        or inspect.isgeneratorfunction(function)
        or inspect.isasyncgenfunction(function)
    )
