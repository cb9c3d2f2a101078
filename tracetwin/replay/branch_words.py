"""The conditions of a module in words, by the branches that they decide: names of tests may need them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, TypeAlias

Arc: TypeAlias = tuple[int, int]

LONGEST: Final = 45
"""Letters of a condition in words; what is longer says too much."""

_WORDS: Final[dict[type[ast.cmpop], tuple[str, str]]] = {
    ast.Lt: ("is below", "is at least"),
    ast.LtE: ("is at most", "is above"),
    ast.Gt: ("is above", "is at most"),
    ast.GtE: ("is at least", "is below"),
    ast.Eq: ("equals", "differs from"),
    ast.NotEq: ("differs from", "equals"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("is in", "is not in"),
    ast.NotIn: ("is not in", "is in"),
}


def branch_words(tree: ast.Module) -> dict[Arc, str]:
    """Return for branches of `if` statements what holds where they are taken."""
    return dict(_branches(tree))


def _branches(tree: ast.Module) -> Iterator[tuple[Arc, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            first = node.body[0]
            start = min([first.lineno, *[one.lineno for one in getattr(first, "decorator_list", [])]])
            yield (node.lineno, start), _words(node.test, outcome=True)
            yield (node.lineno, 0), _words(node.test, outcome=False)


def words_of(arcs: frozenset[Arc], taken: dict[Arc, str]) -> list[str]:
    """Return what holds on a way, what was decided last in the text first.

    Args:
        arcs: the branches that the way takes.
        taken: what `branch_words` has found.
    """
    found: dict[str, None] = {}
    for line, to in sorted(arcs, reverse=True):
        words = taken.get((line, to)) or taken.get((line, 0), "")
        if words:
            found[words] = None
    return list(found)


def _words(test: ast.expr, *, outcome: bool) -> str:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _words(test.operand, outcome=not outcome)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        relation = _WORDS[type(test.ops[0])][not outcome]
        text = f"{_text(test.left)} {relation} {_text(test.comparators[0])}"
    else:
        text = _text(test) if outcome else f"not {_text(test)}"
    words = "_".join(re.findall(r"[A-Za-z0-9]+", text)).lower()
    return words if len(words) <= LONGEST else ""


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and node.value in ("", b""):
        return "empty"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return f"minus {_text(node.operand)}"
    return ast.unparse(node).replace("self.", "")
