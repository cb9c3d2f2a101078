"""What a target writes to our descriptors is no observation."""

from __future__ import annotations

from typing import Any

import pytest

from tracetwin.replay import received
from tracetwin.replay.case import blank


def test_an_observation_comes_through() -> None:
    seen = {**blank("returned"), "value": ("lit", 3), "lines": [1, 2], "arcs": [(1, 2)], "raised_at": None}
    assert received.observation(seen) == seen
    raised = {**blank("raised"), "exception": ("builtins", "ValueError", "no"), "raised_at": 4}
    assert received.observation(raised) == raised


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {},
        {**blank("returned"), "lines": ["1"]},
        {**blank("returned"), "lines": 3},
        {**blank("returned"), "arcs": [(1,)]},
        {**blank("returned"), "arcs": [1]},
        {**blank("returned"), "outcome": 1},
        {**blank("returned"), "stdout": b""},
        {name: part for name, part in blank("returned").items() if name != "value"},
    ],
)
def test_anything_else_is_a_death(message: Any) -> None:
    assert received.observation(message) == blank("died", received.GARBLED)


def test_an_answer_of_an_import_has_its_parts() -> None:
    good: dict[str, Any] = {"lines": [], "arcs": [], "outline": None}
    assert received.imported(good) is good
    wrong: list[Any] = [None, 3, {}, {"error": "no"}, {"lines": []}]
    for bad in wrong:
        assert received.imported(bad) is None
