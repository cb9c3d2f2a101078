"""The tutorial on reports: its line is red as it says, and its factory makes it green."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.command import run
from tests.report.hostile import result
from tracetwin.report.counsel import Counsel
from tracetwin.report.gaps import told_of_line
from tracetwin.report.result import read_result, result_of

PAGE = Path(__file__).parents[2] / "docs" / "tutorial-report.md"
BLOCK = re.compile(r"```(?:py|toml)\n# (\S+)\n(.*?)```", re.DOTALL)
FILES = dict(BLOCK.findall(PAGE.read_text(encoding="utf-8")))


def generated(folder: Path) -> str:
    """Generate as the tutorial does, with runs in the place of time; what is told of line 23."""
    options = ("-o", "tests", "--max-runs", "200", "--json", "result.json", "--classes", "0")
    done = run("generate", "shelf.py", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return "\n".join(told_of_line(read_result(folder / "result.json").modules[0], 23))


@pytest.mark.slow
def test_a_factory_makes_the_line_green(tmp_path: Path) -> None:
    assert set(FILES) == {"shelf.py", "factories.py", "pyproject.toml"}
    (tmp_path / "shelf.py").write_text(FILES["shelf.py"], encoding="utf-8")
    told = generated(tmp_path)
    assert "not covered: argument could not be built: Shelf raised OperationalError" in told
    assert "[tool.tracetwin.factories]" in told
    for name in ("factories.py", "pyproject.toml"):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    assert "covered and checked by" in generated(tmp_path)
    module = json.loads((tmp_path / "result.json").read_text("utf-8"))["modules"][0]
    assert module["uncovered"] == []


def test_the_advice_of_the_tutorial_is_the_one_that_is_given(tmp_path: Path) -> None:
    found = result_of(result(tmp_path, bad="")).modules[0]
    shelf = replace(found, name="shelf", source=FILES["shelf.py"])
    words = Counsel(shelf).for_line(23, "argument could not be built: Shelf raised OperationalError")
    assert words
    assert words in PAGE.read_text(encoding="utf-8")
