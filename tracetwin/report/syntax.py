"""The syntax of a module as a reader needs it: where statements begin, and when a line goes which way."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterator

from tracetwin.support.data import dataclass

LONGEST = 160
"""Characters of one condition."""

_Test = ast.If | ast.While


@dataclass(frozen=True)
class Fork:
    """The condition of a line with two ways on.

    Attributes:
        inside: the line that it leads to where the condition holds.
        holds: the condition in Python's words, or in ours for a loop over items.
        fails: the opposite.
    """

    inside: int
    holds: str
    fails: str


@dataclass(frozen=True)
class SourceSyntax:
    """The facts that the text of a module alone tells.

    Attributes:
        starts: for lines within statements the lines on which these begin.
        ways: the conditions by their lines.
        lambdas: for lines of lambdas within statements the line on which the innermost begins.
        excluded: lines that are left out of all figures, by a comment or as coverage.py does anyway.
    """

    starts: dict[int, int]
    ways: dict[int, Fork]
    lambdas: dict[int, int]
    excluded: frozenset[int] = frozenset()

    def when(self, line: int, target: int) -> str:
        """Return the condition under which a line leads to another, "" where that is not known."""
        way = self.ways.get(line)
        return "" if way is None else way.holds if target == way.inside else way.fails

    def outcome(self, line: int, outcome: int) -> str:
        """Return the condition that a line has an outcome, 1 or 0; "" where that is not known."""
        way = self.ways.get(line)
        return "" if way is None else way.holds if outcome else way.fails


@functools.lru_cache(maxsize=8)
def parsed(source: str) -> ast.Module:
    """Return a module as syntax, an empty one for what is none of this version of Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


@functools.lru_cache(maxsize=8)
def syntax_of(source: str) -> SourceSyntax:
    """Return what the text of a module tells; nothing, where it is none of this version of Python."""
    tree = parsed(source)
    starts: dict[int, int] = {}
    ways: dict[int, Fork] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            starts.update(dict.fromkeys(range(node.lineno + 1, _head_end(node) + 1), node.lineno))
        ways.update(_ways(node))
    return SourceSyntax(starts, ways, _lambdas(tree, starts), _excluded(source) if tree.body else frozenset())


def _excluded(source: str) -> frozenset[int]:
    from coverage import config, parser

    patterns = "|".join(f"(?:{one})" for one in config.DEFAULT_EXCLUDE)
    looked = parser.PythonParser(text=source, exclude=patterns)
    looked.parse_source()
    return frozenset(line for line in looked.excluded if line <= len(source.splitlines()))


def _lambdas(tree: ast.Module, starts: Collection[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for node in ast.walk(tree):  # outer ones before those in them
        if isinstance(node, ast.Lambda):
            lines = range(node.body.lineno, (node.end_lineno or node.lineno) + 1)
            found.update((line, node.lineno) for line in lines if line in starts)
    return found


def _head_end(node: ast.stmt) -> int:
    """The last line of a statement, without the block below it."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return node.end_lineno or node.lineno
    parts = (getattr(node, name, None) for name in ("test", "iter", "subject", "returns"))
    ends = [part.end_lineno or 0 for part in parts if isinstance(part, ast.expr)]
    return max(ends, default=node.lineno)


def _ways(node: ast.AST) -> Iterator[tuple[int, Fork]]:
    if isinstance(node, _Test):
        way = Fork(_begin(node.body[0]), _short(node.test), _short(opposite(node.test)))
        yield from ((line, way) for line in {node.lineno, node.test.lineno})  # it may begin with a bracket
    elif isinstance(node, ast.Assert):
        yield node.lineno, Fork(0, _short(node.test), _short(opposite(node.test)))
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        items = _short(node.iter)
        yield node.lineno, Fork(_begin(node.body[0]), f"{items} has another item", f"{items} is at its end")
    elif isinstance(node, ast.Match):
        for case in node.cases:
            pattern = ast.unparse(case.pattern)[:LONGEST]
            way = Fork(_begin(case.body[0]), f"{pattern} matches", f"{pattern} does not match")
            yield case.pattern.lineno, way


_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}  # fmt: skip
"""Comparisons that say the contrary; those of size have none, as a number may be no number."""


def opposite(test: ast.expr) -> ast.expr:
    """Return the contrary of a condition, as a person would write it."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
        return ast.Compare(test.left, [_OPPOSITES[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


def _begin(node: ast.stmt) -> int:
    marks: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(mark.lineno for mark in marks)])


def _short(expression: ast.expr) -> str:
    words = " ".join(ast.unparse(expression).split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
