"""Lines and arcs that are counted without coverage.py are those that it counts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.cli.test_environment import VERSIONS, interpreter
from tracetwin.process.launch import command_line
from tracetwin.replay.static import coverable
from tracetwin.target.environments import environment_of

Seen: TypeAlias = tuple[list[int], list[list[int]]]

ROOT = Path(__file__).parents[2]
SUITES = sorted((ROOT / "examples" / "expected").glob("test_*.py"))
CASES = [(suite, file) for suite in SUITES if (file := ROOT / "examples" / suite.name[5:]).is_file()]

MEASURED = """\
import importlib, importlib.util, json, os, sys, unittest

module, kind, cases = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
Measure = getattr(importlib.import_module(module), kind)
found = []
for suite, file in cases:
    sys.path.insert(0, os.path.dirname(file))
    name = os.path.basename(file)[:-3]
    measure = Measure(file)
    measure.start()
    tests = unittest.defaultTestLoader.discover(os.path.dirname(suite), os.path.basename(suite))
    with open(os.devnull, "w") as nowhere:
        unittest.TextTestRunner(stream=nowhere).run(tests)
    found.append(measure.take())
    sys.settrace(None)
print(json.dumps(found))
"""


def measured(
    python: str, module: str, kind: str, cases: list[tuple[Path, Path]], home: Path = ROOT
) -> list[Seen]:
    told = json.dumps([list(map(str, case)) for case in cases])
    command = [python, "-B", "-W", "ignore", "-c", MEASURED, module, kind, told]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=home)
    return [(lines, arcs) for lines, arcs in json.loads(done.stdout.splitlines()[-1])]


def by_coverage(case: tuple[Path, Path]) -> Seen:
    return measured(sys.executable, "tracetwin.replay.by_coverage", "Measure", [case])[0]


@pytest.mark.parametrize("case", CASES[:4], ids=lambda case: case[1].stem)
def test_arcs_are_those_of_coverage(case: tuple[Path, Path]) -> None:
    (own,) = measured(sys.executable, "tracetwin.replay.arcs", "ArcMeasure", [case])
    assert own == by_coverage(case)
    assert own[1]


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_covered_is_what_coverage_says_on_every_python(version: str) -> None:
    python = interpreter(version)
    if not python:
        pytest.skip(f"there is no Python {version} on this machine")
    there = environment_of(python)
    home = Path(command_line("", 0, there)[0]).parents[2]
    cases = [case for case in CASES if not there.is_older or " | None:" not in case[1].read_text()]
    found_there = measured(python, "tracetwin.replay.arcs", "ArcMeasure", cases, home)
    for case, own in zip(cases, found_there, strict=True):
        facts = coverable(str(case[1]))
        found, expected = (
            facts.covered(lines, [(start, end) for start, end in arcs])
            for lines, arcs in (own, by_coverage(case))
        )
        assert found == expected, case[1].name


ODD = """\
def passes(n):
    if n > 3:
        pass
    else:
        n += 1
    while True:
        n += 1
        if n > 10:
            break
        elif n > 9:
            pass
    if __debug__:
        n += 1
    for n in range(n):
        pass
    if n:
        pass
    return n
"""
RUN = "import sys; sys.path.insert(0, '{}'); import odd; odd.passes(1); odd.passes(4)"


@pytest.mark.slow
def test_lines_that_have_no_code_on_39_are_nothing_to_cover(tmp_path: Path) -> None:
    python = interpreter("3.9")
    if not python:
        pytest.skip("there is no Python 3.9 on this machine")
    file = tmp_path / "odd.py"
    file.write_text(ODD)
    (tmp_path / "test_odd.py").write_text(RUN.format(tmp_path))
    here, there = coverable(str(file)), coverable(str(file), environment_of(python))
    assert here.lines - there.lines == {6, 12, 17}  # as coverage.py 7.10 has it on that version
    assert there.arcs == {(2, 3), (2, 5), (8, 9), (8, 10), (10, 7), (10, 11), (14, 15), (14, 16)}
    home = Path(command_line("", 0, environment_of(python))[0]).parents[2]
    ((lines, arcs),) = measured(
        python, "tracetwin.replay.arcs", "ArcMeasure", [(tmp_path / "test_odd.py", file)], home
    )
    assert there.covered(lines, [(start, end) for start, end in arcs]) == (there.lines, there.arcs)
