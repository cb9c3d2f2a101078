"""The meanings that the statements of a module give to its names, and which of them may do more than that."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import field

from tracetwin.analysis.change.mentions import BUILT_IN, DEFINITIONS, Function, Mentions, mentions
from tracetwin.analysis.change.writers import written
from tracetwin.analysis.sources import walk
from tracetwin.analysis.stores import root_of
from tracetwin.support.data import dataclass

EVERYTHING = ""
"""In the place of a name: statements of whose effects nothing is known, on which all depends."""

LOOKS_UP = frozenset(("__subclasses__", "eval", "exec", "getmembers", "globals", "modules", "vars"))
"""Names by which code finds what it does not mention."""

_DOCS = frozenset(("__doc__", "getdoc"))

_PLAIN_DECORATORS = frozenset(
    "abstractmethod asynccontextmanager cache cached_property classmethod contextmanager dataclass deleter"
    " final getter lru_cache overload override property runtime_checkable setter singledispatch staticmethod"
    " total_ordering unique wraps".split()
)
"""Decorators that put what they decorate nowhere else."""

_MAKING_CONSTANTS = frozenset("compile frozenset getLogger namedtuple object NewType TypeVar".split())
_CONSTANTS = (ast.Constant, ast.Name, ast.Attribute, ast.JoinedStr, ast.Lambda)


@dataclass
class Meaning:
    """The meaning of one name of a module, of one method, or the effect of a statement.

    Attributes:
        texts: the statements that give it its meaning, without positions and docstrings.
        docs: their docstrings.
        mentions: what occurs in them.
        members: the attributes that an object has by them, or that they may change.
        owner: for a class or its method, the name of the class.
        bases: for a class, the last names of those that it is derived from.
        held: the names of the module whose objects it may change.
        is_effect: it is what a statement does besides giving names a meaning, when the module is imported.
        may_change: it is data that others may change.
        imported: for an import, the first part of the module's name.
        stars: it takes all names of another module.
    """

    texts: list[str] = field(default_factory=list)
    docs: list[str] = field(default_factory=list)
    mentions: Mentions = field(default_factory=Mentions)
    members: set[str] = field(default_factory=set)
    owner: str = ""
    bases: list[str] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    is_effect: bool = False
    may_change: bool = False
    imported: str = ""
    stars: bool = False

    @property
    def looks_up(self) -> bool:
        """Return whether it may find what it does not mention."""
        return bool(LOOKS_UP & self.mentions.words)

    @property
    def asks_for_docs(self) -> bool:
        """Return whether docstrings mean something to it."""
        return bool(_DOCS & self.mentions.words)

    def add(self, node: ast.AST, owner: str = "") -> None:
        """Take in a statement."""
        text, docs = _without_docs(node)
        self.texts.append(text)
        self.docs += docs
        self.mentions.add(mentions(node, owner))
        self.held |= _held(node)


@functools.lru_cache(maxsize=500)  # modules of a package depend on the same ones
def meanings_of(source: bytes) -> Mapping[str, Meaning]:
    """Return the meanings of a module by name.

    Raises:
        SyntaxError: it is none.
        ValueError: it is none, as it holds NULs.
    """
    return _Reading(ast.parse(source)).found


class _Reading:
    """One pass over the statements of a module."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: dict[str, Meaning] = {EVERYTHING: Meaning()}
        self._defined = {name for node in tree.body for name in _named(node)}
        self._hooked = any(_tells_of_subclasses(node, self._defined) for node in tree.body)
        for node in tree.body:
            if not _is_idle(node):
                self._take(node)

    def _meaning(self, name: str) -> Meaning:
        return self.found.setdefault(name, Meaning())

    def _take(self, node: ast.stmt) -> None:
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            self._meaning(EVERYTHING).add(node)
            self._meaning(EVERYTHING).stars = True
        if _unknown_effect(node, self._defined):
            self._meaning(EVERYTHING).add(node)
        elif self._may_register(node):
            self._effect(node)
        if isinstance(node, ast.ClassDef):
            self._class(node)
            return
        for name in _named(node):
            meaning = self._meaning(name)
            meaning.add(node)
            meaning.may_change |= not isinstance(node, DEFINITIONS) and not _is_constant(node)
            if isinstance(node, (ast.Import, ast.ImportFrom)) and not getattr(node, "level", 0):
                module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
                meaning.imported = (module or "").partition(".")[0]

    def _effect(self, node: ast.stmt) -> None:
        shown: ast.AST = node
        if isinstance(node, DEFINITIONS):  # what it defines has a meaning of its own
            told: list[ast.expr] = [ast.Name(node.name, ast.Load()), *_decorators(node)]
            if isinstance(node, ast.ClassDef):
                told += [*node.bases, *(one.value for one in node.keywords)]
            shown = ast.Expr(ast.Tuple(told, ast.Load()))
        meaning = Meaning(is_effect=True)
        meaning.add(shown)
        meaning.held |= {name for target in _targets(node) for name in [root_of(target, calls=True)] if name}
        digest = hashlib.sha256(meaning.texts[0].encode("utf-8", "replace"))
        self.found[f"\0{digest.hexdigest()[:16]}"] = meaning

    def _class(self, node: ast.ClassDef) -> None:
        """Take in a class: each method by itself but those that Python calls, and the rest."""
        methods: dict[str, list[Function]] = {}
        for inner in node.body:
            if isinstance(inner, Function):
                methods.setdefault(inner.name, []).append(inner)
        writes = written(methods)
        rest = self._meaning(node.name)
        rest.owner = node.name
        for name, nodes in methods.items():
            meaning = self._meaning(f"{node.name}.{name}")
            meaning.owner = node.name
            meaning.members |= {name, *writes[name]}
            meaning.mentions.names.add(node.name)
            if name.startswith("__") and name.endswith("__"):  # Python calls it
                rest.mentions.names.add(f"{node.name}.{name}")
            for method in nodes:
                meaning.add(method, node.name)
        body = [one for one in node.body if not isinstance(one, Function)]
        made = ast.ClassDef(node.name, node.bases, node.keywords, body or [ast.Pass()], node.decorator_list)
        made.type_params = getattr(node, "type_params", [])  # type: ignore[attr-defined, unused-ignore]
        rest.add(made)
        rest.members |= {name for inner in body for name in _named(inner)}
        rest.bases += [name for base in map(_generic, node.bases) if (name := _last_name(base))]
        rest.may_change = rest.may_change or any(
            isinstance(inner, (ast.Assign, ast.AnnAssign)) and not _is_constant(inner) for inner in body
        )

    def _may_register(self, node: ast.stmt) -> bool:
        """Return whether a statement may put something where others find it, as in a table of handlers."""
        if isinstance(node, ast.ClassDef) and self._hooked and (node.bases or node.keywords):
            return True
        if isinstance(node, DEFINITIONS):
            return any(_last_name(one) not in _PLAIN_DECORATORS for one in _decorators(node))
        if (parts := _choices(node)) is not None:
            return any(map(self._may_register, parts))
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return False
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and not any(_targets(node)):
            calls = (inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call))
            return any(_names(called) & self._defined for called in calls)
        return True


def _decorators(node: ast.stmt) -> list[ast.expr]:
    """Return the decorators of a definition and of those within."""
    defining = (inner for inner in walk(node) if isinstance(inner, DEFINITIONS))
    return [one for inner in defining for one in inner.decorator_list]


def _targets(node: ast.stmt) -> list[ast.expr]:
    """Return the attributes and items that an assignment or a deletion changes."""
    targets = getattr(node, "targets", [])
    if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        targets = [node.target]
    return [one for one in targets if isinstance(one, (ast.Attribute, ast.Subscript))]


def _unknown_effect(node: ast.stmt, defined: set[str]) -> bool:
    """Return whether a statement may do anything, as far as its text tells."""
    if isinstance(node, (*DEFINITIONS, ast.Import, ast.ImportFrom, ast.Pass)) or _is_idle(node):
        return False
    if (parts := _choices(node)) is not None:
        return any(_unknown_effect(part, defined) for part in parts)
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete)):
        targets = [node.target] if isinstance(node, (ast.AnnAssign, ast.AugAssign)) else node.targets
        return not all(isinstance(one, ast.Name) or root_of(one, calls=True) in defined for one in targets)
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    return called is None or root_of(called, calls=True) not in defined - BUILT_IN


def _held(node: ast.AST) -> set[str]:
    """Return the names whose objects a function may change: those that it stores, or stores something in."""
    found = set()
    for inner in walk(node):
        if isinstance(inner, ast.Global):
            found.update(inner.names)
        elif isinstance(inner, (ast.Attribute, ast.Subscript)) and not isinstance(inner.ctx, ast.Load):
            found.add(root_of(inner, calls=True))
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            found.add(root_of(inner.func.value, calls=True))
    return found if isinstance(node, Function) else set()


def _is_constant(node: ast.stmt) -> bool:
    """Return whether an assignment, or an import, gives a name what nobody can change."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return True
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    return isinstance(node, (ast.Assign, ast.AnnAssign)) and (value is None or _is_fixed(value))


def _is_fixed(value: ast.expr) -> bool:
    if isinstance(value, (ast.Tuple, ast.BinOp, ast.UnaryOp, ast.Subscript)):
        return all(_is_fixed(one) for one in ast.iter_child_nodes(value) if isinstance(one, ast.expr))
    if isinstance(value, ast.Call):
        return _last_name(value) in _MAKING_CONSTANTS
    return isinstance(value, _CONSTANTS)


def _without_docs(node: ast.AST) -> tuple[str, list[str]]:
    """Return the text of a statement without its docstrings, and these."""
    docs, bodies = [], []
    for inner in walk(node):
        if isinstance(inner, DEFINITIONS) and isinstance(inner.body[0], ast.Expr):
            first = inner.body[0].value
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                docs.append(first.value)
                bodies.append((inner, inner.body))
    for inner, body in bodies:
        inner.body = body[1:] or [ast.Pass()]
    try:
        return ast.dump(node), docs
    finally:
        for inner, body in bodies:
            inner.body = body


def _generic(base: ast.expr) -> ast.expr:
    return base.value if isinstance(base, ast.Subscript) else base


def _tells_of_subclasses(node: ast.stmt, defined: set[str]) -> bool:
    if isinstance(node, ast.ClassDef):
        told = any(isinstance(one, Function) and one.name == "__init_subclass__" for one in ast.walk(node))
        return told or any(_names(one.value) & defined for one in node.keywords)
    return False


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_idle(node: ast.stmt) -> bool:
    """Return whether a statement does nothing when the module is imported."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, (ast.Constant, ast.Name))
    return isinstance(node, ast.If) and ast.unparse(node.test).startswith("__name__ ==")


def _named(node: ast.stmt) -> list[str]:
    """Return the names that a statement gives a meaning."""
    if isinstance(node, DEFINITIONS):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names if alias.name != "*"]
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete)):
        targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
        stored = (inner for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name))
        return [name.id for name in stored if not isinstance(name.ctx, ast.Load)]
    parts = [part for inner in ast.iter_child_nodes(node) for part in _statements(inner)]
    return sorted({name for part in parts for name in _named(part)})


def _statements(node: ast.AST) -> Iterable[ast.stmt]:
    return node.body if isinstance(node, ast.ExceptHandler) else [node] if isinstance(node, ast.stmt) else []


def _choices(node: ast.stmt) -> list[ast.stmt] | None:
    """Return the statements among which a statement chooses, None where it does more than that.

    So come imports with one that stands in where the first can't be had, and the ways of different versions.
    """
    if isinstance(node, ast.Try):
        handled = [part for handler in node.handlers for part in handler.body]
        return [*node.body, *handled, *node.orelse, *node.finalbody]
    asks = isinstance(node, ast.If) and not any(
        isinstance(inner, (ast.Call, ast.NamedExpr)) for inner in ast.walk(node.test)
    )
    return [*node.body, *node.orelse] if isinstance(node, ast.If) and asks else None
