"""The programs that the benchmark of slowdown measures give the same results as twins."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
NAMES = sorted(file.stem for file in (BENCHMARKS / "workloads").glob("[!_]*.py"))


@pytest.fixture
def workloads(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("workloads")


def test_all_programs_are_measured(workloads):
    assert NAMES == sorted(workloads.NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_twin_gives_the_same_result(workloads, name):
    original, twin = workloads.original(name), workloads.traced(name)
    assert original is not twin
    assert original.run(original.SMALL) == twin.run(twin.SMALL)
