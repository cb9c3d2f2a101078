"""The time line says which process worked on what, and on what it spent that time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.run.scheduler.spans import Spans
from tracetwin.run.tasks import ExploreTask, FunctionExplored, OpenTask, SuiteBuilt, SuiteTask


@pytest.fixture
def state() -> Any:
    return SimpleNamespace(index=0, spans=[])


def task(kind: type, name: str = "f") -> Any:
    made: Any = object.__new__(kind)
    object.__setattr__(made, "index", 0)
    object.__setattr__(made, "module", SimpleNamespace(name="shop"))
    if kind is ExploreTask:
        object.__setattr__(made, "invokable", SimpleNamespace(qualname=name))
    return made


def explored(seconds: float) -> Any:
    solver = {"stages": {"z3": {"seconds": seconds}, "fold": {"seconds": 0.0}}}
    return FunctionExplored(0, SimpleNamespace(qualname="f"), solver)  # type: ignore[arg-type]


def test_each_process_has_its_lane_and_whoever_takes_its_place_too(state: Any) -> None:
    spans, (one, two, three) = Spans(), (object(), object(), object())
    for job in (one, two):
        spans.begin(job, task(OpenTask))  # type: ignore[arg-type]
        spans.end(job, state)  # type: ignore[arg-type]
    spans.gone(one)  # type: ignore[arg-type]
    spans.begin(three, task(ExploreTask))  # type: ignore[arg-type]
    spans.end(three, state)  # type: ignore[arg-type]
    told = [(span.process, span.kind, span.what) for span in state.spans]
    assert told == [(0, "importing", "shop"), (1, "importing", "shop"), (0, "exploring", "f")]
    assert all(0 <= span.begin <= span.end for span in state.spans)


def test_what_is_explored_again_counts_only_what_came_on_top(state: Any) -> None:
    spans, job = Spans(), object()
    for total in (1.0, 1.5, 0.25):  # the last by a process that counts anew
        spans.begin(job, task(ExploreTask))  # type: ignore[arg-type]
        spans.end(job, state, explored(total))  # type: ignore[arg-type]
    assert [span.parts for span in state.spans] == [(("z3", 1.0),), (("z3", 0.5),), (("z3", 0.25),)]


def test_writing_is_told_by_its_phases(state: Any) -> None:
    spans, job = Spans(), object()
    spans.begin(job, task(SuiteTask))  # type: ignore[arg-type]
    suite = SimpleNamespace(phases={"replaying": 2.0, "shortening": 0.0})
    spans.end(job, state, SuiteBuilt(0, suite))  # type: ignore[arg-type]
    assert [(span.kind, span.parts) for span in state.spans] == [("writing", (("replaying", 2.0),))]
    spans.end(job, state)  # type: ignore[arg-type]
    assert len(state.spans) == 1
