"""The fixpoint: functions are interpreted until nothing new is found, then once more to take notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from instrumenter.lowering import code
from instrumenter.lowering.code import Function, LoweredModule, LoweredParameter, Reg
from tracetwin.analysis.flow.access import TooManyCalls
from tracetwin.analysis.flow.calls import CallResolution
from tracetwin.analysis.flow.hierarchy import Hierarchy
from tracetwin.analysis.flow.library import methods_of
from tracetwin.analysis.flow.state import ANY, ANYTHING, NOTHING, SELF, FlowState, Value, deepened, scalar
from tracetwin.analysis.flow.trail import Nearness, Trail
from tracetwin.support.data import dataclass

_COMPARISONS: Final = frozenset("eq ne lt le gt ge in_ not_in is_ is_not not_".split())
_LOOKING: Final = frozenset("eq ne lt le gt ge add mul not_".split())
"""Operators that look into containers."""


class Transfer(CallResolution):
    """Interprets the nodes of one function after the other."""

    def function(self, function: Function) -> None:
        """Interpret all nodes of a function once."""
        self.current = function
        for number, node in enumerate(function.nodes):
            self.node = number
            method = self._OPS.get(type(node.op))
            if method is not None:
                method(self, node.op)

    # Names

    def _const(self, op: code.Const) -> None:
        if op.kind in {"str", "bytes", "int", "float", "bool", "None", "complex"}:
            self.put(op.into, scalar(op.kind))

    def _load(self, op: code.Load) -> None:
        if op.place is not None:
            self.put(op.into, self.state.variable(op.place, op.name))
        elif op.name == "*unknown":
            self.put(op.into, ANYTHING)
        elif op.name in self.state.program.globals:
            value = self.state.attributes.get((None, op.name), NOTHING)
            if self.is_state(value):
                self.event(defines=False, place=(None, op.name))
                value |= {("p", None, op.name)}
            self.put(op.into, value)
        else:
            self.put(op.into, frozenset((("x", op.name),)))

    def _store(self, op: code.Store) -> None:
        value = NOTHING if op.source is None else self.get(op.source)
        if op.place is not None:
            self.state.into(op.place, op.name, value)
            if op.place.role == "class body":
                self.state.store((op.place.owner, op.name), value)
        else:
            self.state.store((None, op.name), value)
            if self.current.role != "module":
                self.event(defines=True, place=(None, op.name))

    def _imported(self, op: code.Imported) -> None:
        name = op.name
        atom = ("c", name[6:]) if name.startswith("class:") else ("x", name)
        self.put(op.into, frozenset((atom,)))

    def _function(self, op: code.MakeFunction) -> None:
        self.put(op.into, frozenset((("f", self.state.numbers[op.function]),)))
        if self.current.role not in {"module", "class body"}:
            self.calls(op.function)  # it may be called wherever it gets to

    def _narrow(self, op: code.Narrow) -> None:
        source = self.get(op.source)
        kept: set[Any] = {a for a in source if a[0] in {"p", "d", "self"}}
        for register in op.kinds:
            for kind in self.get(register):
                kept |= self._of_kind(source, kind)
        self.put(op.into, frozenset(kept))

    def _of_kind(self, source: Value, kind: tuple[Any, ...]) -> set[tuple[Any, ...]]:
        if kind[0] == "c":
            below = (kind[1], *self.state.hierarchy.below(kind[1]))
            known = {a for a in source if a[0] == "i" and a[1] in below}
            return known or {("i", kind[1])}
        if kind[0] == "x" and kind[1] in {"int", "str", "float", "bool", "bytes", "complex"}:
            return {("k", kind[1])}
        return {a for a in source if a[0] != "self"} or {ANY}

    # Attributes

    def _get(self, op: code.Get) -> None:
        self.put(op.into, self.attribute(self.get(op.base), op.name))

    def _set(self, op: code.Set) -> None:
        value = NOTHING if op.source is None else self.get(op.source)
        self.set_attribute(self.get(op.base), op.name, value, deleted=op.source is None)

    # Elements

    def _item(self, op: code.Item) -> None:
        base = self.get(op.base)
        found = self.special(base, ("__getitem__", "__class_getitem__", "__missing__"), (self.get(op.key),))
        self.touch(base, defines=False)
        self.put(op.into, found | self.element(base))

    def _set_item(self, op: code.SetItem) -> None:
        base = self.get(op.base)
        value = NOTHING if op.source is None else self.get(op.source)
        names = ("__delitem__",) if op.source is None else ("__setitem__",)
        self.special(base, names, (self.get(op.key), value))
        self.touch(base, defines=True)
        if op.source is None:
            self.touch(base, defines=False)
        self.state.fill(base, value)
        if any(a[0] == "l" for a in base):
            self.state.fill(base, self.get(op.key))

    def _each(self, op: code.Each) -> None:
        base = self.get(op.base)
        self.touch(base, defines=False)
        self.put(op.into, self.iterated(base))

    def _make(self, op: code.Make) -> None:
        parts = [self.get(part) for part in op.parts]
        if not op.kind:
            self.put(op.into, frozenset().union(*parts))
            return
        made = self.allocated(op.kind)
        for part in parts:
            self.state.fill(made, part)
        self.put(op.into, made)

    # Operators, calls, the end

    def _operate(self, op: code.Operate) -> None:
        parts = [self.get(part) for part in op.parts]
        found: Value = NOTHING
        for place, part in enumerate(parts):
            others = tuple(other for index, other in enumerate(parts) if index != place)
            found |= self.special(part, methods_of(op.name), others)
        if op.name in {"in_", "not_in"}:
            self.touch(parts[-1], defines=False)
            found |= self.special(self.state.inside(parts[-1]), ("__eq__",), (parts[0],))
        elif op.name in _LOOKING:
            for part in parts:
                self.touch(part, defines=False)
        if op.name.startswith("i") and op.name not in {"is_", "is_not", "in_", "invert"}:
            self._in_place(parts)
        self.put(op.into, self._result(op, parts, found))

    def _in_place(self, parts: list[Value]) -> None:
        """`a += b` changes a list, and gives a number another name."""
        if any(a[0] == "l" for a in parts[0]):
            self.touch(parts[0], defines=True)
            self.state.fill(parts[0], self.state.inside(parts[1]))

    def _result(self, op: code.Operate, parts: list[Value], found: Value) -> Value:
        if op.name in _COMPARISONS:
            return scalar("bool") | found
        containers = [part for part in parts if any(a[0] == "l" for a in part)]
        if containers:
            made = self.allocated(op.name)
            for part in containers:
                self.state.fill(made, self.state.inside(part))
            found |= made
            if op.name.startswith("i"):
                found |= frozenset(a for a in parts[0] if a[0] in {"p", "l"})
        if any(ANY in part for part in parts):
            return found | ANYTHING
        return found | frozenset(a for part in parts for a in part if a[0] == "k")

    def _call(self, op: code.Invoke) -> None:
        plain = tuple(self.get(a) for a in op.arguments)
        named = {name: self.get(a) for name, a in op.named}
        spread = tuple(self.get(a) for a in op.spread)
        for value in spread:
            self.touch(value, defines=False)
            self.special(value, ("__iter__", "keys", "__getitem__"), ())
        if op.base is not None:
            found = self.method(self.get(op.base), op.method, plain, named, spread)
        else:
            assert op.callee is not None
            found = self.called(self.get(op.callee), plain, named, spread)
        self.put(op.into, found)

    def _enter(self, op: code.Enter) -> None:
        base = self.get(op.base)
        found = self.special(base, ("__enter__", "__aenter__"), ())
        others = frozenset(a for a in base if a[0] != "i")
        if others:
            found |= others | (self.state.inside(others) if any(a[0] == "l" for a in others) else ANYTHING)
        self.put(op.into, found)

    def _give(self, op: code.Give) -> None:
        value = self.get(op.source)
        if self.current.role == "cached":
            place = (self.current.owner, self.current.name.rpartition(".")[2])
            self.event(defines=True, place=place, nearness=Nearness.RECEIVER)
        if self.current.generator:
            made = frozenset((("l", "generator", self.state.numbers[self.current]),))
            if op.element:
                self.state.fill(made, value)
            self.state.give(self.current, made)
        else:
            self.state.give(self.current, value)

    def _test(self, op: code.Decision) -> None:
        value = self.get(op.source)
        self.special(value, ("__bool__", "__len__"), ())
        self.touch(value, defines=False)

    # Registers

    def get(self, register: Reg) -> Value:
        """The values of a register of the current function."""
        return self.state.variable(self.current, register)

    def put(self, register: Reg, value: Value) -> None:
        """A register of the current function gets a value."""
        self.state.into(self.current, register, value)

    def element(self, base: Value) -> Value:
        """An element of a container; what is within a place stays within it."""
        found = self.state.inside(base)
        if all(a[0] == "k" for a in found):
            return found
        return found | deepened(base) | frozenset(a for a in base if a[0] == "p")

    _OPS: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        code.Const: _const,
        code.Load: _load,
        code.Store: _store,
        code.Imported: _imported,
        code.MakeFunction: _function,
        code.Narrow: _narrow,
        code.Get: _get,
        code.Set: _set,
        code.Item: _item,
        code.SetItem: _set_item,
        code.Each: _each,
        code.Make: _make,
        code.Operate: _operate,
        code.Invoke: _call,
        code.Enter: _enter,
        code.Give: _give,
        code.Decision: _test,
    }


_MOST_ROUNDS: Final = 40
"""Sets grow, and have a greatest size: it ends well before. What is left then is taken for unknown."""


@dataclass(frozen=True)
class Solved:
    """A program with what its nodes do.

    Attributes:
        trails: events and callees of every function.
        complete: whether the fixpoint was reached; else nothing of it is to be relied on.
    """

    program: LoweredModule
    hierarchy: Hierarchy
    state: FlowState
    trails: dict[Function, Trail]
    complete: bool


def solve(program: LoweredModule) -> Solved:
    """Interpret a program."""
    hierarchy = Hierarchy(program)
    state = FlowState(program, hierarchy)
    _annotations(state)
    for function in program.functions:
        _parameters(state, function)
    transfer = Transfer(state)
    trails: dict[Function, Trail] = {}
    try:
        complete = _rounds(state, transfer)
        if _orphans(state):
            complete = _rounds(state, transfer)
        for function in program.functions:
            transfer.trail = trails[function] = Trail()
            transfer.function(function)
    except TooManyCalls:
        complete = False
    return Solved(program, hierarchy, state, trails, complete)


def _rounds(state: FlowState, transfer: Transfer) -> bool:
    for _ in range(_MOST_ROUNDS):
        state.changed = False
        for function in state.program.functions:
            transfer.function(function)
        if not state.changed:
            return True
    return False


def _annotations(state: FlowState) -> None:
    for class_ in state.program.classes.values():
        for name, text in class_.fields.items():
            attribute = name.removeprefix("self.")
            value = state.annotated(text, class_.name, (class_.name, attribute))
            state.store((class_.name, attribute), value)


def _parameters(state: FlowState, function: Function) -> None:
    """The values of the parameters whoever calls the function."""
    for place, parameter in enumerate(function.parameters):
        if place == 0 and parameter.name == function.receiver and function.owner:
            value = _receiver(function)
        elif parameter.annotation:
            value = state.annotated(parameter.annotation, function.name, (function.name, parameter.name))
        elif _is_internal(function) and not parameter.kind:
            continue  # its callers are all here
        else:
            value = ANYTHING
        state.into(function, parameter.name, _packed(function, parameter, value, state))
    if function.returns:
        result = state.annotated(function.returns, function.name, (function.name, "return"))
        if ANYTHING <= result:
            result -= ANYTHING
        state.give(function, result)


def _receiver(function: Function) -> Value:
    kind = "c" if function.role == "classmethod" else "i"
    return frozenset(((kind, function.owner), SELF))


def _packed(function: Function, parameter: LoweredParameter, value: Value, state: FlowState) -> Value:
    if parameter.kind not in {"*", "**"}:
        return value
    made = frozenset((("l", "arguments", state.numbers[function], parameter.name),))
    state.fill(made, value)
    return made


def _is_internal(function: Function) -> bool:
    last = function.name.rpartition(".")[2]
    if function.role == "lambda" or "<locals>" in function.name:
        return True
    return last.startswith("_") and not last.endswith("__")


def _orphans(state: FlowState) -> bool:
    """Parameters that nobody here gives a value: somebody else does."""
    found = False
    for function in state.program.functions:
        for parameter in function.parameters:
            if not state.variable(function, parameter.name):
                state.into(function, parameter.name, ANYTHING)
                found = True
    return found
