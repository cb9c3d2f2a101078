"""Which lines and arcs of one file run, by coverage.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import coverage

_QUIET = ("no-ctracer", "no-sysmon", "trace-changed", "include-ignored")


class Sink:
    """Takes what coverage.py measured, in the place of its database."""

    def __init__(self) -> None:
        self.arcs: set[tuple[int, int]] = set()

    def set_context(self, _context: str | None) -> None:
        """Contexts are kept apart by taking the arcs away in between."""

    def add_arcs(self, arcs: dict[str, Iterable[tuple[int, int]]]) -> None:
        """Only one file is ever measured."""
        for some in arcs.values():
            self.arcs.update(some)

    def add_file_tracers(self, _tracers: dict[str, str]) -> None:
        """There are no plugins."""


class Measure:
    """Which lines and arcs of one file are executed, by coverage.py.

    Measuring starts before the import and goes on in every forked child. The data does not go through
    coverage.py's database: opening one takes longer than a case, and the sandbox may refuse it.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        # In a pattern the characters *?[ are special; ? stands for itself as well as for any other.
        pattern = "".join("?" if letter in "*?[]" else letter for letter in file)
        self.cover = coverage.Coverage(
            data_file=None, branch=True, include=[pattern], config_file=False, messages=False
        )
        # The other cores do not know contexts.
        self.cover.set_option("run:core", "ctrace")
        self.cover.set_option("run:disable_warnings", list(_QUIET))
        self.sink = Sink()

    def start(self) -> None:
        """From here on lines are counted, in this process and those forked from it."""
        self.cover.start()
        collector: Any = self.cover._collector  # noqa: SLF001
        collector.use_data(self.sink, None)

    def outline(self) -> None:
        """Nothing: the source tells what there is to cover."""

    def code_file(self) -> str:
        """The file's name in tracebacks."""
        return self.file

    def take(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Lines and arcs since this was last called; measuring goes on."""
        self.cover.switch_context("")
        arcs, self.sink.arcs = self.sink.arcs, set()
        return sorted({line for arc in arcs for line in arc if line > 0}), sorted(arcs)
