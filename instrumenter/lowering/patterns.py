"""Patterns of `match` to nodes."""

from __future__ import annotations

import libcst as cst

from instrumenter.lowering.builder import Edge
from instrumenter.lowering.code import Each, Get, Item, Narrow, Reg
from instrumenter.lowering.expressions import Expressions

Ways = tuple[list[Edge], list[Edge]]
"""The edges on which a pattern matches, and those on which it does not."""


class Patterns(Expressions):
    """Lowering of patterns: what they compare, take out and bind."""

    def pattern(self, node: cst.MatchPattern, subject: Reg, name: str | None = None) -> Ways:
        """Lower one pattern.

        Args:
            node: the pattern.
            subject: what it is matched with.
            name: the variable that holds the subject, whose class a class pattern tells.
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
