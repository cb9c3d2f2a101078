"""The source of one mutant: a module with one change in it, and nothing to switch."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from tracetwin.mutation.defaults import FunctionNode, with_changed_defaults
from tracetwin.mutation.operators import Change
from tracetwin.mutation.schemata import MetaProgramMaker, located
from tracetwin.mutation.watches import Lookout
from tracetwin.support.room import deep


def mutated(source: bytes, number: int) -> ast.Module:
    """Return the syntax tree of a source with one of its mutants in it.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `meta_program`.
    """
    with deep():
        return _Single(number).module(ast.parse(source))


class _Single(MetaProgramMaker):
    """Makes the module that has one of its mutants in it, and nothing to switch."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def _picked(self, node: Any, changes: Sequence[Change]) -> Change | None:
        place = self._number - len(self.mutants)
        self._site(node, changes)
        return changes[place] if 0 <= place < len(changes) else None

    def _alternative(self, node: ast.stmt, changes: Sequence[Change], new: ast.stmt) -> ast.stmt:
        change = self._picked(node, changes)
        return new if change is None else located(change.node, node)

    def _branch(self, first: ast.stmt, gone: Change, body: list[ast.stmt]) -> list[ast.stmt]:
        change = self._picked(first, [gone])
        return body if change is None else []

    def _seen(self, place: Lookout, value: ast.expr, *before: ast.expr) -> ast.expr:
        return value

    def _function(self, node: FunctionNode) -> FunctionNode:
        if self._are_defaults_read:
            return self._rebuilt(node)
        spec = with_changed_defaults(node, lambda one, changes: self._choice(one, one, changes))
        new = self._rebuilt(node)
        new.args = spec
        return new

    def _choice(self, node: ast.AST, new: ast.expr, changes: Sequence[Change]) -> ast.expr:
        change = self._picked(node, changes)
        return new if change is None else located(change.node, node)
