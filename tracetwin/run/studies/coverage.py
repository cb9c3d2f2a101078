"""Which functions and branch sides count for the exploration of a class, and which no run passed."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tracetwin.analysis.sources import FunctionNode, qualified
from tracetwin.support.data import dataclass

CONSTRUCTORS: Final = ("__new__", "__init__", "__post_init__")


def family(tree: ast.Module, name: str) -> list[str]:
    """The qualified names of a class and of those of the same module that it inherits from."""
    classes = {qualname: node for qualname, node in qualified(tree.body) if isinstance(node, ast.ClassDef)}
    found = [name]
    for each in found:  # grows while it is gone through
        bases = classes[each].bases if each in classes else []
        for base in bases:
            written = ast.unparse(base).partition("[")[0]
            if written in classes and written not in found:
                found.append(written)
    return found


def reachable(tree: ast.Module, owners: Sequence[str], methods: Collection[str]) -> frozenset[str]:
    """The qualified names of the functions that calls of some methods, and the constructor, may come to."""
    functions: dict[str, list[FunctionNode]] = {}
    for qualname, node in qualified(tree.body):
        if not isinstance(node, ast.ClassDef):
            functions.setdefault(qualname, []).append(node)
    called = (_first(owners, name, functions) for name in (*CONSTRUCTORS, *methods))
    found = dict.fromkeys(name for name in called if name)
    waiting = list(found)
    for qualname in waiting:
        mentioned = {name for node in functions[qualname] for name in _mentions(node, owners, functions)}
        new = sorted(mentioned - found.keys())
        found.update(dict.fromkeys(new))
        waiting += new
    return frozenset(found)


def _first(owners: Sequence[str], name: str, known: Collection[str]) -> str:
    """The method that an instance of the first class has; its bases' of the same name are overridden."""
    return next((found for owner in owners if (found := f"{owner}.{name}") in known), "")


def _mentions(node: FunctionNode, owners: Sequence[str], known: Collection[str]) -> Iterator[str]:
    """The functions that a function's body names."""
    receiver = next((arg.arg for arg in (*node.args.posonlyargs, *node.args.args)), "")
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            names = (part.id, *(f"{part.id}.{constructor}" for constructor in CONSTRUCTORS))
            yield from (name for name in names if name in known)
        elif isinstance(part, ast.Attribute):
            on_self = isinstance(part.value, ast.Name) and part.value.id == receiver
            on_super = isinstance(part.value, ast.Call)
            if on_self and (name := _first(owners, part.attr, known)):
                yield name
            elif on_super:
                yield from (name for owner in owners[1:] if (name := f"{owner}.{part.attr}") in known)
            elif part.attr.startswith("_"):
                yield from (name for name in known if name.endswith(f".{part.attr}"))


if TYPE_CHECKING:
    from instrumenter.twin import Site

_TWO_SIDES: Final = ("if", "while", "assert", "guard")
_LOOPS: Final = ("for",)


@dataclass(frozen=True, order=True)
class Missed:
    """A branch side that no run passed.

    Attributes:
        line: where the condition stands.
        column: its column, from 0.
        scope: the function that it stands in.
        kind: ``if``, ``while``, ``for``, ``assert`` or ``guard``.
        side: whether it is the side where the condition is true, or the loop entered.
    """

    line: int
    column: int
    scope: str
    kind: str
    side: bool


class Coverage:
    """The branch sides of the functions that can be reached, and of those that were.

    So methods that were left out on purpose don't count, unless another one calls them.
    """

    def __init__(self, sites: Iterable[Site], reachable: Collection[str]) -> None:
        self._sites = [s for s in sites if s.scope and s.kind.value in (*_TWO_SIDES, *_LOOPS)]
        self._sides = {side for site in self._sites for side in _sides(site)}
        self._reachable = reachable

    def counts(self, side: int) -> bool:
        """Return whether a side may count."""
        return side in self._sides

    def result(self, passed: Collection[int]) -> tuple[int, list[Missed]]:
        """How many sides count, and those of them that were not passed."""
        entered = {site.scope for site in self._sites if any(side in passed for side in _sides(site))}
        counted = [site for site in self._sites if site.scope in entered or self._can_be_reached(site.scope)]
        missed = [
            Missed(site.line, site.column, site.scope, site.kind.value, bool(side & 1))
            for site in counted
            for side in _sides(site)
            if side not in passed
        ]
        return sum(len(_sides(site)) for site in counted), sorted(missed)

    def _can_be_reached(self, scope: str) -> bool:
        return scope.partition(".<locals>")[0] in self._reachable


def _sides(site: Site) -> tuple[int, ...]:
    """Return whether a native iterator ends can't be seen: of a loop, that it is entered."""
    return (site.id * 2 + 1,) if site.kind.value in _LOOPS else (site.id * 2, site.id * 2 + 1)
