"""Which tests of a suite add nothing to the others.

Tests are compared with those of the same file, which stands for one module. A test adds a step from one
instruction to another (so that the two sides of a condition within a line differ), an exception raised at a
line, a kind of result that a function returned, or it is the only one whose last call is of some function.

Run as a script it is the process that records: `redundancy.py REPORT FOLDER FILE...` runs the tests of the
folder one by one and writes what each did in the files.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unittest
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

Facts = set[tuple[object, ...]]


def redundant_tests(folder: Path, files: Sequence[Path], root: Path) -> list[str]:
    """Name the tests that can be left out one after the other without losing a fact.

    Args:
        folder: holds the suite.
        files: the sources that are looked at.
        root: folder from which they are imported.
    """
    from harness import environment

    report = folder / "facts.json"
    argv = [sys.executable, __file__, str(report), str(folder), *map(str, files)]
    subprocess.run(argv, env=environment(root), cwd=folder, capture_output=True, timeout=600, check=True)
    by_file: dict[str, dict[str, Facts]] = {}
    for name, facts in json.loads(report.read_text(encoding="utf-8")).items():
        by_file.setdefault(name.partition(".")[0], {})[name] = {tuple(fact) for fact in facts}
    return [name for tests in by_file.values() for name in surplus(tests)]


def surplus(facts: dict[str, Facts]) -> list[str]:
    """The tests whose facts the remaining ones show as well; poor tests are asked first."""
    shown: dict[tuple[object, ...], int] = {}
    for fact in (fact for of_test in facts.values() for fact in of_test):
        shown[fact] = shown.get(fact, 0) + 1
    dropped = []
    for name in sorted(facts, key=lambda test: (len(facts[test]), test)):
        if all(shown[fact] > 1 for fact in facts[name]):
            dropped.append(name)
            for fact in facts[name]:
                shown[fact] -= 1
    return dropped


class _Recorder:
    def __init__(self, files: Iterable[str]) -> None:
        self._files = frozenset(files)
        self.facts: Facts = set()
        self.last_call: tuple[object, ...] = ()

    def trace(self, frame: FrameType, event: str, _argument: object) -> Any:
        code = frame.f_code
        if code.co_filename not in self._files:
            return None
        place = (Path(code.co_filename).name, code.co_firstlineno, code.co_name)
        if frame.f_back is not None and Path(frame.f_back.f_code.co_filename).name.startswith("test_"):
            self.last_call = place
        last = -1
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False

        def local(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            if event == "exception":
                self.facts.add((*place, "raise", frame.f_lineno, argument[0].__name__))
            elif event == "return":
                self.facts.add((*place, "return", _kind(argument)))
            else:
                self.facts.add((*place, last, frame.f_lasti))
                last = frame.f_lasti
            return local

        return local


def _kind(value: object) -> str:
    """The type of a result, and whether it is empty, zero, true or false."""
    if isinstance(value, (bool, int, float, str, list, tuple, dict, set)):
        return f"{type(value).__name__} {bool(value)}"
    return type(value).__name__


def _tests(suite: unittest.TestSuite | unittest.TestCase) -> Iterator[unittest.TestCase]:
    if isinstance(suite, unittest.TestCase):
        yield suite
        return
    for part in suite:
        yield from _tests(part)


def main(report: str, folder: str, files: Sequence[str]) -> None:
    """Run the tests of a folder and write the facts of each."""
    recorded = {}
    for test in _tests(unittest.defaultTestLoader.discover(folder)):
        recorder = _Recorder(files)
        sys.settrace(recorder.trace)
        test.run()
        sys.settrace(None)
        recorder.facts.add(("last call", *recorder.last_call))
        recorded[test.id()] = sorted(recorder.facts, key=repr)
    Path(report).write_text(json.dumps(recorded), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
