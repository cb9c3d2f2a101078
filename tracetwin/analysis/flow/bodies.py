"""The facts of each function by itself: its own definitions and uses, what flows where, whom it calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from instrumenter.lowering import code
from instrumenter.lowering.code import Function, Instruction, Op, Reg
from tracetwin.analysis.flow.library import MUTATORS
from tracetwin.analysis.flow.locations import LocationTable
from tracetwin.analysis.flow.solve import Solved
from tracetwin.analysis.flow.state import Place
from tracetwin.analysis.flow.trail import AttributePart, Event, Trail
from tracetwin.support.data import dataclass

NOT_USING: Final = frozenset("append add appendleft extend update clear push put put_nowait write".split())
"""Mutators that do what they do whatever is in the container."""

_MAY_FAIL: Final = frozenset({"truediv", "floordiv", "mod", "itruediv", "ifloordiv", "imod", "pow", "ipow"})


@dataclass(frozen=True, slots=True)
class Flow:
    """The ways of the value of a use within its function.

    Attributes:
        uses: the set of locations that are read.
        defines: the set of locations whose new value may depend on it.
        decides: whether control, a result, a callee or an exception depends on it.
    """

    uses: int
    defines: int
    decides: bool


@dataclass(frozen=True, slots=True)
class FlowBody:
    """One function by itself.

    Attributes:
        callees: pairs of a function's number and the set of locations that hold its receiver.
        flows: what its uses flow into.
    """

    name: str
    uses: int
    defines: int
    flows: tuple[Flow, ...]
    callees: tuple[tuple[int, int], ...]


def bodies(solved: Solved, table: LocationTable) -> list[FlowBody]:
    """The facts of every function, in the order of the program."""
    table.mention(_mentioned(solved))
    return [_body(solved, function, table) for function in solved.program.functions]


def _mentioned(solved: Solved) -> Iterator[Place]:
    for trail in solved.trails.values():
        for row in trail.events.values():
            for event in row:
                yield event.place
    for place, value in solved.state.attributes.items():
        if not value or any(atom[0] not in {"f", "c", "x"} for atom in value):
            yield place  # methods and nested classes are no state


def _body(solved: Solved, function: Function, table: LocationTable) -> FlowBody:
    trail = solved.trails[function]
    uses = defines = 0
    for row in trail.events.values():
        for event in row:
            mask = table.mask(event.place, event.part)
            if event.defines:
                defines |= mask
            else:
                uses |= mask
    callees: dict[int, int] = {}
    for found in trail.callees.values():
        for callee in found:
            number = solved.state.numbers[callee.function]
            held = 0
            for place in callee.holders:
                held |= table.mask(place, AttributePart.WITHIN)
            callees[number] = callees.get(number, 0) | held
    for name in function.decorators:  # what it makes of the function is called with it
        callees |= {
            number: 0
            for number, other in enumerate(solved.program.functions)
            if other.name == name or other.name.startswith(f"{name}.<locals>.")
        }
    flows = tuple(_Flows(function, trail, table).all())
    return FlowBody(function.name, uses, defines, flows, tuple(sorted(callees.items())))


class _Flows:
    """Follows the value of each use through the registers of its function."""

    def __init__(self, function: Function, trail: Trail, table: LocationTable) -> None:
        self._trail = trail
        self._table = table
        self._function = function
        self._readers: dict[Reg, list[tuple[int, Instruction]]] = {}
        self._known: dict[Reg, tuple[int, bool]] = {}
        for number, node in enumerate(function.nodes):
            for register in registers_of(node.op, function):
                self._readers.setdefault(register, []).append((number, node))

    def all(self) -> Iterator[Flow]:
        """The flow of every use."""
        for number, row in self._trail.events.items():
            uses = self._mask(row, defines=False)
            if not uses:
                continue
            op = self._function.nodes[number].op
            into = getattr(op, "into", None)
            if into is None or isinstance(op, (code.Invoke, code.Each, code.Operate, code.Item)):
                yield Flow(uses, self._mask(row, defines=True), decides=True)
            else:
                defines, decides = self._follow(into)
                yield Flow(uses, defines, decides)

    def _mask(self, row: Iterable[Event], *, defines: bool) -> int:
        mask = 0
        for event in row:
            if event.defines == defines:
                mask |= self._table.mask(event.place, event.part)
        return mask

    def _follow(self, register: Reg) -> tuple[int, bool]:
        """The locations that a register's value flows into, and whether something depends on it."""
        known = self._known.get(register)
        if known is not None:
            return known
        seen: set[Reg] = set()
        waiting = [register]
        mask, decides = 0, False
        while waiting:
            current = waiting.pop()
            if current in seen:
                continue
            seen.add(current)
            for number, node in self._readers.get(current, ()):
                following, sink, here = self._through(number, node.op, current)
                waiting += following
                decides |= sink
                mask |= here
        self._known[register] = (mask, decides)
        return mask, decides

    def _through(self, number: int, op: Op, register: Reg) -> tuple[list[Reg], bool, int]:
        """Follows a value through one operation: it goes on, it decides, it is stored."""
        stored = self._mask(self._trail.events.get(number, []), defines=True)
        match op:
            case code.Set(base=base) | code.SetItem(base=base):
                return [], False, stored
            case code.Store(name=name, place=place):
                return (
                    ([name] if place is self._function else []),
                    place is None or place is not self._function,
                    stored,
                )
            case code.Load(into=into) | code.Narrow(into=into) | code.Make(into=into):
                return [into], False, 0
            case code.Get(into=into):
                return [into], False, 0
            case code.Operate(name=name, into=into):
                return [into], name in _MAY_FAIL or number in self._trail.callees, stored
            case code.Invoke(base=base, method=method, into=into) if (
                base is not None and method in MUTATORS and method in NOT_USING and stored
            ):
                return [into], number in self._trail.callees, stored
            case _:
                return [], True, stored


def registers_of(op: Op, function: Function) -> list[Reg]:
    """The registers that an operation reads."""
    match op:
        case code.Load(name=name, place=place):
            return [name] if place is function else []
        case code.Store(source=source) | code.Narrow(source=source) | code.Give(source=source):
            return [] if source is None else [source]
        case code.Decision(source=source):
            return [source]
        case code.Get(base=base) | code.Each(base=base) | code.Enter(base=base):
            return [base]
        case code.Set(base=base, source=source):
            return [base] if source is None else [base, source]
        case code.Item(base=base, key=key):
            return [base, key]
        case code.SetItem(base=base, key=key, source=source):
            return [base, key] if source is None else [base, key, source]
        case code.Make(parts=parts) | code.Operate(parts=parts):
            return list(parts)
        case code.Invoke():
            first = [r for r in (op.callee, op.base) if r is not None]
            return [*first, *op.arguments, *(r for _, r in op.named), *op.spread]
        case _:
            return []
