"""Runs a suite on mutants of its module: python killing.py JOB.json, which prints its answer as JSON.

A program of its own, with the interpreter and the search path of a user's run. Each mutant is tried in a
fork in which imports of the module find it; it is killed if a test fails or the run does not end.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import io
import json
import os
import signal
import sys
import time
import types
import unittest
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

from sampling import sample

SECONDS = 10


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the changed code where the module is imported."""

    def __init__(self, name: str, file: str, code: types.CodeType) -> None:
        self._name = name
        self._file = file
        self._code = code

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        folder = [str(Path(self._file).parent)] if Path(self._file).name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self._file, loader=self, submodule_search_locations=folder
        )

    def exec_module(self, module: types.ModuleType) -> None:
        exec(self._code, vars(module))  # noqa: S102 - that is the mutant


def _passes(job: dict[str, Any]) -> bool:
    if job.get("runner") == "pytest":
        return _passes_by_pytest(job["suite"], job["without"])
    suite = unittest.defaultTestLoader.discover(job["suite"])
    runner = unittest.TextTestRunner(stream=io.StringIO(), failfast=True)
    return runner.run(suite).wasSuccessful()


def _passes_by_pytest(folder: str, without: list[str]) -> bool:
    """Return whether pytest passes, without the tests that fail on the original; also where none is left."""
    import pytest

    options = ["-q", "-x", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={folder}"]
    options += [f"--deselect={test}" for test in without]
    options += [f"--ignore={Path(folder) / test}" for test in without if "::" not in test]
    return pytest.main([*options, folder]) in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def _attempt(job: dict[str, Any], code: types.CodeType) -> bool:
    """Return whether all tests pass with this code as the module."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nothing, stream)
            signal.alarm(SECONDS)
            sys.meta_path.insert(0, _Changed(job["name"], job["file"], code))
            status = 0 if _passes(job) else 1
        finally:
            os._exit(status)
    return _waited(child) == 0


def _waited(child: int) -> int:
    """Return the status of a child, which is ended where it heeds no alarm."""
    until = time.monotonic() + SECONDS + 2
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def main(job: dict[str, Any]) -> dict[str, Any]:
    """Return how many mutants were killed, and which were not; none where the suite itself fails."""
    source = Path(job["file"]).read_text(encoding="utf-8")
    if not _attempt(job, compile(source, job["file"], "exec")):
        return {"killed": 0, "made": 0, "survivors": [], "error": "the suite fails on the original"}
    found = sample(source, job["most"])
    survivors = [
        f"{mutant.line}: {mutant.change}"
        for mutant in found
        if _attempt(job, compile(mutant.tree, job["file"], "exec"))
    ]
    return {"killed": len(found) - len(survivors), "made": len(found), "survivors": survivors, "error": None}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
