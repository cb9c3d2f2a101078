"""Which lines and arcs of one file run, by coverage.py."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import coverage

from tracetwin.replay.arcs import FileMeasure

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


class Measure(FileMeasure):
    """Which lines and arcs of one file are executed, by coverage.py.

    Measuring starts before the import and goes on in every forked child. The data does not go through
    coverage.py's database: opening one takes longer than a case, and the sandbox may refuse it.
    """

    def __init__(self, file: str) -> None:
        super().__init__(file)
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
        self.cover.start()
        collector: Any = self.cover._collector  # noqa: SLF001
        collector.use_data(self.sink, None)

    def take(self) -> tuple[list[int], list[tuple[int, int]]]:
        self.cover.switch_context("")
        arcs, self.sink.arcs = self.sink.arcs, set()
        return sorted({line for arc in arcs for line in arc if line > 0}), sorted(arcs)
