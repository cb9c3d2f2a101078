"""Tries a user's tests on the mutants of a module; runs in a process of its own, started by `suites`.

The tests are read once, and run once on the original, which tells which mutants each of them reaches. Then
each mutant gets a fork in which it is switched on, and in which the tests that reach it run until one fails.
What is found goes line by line, as JSON, to the descriptor that was standard output.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import json
import os
import signal
import sys
import time
import traceback
import unittest
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from tracetwin.model.mutant import Mutant, MutantFate
from tracetwin.mutation.loader import MetaFinder
from tracetwin.mutation.switch import Switch

SLOWER: Final = 10.0
"""How many times as long as on the original the tests of a mutant may take, and `LEAST_SECONDS` besides."""

LEAST_SECONDS: Final = 2.0
_TICK: Final = 0.002
_ARGUMENTS: Final = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--continue-on-collection-errors"),
)

Tell: TypeAlias = Callable[[dict[str, Any]], None]


@dataclass
class Tried:
    """One test, and what its run on the original has shown.

    Attributes:
        name: it, for people.
        run: runs it, and returns why it fails, "" where it passes.
        sites: what it passes.
        steps: how many sites that is, with repetitions.
        seconds: how long it takes.
    """

    name: str
    run: Callable[[], str]
    sites: frozenset[int] = frozenset()
    steps: int = 0
    seconds: float = 0.0


class Suite(ABC):
    """The tests of some files, read by a runner of tests."""

    def __init__(self, files: Sequence[str], tell: Tell) -> None:
        """Read nothing yet.

        Args:
            files: the files.
            tell: told of what can't be read.
        """
        self._files = files
        self._tell = tell

    def _unread(self, name: str, why: str) -> None:
        self._tell({"kind": "failing", "test": name, "why": why})

    @abstractmethod
    def hold(self, use: Callable[[list[Tried]], None]) -> str:
        """Read the tests and hand them over; returns why there are none, "" where there were some."""


class UnittestSuite(Suite):
    """Tests for the standard library's runner."""

    def hold(self, use: Callable[[list[Tried]], None]) -> str:
        """Import the files and find the `TestCase`s in them."""
        loader = unittest.TestLoader()
        found: list[Tried] = []
        for file in self._files:
            sys.path.insert(0, str(Path(file).parent))
            try:
                module = importlib.import_module(Path(file).stem)
            except Exception as error:  # noqa: BLE001 - a user's file may do anything
                self._unread(file, f"{type(error).__name__}: {error}")
                continue
            cases = _cases(loader.loadTestsFromModule(module))
            found += [Tried(case.id(), functools.partial(_run_case, case)) for case in cases]
        use(found)
        return "" if found else "there is no unittest.TestCase with a test in it"


def _cases(suite: Any) -> Iterator[unittest.TestCase]:
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from _cases(part)
        else:
            yield part


def _run_case(case: unittest.TestCase) -> str:
    # A suite of one: module and class fixtures belong to it.
    result = unittest.TestResult()
    unittest.TestSuite([type(case)(case._testMethodName)] if _is_plain(case) else [case]).run(result)  # noqa: SLF001
    failed = [*result.failures, *result.errors]
    return failed[0][1].strip().splitlines()[-1] if failed else ""


def _is_plain(case: unittest.TestCase) -> bool:
    return hasattr(type(case), getattr(case, "_testMethodName", ""))


class PytestSuite(Suite):
    """Tests for pytest, which reads `TestCase`s as well."""

    _use: Callable[[list[Tried]], None] | None = None
    _used = False
    _failed = ""

    def hold(self, use: Callable[[list[Tried]], None]) -> str:
        """Let pytest collect the files; this object is a plugin of it."""
        self._use = use
        pytest = importlib.import_module("pytest")
        said = io.StringIO()
        arguments = [*_ARGUMENTS, *self._files]
        with contextlib.redirect_stdout(said):
            status = int(pytest.main(arguments, plugins=[self]))
        why = f"pytest collects nothing (exit status {status}): {said.getvalue().strip()[-300:]}"
        return "" if self._used else why

    def pytest_collectreport(self, report: Any) -> None:
        """Tell what can't be read."""
        if report.failed:
            self._unread(str(report.nodeid), (str(report.longrepr).strip().splitlines() or ["?"])[-1])

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note what fails."""
        if report.failed:
            self._failed = self._failed or (str(report.longrepr).strip().splitlines() or ["it fails"])[-1]

    def pytest_runtestloop(self, session: Any) -> bool:
        """Hand over the tests, in the place of running them."""
        self._used = bool(session.items)
        if self._use is not None and session.items:
            self._use([Tried(item.nodeid, functools.partial(self._run, item)) for item in session.items])
        return True

    def _run(self, item: Any) -> str:
        self._failed = ""
        item.session.shouldfail = item.session.shouldstop = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return self._failed


class Trial:
    """Runs tests on the original, then on the mutants."""

    def __init__(self, finder: MetaFinder, wanted: Sequence[int] | None, jobs: int, tell: Tell) -> None:
        """Take the mutants and whom to tell.

        Args:
            finder: finds the meta-program.
            wanted: the numbers of the mutants to try; None for all.
            jobs: forks at the same time.
            tell: called with each finding, as plain data.
        """
        self._finder = finder
        self._wanted = wanted
        self._jobs = jobs
        self._tell = tell

    def run(self, tests: list[Tried]) -> None:
        """Try them."""
        switch = self._finder.switch
        passing = []
        for test in tests:
            why = _baseline(test, switch)
            if why:
                self._tell({"kind": "failing", "test": test.name, "why": why})
            else:
                passing.append(test)
        if not passing:
            if tests:
                self._tell({"kind": "problem", "why": "none of the tests passes on the original"})
            return
        mutants = self._finder.mutants
        self._tell({"kind": "mutants", "mutants": [mutant.to_plain() for mutant in mutants]})
        numbers = range(len(mutants)) if self._wanted is None else self._wanted
        waiting = [(mutants[number], _reaching(passing, mutants[number])) for number in numbers]
        running: dict[int, tuple[Mutant, list[Tried], float, int]] = {}
        while waiting or running:
            while waiting and len(running) < self._jobs:
                mutant, reaching = waiting.pop(0)
                if not reaching:
                    self._told(mutant, MutantFate.UNREACHED, "")
                    continue
                pid, told = _forked(functools.partial(_killer, mutant, reaching, switch))
                late = time.monotonic() + LEAST_SECONDS + SLOWER * sum(test.seconds for test in reaching)
                running[pid] = (mutant, reaching, late, told)
            for pid in list(running):
                self._look(pid, running)
            time.sleep(_TICK)

    def _look(self, pid: int, running: dict[int, tuple[Mutant, list[Tried], float, int]]) -> None:
        mutant, reaching, late, told = running[pid]
        done, status = os.waitpid(pid, os.WNOHANG)
        if not done:
            if time.monotonic() < late:
                return
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        with os.fdopen(told, "rb") as pipe:
            words = pipe.read()
        del running[pid]
        if not done:
            self._told(mutant, MutantFate.KILLED, "it does not end in time")
        elif os.waitstatus_to_exitcode(status) == 0:
            self._told(mutant, MutantFate.SURVIVED, "")
        else:
            place = int(words) if words.isdigit() else 0
            self._told(mutant, MutantFate.KILLED, reaching[place].name)

    def _told(self, mutant: Mutant, fate: MutantFate, by: str) -> None:
        self._tell({"kind": "fate", "number": mutant.number, "fate": fate.value, "by": by})


def _baseline(test: Tried, switch: Switch) -> str:
    """Run a test on the original; returns why it fails."""
    switch.off()
    began = time.perf_counter()
    try:
        why = test.run()
    except Exception as error:  # noqa: BLE001 - a user's test may do anything
        why = f"{type(error).__name__}: {error}"
    test.seconds = time.perf_counter() - began
    test.sites, test.steps = frozenset(switch.reached), switch.steps
    return why


def _reaching(tests: Sequence[Tried], mutant: Mutant) -> list[Tried]:
    """The tests that reach a mutant, the fastest first."""
    return sorted((test for test in tests if mutant.site in test.sites), key=lambda test: test.seconds)


def _killer(mutant: Mutant, tests: Sequence[Tried], switch: Switch) -> int | None:
    """The place of the first test that fails on a mutant, None where all of them pass."""
    for place, test in enumerate(tests):
        switch.on(mutant.site, mutant.choice, test.steps)
        if test.run():
            return place
    return None


def _forked(work: Callable[[], int | None]) -> tuple[int, int]:
    """Do some work in a fork; returns its number and a descriptor that its result can be read from."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid:
        os.close(theirs)
        return pid, ours
    status = 2
    try:
        os.close(ours)
        found = work()
        os.write(theirs, b"" if found is None else str(found).encode())
        status = 0 if found is None else 1
    finally:  # an exception that no test expects, such as that of an endless mutant, is one that a test shows
        os._exit(status)


def main() -> int:
    """Read what to do from standard input, and do it."""
    asked = json.loads(sys.stdin.read())
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)

    def tell(found: dict[str, Any]) -> None:
        channel.write(json.dumps(found) + "\n")
        channel.flush()

    sys.path[:0] = asked["paths"]
    try:
        finder = MetaFinder(asked["name"], asked["file"])
        finder.install()
        importlib.import_module(asked["name"])
        suite: Suite = (PytestSuite if asked["pytest"] else UnittestSuite)(asked["tests"], tell)
        problem = suite.hold(Trial(finder, asked["wanted"], asked["jobs"], tell).run)
        if problem:
            tell({"kind": "problem", "why": problem})
    except BaseException as error:  # noqa: BLE001 - told to whoever started this
        tell({"kind": "problem", "why": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
