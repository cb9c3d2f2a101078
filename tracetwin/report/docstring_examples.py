"""Examples in docstrings that may lead to lines which no test runs."""

from __future__ import annotations

import ast
import builtins
import doctest
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from tracetwin.support.data import dataclass
from tracetwin.support.text import listed

OWN_TESTS: Final = "pytest -q"
"""What runs tests of the user's, as far as it is known."""

_MOST_NAMED: Final = 3

_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class ShownCall:
    """An example of a docstring.

    Attributes:
        line: where it begins.
        source: its text, as it is written without comments and spaces.
        alone: it asks for nothing but what the module and the docstring have.
    """

    line: int
    source: str
    alone: bool


class DocstringExamples:
    """The examples in the docstrings of one module.

    Args:
        tree: the module.
        tried: calls that tests make, as source.
    """

    def __init__(self, tree: ast.Module, tried: Collection[str]) -> None:
        known = {_plain(call) for call in tried}
        self._found = [one for one in _examples(tree) if one.source not in known]

    def of(self, name: str, lines: Collection[int]) -> list[ShownCall]:
        """Return the examples that call what has a name and that no test is like.

        Where the docstrings in some lines, which are its own, have such, there are no others.
        """
        called = re.compile(rf"\b{re.escape(name)}\b")
        fitting = [one for one in self._found if called.search(one.source)]
        return [one for one in fitting if one.line in lines] or fitting


def in_words(found: Sequence[ShownCall], runner: str) -> tuple[str, str]:
    """Return that some examples may lead to a place, and what runs them: `runner`, or tests with them."""
    lines = [f"{one.line}" for one in found[:_MOST_NAMED]] + ["others"] * (len(found) > _MOST_NAMED)
    several = len(found) > 1
    told = f"The example{'s' * several} in line{'s' * several} {listed(lines)} may lead there"
    if runner and all(one.alone for one in found):
        return told, runner
    return f"{told}, put into a test", OWN_TESTS


def _examples(tree: ast.Module) -> Iterator[ShownCall]:
    """All examples that are Python."""
    bound = _bound(ast.walk(tree))
    for node in ast.walk(tree):
        text = ast.get_docstring(node, clean=False) if isinstance(node, _DOCUMENTED) else None
        if text and isinstance(node, _DOCUMENTED):
            yield from _shown(text, node.body[0].lineno, bound)


def _shown(text: str, first: int, bound: Collection[str]) -> Iterator[ShownCall]:
    """The examples of one docstring."""
    try:
        shown = doctest.DocTestParser().get_examples(text)
    except ValueError:  # its prompts stand in no line
        return
    known = {*bound, *dir(builtins)}
    for one in shown:
        if source := _plain(one.source):
            nodes = list(ast.walk(ast.parse(source)))
            known |= _bound(nodes)
            names = {node.id for node in nodes if isinstance(node, ast.Name)}
            yield ShownCall(first + one.lineno, source, names <= known)


def _bound(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that some syntax gives a meaning."""
    found = set[str]()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


def _plain(source: str) -> str:
    """A piece of source as it is written without comments and spaces, "" where it is none."""
    try:
        return ast.unparse(ast.parse(source))
    except (SyntaxError, ValueError):
        return ""
