"""A worker on a module that has no twin: plain values, and the lines they run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.target.layout import compile_to
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.run import Request
from tracetwin.process.lines import LineWatch, MonitoredLines, TracedLines, unseen
from tracetwin.process.messages import Ready
from tracetwin.process.worker import Worker
from tracetwin.target.outline import codes_in
from tracetwin.target.selection import resolve

SOURCE = """\
def kind(x: int) -> str:
    if type(x) is not int:
        return "traced"
    if x > 5:
        return _large(x)
    return "small"


def _large(x):
    return "large"


def many(values: list[int]) -> int:
    for value in values:
        if value == 3:
            raise KeyError(value)
    return type(values) is list
"""


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    (module,) = resolve(str(compile_to(tmp_path / "closed_module.pyc", SOURCE)))
    with Worker(module, handler=("tracetwin.worker.untraced", "OutsideRunner", "")) as started:
        yield started


def test_values_are_plain_and_lines_are_told(worker):
    ready = worker.start()
    assert isinstance(ready, Ready)
    lines = {item["qualname"]: item["lines"] for item in ready.info["invokables"]}
    assert {"kind": [2, 3, 4, 5, 6], "many": [14, 15, 16, 17]} == lines
    assert [(10,)] == [tuple(row) for row in ready.info["private_lines"]]
    executor = WorkerExecutor(worker)
    small = executor.run(Request("kind", (), {}))
    assert {2, 4, 6} <= {side >> 1 for side in small.outcomes}
    assert 3 not in {side >> 1 for side in small.outcomes}
    large = executor.run(Request("kind", (), {"x": 6}))
    assert {5, 10} <= {side >> 1 for side in large.outcomes}
    assert 6 not in {side >> 1 for side in large.outcomes}
    assert (large.truncated, large.path, large.result) == (True, (), "str")


def test_where_an_exception_was_raised_is_known_though_the_file_is_elsewhere(worker):
    worker.start()
    run = WorkerExecutor(worker).run(Request("many", (), {"values#": 1, "values[0]": 3}))
    assert ("raised", "KeyError", 16) == (run.status, run.detail, run.line)


WATCHED = """\
def f(x):
    if x:
        return 1
    return 2
def g(): return 3
"""
KINDS = [TracedLines, *([MonitoredLines] if hasattr(sys, "monitoring") else [])]


@pytest.mark.parametrize("kind", KINDS)
def test_lines_of_the_watched_code_only(kind: type[LineWatch]):
    code, copy = (compile(WATCHED, "here", "exec") for _ in range(2))
    other: dict[str, object] = {}
    exec(compile("def h():\n    return 1\n", "there", "exec"), other)
    names: dict[str, object] = {}
    tracer = sys.gettrace()
    lines = kind(codes_in(copy))
    lines.start()
    try:
        exec(code, names)
        imported = lines.take()
        names["f"](1)  # type: ignore[operator]
        other["h"]()  # type: ignore[operator]
        called = lines.take()
        names["g"]()  # type: ignore[operator]
        single = lines.take()
        with unseen():
            names["f"](0)  # type: ignore[operator]
        hidden = lines.take()
    finally:
        lines.stop()
        sys.settrace(tracer)
    assert ([1, 5], [1, 2, 3], [5], []) == (imported, called, single, hidden)
