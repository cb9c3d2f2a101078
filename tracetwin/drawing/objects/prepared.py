"""Objects as arguments: each is built by a sequence of its own, and may be passed more than once.

Which calls prepare an object are choices of the input: branches that the search takes differently like all
others, one call after the other so that sequences grow from those that made a difference. So is the question
whether an argument is an object that exists already: the receiver, the result of an earlier call
(return-argument, JTestCraft 4.1), another argument (aliasing). Without a candidate nothing is asked, and the
first answer always is the fresh, unprepared object.

Names: ``x~0`` which call first prepares x (0: none), ``x~0.deposit.amount`` its argument, ``x~1`` the next,
``x@`` which object of this class x is (0: a new one), ``x@result`` which result of an earlier call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any, Final, TypeAlias

from runtime.classes import bases_of
from runtime.inputs import UnfitInput
from tracetwin.drawing.objects.construct import ConstructPlan, Failed
from tracetwin.drawing.objects.effects import changed, holds_object, picture
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.parameters import Arguments, Parameter, build_arguments
from tracetwin.drawing.plans.plans import Built, Plan, SetupFailed, UnionPlan, one_of, told
from tracetwin.drawing.plans.reuse import hint_for, named
from tracetwin.model.errors import Unbuildable
from tracetwin.model.flatten import variable_name
from tracetwin.model.recipe import CallResult, PreparedObject, PreparingCall
from tracetwin.support.data import dataclass

MOST_CALLS: Final = 3
"""Calls that prepare an object."""

FEW_WORDS: Final = 2
MOST_CALLS_OF_MANY: Final = 5
"""Calls where a class has more ways to change than those few: a connection is opened, authenticated, used."""

MOST_CALLS_INSIDE: Final = 2
"""Calls that prepare an element of a container, a part of an object, or an argument of a preparing call."""

DEEPEST: Final = 1
"""Objects inside of an argument that are prepared: its own parts, not the parts of parts."""


DEEPEST_SHARED: Final = 2
"""Objects around one that may be an object that exists: a part of a part of the receiver, at most."""


@dataclass(frozen=True)
class Word:
    """One way to change an object: a method, or with ``=`` at its end an attribute that is stored.

    Attributes:
        planned: plans what is passed to it; there are many words, and few are ever used.
        check: preconditions of the call, given the object.
        writes: the attributes that it may write.
        failed: is told when it raises.
    """

    name: str
    planned: Callable[[], tuple[Parameter, ...]] = field(compare=False, repr=False)
    check: Callable[[Any, Arguments], None] | None = None
    writes: frozenset[str] = frozenset()
    failed: Failed | None = None


Words: TypeAlias = Callable[[type, list[tuple[str, str]]], tuple[Word, ...]]
"""The words of a class that can matter to consumers."""


class Sharing:
    """Draws instances of one class.

    Args:
        words: how they may be changed, as far as it can matter to those that get them; asked when the first
            is drawn, as methods may take such instances.
        most_calls: on one instance, where the user says so.
    """

    def __init__(self, words: Words, most_calls: int | None = None) -> None:
        self._words = words
        self._most_calls = most_calls

    def __call__(self, draw: Draw, name: str, plan: ConstructPlan) -> Built:
        """An object that exists already, or a new one with calls that prepare it."""
        known = draw.pool.nesting <= DEEPEST_SHARED and existing(draw, name, plan.cls)
        return known or self.prepared(draw, name, plan.construct(draw, name))

    def prepared(self, draw: Draw, name: str, built: Built, hint: str = "") -> tuple[Any, PreparedObject]:
        """A new object after as many calls as the input says; `hint` names its variable."""
        value, recipe = built
        number = draw.pool.number()
        made = PreparedObject(number, hint or hint_for(name, type(value)), recipe)
        draw.pool.built(value, made)
        deep = draw.pool.nesting + draw.pool.preparing > DEEPEST
        words = () if deep else self._words(type(value), draw.pool.consumers)
        for index in range(self._limit(draw, name, words)):
            stored = [done.name for done in made.calls if done.stored]
            useful = [word for word in words if word.name not in stored]  # stored twice is stored once
            call = f"{name}~{index}"
            chosen = draw.choice(call, len(useful) + 1)
            if not chosen:
                draw.pool.openings.append((call, [word.writes for word in useful]))
                break
            word = useful[chosen - 1]
            perform(draw, value, word, f"{call}.{word.name}.", made, must_matter=True)
        return value, made

    def _limit(self, draw: Draw, name: str, words: tuple[Word, ...]) -> int:
        """The most calls on an object."""
        if draw.pool.nesting or draw.pool.preparing or name.endswith("]"):
            most = MOST_CALLS_INSIDE
        else:
            most = MOST_CALLS_OF_MANY if len(words) > FEW_WORDS else MOST_CALLS
        most = most if words else 0
        return most if self._most_calls is None else min(most, self._most_calls)


@dataclass(frozen=True)
class ProductPlan(Plan):
    """An instance that a method of another object returns, where there is no other way to one.

    Attributes:
        cls: the class of the instance.
        maker: how the other object is constructed.
        share: prepares the other object before, and the instance afterwards.
        alone: not the instance, which is a receiver.
    """

    cls: type
    maker: Plan
    word: Word = field(compare=False)
    share: Sharing = field(compare=False)
    alone: bool = False
    COMPOSITE = True

    def build(self, draw: Draw, name: str) -> Built:
        known = None if self.alone else existing(draw, name, self.cls)
        if known is not None:
            return known
        with draw.pool.apart():
            maker = self.maker.build(draw, f"{name}.maker")
        hint = variable_name(type(maker[0]).__name__)
        value, made = self.share.prepared(draw, f"{name}.maker", maker, hint)
        result = perform(draw, value, self.word, f"{name}.{self.word.name}.", made)
        if not self.shares(result):
            raise SetupFailed(f"{self.word.name} did not return a {self.cls.__name__}")
        recipe = CallResult(made, len(made.calls) - 1, hint_for(name, self.cls))
        return (result, recipe) if self.alone else self.share.prepared(draw, name, (result, recipe))

    def describe(self) -> str:
        return f"{self.maker.describe()}.{self.word.name}"

    def produces(self) -> type | None:
        return self.cls

    def shares(self, value: Any) -> bool:
        return any(base is self.cls for base in bases_of(type(value)))


def only_constructed(plan: Plan) -> Plan:
    """The plan without sharing and preparing: for receivers, which the sequence brings into a state.

    A mock is one only where nothing else is: what an existing class does is tested on its instances.
    """
    if isinstance(plan, ConstructPlan):
        return replace(plan, share=None)
    if isinstance(plan, ProductPlan):
        return replace(plan, alone=True)
    if isinstance(plan, UnionPlan):
        real = [part for part in plan.plans if not part.alternative("receiver").mock]
        parts = [only_constructed(part) for part in real or plan.plans]
        kept = len(parts) == len(plan.plans)
        return replace(plan, plans=tuple(parts)) if kept else one_of(parts, topic=plan.topic)
    return plan


def existing(draw: Draw, name: str, cls: type) -> Built | None:
    """An object of a class that exists already, when there is one and the input says so."""
    known = draw.pool.fitting(cls)
    if not known or not (chosen := draw.choice(f"{name}@", len(known) + 1)):
        return None
    return known[chosen - 1].value, named(known[chosen - 1].recipe, name, cls)


def perform(
    draw: Draw, value: Any, word: Word, prefix: str, made: PreparedObject, *, must_matter: bool = False
) -> Any:
    """Call a method of an object or store an attribute, and add that to its recipe.

    Raises:
        SetupFailed: it raised.
        UnfitInput: it must matter, and changed nothing: the shorter input does the same; or nothing can be
            passed to it.
    """
    try:
        parameters = word.planned()
    except Unbuildable as error:
        raise UnfitInput from error
    with draw.pool.before_use((type(value).__module__, f"{type(value).__qualname__}.{word.name.strip('=')}")):
        drawn = build_arguments(draw, parameters, prefix)
    recipes = [*drawn.arg_recipes, *(recipe for _, recipe in drawn.kwarg_recipes)]
    matters = not must_matter or any(map(holds_object, recipes))
    before = None if matters else picture(value)
    result = None
    try:
        if word.check is not None:
            word.check(value, drawn)
        if word.name.endswith("="):
            setattr(value, word.name[:-1], drawn.args[0])
        else:
            result = getattr(value, word.name)(*drawn.args, **drawn.kwargs)
    except Exception as error:
        if word.failed is not None:
            word.failed(draw, error)
        raise SetupFailed(f"{word.name} raised {type(error).__name__}: {told(error)}") from error
    made.calls.append(PreparingCall(word.name, tuple(drawn.arg_recipes), tuple(drawn.kwarg_recipes)))
    handle = draw.pool.returned(result, CallResult(made, len(made.calls) - 1, ""))
    if not (matters or handle) and not changed(before, picture(value)):
        raise UnfitInput
    return result
