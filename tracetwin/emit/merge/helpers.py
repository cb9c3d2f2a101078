"""Helpers of tests, such as classes that patch, that a file has already under another name."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from tracetwin.emit.merge.earlier import is_test_class

Definition: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def helpers_of(tree: ast.Module) -> list[Definition]:
    """Return the classes and functions beside tests."""
    return [
        node
        for node in tree.body
        if isinstance(node, _DEFINITIONS) and not is_test_class(node) and not node.name.startswith("test")
    ]


def with_helpers_of(text: str, page: str) -> str:
    """Return new tests that use the helpers of a file wherever theirs say the same.

    Args:
        text: the file.
        page: the new tests, with their helpers.
    """
    new = ast.parse(page)
    old = helpers_of(ast.parse(text))
    quoted = [node.value for node in ast.walk(new) if isinstance(node, ast.Constant)]
    words = {word for value in quoted if isinstance(value, str) for word in re.findall(r"\w+", value)}
    names: dict[str, str] = {}
    for node in helpers_of(new):
        if node.name not in words:  # else what a test expects may show it
            names.update({node.name: same} if (same := _equal(node, old, names)) else {})
    names = {name: same for name, same in names.items() if name != same}
    return _renamed(page, names) if names else page


def _equal(node: Definition, old: Sequence[Definition], names: Mapping[str, str]) -> str:
    """Return the name of a helper that says the same, "" where there is none."""
    likely = sorted(old, key=lambda one: _stem(one.name) != _stem(node.name))
    text = ast.unparse(node)
    for one in likely:
        if _renamed(text, {**names, node.name: one.name}) == ast.unparse(one):
            return one.name
    return ""


def _stem(name: str) -> str:
    return re.sub(r"\d+", "", name)


def _renamed(source: str, names: Mapping[str, str]) -> str:
    """Return a source with other identifiers."""
    lines = io.StringIO(source).readlines()  # as they are counted below: no other separators
    for (row, first), (_, end), name in reversed(list(_identifiers(source))):
        if name in names:
            line = lines[row - 1]
            lines[row - 1] = line[:first] + names[name] + line[end:]
    return "".join(lines)


def _identifiers(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start, token.end, token.string
