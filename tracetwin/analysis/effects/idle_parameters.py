"""Parameters of a constructor that a method of the class never gets to see.

They are kept in attributes that nothing reads which the method calls on its object. Where the object itself
is handed on, or a method is called that the class does not define, all may be read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

_Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class IdleParameters:
    """The parameters of a class's constructor, and which of its methods get to see them."""

    def __init__(self, owner: ast.ClassDef) -> None:
        self._methods = {node.name: node for node in owner.body if isinstance(node, _FUNCTIONS)}
        self._kept = _kept(owner, self._methods)
        self._known = {name for names in self._kept.values() for name in names}
        self._uses = {name: frozenset(_uses(method)) for name, method in self._methods.items() if self._kept}

    def of(self, method: str) -> frozenset[str]:
        """Return those that do not matter to a method."""
        if not self._kept or method not in self._methods:
            return frozenset()
        read = self._read(method)
        if read is None:
            return frozenset()
        return frozenset(one for one, names in self._kept.items() if not names & read)

    def _read(self, first: str) -> set[str] | None:
        """The attributes that a method may read, with all that it calls on its object; None for any."""
        read: set[str] = set()
        waiting, seen = [first], {first}
        while waiting:
            found = self._uses[waiting.pop()]
            if None in found:
                return None
            for name in {name for name in found if name is not None} - seen:
                seen.add(name)
                if name in self._methods:
                    waiting.append(name)
                elif name in self._known:
                    read.add(name)
                elif not name.startswith("_") and name in self._called:
                    return None
        return read

    @cached_property
    def _called(self) -> frozenset[str]:
        """The attributes that methods call as they are got, of whatever object."""
        nodes = [node for method in self._methods.values() for node in ast.walk(method)]
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        return frozenset(node.attr for node in called if isinstance(node, ast.Attribute))


def _kept(owner: ast.ClassDef, methods: dict[str, _Function]) -> dict[str, set[str]]:
    """The attributes that parameters are kept in, of those for which nothing else is done with them."""
    maker = methods.get("__init__")
    if maker is None:
        fields = (node.target for node in owner.body if isinstance(node, ast.AnnAssign))
        plain = "__post_init__" not in methods and not owner.bases
        return {one.id: {one.id} for one in fields if isinstance(one, ast.Name)} if plain else {}
    this, *names = [argument.arg for argument in [*maker.args.posonlyargs, *maker.args.args]] or [""]
    names += [argument.arg for argument in maker.args.kwonlyargs]
    kept: dict[str, set[str]] = {name: set() for name in names}
    stored: set[int] = set()
    for node in ast.walk(maker):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Name):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if node.value.id in kept and all(_attribute(one, this) for one in targets):
                kept[node.value.id] |= {_attribute(one, this) for one in targets}
                stored.add(id(node.value))
    used = {node.id for node in ast.walk(maker) if isinstance(node, ast.Name) and id(node) not in stored}
    return {name: attributes for name, attributes in kept.items() if attributes and name not in used}


def _attribute(node: ast.expr, this: str) -> str:
    """The name of an attribute of the object, "" for anything else."""
    its_own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == this
    return node.attr if its_own and isinstance(node, ast.Attribute) else ""


def _uses(function: _Function) -> Iterator[str | None]:
    """The names that a function asks its object for; None where it does anything else with it."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    if not arguments or any(map(_is_bound_otherwise, function.decorator_list)):
        return
    this = arguments[0].arg
    asked = {id(node.value): node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == this:
            yield asked.get(id(node))
        elif isinstance(node, ast.Name) and node.id in ("super", "vars", "locals"):
            yield None


def _is_bound_otherwise(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in ("staticmethod", "classmethod")
