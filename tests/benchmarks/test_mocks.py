"""Goals and impossible branches are counted as the comments in benchmarks/mocks mark them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

MOCKS = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "mocks"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"mocks_{name}", MOCKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


MARKS, TARGETS = _load("marks"), _load("targets")
EVERYTHING = TARGETS.targets()


@pytest.mark.parametrize("target", EVERYTHING, ids=lambda target: target.key)
def test_a_module_has_the_goals_that_are_counted(target):
    assert target.goals == len(MARKS.marks_of(target.file).goals)


def test_the_message_clients_have_the_goals_of_the_paper():
    assert [5, 5, 4, 6, 4, 4] == [target.goals for target in EVERYTHING if target.kind == "messages"]


def test_there_are_thirty_clients_and_more():
    assert sum(target.kind == "clients" for target in EVERYTHING) >= 30


def test_the_goals_of_a_listing_are_numbered_from_one():
    numbers: list[list[int]] = []
    for line in (MOCKS / "listings.py").read_text(encoding="utf-8").splitlines():
        if line.strip().startswith("def "):
            numbers.append([])
        if MARKS.GOAL.search(line):
            numbers[-1].append(int(line.rpartition(" ")[2]))
    assert [[1, 2], [1, 2, 3], [1, 2], [1, 2, 3, 4, 5]] == [found for found in numbers if found]


def _marks(tmp_path: Path, *lines: str):
    file = tmp_path / "target.py"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return MARKS.marks_of(file)


def test_a_body_that_always_comes_next_makes_the_other_branch_infeasible(tmp_path):
    marks = _marks(tmp_path, "for x in (1,):  # always: it has one item", "    # and a comment", "    break")
    assert marks.is_infeasible(1, -1)
    assert not marks.is_infeasible(1, 3)


def test_a_body_that_never_comes_next_is_infeasible(tmp_path):
    marks = _marks(tmp_path, "if 1 > 2:  # never: it is less", "    x = 1", "x = 2")
    assert marks.is_infeasible(1, 2)
    assert not marks.is_infeasible(1, 3)


def test_a_case_can_be_marked(tmp_path):
    marks = _marks(tmp_path, "match 1:", "    case 2:  # never: it is 1", "        pass")
    assert marks.is_infeasible(2, 3)


def test_a_mark_needs_a_condition(tmp_path):
    with pytest.raises(ValueError, match="no condition"):
        _marks(tmp_path, "x = 1  # never: there is nothing to take")
