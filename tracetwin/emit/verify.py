"""Runs the text of a test file in two fresh processes, forwards and backwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from tracetwin.replay import wire
from tracetwin.replay.launch import CASE_SECONDS, GRACE, end, environment
from tracetwin.replay.twice import HASH_SEEDS
from tracetwin.worker.sandbox import Limits

if TYPE_CHECKING:
    from tracetwin.targets import TargetModule

MOST_STARTS = 8
_TOOK_TOO_LONG = "the written test took too long"
_ENDED = "the written test ended the process"


class Failure(NamedTuple):
    """Why a test did not pass, and in which line of the file that was seen (0: not known)."""

    why: str
    line: int = 0


Test = tuple[str, str]
Failures = dict[Test, Failure]


class Broken(Exception):
    """The file could not be imported at all."""


def verify(
    text: str,
    tests: Sequence[tuple[str, str]],
    module: TargetModule,
    *,
    style: str = "unittest",
    limits: Limits | None = None,
    seconds: float = CASE_SECONDS,
) -> Failures:
    """Tests that did not pass in every run, and why; none only if all did.

    Of two tests that hinder each other one fails forwards and the other backwards, and without one of them
    the other passes. So what fails backwards is told only where nothing fails forwards.

    The two runs differ in all that `drift` changes and in the order of the tests. Where a test ends the
    process or takes too long, the tests after it are run in another one; that is done a few times only, so
    where some failed, others may not have been run.

    Args:
        text: the file.
        tests: class and method of each test.
        module: the target.
        style: the style of the file.
        limits: those of the sandbox; None for its defaults.
        seconds: what one test may take.

    Raises:
        Broken: importing the file raised or ended the process.
    """
    job = {
        "text": text,
        "target": module.name,
        "root": module.root,
        "search_path": list(module.search_path),
        "style": style,
        "limits": (limits or Limits()).to_plain(),
    }
    there = [(str(class_name), str(name)) for class_name, name in tests]
    with ThreadPoolExecutor(2) as pool:
        back = pool.submit(_all, there[::-1], {**job, "drift": True}, seconds)
        failures = _all(there, {**job, "drift": False}, seconds)
        return failures or back.result()


def _all(tests: list[Test], job: dict[str, object], seconds: float) -> Failures:
    """Run the tests, after one that ends the process those that are left."""
    failures: Failures = {}
    for _ in range(MOST_STARTS):
        run = _Run(tests)
        _one_run(run, job, seconds)
        failures.update(run.failures)
        tests = run.left
        if not tests:
            break
    return failures


class _Run:
    """What one process says of its tests."""

    def __init__(self, tests: list[Test]) -> None:
        self.left = list(tests)
        self.last: Test | None = None
        self.failures: Failures = {}

    def start(self, test: Test) -> None:
        self.last = test
        self.left.remove(test)

    def fail(self, why: str, line: int = 0) -> None:
        """The test that was started last did not pass."""
        if self.last is not None:
            self.failures[self.last] = Failure(why, line)


def _one_run(run: _Run, job: dict[str, object], seconds: float) -> None:
    scratch = tempfile.mkdtemp(prefix="tracetwin-verify-")
    later = bool(job["drift"])
    process = subprocess.Popen(
        [sys.executable, "-m", "tracetwin.emit.runner"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=scratch,
        env=environment(HASH_SEEDS[later], later=later),
        start_new_session=True,
    )
    try:
        _listen(process, run, {**job, "tests": run.left}, seconds)
    finally:
        end(process)
        shutil.rmtree(scratch, ignore_errors=True)


def _listen(process: subprocess.Popen[bytes], run: _Run, job: dict[str, object], seconds: float) -> None:
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process needs pipes")
    patience = Limits().import_seconds
    try:
        wire.write_all(process.stdin.fileno(), wire.pack(job))
        while True:
            what, class_name, name, why, line = wire.read(
                process.stdout.fileno(), time.monotonic() + patience + GRACE
            )
            if what == "end":
                return
            if what == "broken":
                raise Broken(why)
            patience = seconds
            if what == "start":
                run.start((class_name, name))
            elif why:
                run.fail(f"the written test did not pass: {why}", line)
    except (wire.Closed, wire.TooLate, BrokenPipeError) as error:
        if run.last is None:
            raise Broken("the process that runs the tests ended") from error
        # Where it had passed already, something that it left behind ended the process.
        run.fail(_TOOK_TOO_LONG if isinstance(error, wire.TooLate) else _ENDED)
