"""Mentions in a piece of source: names of its module, attributes of objects, and those of its own class."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final, TypeAlias

from tracetwin.analysis.sources import receiver_of
from tracetwin.support.data import dataclass

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES: Final = (*DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

BUILT_IN: Final = frozenset("bool bytes dict float frozenset int list set str tuple".split())
"""Types whose attributes are none of the module's."""

_OF_OBJECTS: Final = frozenset(("getattr", "hasattr", "setattr", "delattr"))
_TYPING: Final = frozenset(("cast", "TypeVar", "NewType", "ForwardRef"))
_TAKING_NAMES: Final = _OF_OBJECTS | _TYPING | {"attrgetter", "methodcaller"}
"""Functions that take the names of attributes or types."""

_LITERALS: Final = (
    *(ast.Constant, ast.JoinedStr, ast.Dict, ast.List, ast.Set, ast.Tuple),
    *(ast.DictComp, ast.ListComp, ast.SetComp),
)


@dataclass
class Mentions:
    """Words that stand for whatever has them.

    Attributes:
        names: free names, of the module that mentions them.
        anywhere: attributes of objects that may be anything, and names in quotes.
        of_class: attributes of objects of a class, with its name.
        of_name: attributes of what a name of the module stands for, with that name.
        stored: attributes that are only stored, each with a class or "".
        starting: beginnings of attributes that are computed, each with a class or "".
    """

    names: set[str] = field(default_factory=set)
    anywhere: set[str] = field(default_factory=set)
    of_class: set[tuple[str, str]] = field(default_factory=set)
    of_name: set[tuple[str, str]] = field(default_factory=set)
    stored: set[tuple[str, str]] = field(default_factory=set)
    starting: set[tuple[str, str]] = field(default_factory=set)

    @property
    def words(self) -> set[str]:
        """Return all words."""
        return self.names | self.anywhere | {word for _, word in (*self.of_name, *self.of_class)}

    def add(self, other: Mentions) -> None:
        """Mention what another one does, too."""
        self.names |= other.names
        self.anywhere |= other.anywhere
        self.of_class |= other.of_class
        self.of_name |= other.of_name
        self.stored |= other.stored
        self.starting |= other.starting


def mentions(node: ast.AST, owner: str = "") -> Mentions:
    """Return what a statement mentions; in a method of `owner` its first parameter is an object of that."""
    found = Mentions()
    receiver = (receiver_of(node) or "") if owner and isinstance(node, Function) else ""
    _Look(found, owner, receiver).visit(node, {})
    return found


class _Look:
    """A walk through a statement that knows which names are local, and of which class some of them are."""

    def __init__(self, found: Mentions, owner: str, receiver: str) -> None:
        self._found = found
        self._owner = owner
        self._receiver = receiver
        self._changing = False

    def visit(self, node: ast.AST, known: Mapping[str, str]) -> None:
        """Note what a node mentions. `known`: local names with their class, "" where it may be any."""
        if isinstance(node, ast.Name):
            if node.id not in known:
                self._found.names.add(node.id)
            return
        if isinstance(node, ast.Attribute):
            self._attribute(node, known)
        elif isinstance(node, ast.ImportFrom):
            self._found.anywhere.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Call):
            self._looked_up(node, known)
        self._quoted(getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(node, _SCOPES):
            self._scope(node, known)
            return
        for inner in ast.iter_child_nodes(node):
            self._changing = isinstance(node, ast.AugAssign)  # reads what it stores
            self.visit(inner, known)

    def _scope(self, node: ast.AST, known: Mapping[str, str]) -> None:
        inside = _inside(node)
        within = {*map(id, inside)}
        local = {} if isinstance(node, ast.ClassDef) else _locals(node, inside)
        for inner in ast.iter_child_nodes(node):
            self.visit(inner, {**known, **local} if id(inner) in within else known)

    def _attribute(self, node: ast.Attribute, known: Mapping[str, str]) -> None:
        kind = self._kind(node.value, known)
        if kind in BUILT_IN:
            return
        if not isinstance(node.ctx, ast.Load) and not self._changing:
            self._found.stored.add((kind, node.attr))
        elif kind:
            self._found.of_class.add((kind, node.attr))
        elif isinstance(node.value, ast.Name) and node.value.id not in known:
            self._found.of_name.add((node.value.id, node.attr))
        else:
            self._found.anywhere.add(node.attr)

    def _kind(self, value: ast.expr, known: Mapping[str, str]) -> str:
        """Return the class of an object, "" where it may be any."""
        if isinstance(value, _LITERALS):
            return "str"
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            called = value.func.id
            return self._owner if called == "super" else called if called in BUILT_IN - known.keys() else ""
        if isinstance(value, ast.Name):
            return self._owner if value.id == self._receiver != "" else known.get(value.id, "")
        return ""

    def _looked_up(self, node: ast.Call, known: Mapping[str, str]) -> None:
        """Note the attributes, or types, that a call takes by their names."""
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called not in _TAKING_NAMES:
            return
        of_object = called in _OF_OBJECTS
        kind = self._kind(node.args[0], known) if of_object and node.args else ""
        given = [*node.args[1:2]] if of_object else [*node.args, *(one.value for one in node.keywords)]
        self._quoted(*given)
        if called not in _TYPING and kind not in BUILT_IN:
            computed = (one for one in given if not isinstance(one, ast.Constant))
            self._found.starting.update((kind, _beginning(one)) for one in computed)

    def _quoted(self, *given: ast.AST | None) -> None:
        """Note the names in texts."""
        for node in (inner for one in given if one is not None for inner in ast.walk(one)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                self._found.anywhere.update(_words(node.value))


def _inside(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a scope that see its local names."""
    if isinstance(node, (*DEFINITIONS, ast.Lambda)):
        body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
        return body
    return [*ast.iter_child_nodes(node)]


def _locals(scope: ast.AST, inside: Iterable[ast.AST]) -> dict[str, str]:
    """Return the names that a function or a comprehension binds, with their class where all agree."""
    kinds: dict[str, set[str]] = {}
    everyones: set[str] = set()
    if isinstance(scope, (*DEFINITIONS, ast.Lambda)) and not isinstance(scope, ast.ClassDef):
        given = scope.args
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs):
            kinds.setdefault(one.arg, set()).add(_annotated(one.annotation))
        for rest, kind in ((given.vararg, "tuple"), (given.kwarg, "dict")):
            if rest is not None:
                kinds.setdefault(rest.arg, set()).add(kind)
    for node in _own_nodes(inside):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            everyones.update(node.names)
        for name, kind in _bound(node):
            kinds.setdefault(name, set()).add(kind)
    return {
        name: next(iter(all_of)) if len(all_of) == 1 else ""
        for name, all_of in kinds.items() if name not in everyones
    }  # fmt: skip


def _own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a scope without those of scopes within."""
    for node in nodes:
        yield node
        if not isinstance(node, _SCOPES):
            yield from _own_nodes(ast.iter_child_nodes(node))


def _bound(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that a node binds, with the class of what they get."""
    if isinstance(node, ast.Assign) and all(isinstance(one, ast.Name) for one in node.targets):
        made = node.value.func if isinstance(node.value, ast.Call) else None
        kind = made.id if isinstance(made, ast.Name) and made.id in BUILT_IN else ""
        kind = "str" if isinstance(node.value, _LITERALS) else kind
        yield from ((one.id, kind) for one in node.targets if isinstance(one, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, _annotated(node.annotation)
    elif isinstance(node, DEFINITIONS):
        yield node.name, ""
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (((one.asname or one.name).partition(".")[0], "") for one in node.names)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        yield from [(name, "")] if name else []
    else:
        yield from ((one, "") for one in _stored(node))


def _stored(node: ast.AST) -> Iterator[str]:
    """Yield the names in the targets of a statement."""
    many = isinstance(node, ast.Assign) and not all(isinstance(one, ast.Name) for one in node.targets)
    targets = node.targets if many and isinstance(node, ast.Assign) else []
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension, ast.NamedExpr, ast.AugAssign)):
        targets = [node.target]
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        targets = [node.optional_vars]
    elif isinstance(node, ast.Delete):
        targets = node.targets
    for target in targets:
        yield from (
            one.id for one in ast.walk(target)
            if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)
        )  # fmt: skip


def _annotated(annotation: ast.expr | None) -> str:
    if isinstance(annotation, ast.Subscript) and _annotated(annotation.value) in BUILT_IN:
        annotation = annotation.value
    return annotation.id if isinstance(annotation, ast.Name) else ""


def _words(text: str) -> Iterator[str]:
    """Yield the names in a text that is an expression."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _beginning(name: ast.expr) -> str:
    """Return how a computed name begins."""
    if isinstance(name, ast.JoinedStr) and name.values:
        return _beginning(name.values[0])
    if isinstance(name, ast.BinOp):
        text = _beginning(name.left)
        return text.partition("%")[0] if isinstance(name.op, ast.Mod) else text
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
