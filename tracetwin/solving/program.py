"""Conditions as a flat list of instructions, so that many assignments can be tried quickly.

The result is always that of `runtime.evaluate`: the instructions call the same operators. An operation
outside its domain leaves `UNDEFINED`, on which every further operation fails in turn; operands that
Python would not have evaluated are computed too, but then not chosen.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn, TypeAlias

from runtime.expr import Node
from runtime.ops import DOMAIN_ERRORS, MEANINGS


class _Undefined:
    """The value of an operation outside its domain: any use of it raises `TypeError`."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("undefined")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __bool__ = __repr__ = __str__ = __format__ = __hash__ = _refuse


UNDEFINED: Final = _Undefined()


def _strict(function: Callable[..., Any]) -> Callable[..., Any]:
    """For operators that would accept any object at all, `UNDEFINED` included."""

    def checked(*args: Any) -> Any:
        for arg in args:
            if arg is UNDEFINED:
                raise TypeError("undefined")
        return function(*args)

    return checked


_STRICT: Final[dict[str, Callable[..., Any]]] = {
    name: _strict(MEANINGS[name]) for name in ("is_none", "int_ok", "float_ok", "format_ok", "percent_ok")
}

Instruction: TypeAlias = tuple[Callable[..., Any], int, int, int, tuple[int, ...]]


def topological(roots: Sequence[Node], known: set[Node]) -> list[Node]:
    """The nodes below `roots` that are not in `known` (which is extended), operands first."""
    ordered: list[Node] = []
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, expanded = stack.pop()
        if node in known:
            continue
        if expanded or not node.args:
            known.add(node)
            ordered.append(node)
            continue
        stack.append((node, True))
        stack.extend((arg, False) for arg in reversed(node.args) if arg not in known)
    return ordered


class Program:
    """Roots compiled for repeated evaluation; each when it is first reached, for most guesses fail early.

    Attributes:
        roots: boolean nodes; `first_failing` tests them in this order.
        slots: the value of every node after an evaluation, by the numbers in `place`.
    """

    def __init__(self, roots: Sequence[Node]) -> None:
        self.roots = tuple(roots)
        self.place: dict[Node, int] = {}
        self.slots: list[Any] = []
        self.evaluations = 0
        self._inputs: list[tuple[int, str]] = []
        self._fresh: list[tuple[int, str]] = []  # inputs met since the values were loaded
        self._segments: list[tuple[list[Instruction], int]] = []

    def _segment(self, index: int) -> tuple[list[Instruction], int]:
        """The code of a root, given that of those before it, and where its value is."""
        while len(self._segments) <= index:
            root = self.roots[len(self._segments)]
            self._segments.append((self._compiled(root), self.place[root]))
        return self._segments[index]

    def _compiled(self, root: Node) -> list[Instruction]:
        place = self.place
        code: list[Instruction] = []
        stack = [root]
        while stack:
            node = stack[-1]
            if node in place:
                stack.pop()
                continue
            waiting = [arg for arg in node.args if arg not in place]
            if waiting:
                waiting.reverse()
                stack.extend(waiting)
                continue
            stack.pop()
            self._place(node, code)
        return code

    def _place(self, node: Node, code: list[Instruction]) -> None:
        """Give a node a slot, and its operation a place in the code."""
        place = self.place
        slot = place[node] = len(self.slots)
        if node.op == "const":
            self.slots.append(node.data)
            return
        self.slots.append(UNDEFINED)
        if node.op == "var":
            self._fresh.append((slot, str(node.data)))
            return
        where = tuple([place[arg] for arg in node.args])
        first = where[0] if where else -1
        second = where[1] if len(where) == 2 else -1
        code.append((_STRICT.get(node.op) or MEANINGS[node.op], slot, first, second, where))

    def _load(self, values: Mapping[str, object]) -> None:
        slots = self.slots
        for slot, name in self._inputs:
            slots[slot] = values.get(name, UNDEFINED)
        self.evaluations += 1

    def _load_fresh(self, values: Mapping[str, object]) -> None:
        """Load the inputs of what was compiled since `_load`."""
        for slot, name in self._fresh:
            self.slots[slot] = values.get(name, UNDEFINED)
        self._inputs += self._fresh
        self._fresh.clear()

    def _run_root(self, index: int, values: Mapping[str, object]) -> int:
        """Evaluate one root, all before it being evaluated; gives the slot of its value."""
        code, root = self._segment(index)
        if self._fresh:
            self._load_fresh(values)
        _run(code, self.slots)
        return root

    def first_failing(self, values: Mapping[str, object]) -> int:
        """The index of the first root that does not hold, or the number of roots when all do."""
        self._load(values)
        slots = self.slots
        compiled = len(self._segments)
        for index, (code, root) in enumerate(self._segments):
            _run(code, slots)
            value = slots[root]
            if value is UNDEFINED or not value:
                return index
        for index in range(compiled, len(self.roots)):
            value = slots[self._run_root(index, values)]
            if value is UNDEFINED or not value:
                return index
        return len(self.roots)

    def run(self, values: Mapping[str, object]) -> None:
        """Evaluate everything; values are then in `slots`."""
        self._load(values)
        compiled = len(self._segments)
        for code, _ in self._segments:
            if code:
                _run(code, self.slots)
        for index in range(compiled, len(self.roots)):
            self._run_root(index, values)

    def failing(self) -> list[Node]:
        """The roots that do not hold in the last evaluation, by which everything was evaluated."""
        slots = self.slots
        values = [slots[place] for _, place in self._segments]
        return [
            root
            for root, value in zip(self.roots, values, strict=True)
            if value is UNDEFINED or not value
        ]

    def run_goal(self, values: Mapping[str, object]) -> None:
        """Evaluate the first root only."""
        self._load(values)
        self._run_root(0, values)

    def holds(self, values: Mapping[str, object]) -> bool:
        """Return whether all roots hold."""
        return self.first_failing(values) == len(self.roots)

    def value(self, node: Node) -> Any:
        """The value of a node in the last evaluation that reached it."""
        return self.slots[self.place[node]]


def _run(code: list[Instruction], slots: list[Any]) -> None:
    for function, target, first, second, where in code:
        try:
            if second >= 0:
                slots[target] = function(slots[first], slots[second])
            elif len(where) == 1:
                slots[target] = function(slots[first])
            else:
                slots[target] = function(*[slots[index] for index in where])
        except DOMAIN_ERRORS:
            slots[target] = UNDEFINED


def same(left: object, right: object) -> bool:
    """Equality that separates types, 0.0 from -0.0, and lets NaN equal itself."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return repr(left) == repr(right)
    return bool(operator.eq(left, right))
