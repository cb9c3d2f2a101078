"""The states of a class and the calls between them in words, as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.summaries.places import ref_text
from tracetwin.explore.summaries.wording import condition_text

if TYPE_CHECKING:
    from tracetwin.explore.loop.heap import Heap
    from tracetwin.explore.states.graph import SeenState, StateGraph

LONGEST: Final = 400
"""Characters of one attribute, and of a condition."""


def graph_data(graph: StateGraph) -> dict[str, Any]:
    """Return a graph as plain data; docs/reference.md describes the fields."""
    return {
        "states": [_state(seen) for seen in graph.states],
        "moves": [asdict(move) for move in graph.moves],
    }


def _state(seen: SeenState) -> dict[str, Any]:
    return {
        "number": seen.number,
        "depth": len(seen.calls),
        "calls": list(seen.calls),
        "holds": _contents(seen.state.heap),
        "when": _short(condition_text(seen.state.conditions)),
    }


def _contents(heap: Heap) -> dict[str, str]:
    """The attributes of an object, or all of it under "" where it has none."""
    if heap[0][0] != "object":
        return {"": _short(ref_text(heap, ("cell", 0)))}
    return {name: _short(ref_text(heap, ref)) for name, ref in heap[0][2]}


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
