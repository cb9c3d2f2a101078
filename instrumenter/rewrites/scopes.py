"""Keeps track of the function or class we are in; leaves class bases and decorators' callees alone."""

from __future__ import annotations

import libcst as cst

from instrumenter.rewrites.base import Rewrite, Scope


class Scopes(Rewrite):
    """Definitions and the places where no helper variable may be bound."""

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self._enter(node)

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._enter(node)
        for base in node.bases:
            # `class A(Generic[T])`: typing, not computing.
            if isinstance(base.value, cst.Subscript):
                self.frozen.add(id(base.value))
        if getattr(node, "type_parameters", None) is not None:
            # Bases of a generic class are evaluated in a scope of their own that forbids `:=`.
            self.sealed.update(id(argument) for argument in (*node.bases, *node.keywords))

    def _enter(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        self.enter_later(node.body, Scope(f"{self.scopes[-1].inner}{node.name.value}", node))
        for decorator in node.decorators:
            if isinstance(decorator.decorator, cst.Call):
                self.plain_calls.add(id(decorator.decorator))
