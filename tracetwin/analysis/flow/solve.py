"""The fixpoint: functions are interpreted until nothing new is found, then once more to take notes."""

from __future__ import annotations

from typing import Final

from instrumenter.lowering.code import Function, LoweredModule, LoweredParameter
from tracetwin.analysis.flow.hierarchy import Hierarchy
from tracetwin.analysis.flow.state import ANYTHING, SELF, FlowState, Value
from tracetwin.analysis.flow.trail import Trail
from tracetwin.analysis.flow.transfer import Transfer
from tracetwin.support.data import dataclass

_MOST_ROUNDS: Final = 40
"""Sets grow, and have a greatest size: it ends well before. What is left then is taken for unknown."""


@dataclass(frozen=True)
class Solved:
    """A program with what its nodes do.

    Attributes:
        trails: events and callees of every function.
        complete: whether the fixpoint was reached.
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
    complete = _rounds(state, transfer)
    if _orphans(state):
        complete = _rounds(state, transfer)
    trails: dict[Function, Trail] = {}
    for function in program.functions:
        transfer.trail = trails[function] = Trail()
        transfer.function(function)
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
