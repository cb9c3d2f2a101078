"""Uses of a class by a module besides asking it for the time: a stand-in must support them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from tracetwin.analysis.evidence.expressions import dotted

MAKES, CHECKS = "makes", "checks"
"""It makes instances, by a call or by a class method; it looks whether something is one."""


def uses_of(tree: ast.Module, name: str, patched: frozenset[str]) -> tuple[str, ...]:
    """The uses among `MAKES` and `CHECKS` that a module makes of a class."""
    found: set[str] = set()
    for node in _without_annotations(tree):
        match node:
            case ast.Call(func=ast.Name("isinstance" | "issubclass"), args=[_, kinds]):
                if any(dotted(part) == name for part in ast.walk(kinds) if isinstance(part, ast.expr)):
                    found.add(CHECKS)
            case ast.MatchClass(cls=cls) if dotted(cls) == name:
                found.add(CHECKS)
            case ast.Call(func=function):
                owner, _, method = dotted(function).rpartition(".")
                if dotted(function) == name or (owner == name and method not in patched):
                    found.add(MAKES)
            case _:
                pass
    return tuple(sorted(found))


def bound_to(tree: ast.Module, names: Collection[str]) -> str:
    """The first variable of a module that gets what a function returns, "" where there is none."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(variable)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(variable), value=ast.expr() as value):
                pass
            case ast.withitem(context_expr=value, optional_vars=ast.Name(variable)):
                pass
            case _:
                continue
        value = value.value if isinstance(value, ast.Await) else value
        if isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] in names:
            return variable
    return ""


def _without_annotations(tree: ast.AST) -> Iterator[ast.AST]:
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        yield node
        hidden = {id(getattr(node, part, None)) for part in ("annotation", "returns")}
        left += [child for child in ast.iter_child_nodes(node) if id(child) not in hidden]
