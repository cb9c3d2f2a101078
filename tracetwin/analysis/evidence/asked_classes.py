"""Classes that a function asks a parameter for: `isinstance(x, C)`, `case C():`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from runtime.classes import classes_in


def asked_classes(function: ast.AST, name: str, names: Mapping[str, Any]) -> tuple[type, ...]:
    """The classes that a function asks a parameter for, in order."""
    found: dict[int, type] = {}
    for node in ast.walk(function):
        for part in _tests(node, name):
            for cls in classes_in(_meaning(part, names)) or ():
                found[id(cls)] = cls
    return tuple(found.values())


def _tests(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """The expressions that a part of a function compares the class of the parameter with."""
    match node:
        case ast.Call(func=ast.Name("isinstance"), args=[ast.Name(asked), what]) if asked == name:
            yield from what.elts if isinstance(what, ast.Tuple) else [what]
        case ast.Match(subject=ast.Name(asked), cases=cases) if asked == name:
            for case in cases:
                yield from (part.cls for part in ast.walk(case.pattern) if isinstance(part, ast.MatchClass))


def _meaning(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Attribute):
        return vars(_meaning(node.value, names)).get(node.attr) if _is_holder(node, names) else None
    return names.get(node.id) if isinstance(node, ast.Name) else None


def _is_holder(node: ast.Attribute, names: Mapping[str, Any]) -> bool:
    """True if what stands before a dot is a module or class: nothing of the program runs to look into it."""
    return isinstance(_meaning(node.value, names), (type, type(ast)))
