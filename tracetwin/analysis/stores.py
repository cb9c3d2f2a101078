"""Where a function gives names their values, and which of these a place in it can see."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from tracetwin.analysis.entries import Definition
from tracetwin.support.data import dataclass

_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue)

_Chain: TypeAlias = "tuple[tuple[ast.AST, str], ...]"
"""The statements around something, each with the block of it that this is in."""


@dataclass(frozen=True)
class Assignment:
    """A place where something gets a value.

    Attributes:
        at: the node that does it.
        target: what gets it.
        value: what is given.
        calls: it is a call that may change what the target stands for.
    """

    at: ast.AST
    target: ast.expr
    value: ast.expr
    calls: bool = False

    @property
    def binds(self) -> bool:
        """Return whether it gives names a value, rather than changing an object."""
        return not self.calls and all(isinstance(one, ast.Name) for one in parts_of(self.target))


class Assignments:
    """Where one function gives values to names, to attributes, and to what is in containers."""

    def __init__(self, function: Definition) -> None:
        self._chains: dict[ast.AST, _Chain] = {}
        self._place(function, ())
        self._found: dict[str, list[Assignment]] = {}
        self._binding: dict[str, list[Assignment]] = {}
        for node in self._chains:
            for target, value in stores(node):
                for name in bound(target):
                    self._found.setdefault(name, []).append(Assignment(node, target, value))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                called = node.value.func
                owner = called.value if isinstance(called, ast.Attribute) else called
                change = Assignment(node, owner, node.value, calls=True)
                self._found.setdefault(root_of(owner), []).append(change)
        for name, known in self._found.items():
            self._binding[name] = [one for one in known if one.binds]

    def _place(self, node: ast.AST, chain: _Chain) -> None:
        for name, part in ast.iter_fields(node):
            inside = part if isinstance(part, list) else [part]
            blocks = isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)) and name in _BLOCKS
            for one in inside:
                if isinstance(one, ast.AST):
                    self._chains[one] = (*chain, (node, name)) if blocks else chain
                    self._place(one, self._chains[one])

    def names(self) -> frozenset[str]:
        """Return the names that get a value, or whose object is changed."""
        return frozenset(self._found)

    def known(self, name: str) -> list[Assignment]:
        """Return all stores to a name, or into its object."""
        return self._found.get(name, [])

    def seen(
        self, name: str, at: ast.AST, wanted: Callable[[Assignment], object] | None = None
    ) -> tuple[list[Assignment], bool]:
        """Return which stores to a name a place in the function may see, and whether only these.

        Where `wanted` is given, it says of each store whether it is asked for.
        """
        known = self.known(name) if wanted is None else [one for one in self.known(name) if wanted(one)]
        there = self._chains.get(at)
        if there is None:
            return known, False
        last = self._last(name, at, there)
        return [one for one in known if one is last or self._comes(one, last, at, there)], last is not None

    def is_given(self, name: str, at: ast.AST) -> bool:
        """Return whether a name gets a value before a place in the function in any case."""
        there = self._chains.get(at)
        return there is not None and self._last(name, at, there) is not None

    def _last(self, name: str, at: ast.AST, there: _Chain) -> Assignment | None:
        """The last store to a name that is made before a place in any case."""
        sure = (one for one in self._binding.get(name, ()) if self._is_sure(one, at, there))
        return max(sure, key=lambda one: _end(one.at), default=None)

    def asked(self, store: Assignment, at: ast.AST) -> Iterator[ast.expr]:
        """Yield the conditions that decide about a store, but for those that decide about a place, too."""
        there = self._chains.get(at, ())
        for node, block in self._chains[store.at]:
            if (node, block) not in there:
                if isinstance(node, (ast.If, ast.While)):
                    yield node.test
                elif isinstance(node, (ast.For, ast.AsyncFor)):
                    yield node.iter

    def _is_sure(self, store: Assignment, at: ast.AST, there: _Chain) -> bool:
        """Return whether a store is made before a place in any case."""
        if isinstance(store.at, (ast.For, ast.AsyncFor)):
            return (store.at, "body") in there
        chain = self._chains[store.at]
        plain = isinstance(store.at, (ast.Assign, ast.AnnAssign, ast.withitem))
        return plain and there[: len(chain)] == chain and _end(store.at) <= _begin(at)

    def _comes(self, store: Assignment, last: Assignment | None, at: ast.AST, there: _Chain) -> bool:
        """Return whether a store may still hold at a place, after the `last` that is made in any case."""
        if isinstance(store.at, ast.comprehension):
            return True
        chain = self._chains[store.at]
        after = last is None or _end(last.at) <= _end(store.at)
        if after and _end(store.at) <= _begin(at) and not self._parts(chain, there):
            return True
        kept = () if last is None else (last.at, *(one for one, _ in self._chains[last.at]))
        loops = (one for one, block in chain if isinstance(one, _LOOPS) and (one, block) in there)
        return any(one not in kept for one in loops)

    def _parts(self, chain: _Chain, there: _Chain) -> bool:
        """Return whether no way leads on from a store to a place but by a loop."""
        others = [(node, block) for node, block in chain if (node, block) not in there]
        around = [node for node, _ in there]
        return any(
            (isinstance(node, ast.If) and node in around) or isinstance(getattr(node, block)[-1], _LEAVING)
            for node, block in others
        )


_BLOCKS: Final = frozenset(("body", "orelse", "finalbody", "handlers", "cases"))


@functools.lru_cache(maxsize=256)
def stores_of(function: Definition) -> Assignments:
    """Return where a function gives values."""
    return Assignments(function)


def stores(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the targets that a node gives values, with what these are made from."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.comprehension, ast.For, ast.AsyncFor)):
        yield node.target, node.iter
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr


def parts_of(target: ast.expr) -> Sequence[ast.expr]:
    """Return what gets a value of its own: the parts of a tuple, and of those in it, or the target itself."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return [target]
    return [part for one in target.elts for part in parts_of(one)]


def bound(target: ast.expr) -> set[str]:
    """Return the names that an assignment gives a value, or whose object it changes."""
    return {root_of(part) for part in parts_of(target)} - {""}


def root_of(node: ast.AST, *, calls: bool = False) -> str:
    """Return the name that an expression such as `a.b[0].c`, or `a.b().c`, begins with, "" for others."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred, ast.Call)):
        if isinstance(node, ast.Call) and not calls:
            return ""
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def span(node: ast.AST) -> range:
    """Return the lines of a node."""
    first = getattr(node, "lineno", 0)
    return range(first, (getattr(node, "end_lineno", None) or first) + 1)


def _begin(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    """Return from where on what a node stores is there."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        node = node.iter
    elif isinstance(node, ast.withitem):
        node = node.optional_vars or node.context_expr
    return getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0
