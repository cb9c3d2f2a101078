"""A generated file as it lies there: which of its tests are as they were written, and what else it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field
from typing import TypeAlias

from tracetwin.emit.merge.ledger import Ledger, LedgerEntry, TestNode, entry_of, ledger_of, lines_of, span_of
from tracetwin.emit.source.standard import is_tool
from tracetwin.emit.stamp import is_generated, is_untouched, subject
from tracetwin.support.data import dataclass

Imported: TypeAlias = "ast.Import | ast.ImportFrom"


@dataclass(frozen=True)
class EarlierTest:
    """One test that is there.

    Attributes:
        owner: its class, "" for a function.
        is_ours: whether it says what was written.
    """

    owner: str
    name: str
    entry: LedgerEntry
    is_ours: bool

    @property
    def key(self) -> tuple[str, str]:
        """Its class and its name."""
        return self.owner, self.name


@dataclass(frozen=True)
class EarlierFile:
    """A generated file that is there.

    Attributes:
        is_untouched: whether all of it is as it was written.
        entries: the tests that were written, from the list at its end.
        gone: tests that were written and are there no more, or not in these words.
        definitions: the classes and functions beside tests, by name, as lines.
        members: what it imports by name: module and name there, and the name here.
    """

    text: str = ""
    is_untouched: bool = True
    tests: tuple[EarlierTest, ...] = ()
    entries: tuple[LedgerEntry, ...] = ()
    gone: tuple[LedgerEntry, ...] = ()
    definitions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    members: dict[tuple[str, str], str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.text)

    def names(self, owner: str) -> set[str]:
        """Return the names of the tests in a class."""
        return {test.name for test in self.tests if test.owner == owner}

    @property
    def users(self) -> list[EarlierTest]:
        """Those that somebody else wrote or edited."""
        return [test for test in self.tests if not test.is_ours]


def unreadable(text: str) -> str:
    """Return why a file is no Python, "" where it is: somebody may be in the middle of an edit."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return str(error)
    return ""


def read_earlier(text: str, module: str, style: str) -> EarlierFile:
    """Return what a file holds; an empty one where new tests can't come into it."""
    if not text or not is_generated(text):
        return EarlierFile()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return EarlierFile()
    untouched = is_untouched(text)
    ledger = ledger_of(text) or (Ledger(style, ()) if untouched else None)
    if ledger is None or ledger.style != style or f"`{module}`" not in subject(text):
        return EarlierFile()
    lines = lines_of(text)
    nodes = list(tests_of(tree))
    entries = [entry_of(node, lines) for _, node in nodes]
    # What says what was written is ours, also under another name; each entry stands for one test.
    bodies = {entry.body for entry in ledger.entries}
    found = tuple(
        EarlierTest(owner, node.name, entry, (untouched and not ledger.entries) or entry.body in bodies)
        for (owner, node), entry in zip(nodes, entries, strict=True)
    )
    there = {test.entry.body for test in found}
    gone = tuple(entry for entry in ledger.entries if entry.body not in there)
    return EarlierFile(
        text, untouched, found, ledger.entries, gone, dict(_definitions(tree, lines)), dict(_members(tree))
    )


def tests_of(tree: ast.Module) -> Iterator[tuple[str, TestNode]]:
    """Yield the tests of a file with their classes, "" for functions."""
    for node in tree.body:
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for one in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name.startswith("test"):
                yield owner, one


def is_test_class(node: ast.stmt) -> bool:
    """Return whether a statement is a class with tests."""
    return isinstance(node, ast.ClassDef) and any(
        isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name.startswith("test")
        for one in node.body
    )


def imports_of(tree: ast.Module) -> list[Imported]:
    """Return the import statements at the top of a file, from first to last."""
    return [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]


def _definitions(tree: ast.Module, lines: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if not is_test_class(node) and not node.name.startswith("test"):
            first, end = span_of(node)
            yield node.name, tuple(lines[first:end])


def _members(tree: ast.Module) -> Iterator[tuple[tuple[str, str], str]]:
    for node in imports_of(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            for alias in node.names:
                yield (node.module, alias.name), alias.asname or alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if not is_tool(alias.name):
                    yield ("", alias.name), alias.asname or alias.name
