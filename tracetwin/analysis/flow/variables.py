"""Definition-use pairs of variables: locals of each function, and globals that functions assign.

The classical pairs (Rapps and Weyuker, "Selecting Software Test Data Using Data Flow Information", 1985),
told by lines: a definition, a use, and a way through the control-flow graph between them that does not define
the variable anew. Of a global the way may lead out of one function and into another.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias, TypeVar

from instrumenter.lowering.code import (
    ENTRY,
    EXIT,
    RAISED,
    Function,
    Load,
    LoweredModule,
    Narrow,
    Store,
    Unreadable,
)
from tracetwin.analysis.flow.bodies import registers_of


class VariablePair(NamedTuple):
    """A definition and a use of one variable.

    Attributes:
        function: qualified name of the function of the use.
        define: the line of the definition; 0 for a parameter, or what a global was after the import.
        use: the line of the use.
    """

    function: str
    variable: str
    define: int
    use: int


_Op = TypeVar("_Op", Load, Store, Narrow)
_Defined: TypeAlias = "frozenset[int]"
"""The lines of the definitions that reach a place."""


@functools.lru_cache(maxsize=4)
def variable_pairs(source: bytes, module: str) -> tuple[VariablePair, ...]:
    """Return all pairs of a module's functions, in the order of the text; none where that can't be read."""
    from instrumenter.lowering.lower import lower  # libcst is slow to load

    try:
        program = lower(source, module)
    except Unreadable:
        return ()
    functions = [one for one in program.functions if one.role not in _NO_FUNCTIONS and not one.made]
    found = {pair for function in functions for pair in _of_locals(function, program)}
    found.update(_of_globals(functions))
    lines = {function.name: function.first_line for function in functions}
    return tuple(sorted(found, key=lambda pair: (lines[pair.function], pair.variable, pair.define, pair.use)))


_NO_FUNCTIONS = frozenset(("module", "class body", "lambda"))


def _of_locals(function: Function, program: LoweredModule) -> Iterator[VariablePair]:
    parameters = {one.name for one in function.parameters}
    for name in sorted(function.variables - {function.receiver} - _told_by_others(function, program)):
        stores = {number for number, op in _ops(function, Store) if op.place is function and op.name == name}
        reaching = _reaching(function, stores, frozenset({0} if name in parameters else ()))
        for number in _uses(function, name):
            for line in reaching[number]:
                yield VariablePair(function.name, name, line, function.nodes[number].line)


def _uses(function: Function, name: str) -> set[int]:
    """The nodes that read a variable: where its type was asked for, they read what is known to be of that."""
    own = (row for row in _ops(function, Load) if row[1].place is function and row[1].name == name)
    loads = {op.into: number for number, op in own}
    known = {op.into for _, op in _ops(function, Narrow) if op.source in loads}
    found = {
        number
        for number, node in enumerate(function.nodes)
        if not isinstance(node.op, Narrow) and known.intersection(registers_of(node.op, function))
    }
    return {number for number in found.union(loads.values()) if function.nodes[number].line}


def _told_by_others(function: Function, program: LoweredModule) -> set[str]:
    """The variables that functions within it assign, and those that share names with a comprehension's."""
    inner = (
        op.name
        for other in program.functions
        if other is not function
        for _, op in _ops(other, Store)
        if op.place is function
    )
    return {*inner, *(part for name in function.variables if " " in name for part in (name, name.split()[0]))}


def _of_globals(functions: list[Function]) -> Iterator[VariablePair]:
    stored: dict[str, dict[Function, set[int]]] = {}
    for function in functions:
        for number, op in _ops(function, Store):
            if op.place is None:
                stored.setdefault(op.name, {}).setdefault(function, set()).add(number)
    for name, own in sorted(stored.items()):
        outside = {0}
        for function, stores in own.items():
            reaching = _reaching(function, stores, frozenset())
            outside |= reaching[EXIT] | reaching[RAISED]
        for function in functions:
            reaching = _reaching(function, own.get(function, set()), frozenset(outside))
            for number, load in _ops(function, Load):
                if load.place is None and load.name == name:
                    for line in reaching[number]:
                        yield VariablePair(function.name, name, line, function.nodes[number].line)


def _ops(function: Function, kind: type[_Op]) -> Iterator[tuple[int, _Op]]:
    return ((number, node.op) for number, node in enumerate(function.nodes) if isinstance(node.op, kind))


def _reaching(function: Function, stores: set[int], entry: _Defined) -> list[_Defined]:
    """Return for each node the definitions of one variable that reach it (Aho and others, section 9.2.4)."""
    nodes = function.nodes
    found: list[_Defined] = [frozenset()] * len(nodes)
    found[ENTRY] = entry
    waiting = deque([ENTRY])
    seen = {ENTRY}
    while waiting:
        number = waiting.popleft()
        node, before = nodes[number], found[number]
        after = before
        if number in stores:
            deleted = getattr(node.op, "source", 0) is None
            after = frozenset() if deleted else frozenset({node.line})
        for target, given in [(one, after) for one in node.after] + [(node.fails, before)]:
            if target >= 0 and (target not in seen or not given <= found[target]):
                found[target] |= given
                seen.add(target)
                waiting.append(target)
    return found
