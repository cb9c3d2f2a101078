"""Methods that only look at an object, by their text: others depend on them only where they mention them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeAlias

from tracetwin.analysis.effects.mutable_state import MUTATORS

Method: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_DECORATORS: Final = frozenset(("property", "staticmethod", "classmethod", "override", "final"))
_ASKING: Final = frozenset(
    "abs all any bool bytes dict enumerate float format frozenset getattr hasattr hash int isinstance"
    " issubclass iter len list map max min print range repr reversed round set sorted str sum tuple type"
    " zip".split()
)
"""Functions that leave what they are given as it is."""

_LOOKING: Final = frozenset(
    "casefold copy count encode decode endswith find finditer format fullmatch get group groupdict groups"
    " index isalpha isdigit items join keys lower match replace rsplit search split splitlines startswith"
    " strip title upper values".split()
)
"""Names of methods that leave their receiver as it is."""


def observers(owner: ast.ClassDef) -> list[Method]:
    """Return the methods of a class that neither change an object nor call methods of the class that may."""
    if any(map(_picks_by_name, ast.walk(owner))):
        return []
    counts = Counter(node.name for node in owner.body if isinstance(node, Method))
    own = set(counts)
    found = {
        node.name: node
        for node in owner.body
        if isinstance(node, Method) and counts[node.name] == 1 and _only_looks(node, own)
    }
    while True:
        changing = own - found.keys()
        calling = [name for name, node in found.items() if changing & set(_attributes(node))]
        if not calling:
            return list(found.values())
        for name in calling:
            del found[name]


def _picks_by_name(node: ast.AST) -> bool:
    """Return whether code comes to an attribute whose name it has computed."""
    called = node.func if isinstance(node, ast.Call) else None
    if not isinstance(called, ast.Name) or called.id not in ("getattr", "hasattr"):
        return False
    return isinstance(node, ast.Call) and not all(isinstance(name, ast.Constant) for name in node.args[1:2])


def _attributes(node: ast.AST) -> Iterator[str]:
    return (inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute))


def _only_looks(method: Method, own: set[str]) -> bool:
    if method.name.startswith("__") and method.name.endswith("__"):
        return False  # Python calls it
    if not all(isinstance(one, ast.Name) and one.id in _DECORATORS for one in method.decorator_list):
        return False
    fresh = {
        node.targets[0].id
        for node in ast.walk(method)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_new(node.value)
    }
    return not any(_may_change(node, fresh, own) for node in ast.walk(method))


def _is_new(value: ast.expr) -> bool:
    """Return whether an expression makes a container that nobody else has."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("dict", "list", "set")
    return isinstance(value, (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp))


def _may_change(node: ast.AST, fresh: set[str], own: set[str]) -> bool:
    """Return whether code may change something that is there when its function has ended."""
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return not isinstance(node.ctx, ast.Load) and _root(node) not in fresh
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name, receiver = node.func.attr, node.func.value
        if name in MUTATORS:
            return _root(receiver) not in fresh
        held = isinstance(receiver, (ast.Attribute, ast.Subscript, ast.Call))
        return held and name not in _LOOKING and name not in own
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        asks = node.func.id in _ASKING or node.func.id[:1].isupper()
        return not asks and any(_root(given) in ("self", "cls") for given in node.args)
    return isinstance(node, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await))


def _root(node: ast.AST) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
