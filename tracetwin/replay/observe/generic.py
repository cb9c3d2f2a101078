"""Generic classes whose type variables no argument of their constructor tells."""

from __future__ import annotations

import ast
from typing import Final

_GENERIC: Final = ("Generic", "Protocol")


def open_classes(tree: ast.Module) -> dict[str, int]:
    """How many type variables each such class of a module has: a type checker wants to be told of them.

    Classes are named as in the module; those inside of others are left out.
    """
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            variables = _variables(node)
            if variables and not variables & _told(node):
                found[node.name] = len(variables)
    return found


def _variables(node: ast.ClassDef) -> set[str]:
    names = {ast.unparse(one).partition(":")[0].strip("* ") for one in getattr(node, "type_params", ())}
    for base in node.bases:
        if isinstance(base, ast.Subscript) and ast.unparse(base.value).rpartition(".")[2] in _GENERIC:
            names |= {part.id for part in ast.walk(base.slice) if isinstance(part, ast.Name)}
    return names


def _told(node: ast.ClassDef) -> set[str]:
    """The names in what stands behind the parameters of the constructor that every call gives."""
    makers = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    parts = [part for maker in makers for given in _required(maker.args) for part in ast.walk(given)]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return names | {word for text in texts for word in text.replace("[", " ").replace("]", " ").split()}


def _required(args: ast.arguments) -> list[ast.arg]:
    plain = [*args.posonlyargs, *args.args]
    named = [arg for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True) if default is None]
    return [*plain[: len(plain) - len(args.defaults)], *named]
