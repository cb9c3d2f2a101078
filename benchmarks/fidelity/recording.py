"""Runs test modules as CPython's own runner does, and hands on the outcome of every test.

Imported by `child.py` after everything else was forgotten, so that what is imported here may be a twin.
"""

from __future__ import annotations

import doctest
import fnmatch
import importlib
import os
import re
import time
import unittest
from collections.abc import Callable, Sequence
from typing import Any

from test import support
from test.support import os_helper

Report = Callable[..., None]


class Recorder(unittest.TestResult):
    """Reports `("test", id, outcome, seconds, details)` for each test, its failing subtests as one text."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report
        self._seen: dict[str, int] = {}
        self._outcome = "ok"
        self._details = ""
        self._subtests: list[str] = []
        self._began = 0.0

    def startTest(self, test: Any) -> None:  # noqa: N802
        super().startTest(test)
        self._outcome, self._details, self._subtests = "ok", "", []
        self._began = time.perf_counter()
        self._report("start", self._name(test))

    def stopTest(self, test: Any) -> None:  # noqa: N802
        super().stopTest(test)
        failing = "; ".join(sorted(self._subtests))
        outcome = f"{self._outcome} in {failing}" if failing else self._outcome
        self._tell(test, outcome)

    def _name(self, test: Any) -> str:
        return _stable(test.id() if hasattr(test, "id") else str(test))

    def _tell(self, test: Any, outcome: str) -> None:
        name = self._name(test)
        self._seen[name] = count = self._seen.get(name, 0) + 1
        numbered = name if count == 1 else f"{name} #{count}"
        self._report("test", numbered, outcome, time.perf_counter() - self._began, self._details)

    def _set(self, test: Any, outcome: str, details: str) -> None:
        self._outcome = outcome
        self._details += details
        if not isinstance(test, unittest.TestCase):  # the fixture of a class or module: no test was started
            self._tell(test, outcome)
            self._details = ""

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        self._set(test, "error", self._text(err, test))

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self._set(test, "fail", self._text(err, test))

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        if err is not None:
            self._outcome = "fail" if issubclass(err[0], test.failureException) else "error"
            self._details += self._text(err, test)
            self._subtests.append(_stable(subtest._subDescription()))  # noqa: SLF001 - `id` has the test's name too

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        self._set(test, "skip", f"{reason}\n")

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self._set(test, "xfail", self._text(err, test))

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        self._set(test, "xpass", "")

    def _text(self, err: Any, test: Any) -> str:
        return str(self._exc_info_to_string(err, test))  # type: ignore[attr-defined]


def _stable(text: str) -> str:
    """The text without what differs from run to run: addresses and the process in temporary names."""
    text = re.sub(r"\b0x[0-9a-fA-F]{6,}\b", "0x...", text)
    return re.sub(rf"(?<!\d){os.getpid()}(?!\d)", "PID", text)


def run(tests: Sequence[str], match: Sequence[str], report: Report) -> None:
    """Run the named test modules in a temporary folder.

    Args:
        tests: dotted names; those this interpreter does not have are left out.
        match: only tests whose id matches one of these patterns; all, if there are none.
        report: called with the parts of each line of the result.
    """
    support.use_resources = []
    support.verbose = 0
    recorder = Recorder(report)

    def run_suite(suite: unittest.TestSuite) -> None:
        (_matching(suite, match) if match else suite).run(recorder)

    _adopt_runners(run_suite)
    with os_helper.temp_cwd(quiet=True):
        for name in tests:
            try:
                module = importlib.import_module(name)
            except unittest.SkipTest as reason:
                report("test", name, "skip", 0.0, f"{reason}\n")
            except ModuleNotFoundError as error:
                if error.name != name:
                    raise
            else:
                _run_module(module, run_suite)


def _run_module(module: Any, run_suite: Callable[[unittest.TestSuite], None]) -> None:
    if hasattr(module, "test_main"):
        # What it prepares, and which of the classes it wants, only it knows.
        module.test_main()
    else:
        run_suite(unittest.TestLoader().loadTestsFromModule(module))


def _adopt_runners(run_suite: Callable[[unittest.TestSuite], None]) -> None:
    """Let `test_main` of a test module report to us, too."""

    def run_doctest(module: Any, verbosity: object = None, optionflags: int = 0) -> tuple[int, int]:  # noqa: ARG001
        suite = doctest.DocTestSuite(module, optionflags=optionflags)
        run_suite(suite)
        return 0, suite.countTestCases()

    if hasattr(support, "_run_suite"):
        support._run_suite = run_suite  # noqa: SLF001 - all its runners end there
        support.run_doctest = run_doctest


def _matching(suite: Any, match: Sequence[str]) -> unittest.TestSuite:
    """The suite with those tests only whose id matches."""
    chosen = unittest.TestSuite()
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            chosen.addTest(_matching(test, match))
        elif any(fnmatch.fnmatchcase(test.id(), pattern) for pattern in match):
            chosen.addTest(test)
    return chosen
