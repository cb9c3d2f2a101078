"""Constants of a module's text that may be inputs of functions: their own, and those of what they call."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from pathlib import Path
from typing import Final

from tracetwin.support.data import dataclass
from tracetwin.support.syntax import definitions

LARGEST: Final = 10_000
"""Numbers beyond it mean something, or cost much."""

LONGEST: Final = 60
"""Letters of a text that is made longer, and items of a list likewise."""

MOST: Final = 12
"""Constants of one kind of a function, and of those that it calls."""

DEEPEST: Final = 3
"""Calls within each other that are followed."""

_ASKING: Final = frozenset(
    "startswith endswith find rfind index rindex count split rsplit partition rpartition strip lstrip rstrip"
    " replace get pop removeprefix removesuffix match search fullmatch".split()
)
"""Methods whose arguments are texts that may stand in an input."""


_WRAPPING: Final = frozenset(("frozenset", "set", "tuple", "list", "dict", "MappingProxyType", "OrderedDict"))
"""What a constant may be made with of what is written out."""


@dataclass(frozen=True)
class TextConstants:
    """The constants of one function's text that may be inputs of it."""

    ints: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    texts: tuple[str, ...] = field(default=())


_KINDS: Final = tuple(one.name for one in fields(TextConstants))


class ConstantsOfFunctions:
    """The constants of the functions of a file, which is read when they are first asked for."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @functools.cached_property
    def _known(self) -> dict[str, TextConstants]:
        return constants_of(self.tree)

    @functools.cached_property
    def _callees(self) -> dict[str, list[str]]:
        return callees(self.tree)

    @functools.cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of the file."""
        return ast.parse(self._file.read_bytes())

    def __call__(self, target: str) -> TextConstants:
        """Return those of a function, and of the constructor of its class."""
        names = dict.fromkeys((target, f"{target}.__init__", target.rpartition(".")[0] + ".__init__"))
        own = self._all_of(names)
        others = self._all_of(self._called(target))
        both = ((*mine, *theirs[:MOST]) for mine, theirs in zip(own, others, strict=True))
        return TextConstants(*(tuple(dict.fromkeys(some)) for some in both))  # type: ignore[arg-type]

    def _all_of(self, names: Iterable[str]) -> list[list[object]]:
        """The constants of some functions, those of each kind together."""
        found = [self._known[name] for name in names if name in self._known]
        return [[value for one in found for value in getattr(one, kind)] for kind in _KINDS]

    def _called(self, target: str) -> list[str]:
        """The functions of the module that one calls, and those that these call, near ones first."""
        found = [target]
        for _ in range(DEEPEST):
            new = [name for one in found for name in self._callees.get(one, ())]
            found = list(dict.fromkeys([*found, *new]))
        return found[1:]


def constants_of(tree: ast.Module) -> dict[str, TextConstants]:
    """Return the constants of each function of a module, by its qualified name."""
    named = dict(_named(tree))
    return {name: _constants_in(node, named) for name, node in _functions(tree)}


def callees(tree: ast.Module) -> dict[str, list[str]]:
    """Return for each function of a module those whose names stand in it, by what is like them in the module.

    A method stands for those of all classes that have it; one of its own class comes first.
    """
    functions = dict(_functions(tree))
    by_name: dict[str, list[str]] = {}
    for name in functions:
        by_name.setdefault(name.rpartition(".")[2], []).append(name)
    found: dict[str, list[str]] = {}
    for name, node in functions.items():
        owner = name.rpartition(".")[0]
        words = [getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node)]
        called = [other for word in dict.fromkeys(words) for other in by_name.get(word, ()) if other != name]
        found[name] = sorted(called, key=lambda other: other.rpartition(".")[0] != owner)
    return found


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    found = definitions(tree, inside="")
    return ((name, node) for name, node in found if not isinstance(node, ast.ClassDef))


def _named(tree: ast.Module) -> Iterator[tuple[str, object]]:
    """The plain constants that the module itself gives a name, and of what it lists the texts and numbers."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        value = getattr(node, "value", None)
        names = [one.id for one in targets if isinstance(one, ast.Name)]
        if isinstance(value, ast.Constant):
            yield from ((name, value.value) for name in names)
        elif listed := list(_listed(value)):
            yield from ((name, listed) for name in names)


def lists_of(tree: ast.Module) -> Iterator[list[str]]:
    """Give the lists of texts that the module itself gives a name, and the keys of its dicts."""
    for _, value in _named(tree):
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            yield value


def _listed(node: ast.AST | None) -> Iterator[str | int]:
    """The texts and numbers that are the keys of a dict, or the items of something else, written out."""
    parts: Sequence[ast.expr | None] = ()
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _WRAPPING and len(node.args) == 1:
        node = node.args[0]
    if isinstance(node, ast.Dict):
        parts = node.keys
    elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        parts = node.elts
    values = (part.value for part in parts if isinstance(part, ast.Constant))
    yield from (one for one in values if isinstance(one, (str, int)) and not isinstance(one, bool))


def _constants_in(node: ast.AST, named: Mapping[str, object]) -> TextConstants:
    values: list[object] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and not isinstance(part.value, str):
            values.append(part.value)
        elif isinstance(part, ast.Name) and part.id in named and not isinstance(named[part.id], str):
            value = named[part.id]
            values += value if isinstance(value, list) else [value]
        elif isinstance(part, ast.Dict):
            values += _listed(part)
        elif isinstance(part, (ast.Compare, ast.Call, ast.Subscript, ast.MatchValue)):
            values += _texts_in(part, named)
    ints = [value for value in values if type(value) is int and abs(value) <= LARGEST]
    floats = [value for value in values if type(value) is float]
    texts = [value for value in values if isinstance(value, str) and 0 < len(value) <= LONGEST]
    return TextConstants(*(tuple(dict.fromkeys(some))[:MOST] for some in (ints, floats, texts)))  # type: ignore[arg-type]


def _texts_in(node: ast.AST, named: Mapping[str, object]) -> Iterator[str]:
    """The texts that something is compared with, looked up by or asked for; no message of an error is one."""
    parts: list[ast.AST] = []
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
        displays = [part for part in parts if isinstance(part, (ast.Tuple, ast.List, ast.Set))]
        parts += [item for display in displays for item in display.elts]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ASKING:
        parts = [*node.args, *(item for one in node.args if isinstance(one, ast.Tuple) for item in one.elts)]
    elif isinstance(node, ast.Subscript):
        parts = [node.slice]
    elif isinstance(node, ast.MatchValue):
        parts = [node.value]
    for part in parts:
        value = named.get(part.id) if isinstance(part, ast.Name) else getattr(part, "value", None)
        if isinstance(value, str):
            yield value
