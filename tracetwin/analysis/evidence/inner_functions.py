"""Evidence from functions that are defined in a function, and from those that call themselves."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from tracetwin.analysis.evidence.expressions import FollowedExpressions
from tracetwin.analysis.evidence.operations import OperationObserver
from tracetwin.analysis.sources import FunctionNode, arguments


class InnerFunctions(OperationObserver, ast.NodeVisitor):
    """Looks into the functions that are defined in a function, once for each call of them there."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._own: dict[str, FunctionNode] = {}
        self._inside: FunctionNode | None = None

    def visit_FunctionDef(self, node: FunctionNode) -> None:
        self._own[node.name] = node
        self._look_at(node.args, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._look_at(node.args, [node.body])

    def _look_at(self, parameters: ast.arguments, body: Sequence[ast.AST]) -> None:
        """Parameters hide what has the same names outside."""
        hidden = {name: self.names.pop(name) for name in _parameters(parameters) if name in self.names}
        for part in body:
            self.visit(part)
        self.names.update(hidden)

    def look_inside(self, name: str, node: ast.Call) -> bool:
        """A function is called: if it is defined in this one, its body tells what it is given."""
        callee = self._own.get(name)
        if callee is None:
            return False
        if callee is self._inside:
            note_recursion(self, callee, node, method=False)
        if self._inside is None:
            given = {item.arg: self.facts(part) for item, part in arguments(callee, node, method=False)}
            outer = self.names
            own = _parameters(callee.args)
            self.names = {key: facts for key, facts in outer.items() if key not in own}
            self.names.update((key, facts) for key, facts in given.items() if facts is not None)
            self._inside = callee
            for statement in callee.body:
                self.visit(statement)
            self._inside = None
            self.names = outer
        return True


def _parameters(parameters: ast.arguments) -> set[str]:
    """The names of all parameters, whichever way they are given."""
    return {item.arg for item in ast.walk(parameters) if isinstance(item, ast.arg)}


def note_recursion(
    observer: FollowedExpressions, function: FunctionNode, call: ast.Call, *, method: bool
) -> None:
    """Note what a function passes to itself: a part of a value that is of the same type."""
    for item, argument in arguments(function, call, method):
        part, whole = observer.facts(argument), observer.names.get(item.arg)
        if part is not None and whole is not None:
            observer.recursions.append((part, whole))
