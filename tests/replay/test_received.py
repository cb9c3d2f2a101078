"""What a target writes to our descriptors is no observation."""

from __future__ import annotations

from typing import Any

import pytest

from tracetwin.model.recipe import Scalar
from tracetwin.process import wire
from tracetwin.replay import received
from tracetwin.replay.case import blank


def body(message: Any) -> bytes:
    return wire.pack(message)[wire.HEADER.size :]


def test_an_observation_comes_through() -> None:
    seen = {**blank("returned"), "value": Scalar(3), "lines": [1, 2], "arcs": [(1, 2)], "raised_at": None}
    assert received.observation(body(seen)) == seen
    raised = {**blank("raised"), "exception": ("builtins", "ValueError", "no"), "raised_at": 4}
    assert received.observation(body(raised)) == raised


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
    assert received.observation(body(message)) == blank("died", received.GARBLED)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\xff\xff\xff\xff", b"i"])
def test_damaged_bytes_are_a_death(data: bytes) -> None:
    assert received.observation(data) == blank("died", received.GARBLED)


def test_an_answer_of_an_import_has_its_parts() -> None:
    good: dict[str, Any] = {"lines": [], "arcs": [], "outline": None}
    assert received.imported(good) is good
    assert received.imported({"error": "no"}) == {"error": "no"}
    wrong: list[Any] = [None, 3, {}, {"lines": []}]
    for bad in wrong:
        with pytest.raises(wire.Closed):
            received.imported(bad)
