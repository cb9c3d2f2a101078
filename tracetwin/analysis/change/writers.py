"""Attributes of its object that a method may change, by its text: others that read these depend on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from tracetwin.analysis.change.mentions import Function
from tracetwin.analysis.effects.shared_state import MUTATORS
from tracetwin.analysis.sources import walk
from tracetwin.analysis.stores import root_of

_ASKING: Final = frozenset(
    "abs all any bool bytes dict enumerate float format frozenset getattr hasattr hash int isinstance"
    " issubclass iter len list map max min print range repr reversed round set sorted str sum super tuple"
    " type zip".split()
)
"""Functions that leave what they are given as it is."""

_LOOKING: Final = frozenset(
    "casefold copy count encode decode endswith find finditer format fullmatch get group groupdict groups"
    " index isalpha isdigit items join keys lower match replace rsplit search split splitlines startswith"
    " strip title upper values".split()
)
"""Names of methods that leave their receiver as it is."""


def written(methods: Mapping[str, list[Function]]) -> dict[str, set[str]]:
    """Return for each method of a class the attributes that it, or one that it calls, may change."""
    found = {name: set().union(*map(_writes, nodes)) for name, nodes in methods.items()}
    callees = {
        name: {attr for node in nodes for attr in _attributes(node)} & methods.keys() - {name}
        for name, nodes in methods.items()
    }
    if any(_anything(node) for nodes in methods.values() for node in nodes):
        everything = {attr for nodes in methods.values() for node in nodes for attr in _attributes(node)}
        for name, nodes in methods.items():
            found[name] |= everything if any(map(_anything, nodes)) else set()
    news = True
    while news:
        news = False
        for name, others in callees.items():
            taken = found[name].union(*(found[other] for other in others))
            news |= taken != found[name]
            found[name] = taken
    return found


def _anything(method: Function) -> bool:
    """Return whether a method may store attributes whose names it has computed."""
    return any(
        (isinstance(node, ast.Name) and node.id in ("setattr", "vars"))
        or (isinstance(node, ast.Attribute) and node.attr == "__dict__")
        for node in walk(method)
    )


def _attributes(node: ast.AST) -> Iterator[str]:
    return (inner.attr for inner in walk(node) if isinstance(inner, ast.Attribute))


def _writes(method: Function) -> set[str]:
    stored = {
        node.attr for node in walk(method)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }  # fmt: skip
    fresh = {
        node.targets[0].id
        for node in walk(method)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_new(node.value)
    }
    if not any(_may_change(node, fresh) for node in walk(method)):
        return stored
    # By which of its names it comes to what it changes is not known.
    called = {id(node.func) for node in walk(method) if isinstance(node, ast.Call)}
    return stored | {
        node.attr for node in walk(method) if isinstance(node, ast.Attribute) and id(node) not in called
    }


def _is_new(value: ast.expr) -> bool:
    """Return whether an expression makes a container that nobody else has."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("dict", "list", "set")
    return isinstance(value, (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp))


def _may_change(node: ast.AST, fresh: set[str]) -> bool:
    """Return whether code may change what is held by an object that is there when its function has ended."""
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load) and root_of(node) not in fresh
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name, receiver = node.func.attr, node.func.value
        if name in MUTATORS:
            return root_of(receiver) not in fresh
        return isinstance(receiver, (ast.Attribute, ast.Subscript, ast.Call)) and name not in _LOOKING
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        asks = node.func.id in _ASKING or node.func.id[:1].isupper()
        return not asks and any(isinstance(given, (ast.Attribute, ast.Name)) for given in node.args)
    return isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await))
