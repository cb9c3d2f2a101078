"""Backward slices: which lines of a function, and which calls, decide what a condition of it sees."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from tracetwin.analysis.entries import Definition
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Slice:
    """The part of a function that decides a condition.

    Attributes:
        lines: those of the condition, and of what gives values to the names in it.
        names: all names that are read there.
        calls: what is called there, as it is written, with the lines.
        asked: calls of `isinstance` in the condition itself.
        parts: the syntax of all that.
        own: those of the names that stand for something else in each call.
        given: those of them that come from a parameter, or are one.
    """

    lines: frozenset[int]
    names: frozenset[str]
    calls: tuple[tuple[int, str], ...]
    asked: tuple[ast.Call, ...] = ()
    parts: tuple[ast.AST, ...] = ()
    own: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()

    @property
    def sources(self) -> frozenset[tuple[int, str]]:
        """Return the calls that nothing from a parameter comes into."""
        return frozenset(
            (one.lineno, ast.unparse(one.func)) for one in self.parts
            if isinstance(one, ast.Call) and self.given.isdisjoint(_names(one))
        )  # fmt: skip


def slice_of(function: Definition, line: int, around: Sequence[Definition] = ()) -> Slice:
    """Return what decides the conditions on a line, or where there is none its statement, by their names.

    `around` are the functions around the function, to whose variables it may refer.
    """
    parts = list(_conditions(function, line)) or list(_statement(function, line))
    known = list(_before(function, line))
    for outer in around:
        known += (node for node in ast.walk(outer) if getattr(node, "lineno", 0) < function.lineno)
    size = -1
    while size != len(parts):
        size = len(parts)
        names = {name for part in parts for name in _names(part)}
        nodes = (one for part in parts for one in ast.walk(part))
        loads = (one for one in nodes if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load))
        read = {ast.unparse(one) for one in loads}
        found = (part for node in known for part in _given(node, names, read))
        parts = list(dict.fromkeys([*parts, *found]))
    every = tuple(one for part in parts for one in ast.walk(part))
    told = dict.fromkeys((one.lineno, ast.unparse(one.func)) for one in every if isinstance(one, ast.Call))
    asked = tuple(
        one for part in _conditions(function, line) for one in ast.walk(part)
        if isinstance(one, ast.Call) and ast.unparse(one.func) == "isinstance"
    )  # fmt: skip
    parameters = frozenset(name for one in (function, *around) for name in _parameters(one))
    stored = frozenset(name for one in (function, *around) for name in _stored(one))
    return Slice(
        frozenset(at for part in parts for at in _span(part)), frozenset(names), tuple(told), asked, every,
        frozenset(names & (parameters | stored)), frozenset(names & _derived(parameters, known)),
    )  # fmt: skip


def _names(part: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(part) if isinstance(one, ast.Name))


def _parameters(function: Definition) -> Iterator[str]:
    return (one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg))


def _stored(function: Definition) -> Iterator[str]:
    nodes = (one for one in ast.walk(function) if isinstance(one, ast.Name))
    return (one.id for one in nodes if isinstance(one.ctx, ast.Store))


def _derived(names: frozenset[str], known: Sequence[ast.AST]) -> frozenset[str]:
    """Some names, and those whose values are made from them, or where they decide."""
    pairs = [(_bound(target), frozenset(_names(value))) for node in known for target, value in _stores(node)]
    for node in known:
        if (test := getattr(node, "test", None) or getattr(node, "iter", None)) is not None:
            inside = (pair for part in ast.walk(node) for pair in _stores(part))
            pairs += ((_bound(target), frozenset(_names(test))) for target, _ in inside)
    size = -1
    while size != len(names):
        size = len(names)
        names = names.union(*(targets for targets, made_from in pairs if not names.isdisjoint(made_from)))
    return names


def _stores(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets that a node gives values, with what these are made from."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.comprehension, ast.For, ast.AsyncFor)):
        yield node.target, node.iter
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr


def _before(function: Definition, line: int) -> Iterator[ast.AST]:
    """Yield what may run before a line: what stands there, and all that is in a loop around it."""
    loops = (node for node in ast.walk(function) if isinstance(node, (ast.For, ast.AsyncFor, ast.While)))
    last = max([line, *((one.end_lineno or 0) for one in loops if line in _span(one))])
    return (node for node in ast.walk(function) if getattr(node, "lineno", 0) <= last)


def _conditions(function: Definition, line: int) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        for name in ("test", "iter", "subject"):
            part = getattr(node, name, None)
            if isinstance(part, ast.expr) and line in _span(part):
                yield part


def _statement(function: Definition, line: int) -> Iterator[ast.expr]:
    """The expressions of the innermost statement around a line."""
    around = (node for node in ast.walk(function) if isinstance(node, ast.stmt) and line in _span(node))
    found = max(around, key=lambda node: node.lineno, default=function)
    if found is not function:
        yield from (part for part in ast.iter_child_nodes(found) if isinstance(part, ast.expr))
        yield from (item.context_expr for item in getattr(found, "items", ()))


def _span(node: ast.AST) -> range:
    first = getattr(node, "lineno", 0)
    return range(first, (getattr(node, "end_lineno", None) or first) + 1)


def _given(node: ast.AST, names: set[str], read: Collection[str]) -> tuple[ast.expr, ...]:
    """The expressions with which a node gives a value to one of some names, or may change what it holds."""
    for target, value in _stores(node):
        if _bound(target) & names:
            return (value,) if isinstance(node, ast.withitem) else (target, value)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return (node.value,) if _changes(node.value.func, names, read) else ()
    return ()


def _changes(called: ast.expr, names: Collection[str], read: Collection[str]) -> bool:
    """Return whether a call as a command may change what some names, or attributes, stand for."""
    owner = called.value if isinstance(called, ast.Attribute) else called
    return root_of(owner) in names and (not isinstance(owner, ast.Attribute) or ast.unparse(owner) in read)


def _bound(target: ast.expr) -> set[str]:
    """The names that an assignment gives a value, or whose object it changes."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return {root_of(part) for part in parts} - {""}


def root_of(node: ast.expr) -> str:
    """Return the name that an expression such as `a.b[0].c` begins with, "" for others."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
