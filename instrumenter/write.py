"""`tracetwin instrument -o`: a twin as a file that imports what it calls.

The import stands before anything that runs, and on a line that exists. In order of preference: before the
first simple statement; behind docstring and `__future__` imports; on an empty or comment line above the
first definition. Where a file begins with a compound statement, on the first of its own places that runs:
in front of the first statement of a body, or in an expression of its header. Definitions without either,
one close to the other, import it when they are called.
"""

from __future__ import annotations

import ast
import io
import itertools
import os
import re
import tokenize
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from instrumenter.build import build
from instrumenter.files import write_atomically
from instrumenter.twin import Twin

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+|^#!")

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def write_twin(
    source: str | bytes,
    name: str,
    filename: str,
    destination: str | os.PathLike[str],
    mode: int | None = None,
) -> Twin:
    """Write a module's twin with the import of the interface on a line that exists.

    What is not rewritten is written byte by byte as it was.

    Raises:
        SyntaxError: as CPython reports it for the original.
        OSError: the disk refuses.
    """
    twin = build(source, name=name, filename=filename).twin
    write_atomically(Path(destination), _content(source, twin), mode)
    return twin


def _content(source: str | bytes, twin: Twin) -> bytes:
    called = twin.untouched is None and twin.prelude_name in twin.source
    if isinstance(source, str):
        text = with_prelude(twin.source, twin.prelude_name) if called else source
        return text.encode()
    if not called:
        return source
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    return with_prelude(twin.source, twin.prelude_name).encode(encoding)


def with_prelude(text: str, name: str) -> str:
    """Insert the import of the twin interface; no line moves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the original's own invalid escapes and the like
        body = ast.parse(text).body
    return _Preluded(text, name).insert(body)


@dataclass(frozen=True)
class _Edit:
    """Text that goes in front of a position as `ast` gives it: the column counts UTF-8 bytes."""

    line: int
    column: int
    text: str


class _Preluded:
    """The text of one twin."""

    def __init__(self, text: str, name: str) -> None:
        self.lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
        self.name = name
        self.statement = f"from runtime import twin as {name}"
        # In any scope, and without a name of its own in any.
        self.expression = f'globals().update({name}=__import__("runtime.twin", fromlist=["twin"]))'
        self.defined: set[str] = set()

    def insert(self, body: list[ast.stmt]) -> str:
        head = [node for _, node in itertools.takewhile(_must_lead, enumerate(body))]
        rest = body[len(head) :]
        if rest and _is_simple(rest[0]):
            edits = [self._before(rest[0])]
        elif head:
            edits = [_behind(head[-1], f"; {self.statement}")]
        else:
            edits = self._early(rest, self._first_free_line(), "") or self._late(rest)
        for edit in sorted(edits, key=lambda edit: (edit.line, edit.column), reverse=True):
            content = self.lines[edit.line - 1].encode()
            content = content[: edit.column] + edit.text.encode() + content[edit.column :]
            self.lines[edit.line - 1] = content.decode()
        return "".join(self.lines)

    def _first_free_line(self) -> int:
        """Return the line from which on a statement does not hide the encoding from the interpreter."""
        cookies = [number for number, line in enumerate(self.lines[:2], start=1) if _COOKIE.match(line)]
        return max(cookies, default=0) + 1

    def _before(self, node: ast.stmt, scope: str = "") -> _Edit:
        return _Edit(node.lineno, node.col_offset, f"{scope}{self.statement}; ")

    def _early(self, body: Sequence[ast.stmt], line: int, scope: str) -> list[_Edit]:
        """Return where the import runs before any operation of a body; nowhere if it only defines things.

        `scope` is a `global` statement that makes the name one of the module, "" where it is.
        """
        for node in body:
            if scope and node is body[0] and _is_docstring(node):
                line = _end_line(node) + 1
                continue
            free = self._free_line(line, _first_line(node))
            if free is not None:
                space = "  " if self.lines[free - 1].startswith(("#", " #")) else ""
                return [_Edit(free, 0, f"{self._indent(node)}{scope}{self.statement}{space}")]
            if _is_simple(node):
                return [self._before(node, scope)]
            edits = self._inside(node, scope)
            if edits:
                return edits
            line = _end_line(node) + 1
            self.defined.add(getattr(node, "name", ""))
        return []

    def _free_line(self, first: int, end: int) -> int | None:
        """Return the first empty or comment line right above a line, outside of any open statement."""
        free = None
        for number in range(end - 1, first - 1, -1):
            bare = self.lines[number - 1].strip()
            if bare and not bare.startswith("#"):
                break
            if number == 1 or not self.lines[number - 2].rstrip("\r\n").endswith("\\"):
                free = number
        return free

    def _indent(self, node: ast.stmt) -> str:
        line = self.lines[_first_line(node) - 1]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _inside(self, node: ast.stmt, scope: str) -> list[_Edit]:
        """Return where the import can stand in a compound statement: where something of it runs at once."""
        # What is not defined above is a name of builtins, and so no code of this module.
        header = [e for e in _header(node) if not isinstance(e, ast.Name) or e.id in self.defined]
        if header:
            first = header[0].value if isinstance(header[0], ast.Starred) else header[0]
            opening = _Edit(first.lineno, first.col_offset, f"({self.expression}, (")
            return [opening, _behind(first, "))[1]")]
        if isinstance(node, _FUNCTIONS):
            return []
        inner_scope = f"global {self.name}; " if isinstance(node, ast.ClassDef) else scope
        return self._early(_body(node), node.lineno + 1, inner_scope)

    def _late(self, body: Sequence[ast.stmt]) -> list[_Edit]:
        """Return the places in functions, for when they are called."""
        edits = []
        for node in body:
            if isinstance(node, _FUNCTIONS):
                if self._is_used_in(node):
                    edits += self._early(node.body, node.lineno + 1, f"global {self.name}; ")
            else:
                edits += self._late(_body(node))
        return edits

    def _is_used_in(self, node: ast.stmt) -> bool:
        return any(isinstance(inner, ast.Name) and inner.id == self.name for inner in ast.walk(node))


def _behind(node: ast.stmt | ast.expr, text: str) -> _Edit:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return _Edit(node.end_lineno, node.end_col_offset, text)


def _must_lead(numbered: tuple[int, ast.stmt]) -> bool:
    index, node = numbered
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__" and not node.level
    return not index and _is_docstring(node)


def _is_docstring(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Expr):
        return False
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_simple(node: ast.stmt) -> bool:
    return not hasattr(node, "body") and not isinstance(node, ast.Match)


def _header(node: ast.stmt) -> list[ast.expr]:
    """Return the expressions of a compound statement that are evaluated at once, in order."""
    match node:
        case ast.If(test=first) | ast.While(test=first) | ast.Match(subject=first):
            return [first]
        case ast.For(iter=first) | ast.AsyncFor(iter=first):
            return [first]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return [items[0].context_expr]
        case ast.ClassDef():
            return [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            defaults = [default for default in (*args.defaults, *args.kw_defaults) if default is not None]
            return [*node.decorator_list, *(d for d in defaults if not isinstance(d, ast.Constant))]
        case _:
            return []


def _body(node: ast.stmt) -> list[ast.stmt]:
    """Return the statements in a compound statement that run as long as nothing is raised."""
    return [inner for part in ("body", "orelse", "finalbody") for inner in getattr(node, part, [])]


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _end_line(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno
