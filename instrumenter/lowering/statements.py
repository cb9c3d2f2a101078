"""Statements to nodes.

Patterns of `match` to nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import libcst as cst

from instrumenter.lowering.builder import Edge
from instrumenter.lowering.code import Each, Enter, Get, Give, Imported, Invoke, Item, Narrow, Reg, Skip
from instrumenter.lowering.expressions import Expressions

Ways = tuple[list[Edge], list[Edge]]
"""The edges on which a pattern matches, and those on which it does not."""


class Statements(Expressions):
    """Lowering of statements, and of patterns: what they compare, take out and bind."""

    def pattern(self, node: cst.MatchPattern, subject: Reg, name: str | None = None) -> Ways:
        """Lower one pattern.

        `name` is the variable that holds the subject, whose class a class pattern tells.
        """
        if isinstance(node, cst.MatchAs):
            return self._as(node, subject, name)
        if isinstance(node, cst.MatchOr):
            return self._or(node, subject)
        if isinstance(node, cst.MatchClass):
            return self._class(node, subject, name)
        if isinstance(node, cst.MatchSequence):
            return self._sequence(node, subject)
        if isinstance(node, cst.MatchMapping):
            return self._mapping(node, subject)
        if isinstance(node, (cst.MatchValue, cst.MatchSingleton)):
            same = self.operate("eq", (subject, self.value(node.value)), node.value)
            return self.decide(same, node.value)
        return self.open, []

    def _as(self, node: cst.MatchAs, subject: Reg, name: str | None) -> Ways:
        missed: list[Edge] = []
        if node.pattern is not None:
            self.open, missed = self.pattern(node.pattern, subject, name)
        if node.name is not None:
            self.assign(node.name, self.narrowed.get(name, subject) if name else subject)
        return self.open, missed

    def _or(self, node: cst.MatchOr, subject: Reg) -> Ways:
        matched: list[Edge] = []
        for alternative in node.patterns:
            found, self.open = self.pattern(alternative.pattern, subject)
            matched += found
        return matched, self.open

    def _class(self, node: cst.MatchClass, subject: Reg, name: str | None) -> Ways:
        kind = self.value(node.cls)
        into = self.fresh()
        self.add(Narrow(into, subject, (kind,)), node.cls)
        self.open, missed = self.decide(into, node.cls)
        inner: list[tuple[str, cst.MatchPattern]] = [
            (element.key.value, element.pattern) for element in node.kwds
        ]
        # Which attributes stand for the positional ones is said by `__match_args__`.
        inner += [("", element.value) for element in node.patterns]
        for attribute, pattern in inner:
            part = self.fresh()
            self.add(Get(part, into, attribute or "*"), node.cls)
            self.open, refused = self.pattern(pattern, part)
            missed = missed + refused
        if name is not None:
            self.narrowed[name] = into
        return self.open, missed

    def _sequence(self, node: cst.MatchSequence, subject: Reg) -> Ways:
        missed: list[Edge] = []
        for element in getattr(node, "patterns", ()):
            part = self.fresh()
            found, refused = self.fork(Each(part, subject))
            self.open, missed = found, missed + refused
            if isinstance(element, cst.MatchStar):
                if element.name is not None:
                    self.assign(element.name, self.make("list", (part,)))
                self.open += refused
                continue
            self.open, refused = self.pattern(element.value, part)
            missed = missed + refused
        return self.open, missed

    def _mapping(self, node: cst.MatchMapping, subject: Reg) -> Ways:
        missed: list[Edge] = []
        for element in node.elements:
            part = self.fresh()
            self.add(Item(part, subject, self.value(element.key)), element.key)
            found, refused = self.decide(part, element.key)
            self.open, missed = found, missed + refused
            self.open, refused = self.pattern(element.pattern, part)
            missed = missed + refused
        if node.rest is not None:
            self.assign(node.rest, self.make("dict", (subject,)))
        return self.open, missed

    def define(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        """Lower a definition within this body."""
        raise NotImplementedError

    def declared(self, name: str, annotation: cst.Annotation) -> None:
        """A name or attribute is annotated."""

    def block(self, body: cst.BaseSuite | cst.Module) -> None:
        for statement in body.body:
            if isinstance(statement, cst.SimpleStatementLine):
                for small in statement.body:
                    self.statement(small)
            else:
                self.statement(statement)

    def statement(self, node: cst.CSTNode) -> None:
        """Lower one statement; what can't be reached is lowered all the same."""
        method = self._STATEMENTS.get(type(node))
        if method is not None:
            method(self, node)

    # Simple statements

    def _expr(self, node: cst.Expr) -> None:
        self.value(node.value)

    def _assign(self, node: cst.Assign) -> None:
        source = self.value(node.value)
        for target in node.targets:
            self.assign(target.target, source)

    def _annotated(self, node: cst.AnnAssign) -> None:
        self.annotated(node)
        if node.value is not None:
            self.assign(node.target, self.value(node.value))

    def annotated(self, node: cst.AnnAssign) -> None:
        """Note the annotation of a variable or attribute."""

    def _del(self, node: cst.Del) -> None:
        self.delete(node.target)

    def _return(self, node: cst.Return) -> None:
        source = self.const(None, "None") if node.value is None else self.value(node.value)
        self.add(Give(source), node)
        self.jump_return()

    def _raise(self, node: cst.Raise) -> None:
        for part in (node.exc, node.cause.item if node.cause else None):
            if part is not None:
                self.value(part)
        self.jump_raise()

    def _assert(self, node: cst.Assert) -> None:
        true, self.open = self.condition(node.test)
        if node.msg is not None:
            self.value(node.msg)
        self.jump_raise()
        self.open = true
        self.narrow(node.test, truth=True)

    def _break(self, _node: cst.Break) -> None:
        self.jump_break()

    def _continue(self, _node: cst.Continue) -> None:
        self.jump_continue()

    def _outer(self, node: cst.Global | cst.Nonlocal) -> None:
        self.outer |= {item.name.value for item in node.names}

    def _import(self, node: cst.Import) -> None:
        for alias in node.names:
            name = dotted(alias.name)
            bound = alias.asname.name if alias.asname else None
            short = bound.value if isinstance(bound, cst.Name) else name.partition(".")[0]
            self._bind(short, name if bound is not None else short, node)

    def _import_from(self, node: cst.ImportFrom) -> None:
        if isinstance(node.names, cst.ImportStar):
            return
        module = "." * len(node.relative) + (dotted(node.module) if node.module else "")
        for alias in node.names:
            bound = alias.asname.name if alias.asname else alias.name
            if isinstance(bound, cst.Name):
                self._bind(bound.value, f"{module}.{dotted(alias.name)}", node)

    def _bind(self, name: str, dotted: str, origin: cst.CSTNode) -> None:
        into = self.fresh()
        self.add(Imported(into, dotted), origin)
        self.write(name, into, origin)

    # Compound statements

    def _if(self, node: cst.If) -> None:
        true, false = self.condition(node.test)
        kept = dict(self.narrowed)
        self.open = true
        self.narrow(node.test, truth=True)
        self.block(node.body)
        true, self.open, self.narrowed = self.open, false, dict(kept)
        self.narrow(node.test, truth=False)
        if isinstance(node.orelse, cst.If):
            self._if(node.orelse)
        elif node.orelse is not None:
            self.block(node.orelse.body)
        # What was found out on the way where it is false holds from here on if the other does not get here.
        self.narrowed = self.narrowed if not true else kept
        self.open += true

    def _while(self, node: cst.While) -> None:
        head = self.add(Skip())
        kept = dict(self.narrowed)
        true, done = self.condition(node.test)
        self.open = true
        self.narrow(node.test, truth=True)
        self._loop_body(node, head, done)
        self.narrowed = kept

    def _for(self, node: cst.For) -> None:
        base = self.value(node.iter)
        head = self.add(Skip())
        kept = dict(self.narrowed)
        into = self.fresh()
        self.open, done = self.fork(Each(into, base), node.iter)
        self.assign(node.target, into)
        self._loop_body(node, head, done)
        self.narrowed = kept

    def _loop_body(self, node: cst.While | cst.For, head: int, done: list[Edge]) -> None:
        with self.loop(head) as loop:
            self.block(node.body)
            self.close(head)
        self.open = done
        if node.orelse is not None:
            self.block(node.orelse.body)
        self.open += loop.breaks

    def _try(self, node: cst.Try | cst.TryStar) -> None:
        if node.finalbody is None:
            self._caught(node)
            return
        with self.final() as final, self.handled(final.entry):
            self._caught(node)
        normal, self.open = self.open, []
        self.join(normal, final.entry)
        self.open = [(final.entry, -1)]
        self.block(node.finalbody.body)
        if self.open:
            self.end_final(final)
        if not normal:
            self.open = []

    def _caught(self, node: cst.Try | cst.TryStar) -> None:
        entry = self.loose(Skip())
        kept = dict(self.narrowed)
        with self.handled(entry):
            self.block(node.body)
        if node.orelse is not None:
            self.block(node.orelse.body)
        after = self.open
        for handler in node.handlers:
            self.narrowed = dict(kept)
            self.open = [(entry, -1)]
            if handler.type is not None:
                kind = self.value(handler.type)
                if isinstance(handler.name, cst.AsName) and isinstance(handler.name.name, cst.Name):
                    into = self.fresh()
                    self.add(Narrow(into, self.read("*unknown"), (kind,)))
                    self.assign(handler.name.name, into)
            self.block(handler.body)
            after = after + self.open
        self.open = [(entry, -1)]
        if not _catches_all(node.handlers):
            self.jump_raise()
        self.open = after
        self.narrowed = kept

    def _with(self, node: cst.With) -> None:
        bases: list[Reg] = []
        for item in node.items:
            base = self.value(item.item)
            bases.append(base)
            into = self.fresh()
            self.add(Enter(into, base), item.item)
            if item.asname is not None:
                self.assign(item.asname.name, into)
        entry = self.loose(Skip())
        with self.handled(entry):
            self.block(node.body)
        self.open.append((entry, -1))
        for base, item in zip(reversed(bases), reversed(node.items), strict=True):
            self.add(Invoke(self.fresh(), None, base, "__exit__", (), ()), item.item)
        # It may swallow the exception or not.
        normal = self.open
        self.jump_raise()
        self.open = normal

    def _match(self, node: cst.Match) -> None:
        subject = self.value(node.subject)
        ends: list[Edge] = []
        kept = dict(self.narrowed)
        for case in node.cases:
            self.narrowed = dict(kept)
            subject_name = node.subject.value if isinstance(node.subject, cst.Name) else None
            self.open, missed = self.pattern(case.pattern, subject, subject_name)
            if case.guard is not None:
                self.open, refused = self.condition(case.guard)
                missed = missed + refused
            self.block(case.body)
            ends += self.open
            self.open = missed
        self.open += ends
        self.narrowed = kept

    def _define(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        self.define(node)

    _STATEMENTS: ClassVar[dict[type[cst.CSTNode], Callable[[Any, Any], None]]] = {
        cst.Expr: _expr,
        cst.Assign: _assign,
        cst.AnnAssign: _annotated,
        cst.AugAssign: Expressions.augment,
        cst.Del: _del,
        cst.Return: _return,
        cst.Raise: _raise,
        cst.Assert: _assert,
        cst.Break: _break,
        cst.Continue: _continue,
        cst.Global: _outer,
        cst.Nonlocal: _outer,
        cst.Import: _import,
        cst.ImportFrom: _import_from,
        cst.If: _if,
        cst.While: _while,
        cst.For: _for,
        cst.Try: _try,
        cst.TryStar: _try,
        cst.With: _with,
        cst.Match: _match,
        cst.FunctionDef: _define,
        cst.ClassDef: _define,
    }


def dotted(node: cst.BaseExpression) -> str:
    """The dotted name that an expression is, "" where it is anything else."""
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _catches_all(handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler]) -> bool:
    """Return whether an `except` lets nothing through: a bare one, `BaseException` or `Exception`."""
    return any(
        h.type is None or (isinstance(h.type, cst.Name) and h.type.value in {"BaseException", "Exception"})
        for h in handlers
    )
