"""`--style unittest`: classes that derive from `unittest.TestCase`, and their assertion methods."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from tracetwin.emit.dialects.base import Dialect, Row, Table, expected_class
from tracetwin.emit.source.checks import Check, CheckKind
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import STEP, Group, LaidOut, Quoted, call, lay_out, read

_METHODS: Final = {
    CheckKind.EQUAL: "assertEqual",
    CheckKind.SAME: "assertIs",
    CheckKind.DISTINCT: "assertIsNot",
    CheckKind.MEMBERS: "assertCountEqual",
    CheckKind.NONE: "assertIsNone",
    CheckKind.NAN: "assertTrue",
    CheckKind.INSTANCE: "assertIsInstance",
}


class UnittestDialect(Dialect):
    """Writes files that need nothing but the standard library."""

    command = "python -m unittest this_file.py"
    reserved = frozenset(("self", "unittest"))
    caught = "caught.exception"

    def __init__(self, names: Namespace) -> None:
        super().__init__(names)
        names.modules.add("unittest")

    def class_line(self, name: str) -> str:
        return f"class {name}(unittest.TestCase):"

    def ending(self) -> list[str]:
        return ["", "", 'if __name__ == "__main__":', "    unittest.main()"]

    def raises(self, exception: str) -> LaidOut:
        return call("self.assertRaises", [expected_class(exception)])

    def table(
        self, name: str, fields: Sequence[str], rows: Sequence[Row], body: Sequence[str]
    ) -> Table | None:
        used = {*fields, *re.findall(r"\w+", "\n".join(body))}
        table, label = (self.names.local(wanted, used) for wanted in ("rows", "case"))
        inner = " " * (self.indent + STEP)
        head = [
            self.test_line(name),
            f"{inner}{table} = [",
            *(line for row in rows for line in _row(row, self.indent + 2 * STEP)),
            f"{inner}]",
            f"{inner}for {', '.join([label, *fields])} in {table}:",
            f"{inner}{' ' * STEP}with self.subTest({label}):",
        ]
        deeper = [" " * (2 * STEP) + line for line in body]
        return Table((*head, *deeper), len(head))

    def check(self, check: Check, indent: int, new_name: Callable[[str], str]) -> list[str]:
        return lay_out("", self._statement(check), "", indent)

    def flat(self, check: Check) -> str:
        return self._statement(check).flat()

    def _statement(self, check: Check) -> LaidOut:
        """The call of an assertion method."""
        actual, expected = check.actual, check.expected
        if check.kind is CheckKind.SAID:
            return actual
        if check.kind is CheckKind.NAN:
            actual = call(self.names.name("math", "isnan"), [actual])
        sides = [actual] if expected is None else [expected, actual]
        if check.kind is CheckKind.INSTANCE:
            sides.reverse()
        return call(f"self.{_METHODS[check.kind]}", sides)


def _row(row: Row, indent: int) -> list[str]:
    """Return the lines of a row of a table."""
    items = (Quoted(row.label.replace("_", " ")), *map(read, row.values))
    return lay_out("", Group("(", items, ")"), ",", indent)


DIALECT = UnittestDialect
