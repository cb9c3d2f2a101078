"""Tables that a module reads by `csv`: what it reads them from, their columns, and texts of them."""

from __future__ import annotations

import ast
import csv
import io
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from tracetwin.emit.select.telling.documents import KEEPING, Document, WayToRead

TABLE: Final = "csv"
"""The library of such a way to read."""

_READERS: Final = ("reader", "DictReader")

_AS_LINES: Final = ("StringIO", *_READERS)
"""Functions whose result is what they get, line by line or row by row."""

_NO_DELIMITERS: Final = '"\r\n'
"""Signs that no table is written with, whatever it is read with."""


def tables_of(node: ast.AST, by_name: Mapping[str, Document]) -> Iterator[tuple[str, WayToRead]]:
    """Give the names of what a function reads tables from, and how.

    Args:
        node: the function.
        by_name: the keys by which each name of the module is looked into.
    """
    rows = _rows(node)
    keys: Document = {key: None for name in rows for key in by_name.get(name, {})}
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and _reads(part) and (source := _source(part.args[0])):
            marks = [one.value for one in part.keywords if one.arg == "delimiter"]
            mark = marks[0].value if marks and isinstance(marks[0], ast.Constant) else ","
            yield source, WayToRead(TABLE, keys or None, str(mark))


def _reads(node: ast.AST) -> bool:
    """Return whether an expression reads a table, maybe all of it at once."""
    while isinstance(node, ast.Call) and getattr(node.func, "id", "") in KEEPING and node.args:
        node = node.args[0]
    if not isinstance(node, ast.Call) or not node.args:
        return False
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    return name in _READERS and ast.unparse(node.func) in (name, f"{TABLE}.{name}")


def _source(node: ast.expr) -> str:
    """The name of the text in `StringIO(text)` and `text.splitlines()`; what else is read in other words."""
    match node:
        case ast.Call(ast.Name(name) | ast.Attribute(_, name), [inner, *_]) if name in (*KEEPING, *_AS_LINES):
            return _source(inner)
        case ast.Call(ast.Attribute(inner, "splitlines" | "split")):
            return _source(inner)
        case _:
            return ast.unparse(node)


def _rows(node: ast.AST) -> set[str]:
    """The names of rows: what loops over tables, and over names of tables, call each of them."""
    tables: set[str] = set()
    rows: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and _reads(part.value):
            tables.add(part.targets[0].id)
    for part in ast.walk(node):
        if isinstance(part, (ast.For, ast.comprehension)) and isinstance(part.target, (ast.Name, ast.Tuple)):
            source, target = part.iter, part.target
            while isinstance(source, ast.Call) and not _reads(source) and source.args:
                source = source.args[0]  # sorted, enumerate, ...
            last = target.elts[-1] if isinstance(target, ast.Tuple) else target
            is_table = _reads(source) or (isinstance(source, ast.Name) and source.id in tables)
            rows |= {last.id} if is_table and isinstance(last, ast.Name) else set()
    return rows


def columns_of(lists: Collection[Sequence[str]]) -> list[Sequence[str]]:
    """Return those of a module's lists of texts that may name the columns of a table."""
    return [
        one for one in lists if len(one) > 1 and all(text.replace(" ", "_").isidentifier() for text in one)
    ]


def as_people_fill_in(rows: list[list[str]], chance: random.Random) -> list[list[str]]:
    """Return rows of which one may be empty, lack a cell or its last ones, or be there twice."""
    roll = chance.random()
    first, *others = rows
    if roll < 0.1:
        return [[""] * len(first), *rows]
    if roll < 0.3:
        place = chance.randrange(len(first))
        return [[*first[:place], "", *first[place + 1 :]], *others]
    if roll < 0.4:
        return [*rows, first]
    return [*rows[:-1], rows[-1][:-1]] if roll < 0.5 else rows


def table(header: Sequence[str], rows: Sequence[Sequence[object]], delimiter: str) -> str:
    """Return the text of a table, with commas where nothing can be written with the delimiter."""
    stream = io.StringIO()
    usual = len(delimiter) == 1 and delimiter not in _NO_DELIMITERS
    writer = csv.writer(stream, delimiter=delimiter if usual else ",", lineterminator="\n")
    writer.writerows([header, *rows] if header else rows)
    return stream.getvalue()
