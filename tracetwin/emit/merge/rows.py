"""The rows of tests that do the same for each row of a table, as the text of a file shows them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tracetwin.emit.merge.earlier import tests_of
from tracetwin.emit.merge.ledger import TestNode


def rows_of(text: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the names of the rows of each test of a file, none for one without a table; in their order."""
    return {(owner, node.name): tuple(_labels(node)) for owner, node in tests_of(ast.parse(text))}


def row_names(test: str, labels: tuple[str, ...], count: int) -> list[str]:
    """Return what the cases of a test are called, as pytest does it: ``test_price[no_customer]``."""
    return [f"{test}[{label}]" for label in labels] if len(labels) == count else [test] * count


def without_row(name: str) -> str:
    """Return the test of which something is a row, or that it is itself."""
    return name.partition("[")[0]


def _labels(node: TestNode) -> Iterator[str]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call):
            for call in ast.walk(decorator):
                if isinstance(call, ast.Call):
                    yield from (_text(word.value) for word in call.keywords if word.arg == "id")
    if len(node.body) == 2 and isinstance(node.body[0], ast.Assign) and isinstance(node.body[1], ast.For):
        rows = getattr(node.body[0].value, "elts", ())
        yield from (_text(row.elts[0]) for row in rows if isinstance(row, ast.Tuple) and row.elts)


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)
