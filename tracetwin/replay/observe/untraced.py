"""Measures a module without source: which lines run, and which there are; coverage.py needs a source."""

from __future__ import annotations

from types import CodeType
from typing import Any

from tracetwin.process.lines import LineWatch, watch
from tracetwin.target.outline import codes_in, load_code, outline_of, to_plain


class OutsideMeasure:
    """Takes the place of `Measure` for a module that comes as bytecode only."""

    def __init__(self, name: str, file: str) -> None:
        self._name = name
        self._file = file
        self._code: CodeType | None = None
        self._lines: LineWatch = watch(())

    def start(self) -> None:
        """From here on lines are seen, in this process and those forked from it.

        Raises:
            ImportError: the file can't be loaded.
        """
        self._code = load_code(self._name, self._file)
        self._lines = watch(codes_in(self._code))
        self._lines.start()

    def outline(self) -> tuple[Any, ...] | None:
        """The outline of the module, as plain data."""
        return None if self._code is None else to_plain(outline_of(self._code))

    def code_file(self) -> str:
        """The file's name in tracebacks: where it was when it was compiled."""
        return "" if self._code is None else self._code.co_filename

    def take(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Lines since this was last called, and no arcs; measuring goes on."""
        return self._lines.take(), []
