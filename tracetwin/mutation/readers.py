"""Readers of a user's tests: what a runner finds in some files, each test as something that can be run.

Whoever uses them runs in a process of its own, which a parent starts (`started`) and which tells what it
finds line by line, as JSON, to the descriptor that was standard output (`serve`).
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import importlib.util
import io
import json
import os
import signal
import subprocess
import sys
import traceback
import unittest
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

_ARGUMENTS: Final = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--continue-on-collection-errors"),
)

Tell: TypeAlias = Callable[[dict[str, Any]], None]


@dataclass
class Tried:
    """One test, and what its run on the original has shown.

    Attributes:
        run: runs it, and returns why it fails, "" where it passes.
        steps: how many sites that is, with repetitions.
        needless: the mutants, by site and choice, that gave no other value at any of them.
    """

    name: str
    run: Callable[[], str]
    sites: frozenset[int] = frozenset()
    needless: frozenset[tuple[int, int]] = frozenset()
    steps: int = 0
    seconds: float = 0.0


class ReadTests(ABC):
    """The tests of some files, read by a runner of tests."""

    def __init__(self, files: Sequence[str], tell: Tell) -> None:
        self._files = files
        self._tell = tell

    def _unread(self, name: str, why: str) -> None:
        self._tell({"kind": "failing", "test": name, "why": why})

    @abstractmethod
    def hold(self, use: Callable[[list[Tried]], None]) -> str:
        """Read the tests and hand them over; returns why there are none, "" where there were some."""


class UnittestSuite(ReadTests):
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


class PytestSuite(ReadTests):
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


def has_pytest() -> bool:
    """Return whether pytest is there to run tests."""
    return importlib.util.find_spec("pytest") is not None


def suite_of(asked: Mapping[str, Any], tell: Tell) -> ReadTests:
    """Return the tests that a parent has named, for pytest where it is there and wanted."""
    by_pytest = has_pytest() if asked["pytest"] is None else asked["pytest"]
    return (PytestSuite if by_pytest else UnittestSuite)(asked["tests"], tell)


def test_files(places: Sequence[Path]) -> Iterator[Path]:
    """Give the files of tests in some places: files, and folders with test_*.py or *_test.py in them."""
    for place in places:
        if place.is_dir():
            yield from sorted({*place.rglob("test_*.py"), *place.rglob("*_test.py")})
        else:
            yield place


def started(
    program: str, module: TargetModule, tests: Sequence[Path], pytest: bool | None = None, **asked: Any
) -> Iterator[dict[str, Any]]:
    """Run a program of ours that reads tests in the interpreter of their module; give what it tells.

    Args:
        program: the module of ours whose `main` it runs.
        module: what the tests are about.
        tests: their files.
        pytest: whether pytest runs them; None: where it is there.
        asked: what else it is to do.
    """
    from tracetwin.process.launch import command_line, rewriter_version

    there = module.python
    asked |= {
        "name": module.name,
        "file": module.file,
        "paths": module.path_here,
        "tests": [str(test.resolve()) for test in tests],
        "pytest": pytest,
        "written_by": rewriter_version().hex() if there else "",
    }
    child = subprocess.Popen(
        [there.python if there else sys.executable, "-B", *command_line(program, 1, there)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        text=True,
        start_new_session=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    troubled = False
    try:
        with child.stdin as pipe:
            pipe.write(json.dumps(asked))
        for line in child.stdout:
            found = json.loads(line)
            troubled = troubled or found["kind"] == "problem"
            yield found
        if child.wait() and not troubled:
            why = f"the process that runs them ended with status {child.returncode}"
            yield {"kind": "problem", "why": why}
    finally:  # whoever has heard enough ends it, with all that it has started
        child.stdout.close()
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def serve(work: Callable[[dict[str, Any], Tell], str], told_to: int) -> None:
    """Read what to do from standard input, do it, and leave with an exit status.

    Args:
        work: does it, and returns why it could not, "" where it could.
        told_to: the descriptor on which the parent hears of it.
    """
    asked = json.loads(sys.stdin.read())
    channel = os.fdopen(os.dup(told_to), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)

    def tell(found: dict[str, Any]) -> None:
        channel.write(json.dumps(found) + "\n")
        channel.flush()

    gc.enable()
    sys.modules["__main__"] = ModuleType("__main__")
    sys.argv = [""]
    sys.path[:0] = [*asked["paths"], str(Path.cwd())]
    try:
        problem = work(asked, tell)
        if problem:
            tell({"kind": "problem", "why": problem})
    except BaseException as error:  # noqa: BLE001 - told to whoever started this
        tell({"kind": "problem", "why": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()})
        sys.exit(1)
