"""What a target writes to our descriptors is no observation."""

from __future__ import annotations

from typing import Any

import pytest

from tracetwin.model.codec import encode
from tracetwin.model.observation import Observation, Raised, ended
from tracetwin.model.recipe import Scalar
from tracetwin.model.status import Outcome
from tracetwin.replay import received

BLANK = encode(ended(Outcome.RETURNED))
NESTED: Any = ("lit", 1)
for _ in range(900):
    NESTED = ("list", [NESTED])


def test_an_observation_comes_through() -> None:
    seen = Observation(Outcome.RETURNED, value=Scalar(3), lines=(1, 2), arcs=((1, 2),))
    assert received.observation(encode(seen)) == seen
    raised = Observation(Outcome.RAISED, raised=Raised("builtins", "ValueError", "no"), raised_at=4)
    assert received.observation(encode(raised)) == raised


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {},
        {**BLANK, "lines": ["1"]},
        {**BLANK, "lines": 3},
        {**BLANK, "arcs": [(1,)]},
        {**BLANK, "arcs": [1]},
        {**BLANK, "outcome": 1},
        {**BLANK, "stdout": b""},
        {**BLANK, "value": ("lit",)},
        {**BLANK, "value": ("lit", [])},
        {**BLANK, "value": ("var", 1)},
        {**BLANK, "value": NESTED},
        {**BLANK, "same": ("everywhere", 0, None)},
        {**BLANK, "more": 1},
        {name: part for name, part in BLANK.items() if name != "value"},
    ],
)
def test_anything_else_is_a_death(message: Any) -> None:
    assert received.observation(message) == ended(Outcome.DIED, received.GARBLED)


def test_an_answer_of_an_import_has_its_parts() -> None:
    good: dict[str, Any] = {"lines": [], "arcs": [], "outline": None}
    assert received.imported(good) is good
    wrong: list[Any] = [None, 3, {}, {"error": "no"}, {"lines": []}]
    for bad in wrong:
        assert received.imported(bad) is None
