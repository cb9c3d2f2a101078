"""The whole way: replay, choose, write, run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit import shapes_cases
from tests.emit.support import Recipe, function, step, target
from tests.emit.support import case as case_of
from tracetwin.emit.result import Suite
from tracetwin.emit.suite import build_suite
from tracetwin.emit.verify.verify import NOT_VERIFIED
from tracetwin.replay.session import NO_TIME
from tracetwin.target.module import TargetModule


def written(folder: Path, source: str, name: str = "sample") -> TargetModule:
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return target(name, folder)


def run(suite: Suite, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    out = folder / "out"
    out.mkdir(exist_ok=True)
    (out / "test_it.py").write_text(suite.text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-B", *(options or ("-m", "unittest")), "test_it.py"]
    return subprocess.run(command, cwd=out, env=environment, capture_output=True, text=True, check=False)


CLAMP = """
def clamp(value, low, high):
    if low > high:
        raise ValueError("low is above high")
    if value < low:
        return low
    if value > high:
        return high
    return value
"""
CLAMPS = [
    function("sample", "clamp", *args) for args in ((5, 0, 9), (-1, 0, 9), (10, 0, 9), (1, 2, 0), (4, 1, 8))
]


def test_a_suite_covers_what_its_cases_reached(tmp_path: Path) -> None:
    suite = build_suite(written(tmp_path, CLAMP), CLAMPS)
    assert suite.error is None
    assert suite.tests == {"clamp": 4}
    whole, clamp = suite.coverage[""], suite.coverage["clamp"]
    assert whole.covered_lines == whole.lines
    assert clamp.covered_branches == clamp.branches
    assert len(clamp.branches) == 6
    assert suite.dropped == []
    assert run(suite, tmp_path).returncode == 0


def test_coverage_is_what_the_report_of_a_real_run_says(tmp_path: Path) -> None:
    suite = build_suite(written(tmp_path, CLAMP), CLAMPS[:2])
    module = str(tmp_path / "sample.py")
    options = ("-m", "coverage", "run", "--branch", f"--include={module}", "-m", "unittest")
    assert run(suite, tmp_path, *options).returncode == 0
    report = [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"]
    found = json.loads(subprocess.run(report, cwd=tmp_path / "out", capture_output=True, check=True).stdout)
    totals = found["totals"]
    whole = suite.coverage[""]
    assert (totals["num_statements"], totals["covered_lines"]) == (len(whole.lines), len(whole.covered_lines))
    assert (totals["num_branches"], totals["covered_branches"]) == (
        len(whole.branches),
        len(whole.covered_branches),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("value < low", "value <= low + 1"),
        ("return low", "return high"),
        ("return value", "return value + 1"),
        ("low is above high", "low is over high"),
        ("raise ValueError", "raise TypeError"),
    ],
)
def test_a_seeded_fault_turns_the_suite_red(tmp_path: Path, right: str, wrong: str) -> None:
    cases = [function("sample", "clamp", *args) for args in ((1, 0, 9), (-1, 0, 9), (10, 0, 9), (1, 2, 0))]
    suite = build_suite(written(tmp_path, CLAMP), cases)
    assert run(suite, tmp_path).returncode == 0
    assert right in CLAMP
    written(tmp_path, CLAMP.replace(right, wrong))
    assert run(suite, tmp_path).returncode == 1


@pytest.mark.slow
def test_the_same_cases_give_the_same_text() -> None:
    module = target("shapes")
    cases = shapes_cases.PLAIN[::4] + shapes_cases.STATE[::2] + shapes_cases.UNSTABLE
    texts = {build_suite(module, cases).text for _ in range(2)}
    assert len(texts) == 1


@pytest.mark.slow
def test_what_can_not_be_kept_has_a_reason() -> None:
    suite = build_suite(target("shapes"), shapes_cases.UNSTABLE + shapes_cases.REFUSED, timeout_per_case=1)
    assert {made.target: reason for made, reason in suite.dropped} == {
        "vanish": "the process ended",
        "spin": "took more than 1 seconds",
        "litter": "it changes files",
    }
    left_out = {made.target for made, _ in suite.left_out}
    assert left_out == {"address", "dice", "clock", "today", "scrambled", "noisy_error"}


def test_a_call_that_was_refused_something_once_makes_no_test(tmp_path: Path) -> None:
    """Even where no replay sees it: an object that acts when it dies may die later."""
    harmful = replace(CLAMPS[0], refused="os.remove(canary) is refused")
    suite = build_suite(written(tmp_path, CLAMP), [harmful, *CLAMPS[1:3]])
    assert [(made.steps, reason) for made, reason in suite.dropped] == [
        (harmful.steps, "os.remove(canary) is refused")
    ]
    assert len(suite.written) == 2


STATEFUL = """
seen = []

def first(name):
    seen.append(name)
    return len(seen)

def second():
    return 2
"""


def test_tests_that_fail_together_are_dropped_and_the_rest_is_kept(tmp_path: Path) -> None:
    cases = [
        function("sample", "first", "a"),
        case_of(
            "sample",
            "first",
            "function",
            step(("call", "sample", "first"), 1),
            step(("call", "sample", "first"), 2),
        ),
        function("sample", "second"),
    ]
    suite = build_suite(written(tmp_path, STATEFUL), cases)
    assert suite.tests["second"] == 1
    assert run(suite, tmp_path).returncode == 0


def test_a_module_called_as_one_of_ours_is_still_the_targets_own(tmp_path: Path) -> None:
    (tmp_path / "runtime.py").write_text("ANSWER = 42\n")
    source = "import runtime\n\ndef answer():\n    return runtime.ANSWER\n"
    suite = build_suite(written(tmp_path, source, "instrumenter"), [function("instrumenter", "answer")])
    assert suite.error is None
    assert "self.assertEqual(42, answer())" in suite.text


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def f(:\n", "line 1"),
        ("raise RuntimeError('not today')\n", "RuntimeError: not today"),
        ("import sys\nsys.exit(3)\n", "sys.exit(3)"),
        ("import os\nos._exit(3)\n", "ended"),
        ("import not_there_at_all\n", "ModuleNotFoundError"),
    ],
)
def test_a_module_that_can_not_be_imported_is_one_error(tmp_path: Path, source: str, why: str) -> None:
    suite = build_suite(written(tmp_path, source), [function("sample", "f")])
    assert why in (suite.error or "")
    assert suite.text == ""


def test_no_cases_make_no_text(tmp_path: Path) -> None:
    suite = build_suite(written(tmp_path, CLAMP), [])
    assert (suite.text, suite.tests, suite.error) == ("", {}, None)
    assert suite.coverage["clamp"].covered_lines == frozenset()
    assert suite.coverage[""].covered_lines == {2}


def test_pytest_style_is_plain_functions_in_classes(tmp_path: Path) -> None:
    suite = build_suite(written(tmp_path, CLAMP), CLAMPS, style="pytest")
    assert "unittest" not in suite.text
    assert run(suite, tmp_path, "-m", "pytest", "-q").returncode == 0


def names(suite: Suite) -> list[Any]:
    return [name for _, name, _ in suite.written]


def test_every_test_knows_its_case(tmp_path: Path) -> None:
    suite = build_suite(written(tmp_path, CLAMP), CLAMPS)
    assert names(suite)[0] == "test_clamp_returns_low_when_value_is_negative" or names(suite)
    assert all(made in CLAMPS for _, _, made in suite.written)


SLOW = """
import time

def wait(number):
    time.sleep(0.3)
    return {tests}

def other(number):
    return number
"""


@pytest.mark.slow
def test_what_could_not_be_replayed_and_verified_in_time_is_left_out_and_named(tmp_path: Path) -> None:
    ways = " + ".join(f"(7 if number == {number} else 0)" for number in range(30))
    module = written(tmp_path, SLOW.replace("{tests}", ways))
    cases = [function("sample", "other", 5), *(function("sample", "wait", number) for number in range(30))]
    began = time.monotonic()
    suite = build_suite(module, cases, seconds=4.0, within=8.0)
    assert time.monotonic() - began < 8.0 + 2.0
    assert 0 < suite.tests["wait"] < 30
    assert run(suite, tmp_path).returncode == 0
    assert {NO_TIME, NOT_VERIFIED} >= {why for _, why in suite.dropped} != set()


LINKED = """
class State:
    def __init__(self, name):
        self.name, self.visits = name, 0

class Machine:
    first = State("new")
    allowed = [first]

    def __init__(self):
        self.now = Machine.first

def finish(machine):
    if machine.now not in Machine.allowed:
        raise LookupError("not from here")
    Machine.first.visits = 1
    return machine.now.name + "!"
"""


def test_objects_that_others_refer_to_are_no_copies_where_that_matters(tmp_path: Path) -> None:
    made = step(("call", "sample", "Machine"), bind="it")
    call = step(("call", "sample", "finish"), Recipe("var", "it"))
    finished = case_of("sample", "finish", "function", made, call)
    suite = build_suite(written(tmp_path, LINKED), [finished])
    assert suite.dropped == []
    assert 'self.assertEqual("new!", ' in suite.text
    assert "deepcopy" not in suite.text
    assert run(suite, tmp_path).returncode == 0


REBOUND = """
import re

PATTERN = re.compile("%s")

def use(words):
    global PATTERN
    PATTERN = re.compile(words)
    return 1

def is_known(word):
    return PATTERN.match(word) is not None
"""


def test_a_logger_is_put_back_itself(tmp_path: Path) -> None:
    source = """
import logging

log = logging.getLogger("of_suite")

def silence(level):
    global log
    log = None
    return level

def is_silent():
    return log is None
"""
    module = written(tmp_path, source)
    suite = build_suite(module, [function("sample", "silence", 1), function("sample", "is_silent")])
    assert suite.dropped == []
    assert '@patch("sample.log", log)' in suite.text


def test_a_pattern_is_put_back_itself_and_no_copy_of_it(tmp_path: Path) -> None:
    long = "(ab|ac|bc|cd|de)-(one|two|three|four)-(red|green|blue|yellow)-(small|large|tall|wide)"
    module = written(tmp_path, REBOUND % long)
    suite = build_suite(module, [function("sample", "use", "x"), function("sample", "is_known", "a")])
    assert suite.dropped == []
    assert '@patch("sample.PATTERN", PATTERN)' in suite.text
