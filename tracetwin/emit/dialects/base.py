"""The interface of a dialect; `--style NAME` takes the module of that name here, or an entry point."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from tracetwin.emit.source.checks import Check
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import Atom, Group, LaidOut
from tracetwin.model.options import STYLES
from tracetwin.support.choices import ChoiceError
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Row:
    """One row of a table: what tells it apart, as words with underscores, and its values as source."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A test that does the same for each row of a table.

    Attributes:
        body: how many lines are before the statements that are done for each row.
    """

    lines: tuple[str, ...]
    body: int


class Dialect(ABC):
    """Writes what differs between styles of test files; one instance writes one file.

    Args:
        names: hands out the names of the file, and remembers what it has to import.

    Attributes:
        command: how a user runs the file.
        in_classes: whether tests are methods of classes; else they are functions.
        reserved: names that a test can't give to anything of its own.
        caught: the expression of an exception that was expected and came.
        stand_ins: by name the source of small modules that take the place of others while a file is verified:
            of test runners that are slow to import, and may not be installed where tests are written.
        runner: the module outside of the standard library that the file imports; None for none.
    """

    command: ClassVar[str]
    in_classes: ClassVar[bool] = True
    reserved: ClassVar[frozenset[str]] = frozenset()
    caught: ClassVar[str]
    stand_ins: ClassVar[Mapping[str, str]] = MappingProxyType({})
    runner: str | None = None

    def __init__(self, names: Namespace) -> None:
        self.names = names

    @property
    def indent(self) -> int:
        """The columns before `def` of a test."""
        return 4 if self.in_classes else 0

    def class_line(self, name: str) -> str:
        """Return the head of a test class."""
        return f"class {name}:"

    def test_line(self, name: str) -> str:
        """Return the head of a test."""
        return f"{' ' * self.indent}def {name}({'self' if self.in_classes else ''}):"

    def ending(self) -> list[str]:
        """Return the lines after the last test."""
        return []

    def table(
        self, name: str, fields: Sequence[str], rows: Sequence[Row], body: Sequence[str]
    ) -> Table | None:
        """Return one test that does the same for each row of a table; None where a dialect has no tables."""
        return None

    @abstractmethod
    def raises(self, exception: str) -> LaidOut:
        """Return the context in which that exception must be raised."""

    @abstractmethod
    def check(self, check: Check, indent: int, new_name: Callable[[str], str]) -> list[str]:
        """Return the lines of an assertion."""

    @abstractmethod
    def flat(self, check: Check) -> str:
        """Return the assertion on one line, or a text that is about as long."""


def dialect_of(style: str) -> type[Dialect]:
    """Return the dialect of that name.

    Raises:
        ChoiceError: there is none, it can't be imported, or it is no dialect.
    """
    found = STYLES.load(style)
    if not (isinstance(found, type) and issubclass(found, Dialect)):
        raise ChoiceError(f"the dialect {style!r} is no class that derives from {__name__}.Dialect")
    return found


def expected_class(exception: str) -> LaidOut:
    """Return an exception's class as an argument; in a tuple where linters ask whether it is meant."""
    blunt = exception in ("Exception", "BaseException")
    return Group("(", (Atom(exception),), ")") if blunt else Atom(exception)
