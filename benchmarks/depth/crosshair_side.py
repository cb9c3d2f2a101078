"""What CrossHair's `cover` reaches: each example that it makes is called on the original at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

from harness import Json, environment
from marks import FUNCTIONS, Marked

HERE = Path(__file__).resolve().parent

PATIENCE = 15
"""CrossHair counts CPU seconds: on a busy machine it may need so many times as long by the clock."""


def measure(marked: Marked, seconds: float, python: Path) -> Json:
    """Run `crosshair cover` on one function until its marked lines are reached, or it ends.

    Args:
        marked: the function.
        seconds: `--per_condition_timeout`, CPU seconds.
        python: interpreter of an environment with crosshair-tool.
    """
    argv = [str(python), str(HERE / "crosshair_paths.py"), marked.key, str(seconds)]
    after: dict[str, float] = {}
    examples = 0
    started = time.monotonic()
    tool = subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(FUNCTIONS), text=True
    )
    checker = _Checker()
    watchdog = Timer(PATIENCE * seconds + 10, tool.kill)
    watchdog.start()
    try:
        assert tool.stdout is not None
        for line in tool.stdout:
            example = _example(line)
            if example is None:
                break
            examples += 1
            at, arguments, names = example
            for reached in marked.among(checker.lines(marked, arguments, names)):
                after.setdefault(str(reached), round(at, 3))
            if all(str(wanted) in after for wanted in marked.lines):
                break
    finally:
        watchdog.cancel()
        tool.kill()
        tool.wait()
        checker.close()
    wall = time.monotonic() - started
    return {"reached": sorted(map(int, after)), "after": after, "examples": examples, "wall": wall}


def _example(line: str) -> tuple[float, str, list[list[str]]] | None:
    """One example, or None where the tests that it prints in the end begin."""
    if not line.startswith("["):
        return None
    at, arguments, names = json.loads(line)
    return at, arguments, names


class _Checker:
    """A process that calls originals; a new one where a call killed it."""

    def __init__(self) -> None:
        self._process = self._start()

    @staticmethod
    def _start() -> subprocess.Popen[str]:
        argv = [sys.executable, str(HERE / "executing.py"), str(FUNCTIONS)]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            argv, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=os.environ, text=True
        )

    def lines(self, marked: Marked, arguments: str, names: list[list[str]]) -> set[int]:
        """The lines that a call executes."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([marked.category, marked.name, arguments, names]) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            self.close()
            self._process = self._start()
            return set()
        return set(json.loads(answer) or ())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
