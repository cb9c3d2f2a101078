"""Relevance of calls on an object to the code that gets it.

Define-use without types (JTestCraft 4.2): what the consumers of an object may read, through everything that
they may call by name, against what a call may write. A call that writes nothing of that, and nothing that a
call which does would read, is not worth a choice. Names stand for all functions of that name, so that the
answer errs on the side of "may matter"; where code looks at objects by other means than names, all may.

Likewise backward (`remedies`), from the condition that failed where an object can't be built: what it reads,
other calls may write. Each such call on an object that was drawn before is the same input with one more call.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from types import FunctionType, ModuleType, TracebackType
from typing import Final, TypeAlias

from tracetwin.analysis.effects.mutators import QUIET_METHODS
from tracetwin.analysis.sources import Definition, Source, read, text_of
from tracetwin.model import recipes
from tracetwin.support.data import dataclass

MOST_REMEDIES: Final = 4

MOST_TEXT: Final = 500_000
"""Letters of a project's modules that are read, besides those that the target itself uses."""

Consumer: TypeAlias = tuple[str, str]
"""Module and qualified name of something that gets an object."""

_LOOKING_ELSEWHERE = frozenset(
    "vars exec eval globals locals dir __dict__ __getattribute__ asdict astuple deepcopy copy dumps pickle"
    " attrgetter methodcaller getmembers".split()
)
"""Names of what looks at objects by other means than the names of their attributes."""

_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")

_BY_SYNTAX: dict[type[ast.AST], tuple[str, ...]] = {
    ast.With: ("__enter__", "__exit__"),
    ast.For: ("__iter__", "__next__"),
    ast.comprehension: ("__iter__", "__next__"),
    ast.Call: ("__call__", "__next__"),
    ast.AugAssign: ("__iadd__", "__isub__", "__imul__", "__iand__", "__ior__", "__ixor__", "__imatmul__"),
}
"""Special methods that may change something, and what calls them."""

_STORING = ("__setitem__", "__delitem__")

_NOT_IMPLICIT = {
    *(*_CONSTRUCTORS, *_STORING, "__setattr__", "__delattr__", "__getattr__", "__del__"),
    *(name for names in _BY_SYNTAX.values() for name in names if name != "__iter__"),
}


@dataclass
class AttributeAccess:
    """Attributes that code may read and write; `unknown` where that can't be told."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    unknown: bool = False


@dataclass(frozen=True)
class _Place:
    """A function or a part of one, and the class that it stands in."""

    node: ast.AST
    owner: str
    source: Source


class Relevance:
    """Reads and writes of code over the modules of one project. Everything is cached."""

    def __init__(self, module: str, source: Source) -> None:
        self._module = module
        self._source = source
        self._named: dict[str, list[_Place]] | None = None
        self._read: dict[str, Source] | None = None
        self._found: dict[tuple[str, ...], AttributeAccess] = {}
        self._direct: dict[int, tuple[AttributeAccess, list[_Place]]] = {}
        self._always: tuple[AttributeAccess, set[int]] | None = None

    def of(self, consumers: Iterable[Consumer]) -> AttributeAccess:
        """The reads and writes of some functions, methods or classes altogether."""
        total = AttributeAccess()
        for _, qualname in consumers:
            found = self.of_name(qualname)
            total.reads |= found.reads
            total.writes |= found.writes
            total.unknown |= found.unknown
        return total

    def of_name(self, qualname: str) -> AttributeAccess:
        """The reads and writes of a function, method, property or class when it is called."""
        key = (qualname,)
        if key not in self._found:
            starts = list(self._starts(qualname))
            self._found[key] = self._closure(starts) if starts else AttributeAccess(unknown=True)
        return self._found[key]

    def _starts(self, qualname: str) -> Iterator[_Place]:
        """The functions behind a qualified name; a method that is inherited stands in another class."""
        owner, _, name = qualname.removesuffix(".setter").rpartition(".")
        known = self._functions().get(name, [])
        exact = [place for place in known if place.owner == owner]
        yield from exact or [place for place in known if owner and place.owner]
        if not exact:
            yield from self._constructors(qualname)

    def _constructors(self, qualname: str) -> Iterator[_Place]:
        for name in _CONSTRUCTORS:
            for place in self._functions().get(name, []):
                if place.owner.rpartition(".")[2] == qualname.rpartition(".")[2]:
                    yield place

    def _functions(self) -> dict[str, list[_Place]]:
        """All functions of the project by their last name."""
        if self._named is None:
            self._named = {}
            for source in self._sources():
                for qualname, nodes in source.definitions.items():
                    owner, _, name = qualname.rpartition(".")
                    for node in nodes:
                        if not isinstance(node, ast.ClassDef):
                            self._named.setdefault(name, []).append(_Place(node, owner, source))
        return self._named

    def _sources(self) -> list[Source]:
        return [self._source, *self._others().values()]

    def _others(self) -> dict[str, Source]:
        """The sources of the project's other modules."""
        if self._read is None:
            loaded = [name for name in list(sys.modules) if name != self._module and recipes.is_traced(name)]
            self._read = {name: read(sys.modules[name]) for name in self._nearest(loaded)}
        return self._read

    def _nearest(self, loaded: list[str]) -> Iterator[str]:
        """Give the modules that are worth reading: those whose names the target holds before all others."""
        held = vars(sys.modules[self._module]).values() if self._module in sys.modules else ()
        used = {str(thing.__module__) for thing in list(held) if type(thing) in (FunctionType, type)}
        used |= {thing.__name__ for thing in list(held) if type(thing) is ModuleType}
        left = MOST_TEXT
        for name in sorted(loaded, key=lambda one: (one not in used, loaded.index(one))):
            left -= len(text_of(sys.modules[name]))
            if left > 0 or name in used:
                yield name

    def of_condition(self, module: str, line: int) -> AttributeAccess:
        """The reads of the condition that a line hangs on, as far as the line's own function says.

        That of an `assert`, of the `if` around a `raise`; of another statement, all that it reads itself.
        """
        key = (module, str(line))
        if key not in self._found:
            source = self._source if module == self._module else self._others().get(module)
            found = None if source is None else _deciding(source.tree, line)
            if source is None or found is None:
                self._found[key] = AttributeAccess()
            else:
                self._found[key] = self._closure([_Place(found, "", source)], implicit=False)
        return self._found[key]

    def _closure(self, starts: list[_Place], *, implicit: bool = True) -> AttributeAccess:
        found = AttributeAccess()
        seen: set[int] = set()
        if implicit:
            if self._always is None:
                self._always = (AttributeAccess(), set())
                self._walk(list(self._implicit()), *self._always)
            found = _copy(self._always[0])
            seen = set(self._always[1])
        self._walk(starts, found, seen)
        return found

    def _walk(self, waiting: list[_Place], found: AttributeAccess, seen: set[int]) -> None:
        """Add what code does and what it may call, but for what was seen."""
        while waiting:
            place = waiting.pop()
            key = id(place.node)
            if key in seen:
                continue
            seen.add(key)
            if key not in self._direct:
                own = AttributeAccess()
                self._direct[key] = (own, list(self._look_at(place, own)))
            own, called = self._direct[key]
            found.reads |= own.reads
            found.writes |= own.writes
            found.unknown |= own.unknown
            waiting += called

    def _implicit(self) -> Iterator[_Place]:
        """Special methods that operators and builtin functions call without changing anything."""
        for name, places in self._functions().items():
            if name.startswith("__") and name.endswith("__") and name not in _NOT_IMPLICIT:
                yield from places

    def _look_at(self, place: _Place, found: AttributeAccess) -> Iterator[_Place]:
        """Note what one function does; gives what it may call."""
        for node in _code_in(place.node):
            for name in _BY_SYNTAX.get(type(node), ()):
                yield from self._functions().get(name, [])
            if isinstance(node, ast.Attribute):
                yield from self._attribute(node, place, found)
            elif isinstance(node, ast.Name):
                found.unknown |= node.id in _LOOKING_ELSEWHERE
                yield from (other for other in self._functions().get(node.id, []) if not other.owner)
            elif isinstance(node, ast.Call):
                _note_call(node, found)
                yield from self._constructors(ast.unparse(node.func).rpartition(".")[2])
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
                found.reads.add(node.target.attr)
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                found.writes |= _held_in(node.value)
                for name in _STORING:
                    yield from self._functions().get(name, [])
            elif isinstance(node, ast.MatchClass):
                found.reads |= set(node.kwd_attrs)
                found.unknown |= bool(node.patterns)

    def _attribute(self, node: ast.Attribute, place: _Place, found: AttributeAccess) -> Iterator[_Place]:
        if not isinstance(node.ctx, ast.Load):
            found.writes.add(node.attr)
        else:
            found.reads.add(node.attr)
            found.unknown |= node.attr in _LOOKING_ELSEWHERE
        if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "super":
            yield from self._above(place, node.attr)
        elif node.attr not in _CONSTRUCTORS:
            yield from self._functions().get(node.attr, [])
        else:
            yield from self._constructors(ast.unparse(node.value))

    def _above(self, place: _Place, name: str) -> Iterator[_Place]:
        """A method of the base classes of the one that a function stands in."""
        waiting, seen = [place.owner.rpartition(".")[2]], set[str]()
        while waiting:
            cls = waiting.pop()
            if cls in seen:
                continue
            seen.add(cls)
            for node in self._classes_named(cls):
                bases = [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]
                for other in self._functions().get(name, []):
                    if other.owner.rpartition(".")[2] in bases:
                        yield other
                waiting += bases

    def _classes_named(self, name: str) -> Iterator[ast.ClassDef]:
        for source in {
            id(p.source): p.source for places in self._functions().values() for p in places
        }.values():
            for qualname, nodes in source.definitions.items():
                if qualname.rpartition(".")[2] == name:
                    yield from (node for node in nodes if _is_class(node))  # type: ignore[misc]


def _copy(access: AttributeAccess) -> AttributeAccess:
    return AttributeAccess(set(access.reads), set(access.writes), access.unknown)


def _code_in(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a function that run when it is called: neither annotations nor decorators."""
    body = node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else [node]
    for statement in body:
        yield from ast.walk(statement)


def _is_class(node: Definition) -> bool:
    return isinstance(node, ast.ClassDef)


def _note_call(node: ast.Call, found: AttributeAccess) -> None:
    """A call that may change what an attribute holds; one that reads or stores an attribute by its name."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr not in QUIET_METHODS:
        found.writes |= _held_in(function.value)
    if isinstance(function, ast.Name) and function.id in ("getattr", "setattr", "hasattr", "delattr"):
        name = node.args[1] if len(node.args) > 1 else None
        if isinstance(name, ast.Constant):
            (found.reads if function.id in ("getattr", "hasattr") else found.writes).add(str(name.value))
        else:
            found.unknown = True
    elif isinstance(function, ast.Name):
        for argument in node.args:  # an attribute handed to a callee may be changed by it
            if isinstance(argument, ast.Attribute):
                found.writes |= _held_in(argument)


def _held_in(node: ast.AST) -> set[str]:
    """The attributes along an access path: ``self.items[0].left`` gives items and left."""
    found: set[str] = set()
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        node = node.func if isinstance(node, ast.Call) else node.value
    return found


def _deciding(tree: ast.Module, line: int) -> ast.AST | None:
    """The innermost condition that a line depends on, or the statement in it."""
    found: ast.AST | None = None
    around: list[ast.stmt] = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    for node in around:  # outer statements come before inner ones
        if not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node, (ast.If, ast.While, ast.Assert)):
            found = node.test
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found = None
        elif not isinstance(node, (ast.Raise, ast.For, ast.With, ast.Try, ast.Match)):
            found = node
    return found


def remedies(
    openings: Sequence[tuple[str, Sequence[Collection[str]]]], error: BaseException, relevance: Relevance
) -> list[tuple[str, int]]:
    """Choices to take instead, the latest first: the name of each and its value.

    `openings` has for each object the name of its choice, and the attributes that each of its setup calls may
    write.
    """
    reads = _reads_of_failed_condition(error, relevance)
    found = [
        (name, index + 1)
        for name, words in reversed(openings)
        for index, writes in enumerate(words)
        if not reads.isdisjoint(writes)
    ]
    return found[:MOST_REMEDIES]


def _reads_of_failed_condition(error: BaseException, relevance: Relevance) -> set[str]:
    """The attributes that the innermost condition of the project's code reads that led to an exception."""
    found: set[str] = set()
    step: TracebackType | None = error.__traceback__
    while step is not None:
        module = str(step.tb_frame.f_globals.get("__name__", ""))
        found = relevance.of_condition(module, step.tb_lineno).reads or found
        step = step.tb_next
    return found
