"""Guesses as values, and their plans."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.plans.plans import FloatPlan, UnionPlan
from tracetwin.drawing.typing.guesses import DuckGuess
from tracetwin.drawing.typing.ranking import Ranking

MakeModule = Callable[..., ModuleType]


def test_a_name_that_is_called_and_mentioned_is_one_attribute(make_module: MakeModule) -> None:
    module = make_module("def f(p): return p.random() if p.random else p.seed")
    planner = Planner(module)
    (parameter,) = planner.parameters(module.f, qualname="f", scope=planner.scope(), skip_first=False)
    assert parameter.plan is not None
    assert sorted(parameter.plan.members) == ["random", "seed"]  # type: ignore[attr-defined]
    assert parameter.plan.members["random"].is_called  # type: ignore[attr-defined]


def test_what_many_parts_of_a_value_share_is_ranked_once_for_a_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared = ValueFacts()
    shared.may_be("int")
    whole = ValueFacts(attributes={f"part{n}": shared for n in range(9)})
    asked: list[ValueFacts] = []
    scores = Ranking._scores

    def noted(self: Ranking, facts: ValueFacts, depth: int) -> dict[str, float]:
        asked.append(facts)
        return scores(self, facts, depth)

    monkeypatch.setattr(Ranking, "_scores", noted)
    ranking = Ranking({})
    assert len(ranking.guesses(whole)) == 1
    assert asked.count(shared) == 1
    shared.must_be("str")
    (duck,) = ranking.guesses(whole)
    assert isinstance(duck, DuckGuess)
    assert [str(guess) for guess in dict(duck.attributes)["part0"]] == ["str"], "what was added is seen"


def test_floats_that_are_only_guessed_are_numbers_unless_the_code_speaks_of_others(
    make_module: MakeModule,
) -> None:
    def largest(text: str) -> set[float | None]:
        module = make_module(f"def f(p): {text}")
        planner = Planner(module)
        (parameter,) = planner.parameters(module.f, qualname="f", scope=planner.scope(), skip_first=False)
        parts = parameter.plan.plans if isinstance(parameter.plan, UnionPlan) else (parameter.plan,)
        return {part.most for part in parts if isinstance(part, FloatPlan)}

    assert largest("return p / 2 > 0.5") == {2.0**53}
    assert largest("return p / 2 > 0.5 and p == p") == {None}
    assert largest("return p / 2 > 0.5 and p < float('inf')") == {None}
