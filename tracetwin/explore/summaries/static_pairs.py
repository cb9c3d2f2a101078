"""The definition-use pairs of a class, from the text of its module."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any, Final

from tracetwin.analysis.flow.analyse import facts_of
from tracetwin.explore.summaries.pairs import AttributePair, Spot

_STEADY: Final = frozenset(
    "__future__ abc bisect collections contextlib copy dataclasses enum functools heapq itertools math"
    " operator re string types typing typing_extensions".split()
)
"""Modules of which nothing changes from call to call."""

_STORING: Final = frozenset("setattr delattr vars exec eval globals".split())
_CHANGEABLE: Final = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)


def pairs_of(source: bytes, module: str, name: str) -> list[AttributePair]:
    """The pairs of the class called `name`, in the order of the table."""
    found = facts_of(source, module).pairs.get(name, ())
    tree = ast.parse(source)
    unseen, doubt = _class_level_lines(tree), outside_state(tree)
    classes = {*facts_of(source, module).pairs}
    return [
        AttributePair(
            pair.number, pair.attribute, _spot(pair.define), _spot(pair.use), pair.feasible, pair.why,
            pair.define.line in unseen, _word(pair.define.method, classes), doubt,
        )
        for pair in found
    ]  # fmt: skip


def _class_level_lines(tree: ast.Module) -> frozenset[int]:
    """The lines of assignments in the bodies of classes."""
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return frozenset(
        item.lineno for body in bodies for item in body if isinstance(item, (ast.Assign, ast.AnnAssign))
    )


def _spot(point: Any) -> Spot:
    return Spot(point.method, point.line, point.column)


def _word(method: str, classes: Collection[str]) -> str:
    """The word that makes a definition, "" if that is a constructor or a helper."""
    name = method.removesuffix(".setter").rpartition(".")[2]
    private = name.startswith("_") and not name.endswith("__")
    if method in classes or private:
        return ""
    return f"{name}=" if method.endswith(".setter") else name


def outside_state(tree: ast.Module) -> str:
    """Return why a module's code may depend on more than arguments and objects, "" if it doesn't.

    The paths of a method are read from runs on one state of the module and of the world around it; nothing is
    proved where that can change: variables of the module or of classes, and what other modules bring.
    """
    for node in ast.walk(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return f"{node.names[0]} is a variable outside of the object"
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names]
            names = names if isinstance(node, ast.Import) else [node.module or "."]
            strange = [name for name in names if name.partition(".")[0] not in _STEADY]
            if strange:
                return f"{strange[0]} may bring what changes"
    bodies: list[ast.Module | ast.ClassDef] = [tree]
    bodies += [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for body in bodies:
        for item in body.body:
            if isinstance(item, (ast.Assign, ast.AnnAssign)) and isinstance(item.value, _CHANGEABLE):
                return f"what is made in line {item.lineno} can be changed"
    return _stored_in_classes(tree, {body.name for body in bodies if isinstance(body, ast.ClassDef)})


def _stored_in_classes(tree: ast.Module, classes: Collection[str]) -> str:
    """An attribute of a class that some code stores."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            base = node.value
            named = isinstance(base, ast.Name) and (base.id in classes or base.id in ("cls", "mcs"))
            made = isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "type"
            if named or made or (isinstance(base, ast.Attribute) and base.attr == "__class__"):
                return f"{node.attr} is a variable of a class"
        if isinstance(node, ast.Name) and node.id in _STORING:
            return f"{node.id} may store anything"
    return ""
