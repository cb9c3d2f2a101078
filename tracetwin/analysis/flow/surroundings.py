"""Interruptions of a method of a class: other references, callbacks, exceptions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from instrumenter.lowering import code
from instrumenter.lowering.code import Function
from tracetwin.analysis.flow.hierarchy import CONSTRUCTORS
from tracetwin.analysis.flow.solve import Solved
from tracetwin.analysis.flow.trail import EVERYTHING, Callee, Nearness
from tracetwin.support.reaching import reached

_QUIET: Final = (
    code.Skip, code.Const, code.Load, code.Store, code.Make, code.MakeFunction, code.Give, code.Decision,
    code.Narrow, code.Imported,
)  # fmt: skip


def may_raise(op: code.Op) -> bool:
    """True if an operation may raise; names are bound, and the truth of a value can be told."""
    return not isinstance(op, _QUIET)


def owner_of(function: Function) -> str:
    """The class that a function is a member of, or the function around it."""
    around: Function | None = function
    while around is not None and not around.owner:
        around = around.parent
    return "" if around is None else around.owner


def is_receiver(function: Function, register: code.Reg | None) -> bool:
    """True if a register holds the receiver and nothing else: an abstract value also stands for its like."""
    name = function.receiver
    stored = any(
        isinstance(op, code.Store) and op.name == name and op.place is function for _, op in function.ops()
    )
    if name is None or stored:
        return False
    makers = [op for _, op in function.ops() if getattr(op, "into", None) == register]
    if len(makers) != 1:
        return register == name and not makers
    maker = makers[0]
    if isinstance(maker, code.Load):
        return maker.name == name and maker.place is function
    if isinstance(maker, code.Invoke) and not maker.arguments:
        called = [op for _, op in function.ops() if getattr(op, "into", None) == maker.callee]
        return len(called) == 1 and isinstance(called[0], code.Load) and called[0].name == "super"
    return False


class Surroundings:
    """Questions about all functions that the methods of one class may call, on whatever object."""

    def __init__(self, solved: Solved, order: frozenset[str]) -> None:
        """Take the classes that an instance has its functions from as `order`."""
        self._solved = solved
        self._order = order
        self._spoils: dict[int, frozenset[str] | None] = {}

    def loose(self, members: Iterable[int]) -> frozenset[int]:
        """Functions of the class that may run in the middle of others, not only by calls on the receiver.

        These are functions made within methods, methods called on objects that may be the receiver under
        another name, methods that unknown code may call back, generators, and what they call.
        """
        reached = self._closure(members)
        start = {
            self._solved.state.numbers[callee.function]
            for number in reached
            for callee in self._callees(number)
            if callee.nearness != Nearness.RECEIVER and self._is_ours(callee.function)
        }
        start |= {number for number in reached if self._pauses(number)}
        found = self._closure(start)
        return frozenset(n for n in found if owner_of(self._function(n)) in self._order)

    def spoiled(self, number: int) -> frozenset[str] | None:
        """The attributes, of any object, that a function and its callees may change; None: all."""
        if number not in self._spoils:
            self._spoils[number] = self._spoiled(number)
        return self._spoils[number]

    def spoiled_at(self, number: int, node: int) -> frozenset[str] | None:
        """The attributes that the callees of one node may change."""
        found: frozenset[str] = frozenset()
        for callee in self._solved.trails[self._function(number)].callees.get(node, ()):
            inner = self.spoiled(self._solved.state.numbers[callee.function])
            if inner is None:
                return None
            found |= inner
        return found

    def _spoiled(self, number: int) -> frozenset[str] | None:
        names: set[str] = set()
        for each in self._closure((number,)):
            for events in self._solved.trails[self._function(each)].events.values():
                changed = {e.place[1] for e in events if e.defines and e.place[0] is not None}
                if EVERYTHING in changed:
                    return None
                names |= changed
        return frozenset(names)

    def _closure(self, numbers: Iterable[int]) -> set[int]:
        numbered = self._solved.state.numbers
        return set(reached(numbers, lambda one: [numbered[c.function] for c in self._callees(one)]))

    def _callees(self, number: int) -> list[Callee]:
        rows = self._solved.trails[self._function(number)].callees
        return [callee for node in sorted(rows) for callee in rows[node]]

    def _function(self, number: int) -> Function:
        return self._solved.program.functions[number]

    def _pauses(self, number: int) -> bool:
        function = self._function(number)
        return (function.generator or function.coroutine) and owner_of(function) in self._order

    def _is_ours(self, function: Function) -> bool:
        """True if it may run on the receiver; a constructor that is called makes an object of its own."""
        return owner_of(function) in self._order and function.name.rpartition(".")[2] not in CONSTRUCTORS
