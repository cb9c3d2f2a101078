"""Rewrites `for x in xs` to `for x in iterate(xs, site)`, `match`, some `return`; tracks scopes."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import PLAIN_RESULTS
from instrumenter.rewrites.base import BodyScope, Rewrite, Wrap
from instrumenter.rewrites.emit import is_constant
from instrumenter.twin import SiteKind


class Loops(Rewrite):
    """Iteration; `async for` asks for another protocol and stays native."""

    def visit_For(self, node: cst.For) -> None:
        self.store(node.target)
        if node.asynchronous is None:
            self.wrap(node.iter, "iterate", SiteKind.FOR)

    def visit_CompFor(self, node: cst.CompFor) -> None:
        self.store(node.target)
        if node.asynchronous is None:
            self.wrap(node.iter, "iterate", SiteKind.COMPREHENSION_FOR)


class MatchRewrite(Rewrite):
    """The subject of a `match` statement. Guards are conditions like others."""

    def visit_Match(self, node: cst.Match) -> None:
        self.wraps[id(node.subject)] = Wrap("subject", None)


class Returns(Rewrite):
    """Results of methods that C code calls for a plain value: they are decided where they are returned."""

    def visit_Return(self, node: cst.Return) -> None:
        function = self.scopes[-1].node
        if not isinstance(function, cst.FunctionDef) or function.name.value not in PLAIN_RESULTS:
            return
        if node.value is not None and not is_constant(node.value) and not isinstance(node.value, cst.Tuple):
            self.wraps[id(node.value)] = Wrap("returned", None)


class Scopes(Rewrite):
    """Definitions and the places where no helper variable may be bound."""

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
        self.enter_later(node.body, BodyScope(f"{self.scopes[-1].inner}{node.name.value}", node))
        for decorator in node.decorators:
            if isinstance(decorator.decorator, cst.Call):
                self.plain_calls.add(id(decorator.decorator))

    visit_FunctionDef = _enter
