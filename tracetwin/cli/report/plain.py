"""The work as plain lines: for logs and pipes, and for `-q`, which keeps only the errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TextIO

from tracetwin.run.listener import Listener
from tracetwin.run.results.module_result import FunctionResult, ModuleResult
from tracetwin.support.text import clean, count, duration

QUIET: Final = -1
NORMAL: Final = 0
VERBOSE: Final = 1

MOST_FAILURES: Final = 5
"""Errors of one module that are shown one by one."""


class PlainDisplay(Listener):
    """One line per finished function and module; only errors when quiet."""

    def __init__(self, stream: TextIO, verbosity: int = NORMAL) -> None:
        self._stream = stream
        self._verbosity = verbosity

    def module_started(self, name: str, functions: list[str]) -> None:
        if self._verbosity >= VERBOSE:
            self._write(f"{clean(name)}: {count(len(functions), 'function')} to explore")

    def function_finished(self, module: str, result: FunctionResult) -> None:
        if self._verbosity > QUIET:
            self._write(function_line(module, result))

    def module_finished(self, result: ModuleResult) -> None:
        """One line; errors, and that tests went elsewhere than usual, in any case."""
        for line in failure_lines(result):
            self._write(line)
        if result.error is not None or self._verbosity > QUIET or is_beside(result):
            self._write(module_line(result))

    def message(self, text: str) -> None:
        if self._verbosity > QUIET:
            self._write(clean(text))

    def _write(self, line: str) -> None:
        print(line, file=self._stream, flush=True)


def function_line(module: str, result: FunctionResult) -> str:
    """`shop.cart  Cart.add: 6/8 branches, 4 tests, 1.2 s`."""
    reached = _share(result)
    tests = count(result.tests, "test")
    return f"{clean(module)}  {clean(result.qualname)}: {reached}, {tests}, {duration(result.seconds)}"


def module_line(result: ModuleResult) -> str:
    """Return the line that says what became of a module."""
    name = clean(result.name)
    if result.error is not None:
        error = clean(result.error)
        kind = "" if result.empty else "error: "  # that there is nothing to test is none
        return f"{kind}{error if name in error else f'{name}: {error}'}"
    wrote = f"wrote {clean(result.test_file)}" if result.test_file is not None else "nothing written"
    if result.unchanged:
        return f"{name}: nothing has changed since the last run; {clean(result.test_file)} stays as it is"
    return f"{name}: {_share(result)}, {count(result.tests, 'test')}, {duration(result.seconds)}; {wrote}"


def failure_lines(result: ModuleResult) -> Iterator[str]:
    """The errors that are not the target's and did not end the work on its module, one line each."""
    sentences = dict.fromkeys(failure.sentence for failure in result.failures)
    others = [sentence for sentence in sentences if sentence not in (result.error or "")]
    for sentence in others[:MOST_FAILURES]:
        yield f"error: {clean(result.name)}: {clean(sentence)}"
    if len(others) > MOST_FAILURES:
        yield f"error: {clean(result.name)}: {len(others) - MOST_FAILURES} more errors like these"


def is_beside(result: ModuleResult) -> bool:
    """Return True if the tests went beside a file that was kept as it is."""
    return result.test_file is not None and result.test_file.suffix == ".new"


def _share(result: FunctionResult | ModuleResult) -> str:
    if result.branches:
        return f"{result.covered_branches}/{result.branches} branches"
    return f"{result.covered_lines}/{result.lines} lines"
