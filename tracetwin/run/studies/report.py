"""Summaries as plain data, for JSON and for the terminal (Buy, Orso, Pezze, table 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tracetwin.explore.loop.run import Run
from tracetwin.explore.summaries.places import ref_text
from tracetwin.explore.summaries.shapes import kinds_of
from tracetwin.explore.summaries.study import ClassStudy
from tracetwin.explore.summaries.summary import CONSTRUCTOR, MethodPath, MethodSummary
from tracetwin.explore.summaries.wording import condition_text, text

SCHEMA: Final = 1
"""Raised whenever a field of the JSON changes its meaning or goes."""


def class_data(study: ClassStudy, pairs: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """One class as plain data; docs/reference.md describes the fields."""
    methods: list[dict[str, Any]] = []
    kinds: Mapping[str, tuple[str, ...]] = {}
    for name, summaries in study.summaries.items():
        kinds = kinds_of(summaries.shape.shape)
        if not methods:
            methods.append(_method(study.name, summaries.of(CONSTRUCTOR), kinds))
        methods.append(_method(name.removeprefix(f"{study.name}."), summaries.of_target(), kinds))
    opaque = next((summaries.opaque for summaries in study.summaries.values()), ())
    return {
        "name": study.name,
        "problem": study.problem,
        "opaque": [name.removeprefix("self.") for name in opaque],
        "methods": methods,
        "pairs": list(pairs),
    }


def _method(name: str, summary: MethodSummary, kinds: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    return {
        "name": name,
        "constructor": summary.word == CONSTRUCTOR,
        "complete": summary.complete,
        "why": summary.why,
        "paths": [_path(path, kinds) for path in summary.paths if not path.member],
    }


def _path(path: MethodPath, kinds: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    return {
        "when": condition_text(path.condition, kinds),
        "defines": list(path.changed),
        "then": _then(path),
        "raises": path.run.detail if not path.returns else "",
        "returns": returned_text(path.run) if path.returns else "",
        "exact": path.exact,
    }


def _then(path: MethodPath) -> dict[str, str]:
    heap = path.run.heap
    if heap is None or heap[0][0] != "object":
        return {}
    inside = dict(heap[0][2])
    found = {}
    for name in path.changed:
        length = path.after.get(f"self.{name}#")
        if path.general and length is not None and length.op != "const":
            found[name] = f"a list of {condition_text([length])}"
        elif path.general and f"self.{name}" in path.after:
            found[name] = text(path.after[f"self.{name}"])
        else:
            found[name] = ref_text(heap, inside[name])
    return found


def returned_text(run: Run) -> str:
    """Return a call's result as an expression where it is simple, else its kind; "" for None."""
    value = run.value
    if value is not None:
        shown = ref_text(run.heap or (), value)
        return "" if shown == "None" else shown
    return "" if run.result in ("NoneType", "") else f"a {run.result}"
