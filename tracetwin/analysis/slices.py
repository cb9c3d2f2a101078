"""Backward slices: which lines of a function, and which calls, decide what a condition of it sees.

Values are followed from the condition to what gives them, as far as that can come to it: not from the other
arm of an `if`, nor from before something that gives the name another value in any case.
"""

from __future__ import annotations

import ast
import functools
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from tracetwin.analysis.entries import Definition
from tracetwin.analysis.sources import walk
from tracetwin.analysis.stores import Assignment, Assignments, bound, parts_of, span, stores, stores_of
from tracetwin.support.data import dataclass

MOST_KEPT: Final = 4096
"""Parts of functions of which it is remembered what they read."""


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
        near: parameters whose values come to the condition, by how many steps that takes.
        sources: calls that nothing from a parameter comes into, and whose values come to the condition; those
            that are only in what an object is given, or that are further off than an argument, are none.
    """

    lines: frozenset[int]
    names: frozenset[str]
    calls: tuple[tuple[int, str], ...]
    asked: tuple[ast.Call, ...] = ()
    parts: tuple[ast.AST, ...] = ()
    own: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    near: Mapping[str, int] = field(default_factory=dict)
    sources: frozenset[tuple[int, str]] = frozenset()


@dataclass(frozen=True)
class _Step:
    """A part of a function that comes to a condition.

    Attributes:
        steps: by how many of them it does.
        within: it only comes there in an object.
        changed: it may not be what decides, as the object that it makes is changed, or only holds it.
    """

    part: ast.expr
    steps: int
    within: bool = False
    changed: bool = False


def slice_of(function: Definition, line: int, around: Sequence[Definition] = ()) -> Slice:
    """Return what decides the conditions on a line, or where there is none its statement, by their names.

    `around` are the functions around the function, to whose variables it may refer.
    """
    conditions = list(_conditions(function, line)) or list(_statement(function, line))
    steps = _followed(conditions, [stores_of(one) for one in (function, *around)])
    parts = [one.part for one in steps]
    names = {name for part in parts for name in _names(part)}
    every = tuple(one for part in parts for one in walk(part))
    told = dict.fromkeys((one.lineno, ast.unparse(one.func)) for one in every if isinstance(one, ast.Call))
    asked = tuple(
        one for part in _conditions(function, line) for one in walk(part)
        if isinstance(one, ast.Call) and ast.unparse(one.func) == "isinstance"
    )  # fmt: skip
    known = list(_before(function, line))
    for outer in around:
        known += (node for node in walk(outer) if getattr(node, "lineno", 0) < function.lineno)
    parameters = frozenset(name for one in (function, *around) for name in _parameters(one))
    stored = frozenset(name for one in (function, *around) for name in stores_of(one).names())
    given = frozenset(names & _derived(parameters, known))
    near = _near(steps, parameters, stores_of(function))
    return Slice(
        frozenset(at for part in parts for at in span(part)), frozenset(names), tuple(told), asked, every,
        frozenset(names & (parameters | stored)), given, near, _sources(steps, given, near),
    )  # fmt: skip


def _followed(conditions: Sequence[ast.expr], known: Sequence[Assignments]) -> list[_Step]:
    """The parts of a function from which values come to some conditions, near ones first."""
    waiting = deque(_Step(one, 0) for one in conditions)
    found: dict[ast.expr, _Step] = {}
    while waiting:
        step = waiting.popleft()
        if step.part in found:
            continue
        found[step.part] = step
        for name in sorted(set(_names(step.part))):
            home = next((one for one in known if name in one.names()), None)
            if home is None:
                continue
            at, ways = _givers(home, step.part, name)
            changed = step.changed or any(way == _INTO for _, way in ways)
            for one, way in ways:
                gives = [one.value] if one.binds or one.calls else [one.target, one.value]
                within = step.within or way == _INTO
                waiting.extend(_Step(part, step.steps + 1, within, changed) for part in gives)
                if not any(map(_names, gives)):
                    decided = home.asked(one, at)
                    waiting.extend(_Step(part, step.steps + 2, within, changed) for part in decided)
    return list(found.values())


_BY_NAME = "by name"
_INTO = "into an object"


@functools.lru_cache(maxsize=MOST_KEPT)  # many conditions of a function hang on the same expressions
def _givers(home: Assignments, part: ast.expr, name: str) -> tuple[ast.Name, list[tuple[Assignment, str]]]:
    """The first place of a name in an expression, and the stores that come to be read there, and how."""
    at = next(one for one in walk(part) if isinstance(one, ast.Name) and one.id == name)
    reads = _Reads(part)
    return at, [(one, reads.way(one)) for one in home.seen(name, at, reads.way)[0]]


class _Reads:
    """The names that an expression reads, and which attributes of them, or the objects as a whole."""

    def __init__(self, part: ast.expr) -> None:
        parts = walk(part)
        self.names = frozenset(_names(part))
        self._read = {
            _text(one) for one in parts if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load)
        }
        inner = {one.value for one in parts if isinstance(one, ast.Attribute)}
        called = (one.func for one in parts if isinstance(one, ast.Call))
        owners = [one.value for one in called if isinstance(one, ast.Attribute)]
        plain = (one for one in parts if isinstance(one, ast.Name) and one not in inner)
        self._whole = {_text(one) for one in (*owners, *plain)}

    def way(self, store: Assignment) -> str:
        """Return how a store to one of the names may come to be read, "" where it can't."""
        if store.calls:
            plain = not isinstance(store.target, ast.Attribute)
            return _INTO if plain or _text(store.target) in self._read else ""
        ways = {self._way(part) for part in parts_of(store.target)}
        return _BY_NAME if _BY_NAME in ways else next(iter(ways - {""}), "")

    def _way(self, target: ast.expr) -> str:
        if isinstance(target, ast.Name):
            return _BY_NAME if target.id in self.names else ""
        if isinstance(target, ast.Attribute):
            text = _text(target)
            if any(f"{one}.".startswith(f"{text}.") for one in self._read):
                return _BY_NAME
            return _INTO if any(text.startswith(f"{one}.") for one in self._whole) else ""
        if not isinstance(target, (ast.Subscript, ast.Starred)):
            return ""  # such as what a call returns: no name gets it
        return _INTO if self._way(target.value) else ""


@functools.lru_cache(maxsize=MOST_KEPT)
def _text(node: ast.expr) -> str:
    return ast.unparse(node)


def _near(steps: Sequence[_Step], parameters: Collection[str], stores: Assignments) -> dict[str, int]:
    """The parameters whose values come to a condition, with the steps; else those that come in objects."""
    found: dict[bool, dict[str, int]] = {False: {}, True: {}}
    for step in steps:
        items = (one for one in walk(step.part) if isinstance(one, ast.Subscript))
        places = {one for item in items for one in walk(item.slice)}
        for one in walk(step.part):  # a place in something only says which part of that it is
            known = isinstance(one, ast.Name) and one.id in parameters and one not in places
            if isinstance(one, ast.Name) and known and not stores.is_given(one.id, one):
                found[step.within].setdefault(one.id, step.steps)
    return found[False] or found[True]


def _sources(
    steps: Sequence[_Step], given: frozenset[str], near: Mapping[str, int]
) -> frozenset[tuple[int, str]]:
    """The calls that are to blame for what a condition sees."""
    last = min((at for name, at in near.items() if name not in ("self", "cls")), default=len(steps)) + 1
    return frozenset(
        (one.lineno, ast.unparse(one.func))
        for step in steps if not step.changed and step.steps <= last
        for one in walk(step.part)
        if isinstance(one, ast.Call) and given.isdisjoint(_names(one)) and not _is_new(one)
    )  # fmt: skip


def _is_new(call: ast.Call) -> bool:
    """Return whether a call makes an object of a class, and what it is later is what others make of it."""
    name = ast.unparse(call.func).rpartition(".")[2]
    return name[:1].isupper() and not (call.args or call.keywords)


@functools.lru_cache(maxsize=MOST_KEPT)
def _names(part: ast.AST) -> tuple[str, ...]:
    return tuple(one.id for one in walk(part) if isinstance(one, ast.Name))


def _parameters(function: Definition) -> Iterator[str]:
    return (one.arg for one in walk(function.args) if isinstance(one, ast.arg))


def _derived(names: frozenset[str], known: Sequence[ast.AST]) -> frozenset[str]:
    """Some names, and those whose values are made from them, or where they decide."""
    pairs = [pair for node in known for pair in _pairs(node)]
    size = -1
    while size != len(names):
        size = len(names)
        names = names.union(*(targets for targets, made_from in pairs if not names.isdisjoint(made_from)))
    return names


@functools.lru_cache(maxsize=MOST_KEPT)
def _pairs(node: ast.AST) -> tuple[tuple[set[str], frozenset[str]], ...]:
    """The names that a statement, or its condition, gives values, with those that these are made from."""
    pairs = [(bound(target), frozenset(_names(value))) for target, value in stores(node)]
    if (test := getattr(node, "test", None) or getattr(node, "iter", None)) is not None:
        inside = (pair for part in walk(node) for pair in stores(part))
        pairs += ((bound(target), frozenset(_names(test))) for target, _ in inside)
    return tuple(pairs)


def _before(function: Definition, line: int) -> Iterator[ast.AST]:
    """Yield what may run before a line: what stands there, and all that is in a loop around it."""
    loops = (node for node in walk(function) if isinstance(node, (ast.For, ast.AsyncFor, ast.While)))
    last = max([line, *((one.end_lineno or 0) for one in loops if line in span(one))])
    return (node for node in walk(function) if getattr(node, "lineno", 0) <= last)


def _conditions(function: Definition, line: int) -> Iterator[ast.expr]:
    return (part for lines, part in _asked(function) if line in lines)


@functools.lru_cache(maxsize=MOST_KEPT)
def _asked(function: Definition) -> list[tuple[range, ast.expr]]:
    """The conditions in a function, with their lines."""
    parts = (getattr(node, name, None) for node in walk(function) for name in ("test", "iter", "subject"))
    return [(span(part), part) for part in parts if isinstance(part, ast.expr)]


def _statement(function: Definition, line: int) -> Iterator[ast.expr]:
    """The expressions of the innermost statement around a line."""
    around = (node for node in walk(function) if isinstance(node, ast.stmt) and line in span(node))
    found = max(around, key=lambda node: node.lineno, default=function)
    if found is not function:
        yield from (part for part in ast.iter_child_nodes(found) if isinstance(part, ast.expr))
        yield from (item.context_expr for item in getattr(found, "items", ()))
