"""The source of each test of a file."""

from __future__ import annotations

import ast

from tracetwin.report.highlighting import highlighted


def sources_of(text: str) -> dict[tuple[str, str], list[str]]:
    """Return the highlighted lines of each test, by class ("" for none) and name.

    Args:
        text: a test file; "" or one that can't be parsed has none.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    lines = highlighted(text)
    found: dict[tuple[str, str], list[str]] = {}
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for one in inner:
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([one.lineno, *(mark.lineno for mark in one.decorator_list)])
                indent = " " * one.col_offset
                own = lines[first - 1 : one.end_lineno]
                found[owner, one.name] = [line.removeprefix(indent) for line in own]
    return found
