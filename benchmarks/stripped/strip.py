"""Removes the annotations of a module and leaves every line where it was.

    python benchmarks/stripped/strip.py FILE

Parameters, results and variables lose theirs. Where annotations make a class work, those of its fields become
`object`: data classes, named tuples, typed dicts, protocols, models. The one by which a `singledispatch`
function registers stays.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

FIELD_BASES = frozenset(("NamedTuple", "TypedDict", "Protocol", "BaseModel", "BaseSettings", "Struct"))
FIELD_DECORATORS = frozenset(
    ("dataclass", "dataclass_transform", "attrs", "attributes", "define", "frozen", "mutable", "s")
)
MARKERS = frozenset(("ClassVar", "InitVar", "KW_ONLY", "Final", "Required", "NotRequired", "ReadOnly"))


@dataclass(frozen=True, order=True)
class Edit:
    """Bytes to be replaced."""

    start: int
    end: int
    text: bytes


def stripped(text: str) -> str:
    """The source without its annotations.

    Raises:
        SyntaxError: it is no Python.
    """
    source = text.encode()
    remover = _Remover(source)
    remover.visit(ast.parse(text))
    for edit in sorted(remover.edits, reverse=True):
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source.decode()


def has_annotations(text: str) -> bool:
    """Whether stripping changes anything."""
    return stripped(text) != text


class _Remover(ast.NodeVisitor):
    """Collects the edits of one module.

    Attributes:
        edits: what is to be replaced; no two overlap.
    """

    def __init__(self, source: bytes) -> None:
        self.edits: list[Edit] = []
        self._source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._fields: list[bool] = []
        self._with_fields: set[str] = set()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        has_fields = self._has_fields(node)
        if has_fields:
            self._with_fields.add(node.name)
        self._fields.append(has_fields)
        self.generic_visit(node)
        self._fields.pop()

    def _has_fields(self, node: ast.ClassDef) -> bool:
        decorators = {_last_name(item) for item in node.decorator_list}
        bases = {_last_name(item) for item in node.bases}
        return bool(decorators & FIELD_DECORATORS or bases & (FIELD_BASES | self._with_fields))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._fields.append(False)
        registers = any(_last_name(item) == "register" for item in node.decorator_list)
        parameters = [*node.args.posonlyargs, *node.args.args]
        stays = next((item for item in parameters if registers and item.annotation is not None), None)
        everything = [*parameters, node.args.vararg, *node.args.kwonlyargs, node.args.kwarg]
        for item in everything:
            if item is not None and item.annotation is not None and item is not stays:
                start = self._at(item.lineno, item.col_offset) + len(item.arg.encode())
                self._remove(start, self._behind(start, item.annotation), b"\n")
        if node.returns is not None:
            start = self._source.rindex(b"->", 0, self._start(node.returns))
            start = len(self._source[:start].rstrip())
            self._remove(start, self._behind(start, node.returns), b"\\\n")
        self.generic_visit(node)
        self._fields.pop()

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if self._fields and self._fields[-1]:
            self._replace(node.annotation, _without_types(node.annotation))
        elif node.value is None:
            self._replace(node, b"pass")
        else:
            start = self._source.index(b":", self._end(node.target))
            self._remove(start, self._behind(start, node.annotation), b"\\\n")
        self.generic_visit(node)

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._at(node.lineno, node.col_offset)

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.end_lineno, node.end_col_offset)

    def _behind(self, start: int, node: ast.expr) -> int:
        """Where an annotation that begins after `start` ends with the parentheses around it."""
        end = self._end(node)
        for _ in range(self._source.count(b"(", start, self._start(node))):
            end = self._source.index(b")", end) + 1
        return end

    def _replace(self, node: ast.expr | ast.stmt, text: bytes) -> None:
        start, end = self._start(node), self._end(node)
        lines = self._source.count(b"\n", start, end)
        self.edits.append(Edit(start, end, text + b"\\\n" * lines))

    def _remove(self, start: int, end: int, newline: bytes, otherwise: bytes = b"") -> None:
        lines = self._source.count(b"\n", start, end)
        self.edits.append(Edit(start, end, newline * lines + otherwise))


def _last_name(node: ast.expr) -> str:
    """The last part of a name, of what is called or of what is subscribed."""
    match node:
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return _last_name(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _without_types(node: ast.expr) -> bytes:
    """`object`, inside of what says more than a type: `ClassVar[object]`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return b"object"
    if _last_name(node) not in MARKERS:
        return b"object"
    if isinstance(node, ast.Subscript):
        return ast.unparse(node.value).encode() + b"[" + _without_types(node.slice) + b"]"
    return ast.unparse(node).encode()


if __name__ == "__main__":
    sys.stdout.write(stripped(Path(sys.argv[1]).read_text(encoding="utf-8")))
