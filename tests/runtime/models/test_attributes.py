"""Attributes by a name that depends on the input are conditions on that name."""

from __future__ import annotations

from typing import Any

import pytest

from runtime import trace
from runtime.inputs import Inputs
from runtime.models.objects.attributes import names_of, traced_getattr, traced_hasattr
from runtime.values import SBool, plain


class Rules:
    minimum = 3

    def __init__(self) -> None:
        self.own = 1

    def _check_low(self) -> str:
        return "low"


class Answering(Rules):
    def __getattr__(self, name: str) -> str:
        return name


def asked(function: Any, name: str, *rest: Any) -> tuple[Any, list[tuple[str, bool, trace.Kind]]]:
    """What a function gives for a drawn name, and the conditions that were recorded."""
    trace.start()
    try:
        drawn = Inputs({"name": name}).text("name")
        before = len(trace.current.path)
        result = function(Rules(), drawn, *rest)
        rows = trace.current.path[before:]
        path = [(str(node), bool(held), trace.Kind(kind)) for node, _, held, kind in rows]
    finally:
        trace.stop()
    return result, path


def test_a_name_that_there_is_is_decided() -> None:
    result, path = asked(traced_getattr, "_check_low")
    assert result() == "low"
    assert [(taken, kind) for _, taken, kind in path] == [(True, trace.Kind.CHECK), (True, trace.Kind.BRANCH)]
    assert "minimum" in path[0][0]
    assert "__init__" not in path[0][0]


def test_a_name_that_there_is_not_leaves_which_open() -> None:
    result, path = asked(traced_getattr, "other", 7)
    assert result == 7
    assert [(taken, kind) for _, taken, kind in path] == [(False, trace.Kind.CHECK)]


@pytest.mark.parametrize(("name", "expected"), [("own", True), ("__init__", True), ("_check_", False)])
def test_whether_there_is_one_stays_undecided(name: str, expected: bool) -> None:
    result, path = asked(traced_hasattr, name)
    assert type(result) is SBool
    assert plain(result) is expected
    assert path == []


def test_an_object_that_answers_for_itself_has_no_list_of_names() -> None:
    assert names_of(Answering()) is None
    assert {"own", "minimum", "_check_low"} <= set(names_of(Rules()) or ())
    assert {"minimum", "mro"} <= set(names_of(Rules) or ())
