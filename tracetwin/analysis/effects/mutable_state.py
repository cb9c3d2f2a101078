"""Dependence on state that other calls may have changed: where there is any, nothing is proved of it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from typing import TypeAlias

from tracetwin.model.case import Step
from tracetwin.model.recipe import Call, Dictionary, Lambda, MockRecipe, Recipe, Series, Variable, children

MUTATORS = frozenset(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem appendleft"
    " popleft extendleft rotate push put write".split()
)
"""Names of methods that usually change their receiver."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def depends_on_state(tree: ast.Module, qualname: str) -> bool:
    """True if a function, or one of this module that it may call, reads module state that functions write."""
    functions, written = _facts(tree)
    if not written:
        return False
    waiting, seen = [qualname.rpartition(".")[2]], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in functions:
            continue
        seen.add(name)
        mentioned = _mentioned(functions[name])
        if mentioned & written:
            return True
        waiting.extend(mentioned)
    return False


@functools.lru_cache(maxsize=4)  # asked for by every function of a module
def _facts(tree: ast.Module) -> tuple[dict[str, Function], frozenset[str]]:
    """The functions of a module by name, and the module-level names that they write."""
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, Function)}
    names = _module_names(tree)
    return functions, frozenset().union(*(_writes(node, names) for node in functions.values()))


def _module_names(tree: ast.Module) -> set[str]:
    """Names bound at the top level."""
    names: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(statement.name)
        else:
            names |= _stored(statement)
    return names


def _stored(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _writes(function: Function, module_names: set[str]) -> set[str]:
    """Module-level names that the function rebinds or whose objects it changes."""
    local = _stored(function)
    declared = {name for n in ast.walk(function) if isinstance(n, ast.Global) for name in n.names}
    found = declared & local
    for node in ast.walk(function):
        root = None
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            root = _root(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            root = _root(node.func) if node.func.attr in MUTATORS else None
        if root is not None and root in module_names and root not in local - declared:
            found.add(root)
        if root == "cls":  # a class variable, by whatever name the class is read
            found |= {node.attr} if isinstance(node, ast.Attribute) else set()
    return found


def _root(node: ast.AST) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


@functools.lru_cache(maxsize=1024)
def _mentioned(function: Function) -> frozenset[str]:
    names = frozenset(n.id for n in ast.walk(function) if isinstance(n, ast.Name))
    return names | {n.attr for n in ast.walk(function) if isinstance(n, ast.Attribute)}


def may_alias_or_change(steps: Iterable[Step]) -> bool:
    """True if arguments are objects, or several containers.

    An object can come in states that its constructor alone does not give, and two mutable arguments can be
    one: inputs like that are not all tried.
    """
    given = [recipe for step in steps for recipe in step.given]
    return any(map(_holds_object, given)) or sum(map(_is_mutable, given)) > 1


def _holds_object(recipe: Recipe) -> bool:
    """Whether a recipe makes or names an object; a mock is in the state that it was made in."""
    if isinstance(recipe, (Call, Lambda, Variable)):
        return True
    return not isinstance(recipe, MockRecipe) and any(map(_holds_object, children(recipe)))


def _is_mutable(recipe: Recipe) -> bool:
    """Whether a recipe is that of a builtin container that can be changed."""
    return isinstance(recipe, Dictionary) or (isinstance(recipe, Series) and recipe.kind.is_mutable)
