"""Clients of interfaces and readers of a whole environment, from the command line to what their tests say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run

pytestmark = pytest.mark.slow

CLIENT = """
from __future__ import annotations

import json
import os
from typing import Protocol


class Wire(Protocol):
    async def fetch(self, address: str, fields: dict[str, str]) -> str: ...


class Directory:
    def __init__(self, wire: Wire, attempts: int = 3) -> None:
        self.wire = wire
        self.attempts = attempts
        self.shut = False

    async def number(self, first: str, last: str) -> int:
        if self.shut:
            raise RuntimeError("shut down")
        for _ in range(self.attempts):
            try:
                answer = await self.wire.fetch("/people/" + last, {"first": first, "last": last})
            except ConnectionError:
                continue
            return int(json.loads(answer)["number"])
        raise TimeoutError("nobody answers")

    def shut_down(self) -> None:
        self.shut = True


def settings(prefix: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in os.environ.items():
        if name.startswith(prefix):
            found[name[len(prefix):]] = int(value) if value.isdigit() else value
    return found
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clients")
    (folder / "people.py").write_text(CLIENT, encoding="utf-8")
    done = run("generate", "people.py", "-o", "t", "--time-limit", "20", "--json", "r.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def module(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "r.json").read_text(encoding="utf-8"))["modules"][0]
    return found


@pytest.fixture(scope="module")
def suite(folder: Path) -> str:
    return (folder / "t" / "test_people.py").read_text(encoding="utf-8")


def test_a_loop_without_end_leaves_time_for_other_states(module: dict[str, Any]) -> None:
    function = next(one for one in module["functions"] if one["name"] == "Directory.number")
    assert function["covered_branches"] == function["branches"]


def test_an_answer_that_is_parsed_is_one_that_can_be_read(suite: str) -> None:
    assert "test_number_returns_" in suite


def test_what_is_asked_of_an_interface_is_asserted(suite: str) -> None:
    assert "wire.fetch.assert_called_once_with(" in suite
    assert suite.count("wire.fetch.assert_called_once_with(") == 1, "each place that asks is told once"


def test_what_is_sent_has_to_be_right(module: dict[str, Any]) -> None:
    """Neither another address nor swapped fields survive."""
    goals = [goal for goal in module["goals"] if goal["criterion"] == "mutation"]
    sent = [goal for goal in goals if goal["function"] == "Directory.number"]
    assert sent
    words = ("/people/", "'first'", "'last'")
    told = [goal for goal in sent if any(word in goal["name"] for word in words)]
    assert told
    assert [goal["name"] for goal in told if goal["fate"] != "covered"] == []


def test_variables_that_nobody_names_are_made_up(module: dict[str, Any]) -> None:
    function = next(one for one in module["functions"] if one["name"] == "settings")
    assert function["covered_branches"] == function["branches"]
    assert function["tests"] <= 8


def test_the_suite_passes(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "test_people"],
        cwd=folder / "t",
        env={"PYTHONPATH": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
