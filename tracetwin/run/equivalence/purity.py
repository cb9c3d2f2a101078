"""Functions of a module whose calls do nothing but give a result, for all that their text tells.

Only of these it can be said that a mutant is equivalent by comparing results: what they read does not change,
what they change is their own. The answer errs on the side of "not pure".
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from typing import Final

_BUILTINS: Final = frozenset(
    "abs all any bool bytes chr dict divmod enumerate float frozenset int isinstance len list max min ord"
    " pow range reversed round set sorted str sum tuple zip True False None".split()
)
_METHODS: Final = frozenset(
    name for kind in (str, bytes, int, float, list, dict, set, tuple) for name in dir(kind)
)
_IMMUTABLE: Final = frozenset(("int", "float", "bool", "str", "bytes", "None"))
_FORBIDDEN: Final = (
    ast.Global, ast.Nonlocal, ast.Delete, ast.Import, ast.ImportFrom, ast.Yield, ast.YieldFrom, ast.Await,
    ast.With, ast.AsyncWith, ast.AsyncFor, ast.ClassDef, ast.AsyncFunctionDef, ast.Lambda, ast.NamedExpr,
)  # fmt: skip


def is_plain_function(node: ast.AST) -> bool:
    """Return whether it is a function of immutable values, by its annotations, that nothing decorates."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    given = node.args
    if given.vararg or given.kwarg or not (given.args or given.posonlyargs or given.kwonlyargs):
        return False
    plain = [*given.posonlyargs, *given.args]
    defaults = zip(reversed(plain), reversed(given.defaults), strict=False)
    keywords = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    fitting = (_fits(one.annotation, value) for one, value in (*defaults, *keywords) if value is not None)
    return all(_is_immutable(one.annotation) for one in (*plain, *given.kwonlyargs)) and all(fitting)


def _fits(annotation: ast.expr | None, default: ast.expr) -> bool:
    """Return whether a default is of a type that the annotation names."""
    if isinstance(default, ast.UnaryOp):
        default = default.operand
    if not isinstance(default, ast.Constant) or annotation is None:
        return False
    kind = "None" if default.value is None else type(default.value).__name__
    return kind in ast.unparse(annotation).replace("Optional", "None")


def _is_immutable(annotation: ast.expr | None) -> bool:
    match annotation:
        case ast.Name(name):
            return name in _IMMUTABLE
        case ast.Constant(None):
            return True
        case ast.Constant(str(text)):
            return text in _IMMUTABLE
        case ast.BinOp(left, ast.BitOr(), right):
            return _is_immutable(left) and _is_immutable(right)
        case ast.Subscript(ast.Name("Optional"), value):
            return _is_immutable(value)
        case _:
            return False


def pure_functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Return the functions at the top of a module that are pure, by their names."""
    known = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    constants = _constants(tree)
    found = {name: node for name, node in known.items() if is_plain_function(node) and _is_once(tree, name)}
    while True:  # who calls what is not pure is not pure either
        allowed = {*constants, *found, *_exceptions(tree)}
        left = {name: node for name, node in found.items() if _is_pure(node, allowed)}
        if len(left) == len(found):
            return left
        found = left


def mentioned(node: ast.AST, names: Mapping[str, object]) -> Iterator[str]:
    """Give those of some names that a piece of code speaks of."""
    yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in names)


def _is_once(tree: ast.Module, name: str) -> bool:
    """Return whether nothing but one definition gives a name its meaning."""
    bound = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name)
        or (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Global) and name in node.names)
    ]
    return len(bound) == 1


def _constants(tree: ast.Module) -> set[str]:
    """The names that the module gives an immutable value, once."""
    found = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            name, value = targets[0].id, getattr(node, "value", None)
            if _is_literal(value) and _is_once(tree, name):
                found.add(name)
    return found


def _is_literal(node: ast.AST | None) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_literal, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    return isinstance(node, ast.Constant)


def _exceptions(tree: ast.Module) -> set[str]:
    """The exceptions that a function may raise: those of Python, and classes of the module without a body."""
    found = {name for name, value in vars(builtins).items() if _is_exception(value)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _is_once(tree, node.name) and not node.decorator_list:
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            empty = all(isinstance(part, (ast.Pass, ast.Expr)) for part in node.body)
            if empty and bases and bases <= found and not node.keywords:
                found.add(node.name)
    return found


def _is_exception(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)


def _is_pure(node: ast.FunctionDef, allowed: set[str]) -> bool:
    """Return whether a function does nothing but call what is allowed, and methods of plain values."""
    body = [part for statement in node.body for part in ast.walk(statement)]
    if any(isinstance(part, (*_FORBIDDEN, ast.FunctionDef)) for part in body):
        return False
    own = {one.arg for one in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}
    own |= {p.id for p in body if isinstance(p, ast.Name) and not isinstance(p.ctx, ast.Load)}
    own |= {part.name for part in body if isinstance(part, ast.ExceptHandler) and part.name}
    if any(isinstance(part, (ast.MatchAs, ast.MatchStar, ast.MatchClass)) for part in body):
        return False
    names = (part.id for part in body if isinstance(part, ast.Name))
    attributes = (part for part in body if isinstance(part, ast.Attribute))
    return all(name in own or name in allowed or name in _BUILTINS for name in names) and all(
        isinstance(part.ctx, ast.Load) and part.attr in _METHODS and not part.attr.startswith("_")
        for part in attributes
    )
