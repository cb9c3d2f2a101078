"""The page that one test is written on: its lines, its indentation, its local names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tracetwin.emit.exhibit import Mark
from tracetwin.emit.source.checks import Check
from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import LaidOut, lay_out
from tracetwin.emit.source.literals import Writer

STEP = 4

WriteCheck: TypeAlias = Callable[[Check, int, Callable[[str], str]], list[str]]
"""Writes an assertion with that indentation, and asks for the local names that it needs."""


class Scribe:
    """Takes down statements.

    Attributes:
        indent: columns before the next line.
        locals: the name in the test of each bound value of the case.
        written: for each assertion its first line, the line after it, and its mark.
    """

    def __init__(self, space: Namespace, write_check: WriteCheck, indent: int) -> None:
        self.space = space
        self._write_check = write_check
        self.lines: list[str] = []
        self.indent = indent
        self.locals: dict[str, str] = {}
        self.used: set[str] = set()
        self.written: list[tuple[int, int, Mark]] = []
        self.writer = Writer(space.name, self.variable, self.define)

    def variable(self, name: str) -> str:
        """Return the name of a bound value.

        Raises:
            Unwritable: nothing was bound to that name up to here.
        """
        if name not in self.locals:
            raise Unwritable(f"{name} is used before it is bound")
        return self.locals[name]

    def new(self, *wanted: str) -> str:
        """A new local name: the first of those wanted that is free, else the first with a number."""
        names = [self.space.local(name, self.used) for name in wanted]
        name = next((given for given, asked in zip(names, wanted, strict=True) if given == asked), names[0])
        self.used.add(name)
        return name

    def define(self, parameters: str, result: LaidOut, wanted: str = "function") -> str:
        """Write a local function and give its name."""
        name = self.new(wanted)
        self.function(f"def {name}({parameters}):", "return ", result)
        return name

    def function(self, head: str, prefix: str, result: LaidOut) -> None:
        """A local function, with the blank lines that formatters put around one."""
        self.block(head, lay_out(prefix, result, "", self.indent + STEP))

    def block(self, head: str, body: Sequence[str]) -> None:
        """A local function with its whole body."""
        if self.lines and self.lines[-1] and not self.lines[-1].endswith(":"):
            self.lines.append("")
        self.line(head)
        self.lines += [*body, ""]

    def add(self, prefix: str, node: LaidOut, suffix: str = "") -> None:
        self.lines += lay_out(prefix, node, suffix, self.indent)

    def line(self, text: str) -> None:
        """A line as it is."""
        self.lines.append(" " * self.indent + text)

    def check(self, checks: Sequence[Check]) -> None:
        for check in checks:
            first = len(self.lines)
            self.lines += self._write_check(check, self.indent, self.new)
            self.written.append((first, len(self.lines), check.mark))
