"""`--style pytest`: plain classes and `assert` statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final

from tracetwin.emit.dialects.base import Dialect, Row, Table, expected_class
from tracetwin.emit.source.checks import Check, CheckKind
from tracetwin.emit.source.layout import STEP, Atom, LaidOut, call, fits, lay_out, quoted, read
from tracetwin.emit.source.operators import Operation

STAND_IN: Final = """
import contextlib
import functools


class _Caught:
    value = None


@contextlib.contextmanager
def raises(expected):
    caught = _Caught()
    try:
        yield caught
    except expected as error:
        caught.value = error
    else:
        raise AssertionError(f"{expected} was not raised")


def param(*values, id):
    return id, values


class mark:
    @staticmethod
    def parametrize(fields, rows):
        def each(function):
            @functools.wraps(function)
            def run(*owner):
                for name, values in rows:
                    try:
                        function(*owner, *values)
                    except BaseException as error:
                        error.in_row = name
                        raise

            return run

        return each
"""
"""All that the tests of these dialects take from `pytest`."""


class PytestDialect(Dialect):
    """Writes files for pytest, which they import only where exceptions are expected."""

    command = "python -m pytest this_file.py"
    reserved = frozenset(("self", "pytest"))
    caught = "caught.value"
    stand_ins = MappingProxyType({"pytest": STAND_IN})

    def raises(self, exception: str) -> LaidOut:
        self.runner = "pytest"
        return call("pytest.raises", [expected_class(exception)])

    def table(
        self, name: str, fields: Sequence[str], rows: Sequence[Row], body: Sequence[str]
    ) -> Table | None:
        if "request" in fields:  # a parameter that pytest keeps for itself
            return None
        self.runner = "pytest"
        edge, inner = " " * self.indent, " " * (self.indent + STEP)
        said = [quoted(field) for field in fields]
        given = "self, " if self.in_classes else ""
        head = [
            f"{edge}@pytest.mark.parametrize(",
            f"{inner}{said[0] if len(said) == 1 else '(' + ', '.join(said) + ')'},",
            f"{inner}[",
            *(line for row in rows for line in _row(row, self.indent + 2 * STEP)),
            f"{inner}],",
            f"{edge})",
            f"{edge}def {name}({given}{', '.join(fields)}):",
        ]
        return Table((*head, *body), len(head))

    def check(self, check: Check, indent: int, new_name: Callable[[str], str]) -> list[str]:
        page = _Assertion(indent, new_name)
        actual, expected = check.actual, check.expected
        if check.kind is CheckKind.SAID:
            return lay_out("", actual, "", indent)
        if check.kind is CheckKind.NONE:
            return page.of(_alone(actual), "{} is None")
        if check.kind is CheckKind.NAN:
            return page.of(call(self.names.name("math", "isnan"), [actual]), "{}")
        if expected is None:
            raise ValueError(f"{check.kind} needs an expected side")
        if check.kind is CheckKind.INSTANCE:
            return page.of(call("isinstance", [actual, expected]), "{}")
        if check.kind in (CheckKind.SAME, CheckKind.DISTINCT):
            words = "is" if check.kind is CheckKind.SAME else "is not"
            return page.of(_alone(actual), f"{{}} {words} {_braced(expected)}")
        if check.kind is CheckKind.MEMBERS:
            return page.equal(_sorted(actual, check.orderable), _sorted(expected, check.orderable))
        return page.equal(_alone(actual), expected)

    def flat(self, check: Check) -> str:
        sides = [node.flat() for node in (check.expected, check.actual) if node is not None]
        return f"assert sorted({') == sorted('.join(sides)})"


class _Assertion:
    """Writes an `assert`; sides that do not fit are bound to names first."""

    def __init__(self, indent: int, new_name: Callable[[str], str]) -> None:
        self.indent = indent
        self.new_name = new_name

    def of(self, node: LaidOut, pattern: str) -> list[str]:
        """Return the lines of an assertion about one expression, which stands in the pattern as `{}`."""
        line = "assert " + pattern.format(node.flat())
        if fits(line, self.indent):
            return [" " * self.indent + line]
        name, lines = self._bound("result", node)
        return [*lines, f"{' ' * self.indent}assert {pattern.format(name)}"]

    def equal(self, actual: LaidOut, expected: LaidOut) -> list[str]:
        """Return the lines of a comparison."""
        line = f"assert {expected.flat()} == {actual.flat()}"
        if fits(line, self.indent):
            return [" " * self.indent + line]
        lines: list[str] = []
        if not fits(f"assert expected_2 == {actual.flat()}", self.indent):
            name, lines = self._bound("result", actual)
            actual = Atom(name)
        name, bound = self._bound("expected", expected)
        return [*lines, *bound, f"{' ' * self.indent}assert {name} == {actual.flat()}"]

    def _bound(self, wanted: str, node: LaidOut) -> tuple[str, list[str]]:
        name = self.new_name(wanted)
        return name, lay_out(f"{name} = ", node, "", self.indent)


def _row(row: Row, indent: int) -> list[str]:
    """Return the lines of a row of a table; what is in it is together where it fits on a line."""
    edge, inner = " " * indent, f"{', '.join(row.values)}, id={quoted(row.label)}"
    if not fits(f"pytest.param({inner}),", indent) and fits(inner, indent + STEP):
        return [f"{edge}pytest.param(", f"{edge}{' ' * STEP}{inner}", f"{edge}),"]
    row_values = [*map(read, row.values), Atom(f"id={quoted(row.label)}")]
    return lay_out("", call("pytest.param", row_values), ",", indent)


def _alone(node: LaidOut) -> LaidOut:
    """A comparison in brackets, as another beside it would make it a chain."""
    return Atom(f"({node.flat()})") if isinstance(node, Operation) and node.compares else node


def _braced(node: LaidOut) -> str:
    return node.flat().replace("{", "{{").replace("}", "}}")


def _sorted(node: LaidOut, orderable: bool) -> LaidOut:
    return call("sorted", [node] if orderable else [node, Atom("key=repr")])


DIALECT = PytestDialect
