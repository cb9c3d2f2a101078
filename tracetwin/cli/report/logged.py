"""A listener that remembers what happened, and may write a log: for whoever finds out what went wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from tracetwin.cli.report.plain import function_line, module_line
from tracetwin.model.timeline import LogEntry
from tracetwin.run.listener import Listener, Work
from tracetwin.run.results.module_result import FunctionResult, ModuleResult
from tracetwin.run.results.refusals import detail_lines
from tracetwin.support.log import Log

MOST_ENTRIES: Final = 10_000
"""Entries that are remembered; those after them are in the log file only."""


class Logged(Listener):
    """Hands everything on to another listener, and keeps what matters afterwards.

    Attributes:
        entries: what happened, in order.
    """

    def __init__(
        self, listener: Listener, log: Log | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.entries: list[LogEntry] = []
        self._listener = listener
        self._log = log
        self._clock = clock
        self._began = clock()

    def preparing(self, done: int, known: int) -> None:
        self._listener.preparing(done, known)

    def learning(self, command: str, seconds: float, calls: int) -> None:
        self._listener.learning(command, seconds, calls)

    def module_started(self, name: str, functions: list[str]) -> None:
        """Note what will be explored."""
        self._note("module", name, f"exploring {', '.join(functions)}")
        self._listener.module_started(name, functions)

    def progress(self, module: str, function: str, work: Work) -> None:
        self._listener.progress(module, function, work)

    def function_finished(self, module: str, result: FunctionResult) -> None:
        """Note the line that plain displays show."""
        self._note("function", module, function_line(module, result), told=True)
        for line in (*result.notes, *result.given_up):
            self._remember("note", module, f"{result.qualname}: {line}")
        self._listener.function_finished(module, result)

    def module_finished(self, result: ModuleResult) -> None:
        """Note what became of it, with notes, refused acts and errors."""
        self._note("module", result.name, module_line(result), told=True)
        for line in result.notes:
            self._note("note", result.name, line)
        for line in detail_lines(result.refusals):
            self._note("refusal", result.name, line)
        for failure in result.failures:
            self._remember("failure", result.name, failure.sentence)
            if self._log is not None:
                self._log.failure(failure, result.name)
        self._listener.module_finished(result)

    def message(self, text: str) -> None:
        self._note("message", "", text)
        self._listener.message(text)

    def tick(self) -> None:
        self._listener.tick()

    def _note(self, kind: str, module: str, text: str, *, told: bool = False) -> None:
        """Remember an entry, and write it down; its text has the module's name where that is told."""
        self._remember(kind, module, text)
        if self._log is not None:
            self._log.note(text if told or not module else f"{module}: {text}")

    def _remember(self, kind: str, module: str, text: str) -> None:
        if len(self.entries) < MOST_ENTRIES:
            self.entries.append(LogEntry(self._clock() - self._began, kind, module, text))
