"""`tracetwin instrument -o`: the twin as a file that imports what it calls."""

from __future__ import annotations

import ast
import io
import itertools
import os
import re
import tokenize
from pathlib import Path

from instrumenter.build import build
from instrumenter.files import write_atomically
from instrumenter.twin import Twin

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+|^#!")


def write_twin(source: str | bytes, name: str, filename: str, destination: str | os.PathLike[str]) -> Twin:
    """Write a module's twin with the import of the interface on a line that exists.

    Args:
        source: the original.
        name: its dotted module name.
        filename: named in errors.
        destination: the file to write.

    Raises:
        SyntaxError: as CPython reports it for the original.
    """
    twin = build(source, name=name, filename=filename).twin
    text = twin.source
    if twin.untouched is None and twin.prelude_name in text:
        text = with_prelude(text, f"from runtime import twin as {twin.prelude_name}")
    encoding = "utf-8"
    if isinstance(source, bytes):
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    write_atomically(Path(destination), text.encode(encoding))
    return twin


def with_prelude(text: str, statement: str) -> str:
    """Put an import where it runs first and no line moves.

    In order: before the first simple statement after docstring and `__future__` imports; behind
    these; on an empty or comment line above the first definition; at the end of the file, where it
    serves what runs after the import.
    """
    body = ast.parse(text).body
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    head = [node for _, node in itertools.takewhile(_must_lead, enumerate(body))]
    rest = body[len(head) :]
    if rest and _is_simple(rest[0]):
        return _insert(lines, rest[0].lineno, rest[0].col_offset, f"{statement}; ")
    if head:
        last = head[-1]
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        return _insert(lines, last.end_lineno, last.end_col_offset, f"; {statement}")
    first = _first_line(rest[0]) if rest else len(lines) + 1
    for number, line in enumerate(lines[: first - 1], start=1):
        bare = line.strip()
        if (not bare or bare.startswith("#")) and not (number <= 2 and _COOKIE.match(line)):
            return _insert(lines, number, 0, f"{statement}  " if bare else statement)
    # Without a last newline the last line is a definition's: `def f(): pass`.
    ending = text and not text.endswith(("\n", "\r"))
    return f"{text}\n{statement}" if ending else f"{text}{statement}"


def _must_lead(numbered: tuple[int, ast.stmt]) -> bool:
    index, node = numbered
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__" and not node.level
    if index or not isinstance(node, ast.Expr):
        return False
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_simple(node: ast.stmt) -> bool:
    return not hasattr(node, "body") and not isinstance(node, getattr(ast, "Match", ()))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _insert(lines: list[str], line: int, column: int, text: str) -> str:
    """Insert before a position as `ast` gives it: the column counts UTF-8 bytes."""
    content = lines[line - 1].encode()
    lines[line - 1] = (content[:column] + text.encode() + content[column:]).decode()
    return "".join(lines)
