"""Builds the control-flow graph of one function, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from instrumenter.lowering.code import (
    ENTRY,
    EXIT,
    RAISED,
    Decision,
    Function,
    Instruction,
    Load,
    Op,
    Reg,
    Skip,
    Store,
)

Edge = tuple[int, int]
"""An edge without its end: the node it leaves, and which of its edges it is (-1: one more)."""


@dataclass
class _Loop:
    head: int
    depth: int
    breaks: list[Edge] = field(default_factory=list)


@dataclass
class _Final:
    """A `finally`: one copy, entered from everywhere, left to everywhere it was entered for."""

    entry: int
    targets: list[tuple[int, int]] = field(default_factory=list)


class Builder:
    """One function under construction.

    Attributes:
        open: edges whose end is the next node; none of them: what comes next can't be reached.
        outer: the names declared `global` or `nonlocal`.
        narrowed: registers that stand for variables where their class was tested.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.open: list[Edge] = []
        self._next = 0
        self._loops: list[_Loop] = []
        self._finals: list[_Final] = []
        self._handlers: list[int] = []
        self.outer: set[str] = set()
        self.narrowed: dict[str, Reg] = {}
        for _ in (ENTRY, EXIT, RAISED):
            function.nodes.append(Instruction(Skip()))
        self.open = [(ENTRY, -1)]

    # Nodes and edges

    def fresh(self) -> int:
        """A register for an intermediate value."""
        self._next += 1
        return self._next

    def add(self, op: Op, origin: Any = None) -> int:
        """Append a node after the open edges."""
        index = self.loose(op, origin)
        self.close(index)
        self.open = [(index, -1)]
        return index

    def loose(self, op: Op, origin: Any = None) -> int:
        """A node that nothing leads to yet, but what is in it may fail."""
        nodes = self.function.nodes
        fails = self._handlers[-1] if self._handlers else -1
        nodes.append(Instruction(op, fails=fails, origin=origin))
        return len(nodes) - 1

    def close(self, target: int) -> None:
        """End the open edges at a node."""
        self.join(self.open, target)
        self.open = []

    def join(self, edges: list[Edge], target: int) -> None:
        """End some edges at a node."""
        for source, side in edges:
            after = self.function.nodes[source].after
            if side < 0:
                if target not in after:
                    after.append(target)
            else:
                after[side] = target

    def fork(self, op: Op, origin: Any = None) -> tuple[list[Edge], list[Edge]]:
        """Append a node with two edges; both are returned, none is open."""
        index = self.add(op, origin)
        self.function.nodes[index].after = [-1, -1]
        self.open = []
        return [(index, 0)], [(index, 1)]

    def decide(self, source: Reg, origin: Any) -> tuple[list[Edge], list[Edge]]:
        """Append a decision on a value."""
        return self.fork(Decision(source), origin)

    # Variables

    def read(self, name: str, origin: Any = None) -> Reg:
        """The value of a name."""
        if name in self.narrowed:
            return self.narrowed[name]
        into = self.fresh()
        self.add(Load(into, name), origin)
        return into

    def write(self, name: str, source: Reg | None, origin: Any = None) -> None:
        """A name gets a value, or is deleted."""
        self.narrowed.pop(name, None)
        if name not in self.outer:
            self.function.variables.add(name)
        self.add(Store(name, source), origin)

    # Jumps

    @contextmanager
    def loop(self, head: int) -> Iterator[_Loop]:
        """The body of a loop."""
        loop = _Loop(head, len(self._finals))
        self._loops.append(loop)
        yield loop
        self._loops.pop()

    def jump_break(self) -> None:
        loop = self._loops[-1]
        if len(self._finals) > loop.depth:
            # The end of the loop is not known yet: a node stands for it.
            after = self.loose(Skip())
            loop.breaks.append((after, -1))
            self._leave(after, loop.depth)
        else:
            loop.breaks += self.open
            self.open = []

    def jump_continue(self) -> None:
        """Go on with the innermost loop's next step."""
        loop = self._loops[-1]
        self._leave(loop.head, loop.depth)

    def jump_return(self) -> None:
        self._leave(EXIT, 0)

    def jump_raise(self) -> None:
        """Raise: to the innermost handler, or out of the function."""
        self.close(self._handlers[-1] if self._handlers else RAISED)

    def _leave(self, target: int, depth: int) -> None:
        """Jump out of all but `depth` of the `finally` around here, each of which runs on the way."""
        if len(self._finals) > depth:
            final = self._finals[-1]
            self.close(final.entry)
            if (depth, target) not in final.targets:
                final.targets.append((depth, target))
        else:
            self.close(target)

    # Exceptions

    @contextmanager
    def handled(self, handler: int) -> Iterator[None]:
        """Let failures in this block go to the handler."""
        self._handlers.append(handler)
        yield
        self._handlers.pop()

    @contextmanager
    def final(self) -> Iterator[_Final]:
        """Let whatever leaves this block pass through the entry of its `finally`."""
        final = _Final(self.loose(Skip()))
        self._finals.append(final)
        yield final
        self._finals.pop()

    def end_final(self, final: _Final) -> None:
        """The end of a `finally`: it goes on with whatever it was entered for, an exception included."""
        node = self.add(Skip())
        for depth, target in final.targets:
            self.open = [(node, -1)]
            self._leave(target, depth)
        self.join([(node, -1)], self._handlers[-1] if self._handlers else RAISED)
        self.open = [(node, -1)]

    def finish(self) -> Function:
        """The function is complete: falling off its end returns."""
        self.close(EXIT)
        for node in self.function.nodes:
            # An edge that was not ended belongs to what can't be reached.
            node.after = [EXIT if target < 0 else target for target in node.after]
        return self.function
