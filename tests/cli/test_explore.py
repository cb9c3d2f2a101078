from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.target.layout import lay_out

COUNTER = """
class Counter:
    def __init__(self, limit: int = 3):
        self.limit = limit
        self.count = 0

    def add(self, step: int) -> None:
        if step > 0:
            if self.count + step > self.limit:
                raise OverflowError
            self.count += step

    def is_full(self) -> bool:
        if self.count == self.limit:
            return True
        return False


def helper():
    return 1
"""

MANY = """
class Tree:
    def __init__(self):
        self.items = []

    def put(self, value: int) -> None:
        place = 0
        while place < len(self.items) and self.items[place] < value:
            place += 1
        self.items.insert(place, value)

    def drop(self, value: int) -> None:
        if value in self.items:
            self.items.remove(value)


class Other:
    def go(self) -> int:
        return 1
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    bad = "raise ValueError('no')\nclass A: ...\n"
    flat = "def f(): ...\n"
    lay_out(tmp_path, {"counter.py": COUNTER, "many.py": MANY, "bad.py": bad, "flat.py": flat})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_has_a_line_per_depth(shop, run):
    result = run("explore", "counter.py:Counter", "--depth", "2", "--default-constructor")
    assert 0 == result.exit_code
    lines = result.stdout.splitlines()
    assert "counter:Counter  add, is_full" == lines[0]
    assert "depth new states subsumed runs queries solver time branches".split() == lines[1].split()
    assert ["0", "1", "2"] == [line.split()[0] for line in lines[2:5]]
    assert "states up to depth" in lines[-1]
    assert "branches 6/6 (100 %)" in lines[-1]
    assert "raised OverflowError" in result.stdout
    assert result.stderr.startswith("depth 0: 1 new state, 1 run, ")


def test_what_is_not_covered_is_listed(shop, run):
    result = run("explore", "counter:Counter", "--depth", "0", "-q")
    assert "    Counter.add, line 8: the condition was never true\n" in result.stdout
    assert "branches 0/6 (0 %)" in result.stdout
    assert "" == result.stderr


def test_only_the_methods_asked_for_are_called_and_counted(shop, run):
    result = run("explore", "counter:Counter", "--depth", "1", "--methods", "is_full", "--json", "-")
    found = json.loads(result.stdout)
    assert (["is_full"], 2) == (found["methods"], found["branches"])


def test_the_only_class_need_not_be_named(shop, run):
    assert "counter:Counter " in run("explore", "counter", "--depth", "0").stdout


def test_json_for_machines(shop, run):
    result = run("explore", "many:Tree", "--depth", "3", "--methods", "put,drop", "--json", "out.json")
    assert 0 == result.exit_code
    found = json.loads((shop / "out.json").read_text())
    assert (1, "many:Tree", ["put", "drop"]) == (found["schema"], found["target"], found["methods"])
    assert (True, "") == (found["complete"], found["stopped"])
    assert [0, 1, 2, 3] == [row["depth"] for row in found["rows"]]
    assert [1, 1, 1, 1] == [row["new"] for row in found["rows"]]
    assert [] == found["uncovered"]
    assert "depth" in result.stdout  # the table is there as well


def test_it_repeats(shop, run):
    def figures() -> list[tuple[int, ...]]:
        rows = json.loads(run("explore", "many:Tree", "--depth", "3", "--json", "-").stdout)["rows"]
        return [(row["new"], row["runs"], row["queries"], row["solved"], row["covered"]) for row in rows]

    assert figures() == figures()


def test_the_most_states_end_it(shop, run):
    result = run("explore", "many:Tree", "--depth", "5", "--max-states", "3")
    assert 0 == result.exit_code
    assert "ended early: the most states that are wanted are known" in result.stdout


@pytest.mark.slow
def test_the_time_ends_it(shop, run):
    result = run("explore", "many:Tree", "--depth", "500", "--time-limit", "1")
    assert 0 == result.exit_code
    assert "ended early: the time is up" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nosuch.py"], "error: nosuch.py: there is no such file"),
        (["counter:Nothing"], "error: counter:Nothing: the module defines no 'Nothing'"),
        (["counter:helper"], "error: counter: 'helper' is not a class; name one, as in counter:Class"),
        (
            ["counter:Counter.add"],
            "error: counter: 'Counter.add' is not a class; name one, as in counter:Class",
        ),
        (["many"], "error: many: name one class, such as many:Tree, many:Other"),
        (["flat"], "error: flat: name one class; there is none"),
        (["bad:A"], "error: bad: importing it raised ValueError: no (line 1)"),
        (
            ["counter", "--methods", "nope"],
            "error: counter: Counter has no method 'nope' that can be called; there are: add, is_full",
        ),
    ],
)
def test_a_target_that_can_not_be_used_is_one_sentence(shop, run, arguments, sentence):
    result = run("explore", *arguments, "-q")
    assert (1, "", sentence + "\n") == (result.exit_code, result.stdout, result.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ["."],
        ["counter", "--depth", "-1"],
        ["counter", "--methods", ","],
        ["counter", "--json", "no/such/file"],
        ["counter", "--config", "pyproject.toml", "--no-config"],
        [],
    ],
)
def test_wrong_usage_ends_with_2(shop, run, arguments):
    assert 2 == run("explore", *arguments).exit_code


def test_a_class_that_can_not_be_made_ends_with_1(shop, run):
    text = "class N:\n    def __init__(self):\n        raise OSError('x')\n    def f(self): ...\n"
    (shop / "never.py").write_text(text)
    result = run("explore", "never:N")
    assert 1 == result.exit_code
    assert "0 states up to depth 0" in result.stdout


def test_the_rules_of_the_configuration_hold(shop, run):
    (shop / "pyproject.toml").write_text('[tool.tracetwin]\nforbid = ["counter:Counter.is_full"]\n')
    assert "counter:Counter  add\n" in run("explore", "counter", "--depth", "0").stdout
    without = run("explore", "counter", "--depth", "0", "--no-config")
    assert "counter:Counter  add, is_full\n" in without.stdout


def test_an_interrupt_shows_what_was_found(shop):
    command = [sys.executable, "-m", "tracetwin", "explore", "many:Tree", "--depth", "400"]
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("depth 0")
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=90)
    assert 130 == process.returncode
    assert "ended early: interrupted" in output


def test_help_teaches(run):
    text = run("explore", "--help").stdout
    assert "tracetwin explore shop.tree:Tree --methods insert,remove --depth 8" in text
    assert "Exit status" in text
