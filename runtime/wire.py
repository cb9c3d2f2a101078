"""Expressions as plain data for the pipe between processes, each node sent once.

Nodes are sent once per epoch (the life of one interning table) and named by number afterwards, so a
path that shares most of its conditions with the last one costs a few numbers.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from runtime import expr
from runtime.expr import Node, Sort

NodeRecord: TypeAlias = tuple[int, str, int, tuple[int, ...], Any]
"""(ident, op, sort, idents of the arguments, data)."""


class Encoder:
    """Turns nodes into records, each once."""

    def __init__(self) -> None:
        self._sent: set[int] = set()

    def encode(self, nodes: list[Node]) -> list[NodeRecord]:
        """Return records of all nodes below `nodes` that were not sent before, operands first."""
        records: list[NodeRecord] = []
        stack = [n for n in reversed(nodes) if n.ident not in self._sent]
        while stack:
            node = stack[-1]
            if node.ident in self._sent:
                stack.pop()
                continue
            waiting = [a for a in node.args if a.ident not in self._sent]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            self._sent.add(node.ident)
            operands = tuple(a.ident for a in node.args)
            records.append((node.ident, node.op, int(node.sort), operands, node.data))
        return records


class Decoder:
    """Rebuilds nodes in the receiving process's own table."""

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}

    def decode(self, records: list[NodeRecord]) -> None:
        for ident, op, sort, args, data in records:
            if op == "const":
                node = expr.const(data)
            elif op == "var":
                node = expr.var(data, Sort(sort))
            else:
                node = expr.make(op, Sort(sort), tuple(self._nodes[a] for a in args))
            self._nodes[ident] = node

    def node(self, ident: int) -> Node:
        """Return the node sent under this number."""
        return self._nodes[ident]
