"""Annotations that say nothing of a part: what the code does with the part tells more of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from tracetwin.analysis.scopes import Scope
from tracetwin.drawing.plans.containers import (
    ConvertedPlan,
    DictPlan,
    ListPlan,
    RecordPlan,
    SeriesPlan,
    SetPlan,
    TuplePlan,
)
from tracetwin.drawing.plans.plans import UNTOLD, Plan, UnionPlan, one_of
from tracetwin.drawing.typing.guesses import (
    DictGuess,
    Guess,
    RecordGuess,
    SeriesGuess,
    TupleGuess,
    TypeGuess,
    holding,
    plan_guess,
)
from tracetwin.drawing.typing.looked_into import KnownRecord
from tracetwin.drawing.typing.resolve import Resolver
from tracetwin.model.errors import Unbuildable
from tracetwin.support.data import dataclass

_MOST_PARTS: Final = 4

MOST_RECORDS: Final = 6
"""Kinds of dicts with known keys that a value may be of which nothing is known."""


@dataclass(frozen=True)
class Completion:
    """Completes plans of annotations by guesses."""

    resolver: Resolver
    scope: Scope
    depth: int

    def of(self, plan: Plan, found: Sequence[Guess]) -> Plan:
        """Return a plan with what guesses tell of its parts where the annotation says nothing of these.

        That is the parts of bare classes, ``tuple`` or ``list[dict]``, and dicts of anything: before these
        there are dicts with the keys that the code asks for.
        """
        if not found:
            return plan
        if not isinstance(plan, UnionPlan):
            return self._completed(plan, found)
        parts = [self._completed(part, found) for part in plan.plans]
        if all(new is old for new, old in zip(parts, plan.plans, strict=True)):
            return plan
        made = one_of(parts, topic=plan.topic)
        if plan.default and isinstance(made, UnionPlan):
            return replace(made, default=made.plans.index(plan.plans[plan.default]))
        return made

    def _completed(self, plan: Plan, found: Sequence[Guess]) -> Plan:
        match plan:
            case SeriesPlan(label="tuple", element=element) if element is UNTOLD and (
                shape := next((guess for guess in found if isinstance(guess, TupleGuess)), None)
            ):
                return self._made(shape)
            case ListPlan(element=Plan() as element) | SetPlan(element=Plan() as element) | SeriesPlan(
                element=Plan() as element
            ):
                part = self._part(element, _elements(found))
                hashed = isinstance(plan, SetPlan) or (isinstance(plan, SeriesPlan) and plan.hashed)
                part = part.hashable() or element if hashed else part
                return plan if part is element else replace(plan, element=part)
            case TuplePlan(items):
                return self._tuple(plan, items, found)
            case DictPlan():
                return self._dict(plan, found)
            case ConvertedPlan(inner=DictPlan() as inner):
                made = self._dict(inner, [guess for guess in found if not isinstance(guess, RecordGuess)])
                return plan if made is inner else replace(plan, inner=made)
            case _:
                told = next((one for one in found if isinstance(one, TypeGuess) and one.held), None)
                return plan if told is None else holding(plan, told, self.resolver, self.scope, self.depth)

    def _tuple(self, plan: Plan, items: tuple[Plan, ...], found: Sequence[Guess]) -> Plan:
        shapes = [guess.items for guess in found if isinstance(guess, TupleGuess)]
        shape = next((one for one in shapes if len(one) == len(items)), None)
        if shape is None:
            return plan
        made = tuple(self._part(item, guesses) for item, guesses in zip(items, shape, strict=True))
        return plan if all(map(_same, made, items)) else TuplePlan(made)

    def _dict(self, plan: DictPlan, found: Sequence[Guess]) -> Plan:
        if plan.value is UNTOLD or self._is_of_anything(plan):
            records = [self._made(guess) for guess in found if isinstance(guess, RecordGuess)]
            if records:
                return one_of([*records, plan])
        known = next((guess for guess in found if isinstance(guess, DictGuess)), None)
        if known is None or plan.key is None or plan.value is None:
            return plan
        value = self._part(plan.value, known.values)
        return plan if value is plan.value else replace(plan, value=value)

    def _is_of_anything(self, plan: DictPlan) -> bool:
        if not (plan.key is None or plan.key.takes("")):
            return False
        return plan.value in (None, self.resolver.anything(0), self.resolver.anything(1))

    def _part(self, plan: Plan, found: Sequence[Guess]) -> Plan:
        if plan is not UNTOLD:
            return self.of(plan, found)
        made = []
        for guess in found:
            try:
                made.append(self._made(guess))
            except Unbuildable:
                continue
        return one_of(made, most=_MOST_PARTS) if made else plan

    def _made(self, guess: Guess) -> Plan:
        return plan_guess(guess, self.resolver, self.scope, self.depth)


def _same(first: Any, second: Any) -> bool:
    return first is second


def _elements(found: Sequence[Guess]) -> tuple[Guess, ...]:
    """Return the guesses for the elements of a series."""
    return next((guess.elements for guess in found if isinstance(guess, SeriesGuess) and guess.elements), ())


def record_plans(found: Sequence[KnownRecord], resolver: Resolver, scope: Scope) -> list[Plan]:
    """The plans of the first of some records, those of which most is known before others."""
    found = sorted(found, key=lambda record: -len(getattr(record.guess, "fields", ())))[:MOST_RECORDS]
    plans = [(plan_guess(record.guess, resolver, scope, 1), record.homes) for record in found]
    return [
        replace(plan, homes=homes) if isinstance(plan, (RecordPlan, ListPlan)) else plan
        for plan, homes in plans
    ]
