"""Pairs that constants rule out: what was set together with the definition keeps the use from being reached.

Constants are followed from the definition to the end of its method, through any number of further calls
that do not redefine the attribute, and into the method of the use. Only where no path is left the pair is
infeasible.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from instrumenter.lowering import code
from instrumenter.lowering.code import EXIT, RAISED, UNKNOWN, Instruction
from tracetwin.analysis.flow.graph import Action, ClassGraph, Spot
from tracetwin.analysis.flow.surroundings import may_raise

Env: TypeAlias = "dict[Any, Any]"
"""Known constants: registers, variables, and attributes as ``("self", name)``."""

_MOST_STEPS: Final = 40_000
"""Nodes interpreted per class; what is not decided by then stays open."""

_FOLDED: Final[dict[str, Callable[..., Any]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "iadd": operator.add,
    "isub": operator.sub,
    "mul": operator.mul,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
    "is_": operator.is_,
    "is_not": operator.is_not,
    "not_": operator.not_,
    "neg": operator.neg,
}
_SIMPLE: Final = (int, bool, str, type(None))


class Constants:
    """Constant propagation over one class."""

    def __init__(self, graph: ClassGraph) -> None:
        self.graph = graph
        self.steps = 0
        self._states: dict[tuple[str, Spot], Env | None] = {}
        self._reached: dict[tuple[str, Spot], set[tuple[str, Spot]]] = {}

    def obstacle(self, attribute: str, definition: Spot, use: Spot) -> str:
        """The reason why a use can't be reached from a definition, "" if it may be."""
        key = (attribute, definition)
        if key not in self._states:
            if self.steps > _MOST_STEPS:
                return ""
            self._states[key] = self._between(attribute, definition)
            state = self._states[key]
            self._reached[key] = set() if state is None else self._uses_from(state, attribute)
        state = self._states[key]
        if state is None or (attribute, use) in self._reached[key] or self.steps > _MOST_STEPS:
            return ""
        return self._reason(state, attribute, use)

    def _reason(self, state: Env, attribute: str, use: Spot) -> str:
        """The attribute without whose constant the use could be reached."""
        names = sorted(key[1] for key in state)
        for name in sorted(names, key=lambda n: n == attribute):
            less = {key: value for key, value in state.items() if key[1] != name}
            if (attribute, use) in self._uses_from(less, attribute):
                value = state["self", name]
                if name == attribute:
                    return f"needs another value than {value!r}"
                if not value:
                    made = "false" if value is False else repr(value)
                    return f"needs {name}, which was made {made} together with it"
                return f"needs another {name} than {value!r}, which was set together with it"
        known = ", ".join(f"{key[1]} = {value!r}" for key, value in sorted(state.items()))
        return f"can't be reached with {known}"

    def _between(self, attribute: str, definition: Spot) -> Env | None:
        """The constants in every state in which the definition still holds; None: nothing is constant."""
        number, node = definition
        constructor = number in self.graph.constructors
        if number in self.graph.called or not (constructor or number in self.graph.entries):
            return None  # its caller goes on after it
        if number in self.graph.loose:
            return None
        before = self._run(number, {}, "", 0)
        if node not in before:
            return None
        ends = self._ends(self._run(number, before[node], attribute, node), returned=constructor)
        state = _attributes(ends)
        while state:
            following = state
            for entry in (*self.graph.entries, *sorted(self.graph.loose)):
                end = self._end(entry, following, attribute)
                if end is not None:
                    following = _met(following, _attributes(end) or {})
            if following == state:
                return state
            state = following
        return None

    def _uses_from(self, state: Env, attribute: str) -> set[tuple[str, Spot]]:
        """The uses of the attribute that can be reached from a state without redefining it."""
        found: set[tuple[str, Spot]] = set()
        for entry in self.graph.entries:
            for node in self._run(entry, state, attribute, 0):
                action = self.graph.actions[entry].get(node)
                if action is not None:
                    found |= {(name, (entry, node)) for name in action.uses if name == attribute}
                    for callee in action.callees:
                        found |= self.graph.summaries[callee].exposed
        return found

    def _end(self, entry: int, state: Env, attribute: str) -> Env | None:
        """The constants that a call leaves, None if it always defines the attribute."""
        if entry not in self.graph.loose:
            return self._ends(self._run(entry, state, attribute, 0))
        spoiled = self.graph.flow.spoiled(entry)
        return (
            {} if spoiled is None else {key: value for key, value in state.items() if key[1] not in spoiled}
        )

    def _ends(self, states: dict[int, Env], *, returned: bool = False) -> Env | None:
        ends = [states[end] for end in ((EXIT,) if returned else (EXIT, RAISED)) if end in states]
        if not ends:
            return None
        return ends[0] if len(ends) == 1 else _met(ends[0], ends[1])

    def _run(self, number: int, state: Env, attribute: str, start: int) -> dict[int, Env]:
        """The constants before each node that is reached from `start` without redefining the attribute."""
        nodes = self.graph.solved.program.functions[number].nodes
        actions = self.graph.actions[number]
        states: dict[int, Env] = {start: state}
        waiting = [start]
        first = bool(start)  # the definition itself
        while waiting:
            node = waiting.pop()
            self.steps += 1
            action = actions.get(node)
            if attribute and not first and action is not None and self._redefines(action, attribute):
                continue
            first = False
            after = self._through(number, node, action, states[node])
            raises = may_raise(nodes[node].op) if action is None else action.raises
            for target, env in self._edges(nodes[node], states[node], after, raises=raises):
                known = states.get(target)
                joined = env if known is None else _met(known, env)
                if joined != known or known is None:
                    states[target] = joined
                    waiting.append(target)
        return states

    def _redefines(self, action: Action, attribute: str) -> bool:
        if attribute in action.kills:
            return True
        return action.certain and all(attribute not in self.graph.summaries[c].clear for c in action.callees)

    def _edges(self, node: Instruction, before: Env, after: Env, *, raises: bool) -> list[tuple[int, Env]]:
        edges = [(target, after) for target in node.after]
        if isinstance(node.op, code.Decision) and node.op.source in before and len(edges) == 2:
            edges = [edges[0 if before[node.op.source] else 1]]
        if node.fails >= 0 or raises:
            edges.append((node.fails if node.fails >= 0 else RAISED, _met(before, after)))
        return edges

    def _through(self, number: int, node: int, action: Action | None, before: Env) -> Env:
        after = dict(before)
        op = self.graph.solved.program.functions[number].nodes[node].op
        if action is not None:
            self._spoil(action, self.graph.flow.spoiled_at(number, node), after)
        value = self._value(op, action, before)
        into: Any = getattr(op, "into", None)
        if isinstance(op, code.Store):
            into, value = op.name, UNKNOWN if op.source is None else before.get(op.source, UNKNOWN)
        elif isinstance(op, code.Set) and action is not None and action.kills:
            into = ("self", action.defines[0])
            value = UNKNOWN if op.source is None else before.get(op.source, UNKNOWN)
        if into is not None:
            if value is UNKNOWN:
                after.pop(into, None)
            else:
                after[into] = value
        return after

    def _spoil(self, action: Action, others: frozenset[str] | None, env: Env) -> None:
        spoiled = None if action.spoils is None or others is None else action.spoils | others
        for key in [k for k in env if isinstance(k, tuple)]:
            if spoiled is None or key[1] in spoiled:
                del env[key]

    def _value(self, op: code.Op, action: Action | None, env: Env) -> Any:
        match op:
            case code.Const(value=value) if type(value) in _SIMPLE:
                return value
            case code.Load(name=name, place=place) if place is not None:
                return env.get(name, UNKNOWN)
            case code.Get() if action is not None and len(action.uses) == 1 and not action.callees:
                return env.get(("self", action.uses[0]), UNKNOWN) if action.sure else UNKNOWN
            case code.Operate(name=name, parts=parts) if name in _FOLDED and all(p in env for p in parts):
                return _folded(name, [env[p] for p in parts])
            case _:
                return UNKNOWN


def _folded(name: str, values: list[Any]) -> Any:
    try:
        result = _FOLDED[name](*values)
    except TypeError:
        return UNKNOWN
    if type(result) not in _SIMPLE or (isinstance(result, str) and len(result) > 100):
        return UNKNOWN
    return UNKNOWN if isinstance(result, int) and abs(result) > 1 << 64 else result


def _met(one: Env, other: Env) -> Env:
    """The constants that both know, with the same type."""
    return {
        key: value
        for key, value in one.items()
        if key in other and type(other[key]) is type(value) and other[key] == value
    }


def _attributes(env: Env | None) -> Env:
    return {} if env is None else {key: value for key, value in env.items() if isinstance(key, tuple)}
