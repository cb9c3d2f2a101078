"""Private functions are called where nothing else reaches all of their branches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.invokable import Invokable
from tracetwin.run.scheduler.progress import ModuleState


def invokable(name: str, line: int, problem: str = "") -> Invokable:
    return Invokable(name, "function", "", line, line + 9, True, problem)


def case(target: str, *shows: int | str) -> Case:
    return Case("m", target, "function", (Step(Act.CALL, "m", target),), shows=shows)


def site(number: int, scope: str, line: int) -> Any:
    kind = SimpleNamespace(value="for" if scope == "_loop" else "if")
    return SimpleNamespace(id=number, scope=scope, line=line, kind=kind)


@pytest.fixture
def state() -> ModuleState:
    made = ModuleState(0, SimpleNamespace(name="m"))  # type: ignore[arg-type]
    made.invokables = {"f": invokable("f", 1)}
    names = ("_met", "_half", "_far", "_loop")
    made.hidden = {name: invokable(name, 10 * place) for place, name in enumerate(names, 1)}
    made.hidden["_odd"] = invokable("_odd", 50, "its signature can't be read")
    scopes = ("f", "_met", "_half", "_far", "_loop", "_odd")
    made.sites = tuple(site(place, scope, 10 * (place - 1) + 1) for place, scope in enumerate(scopes, 1))
    made.outcomes = {"f": ExplorationOutcome("f", cases=[case("f", 2, 3, 4, 5, 6, "path")])}
    return made


def test_those_are_called_some_of_whose_sides_no_case_shows(state: ModuleState) -> None:
    assert ["_half", "_far"] == state.uncover()
    assert ["f", "_half", "_far"] == list(state.invokables)
    assert {"_half": 1, "_far": 2} == state.sides
    assert [] == state.uncover()


def test_those_into_which_nothing_gets_are_called_first(state: ModuleState) -> None:
    assert ["_far"] == state.uncover(untouched=True)
    assert ["_half"] == state.uncover()
    assert ["_far", "_half"] == state.uncovered


def test_their_cases_make_tests_where_they_alone_show_a_side(state: ModuleState) -> None:
    state.uncover()
    own = [case("_half", 6, "result:_half:True"), case("_half", 6, 7, 99, "result:_half:False")]
    state.outcomes["_half"] = ExplorationOutcome("_half", cases=own)
    assert [*state.outcomes["f"].cases, case("_half", 7)] == list(state.wanted_cases())
