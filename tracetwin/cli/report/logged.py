"""A listener that writes a log as well, for whoever has to find out what went wrong."""

from __future__ import annotations

from tracetwin.cli.report.plain import function_line, module_line
from tracetwin.run.listener import Listener
from tracetwin.run.results.module_result import FunctionResult, ModuleResult
from tracetwin.run.results.refusals import detail_lines
from tracetwin.support.log import Log


class Logged:
    """Hands everything on to another listener, and what matters afterwards to a log."""

    def __init__(self, listener: Listener, log: Log) -> None:
        self._listener = listener
        self._log = log

    def preparing(self, done: int, known: int) -> None:
        """Hand it on."""
        self._listener.preparing(done, known)

    def learning(self, command: str, seconds: float, calls: int) -> None:
        """Hand it on."""
        self._listener.learning(command, seconds, calls)

    def module_started(self, name: str, functions: list[str]) -> None:
        """Log what will be explored."""
        self._log.note(f"{name}: exploring {', '.join(functions)}")
        self._listener.module_started(name, functions)

    def progress(
        self, module: str, function: str, covered: int, total: int, runs: int, state: str
    ) -> None:
        """Hand it on."""
        self._listener.progress(module, function, covered, total, runs, state)

    def function_finished(self, module: str, result: FunctionResult) -> None:
        """Log the line that plain displays show."""
        self._log.note(function_line(module, result))
        self._listener.function_finished(module, result)

    def module_finished(self, result: ModuleResult) -> None:
        """Log what became of it, with notes, refused acts and errors."""
        self._log.note(module_line(result))
        for line in (*result.notes, *detail_lines(result.refusals)):
            self._log.note(f"{result.name}: {line}")
        for failure in result.failures:
            self._log.failure(failure, result.name)
        self._listener.module_finished(result)

    def message(self, text: str) -> None:
        """Log it."""
        self._log.note(text)
        self._listener.message(text)

    def tick(self) -> None:
        """Hand it on."""
        self._listener.tick()
