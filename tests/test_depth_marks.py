"""The marks in benchmarks/depth are right: each marked line is reached by a call that is written down."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

DEPTH = Path(__file__).resolve().parent.parent / "benchmarks" / "depth"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"depth_{name}", DEPTH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


MARKS, EXECUTING, WITNESSES = _load("marks"), _load("executing"), _load("witnesses").WITNESSES
FUNCTIONS = MARKS.marked_functions()


def test_there_are_enough_functions_and_each_has_a_line_to_reach():
    assert len(FUNCTIONS) >= 120
    assert [f.key for f in FUNCTIONS if not f.lines] == []


def test_every_witness_belongs_to_a_function():
    written = {f"{module}.{name}" for module, calls in WITNESSES.items() for name in calls}
    assert {f.key for f in FUNCTIONS} == written


@pytest.mark.parametrize("category", sorted(WITNESSES))
def test_witnesses_reach_the_marks_and_nothing_impossible(category, monkeypatch):
    monkeypatch.syspath_prepend(str(MARKS.FUNCTIONS))
    for function in FUNCTIONS:
        if function.category == category:
            call = WITNESSES[category][function.name]
            executed = EXECUTING.lines_executed(category, function.name, call, [])
            assert executed is not None, function.key
            assert function.among(executed) == list(function.lines), function.key
