"""Mutants of a module: one small change each, within functions, made on the syntax tree.

The sample is drawn by a fixed seed from the source alone, so every suite is judged by the same mutants.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass

_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NOT_MUTATED = frozenset({"annotation", "returns", "type_params", "decorator_list"})


@dataclass(frozen=True)
class Mutant:
    """A changed module.

    Attributes:
        line: where the change is.
        change: what it is, for the eye.
        tree: the module with it.
    """

    line: int
    change: str
    tree: ast.Module


def sample(source: str, most: int, seed: int = 0) -> list[Mutant]:
    """Draw at most so many mutants of a source that compile."""
    count = sum(1 for _ in _places(ast.parse(source)))
    order = list(range(count))
    random.Random(seed).shuffle(order)  # noqa: S311 - a sample, not a secret
    found: list[Mutant] = []
    for number in order:
        if len(found) == most:
            break
        mutant = _mutant(source, number)
        if _compiles(mutant.tree):
            found.append(mutant)
    return found


def _mutant(source: str, number: int) -> Mutant:
    tree = ast.parse(source)
    node, change, new = next(place for index, place in enumerate(_places(tree)) if index == number)
    line = node.lineno  # type: ignore[attr-defined] - expressions and statements have one

    class Put(ast.NodeTransformer):
        def visit(self, one: ast.AST) -> ast.AST:
            return ast.copy_location(new, node) if one is node else self.generic_visit(one)

    return Mutant(line, change, ast.fix_missing_locations(Put().visit(tree)))


def _compiles(tree: ast.Module) -> bool:
    try:
        compile(tree, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, str, ast.AST]]:
    """Each node within a function that can be changed, what the change is, and the node to put there."""
    for function in ast.walk(tree):
        if isinstance(function, _FUNCTIONS):
            for statement in function.body:
                for node in _within(statement):
                    for change, new in _changes(node):
                        yield node, change, new


def _within(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node and what is in it, but functions and classes inside, docstrings and errors' texts."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    yield node
    if isinstance(node, ast.Raise):
        return
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in _NOT_MUTATED:
                yield from _within(child)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    yield from _changed_operators(node)
    yield from _changed_flow(node)
    if isinstance(node, ast.Constant):
        yield from _other_constants(node.value)


def _changed_operators(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _OPERATORS:
            other = _OPERATORS[type(op)]
            yield f"{type(op).__name__} -> {other.__name__}", _with(node, op=other())
        case ast.Compare(ops=ops):
            for i, operator in enumerate(ops):
                for comparison in _COMPARISONS[type(operator)]:
                    changed = [*ops[:i], comparison(), *ops[i + 1 :]]
                    yield f"{type(operator).__name__} -> {comparison.__name__}", _with(node, ops=changed)
        case ast.BoolOp(op=op):
            yield "and <-> or", _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "operator dropped", copy.deepcopy(operand)


def _changed_flow(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.If(test=test):
            yield "condition negated", _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield "returns None", ast.Return(ast.Constant(None))
        case ast.Break():
            yield "break -> continue", ast.Continue()
        case ast.Continue():
            yield "continue -> break", ast.Break()
    droppable = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Delete)
    if isinstance(node, droppable) and not _is_needed(node):
        yield "statement dropped", ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _other_constants(value: object) -> Iterator[tuple[str, ast.AST]]:
    match value:
        case bool():
            yield f"{value} -> {not value}", ast.Constant(not value)
        case int() | float():
            yield "+ 1", ast.Constant(value + 1)
            yield "- 1", ast.Constant(value - 1)
        case str():
            yield "another text", ast.Constant(value + "XX")


def _is_needed(node: ast.AST) -> bool:
    """Whether a statement makes its function a generator or a coroutine."""
    return isinstance(node, ast.Expr) and isinstance(node.value, (ast.Yield, ast.YieldFrom, ast.Await))
