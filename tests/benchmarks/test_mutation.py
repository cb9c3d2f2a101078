"""The benchmark of mutants: what it measures, its table, and its goals."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = [str(ROOT / "benchmarks" / folder) for folder in ("", "classes", "released", "mutation")]
NAMES = ("mutated", "modules", "run", "judging", "sampling", "pynguin_side", "rivals", "beside")


@pytest.fixture(scope="module")
def bench() -> Iterator[dict[str, Any]]:
    before = list(sys.path)
    sys.path[:0] = FOLDERS[::-1]
    yield {name: import_module(name) for name in NAMES}
    sys.path[:] = before
    for name in NAMES:
        del sys.modules[name]


def figures(killed: int, tests: int, failing: int = 0) -> dict[str, int]:
    return {
        "covered_branches": 3, "branches": 4, "killed": killed, "mutants": 20, "tests": tests,
        "failing": failing,
    }  # fmt: skip


def test_there_are_enough_modules_of_each_kind_and_none_of_the_other_list(bench: dict[str, Any]) -> None:
    found = list(bench["mutated"].subjects())
    released = [subject.file for subject in found if subject.group == "released"]
    assert len({subject.name for subject in found}) == len(found) >= 40
    assert {subject.group for subject in found} == {"examples", "depth", "classes", "mocks", "released"}
    assert len(released) == 15
    assert not set(released) & {file for one in bench["modules"].RELEASES for file in one.files}
    assert all((subject.site / subject.file).exists() for subject in found if subject.group != "released")


def test_the_table_has_both_suites_and_the_sums_of_groups(bench: dict[str, Any]) -> None:
    subject = bench["mutated"].Subject("depth", ROOT, "bits.py")
    results = {"depth/bits.py branch": figures(9, 5), "depth/bits.py usual": figures(19, 8)}
    rows = bench["run"].table(results, [subject]).splitlines()
    assert rows[2] == "| depth/bits.py | 3/4 | 3/4 | 9/20 | 19/20 | 5 | 8 | 0 |"
    assert rows[3].startswith("| depth, 1 modules | 3/4 |")


def test_each_missed_goal_is_named_with_its_figure(bench: dict[str, Any]) -> None:
    subject = bench["mutated"].Subject("released", ROOT, "x.py")
    fine = {"released/x.py branch": figures(9, 5), "released/x.py usual": figures(17, 10)}
    poor = {"released/x.py branch": figures(9, 5), "released/x.py usual": figures(16, 11, failing=1)}
    assert bench["run"].missed(fine, [subject]) == []
    assert bench["run"].missed(poor, [subject]) == [
        "released: 80.0 % of the mutants",
        "released: 2.2 times as many tests",
        "released: 1 failing tests",
    ]


SOURCE = """
def larger(a, b):
    return a if a > b else b


class Box:
    def hold(self, thing):
        return thing

    def _hidden(self):
        return 1
"""

SUITE = """
from compared import larger


def test_first():
    assert larger(3, 1) == 3


class TestMore:
    def test_second(self):
        assert larger(1, 3) == 3

    def test_wrong(self):
        assert larger(1, 3) == 1
"""


@pytest.mark.slow
def test_a_suite_is_judged_by_pytest_without_the_tests_that_fail(
    bench: dict[str, Any], tmp_path: Path
) -> None:
    site, out = tmp_path / "site", tmp_path / "out"
    for folder, name, text in ((site, "compared.py", SOURCE), (out, "test_compared.py", SUITE)):
        folder.mkdir()
        (folder / name).write_text(text)
    found = bench["judging"].judge_by_pytest(site, "compared.py", out, 30)
    assert (found["tests"], found["failing"]) == (3, 1)
    assert 0 < found["killed"] < found["mutants"]
    (out / "test_compared.py").write_text("import nowhere")
    found = bench["judging"].judge_by_pytest(site, "compared.py", out, 30)
    assert (found["failing"], found["killed"]) == (1, 0)


def test_crosshair_is_asked_for_public_functions_and_methods(bench: dict[str, Any]) -> None:
    assert bench["rivals"]._callables(SOURCE) == ["larger", "Box.hold"]
    printed = "warning: slow\nimport x\n\ndef test_larger():\n    pass\n"
    assert bench["rivals"]._program(printed).startswith("import x")


def test_the_table_compares_generators_where_all_were_measured(bench: dict[str, Any]) -> None:
    subjects = [bench["mutated"].Subject("depth", ROOT, name) for name in ("bits.py", "ints.py")]
    results = {f"depth/bits.py {name}": figures(9, 5) for name in ("tracetwin", "pynguin", "crosshair")}
    rows = bench["beside"].table(results, subjects).splitlines()
    assert rows[2:] == [
        "| depth/bits.py | 9/20 | 9/20 | 9/20 | 5 | 5 | 5 | 0 | 0 | 0 |",
        "| 1 modules | 9/20 | 9/20 | 9/20 | 5 | 5 | 5 | 0 | 0 | 0 |",
    ]
    assert set(bench["beside"].CHOSEN) <= {subject.name for subject in bench["mutated"].subjects()}
