"""The processes of a suite begin to import the module before anybody waits for them."""

from __future__ import annotations

import time
from pathlib import Path

from tests.emit.support import function, target
from tracetwin.emit.processes import SuiteProcesses
from tracetwin.emit.suite import build_suite
from tracetwin.explore.criteria.base import criteria_named


def test_a_suite_is_made_with_processes_that_were_started_before(tmp_path: Path) -> None:
    (tmp_path / "counted.py").write_text("def double(number):\n    return number * 2\n")
    module, cases = target("counted", tmp_path), [function("counted", "double", 4)]
    criteria = criteria_named(("branch", "mutation"))
    made = SuiteProcesses(module, wants_mutants=True)
    made.begin()
    made.begin()
    until = time.monotonic() + 60
    while not made.starting and time.monotonic() < until:
        time.sleep(0.05)
    assert made.starting > 0
    suite = build_suite(module, cases, criteria=criteria, processes=made)
    assert suite.text == build_suite(module, cases, criteria=criteria).text
    assert suite.mutants
    made.close()  # once more


def test_those_that_nobody_needed_end_while_they_start(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(0.3)\n")
    made = SuiteProcesses(target("slow", tmp_path), wants_mutants=True)
    made.begin()
    made.close()
    assert made.sessions.here._worker.pid is None
