"""Runs the text of a test file in two fresh processes, forwards and backwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tracetwin.replay import wire
from tracetwin.replay.launch import CASE_SECONDS, GRACE, end, environment
from tracetwin.replay.twice import HASH_SEEDS
from tracetwin.worker.sandbox import Limits

if TYPE_CHECKING:
    from tracetwin.targets import TargetModule

Failures = dict[tuple[str, str], str]


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
    """The tests that did not pass in every run, and why.

    The two runs differ in hash seed, clock, time zone and the order of the tests.

    Args:
        text: the file.
        tests: class and method of each test.
        module: the target.
        style: the style of the file.
        limits: those of the sandbox; None for its defaults.
        seconds: what one test may take.

    Raises:
        Broken: importing the file raised.
    """
    job = {
        "text": text,
        "tests": [tuple(test) for test in tests],
        "target": module.name,
        "root": module.root,
        "search_path": list(module.search_path),
        "style": style,
        "limits": (limits or Limits()).to_plain(),
    }
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda later: _one_run({**job, "drift": later}, seconds), (False, True)))
    return {test: reason for run in runs for test, reason in run.items()}


def _one_run(job: dict[str, object], seconds: float) -> Failures:
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
        return _listen(process, job, seconds)
    finally:
        end(process)
        shutil.rmtree(scratch, ignore_errors=True)


def _listen(process: subprocess.Popen[bytes], job: dict[str, object], seconds: float) -> Failures:
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process needs pipes")
    failures: Failures = {}
    running: tuple[str, str] | None = None
    patience = Limits().import_seconds
    try:
        wire.write_all(process.stdin.fileno(), wire.pack(job))
        while True:
            what, class_name, name, why = wire.read(
                process.stdout.fileno(), time.monotonic() + patience + GRACE
            )
            if what == "end":
                return failures
            if what == "broken":
                raise Broken(why)
            patience = seconds
            running = (class_name, name) if what == "start" else None
            if what == "done" and why:
                failures[class_name, name] = f"the written test did not pass: {why}"
    except (wire.Closed, wire.TooLate, BrokenPipeError) as error:
        if running is None:
            raise Broken("the process that runs the tests ended") from error
        late = isinstance(error, wire.TooLate)
        return {
            **failures,
            running: "the written test took too long" if late else "the written test ended the process",
        }
