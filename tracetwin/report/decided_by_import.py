"""Decided by importing: what runs a line that stands outside of functions, in words."""

from __future__ import annotations

import ast
from collections.abc import Container


def decided_by(outer: ast.stmt, line: int, missed: Container[int]) -> str:
    """Return what decides whether importing comes to a line, "" for nothing.

    Args:
        outer: the outermost statement around the line.
        line: that line.
        missed: lines that importing does not run, where nothing is decided.
    """
    inside = (one for one in ast.walk(outer) if isinstance(one, (ast.If, ast.Try)))
    around = (one for one in inside if one.lineno <= line <= (one.end_lineno or 0))
    node = max((one for one in around if one.lineno not in missed), key=lambda one: one.lineno, default=None)
    if isinstance(node, ast.If):
        asked = f"`{ast.unparse(node.test)}` (line {node.lineno})"
        return f"{asked} decides it when the module is imported; no call can."
    if node is not None:
        tried = " ".join(ast.unparse(node.body[0]).split())
        failed = any(one.lineno <= line <= (one.end_lineno or 0) for one in node.handlers)
        ends = "fails" if failed else "succeeds"
        return f"It runs where `{tried}` (line {node.body[0].lineno}) {ends}: in another environment."
    return ""
