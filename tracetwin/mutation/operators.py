"""Mutation operators: the changes of one expression or statement, as syntax trees.

The operators are those that studies found sufficient (Offutt et al., "An Experimental Determination of
Sufficient Mutant Operators", 1996), and those of collections and texts that Python code lives on.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, Final

from tracetwin.support.data import dataclass

HARD, USUAL, EASY = range(3)
"""How easily tests notice a change: a boundary is often missed, a function that returns None is not."""


@dataclass(frozen=True, slots=True)
class Change:
    """One replacement for an expression, or for a statement.

    Attributes:
        text: what is changed into what, for people.
        node: the new expression or statement.
        difficulty: `HARD`, `USUAL` or `EASY`.
    """

    operator: str
    text: str
    node: Any
    difficulty: int = USUAL


_ARITHMETIC: Final[dict[type[ast.operator], tuple[type[ast.operator], ...]]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv, ast.Add),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult, ast.Div),
    ast.Mod: (ast.Mult, ast.FloorDiv),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}

_COMPARISONS: Final[dict[type[ast.cmpop], tuple[tuple[type[ast.cmpop], int], ...]]] = {
    ast.Lt: ((ast.LtE, HARD), (ast.GtE, EASY)),
    ast.LtE: ((ast.Lt, HARD), (ast.Gt, EASY)),
    ast.Gt: ((ast.GtE, HARD), (ast.LtE, EASY)),
    ast.GtE: ((ast.Gt, HARD), (ast.Lt, EASY)),
    ast.Eq: ((ast.NotEq, EASY),),
    ast.NotEq: ((ast.Eq, EASY),),
    ast.In: ((ast.NotIn, EASY),),
    ast.NotIn: ((ast.In, EASY),),
    ast.Is: ((ast.IsNot, EASY),),
    ast.IsNot: ((ast.Is, EASY),),
}

_SYMBOLS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip

_METHODS: Final[dict[str, str]] = {
    "startswith": "endswith", "endswith": "startswith", "lower": "upper", "upper": "lower",
    "lstrip": "rstrip", "rstrip": "lstrip", "strip": "lstrip", "find": "rfind", "rfind": "find",
    "index": "count", "split": "rsplit", "rsplit": "split", "partition": "rpartition",
    "rpartition": "partition", "ljust": "rjust", "rjust": "ljust", "removeprefix": "removesuffix",
    "removesuffix": "removeprefix", "add": "discard", "union": "intersection",
    "intersection": "union", "issubset": "issuperset", "issuperset": "issubset", "extend": "append",
    "appendleft": "append", "popleft": "pop", "match": "search", "search": "match",
}  # fmt: skip
"""Methods of texts and collections, and those that one may take for them."""

_FUNCTIONS: Final[dict[str, str]] = {
    "min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor",
    "sorted": "list", "reversed": "iter",
}  # fmt: skip

_KEEPING: Final = frozenset(
    "lower upper strip lstrip rstrip casefold title capitalize swapcase replace removeprefix removesuffix"
    " ljust rjust center zfill quantize astimezone normalize expanduser resolve".split()
)
"""Methods whose result is like what they are called on, and may be forgotten."""

_THROUGH: Final = frozenset(("abs", "round", "set", "frozenset"))
"""Functions whose result is like their first argument."""

_OPTIONAL: Final[frozenset[str | None]] = frozenset(
    """key default rounding safe maxsplit ndigits errors tz tzinfo base reverse days hours minutes seconds
    milliseconds microseconds weeks""".split()
)
"""Arguments by keyword that library functions do without."""

_CHANGED_COPIES: Final = frozenset(("replace", "_replace", "evolve"))
"""Functions and methods that return what they are called with, but for what is given by keyword."""

_COPIES: Final = frozenset(("list", "dict", "set", "copy", "deepcopy"))
"""Functions, and the method, that copy what they are given."""

_MOST_SHOWN: Final = 40


def changes_of_expression(node: ast.expr) -> Iterator[Change]:
    """Give the changes of one expression; its parts have their own."""
    for kind, changes in _OF_EXPRESSIONS:
        if isinstance(node, kind):
            yield from changes(node)


def changes_of_statement(node: ast.stmt) -> Iterator[Change]:
    """Give the changes of one simple statement; none for one that has statements inside."""
    if isinstance(node, ast.AugAssign):
        for other in _ARITHMETIC[type(node.op)]:
            text = f"`{_SYMBOLS[type(node.op)]}=` becomes `{_SYMBOLS[other]}=`"
            yield Change("arithmetic", text, ast.AugAssign(node.target, other(), node.value))
        if isinstance(node.op, (ast.Add, ast.BitOr)):
            text = f"`{_SYMBOLS[type(node.op)]}=` becomes `=`"
            yield Change("arithmetic", text, ast.Assign([node.target], node.value))
    if isinstance(node, ast.Break):
        yield Change("jump", "`break` becomes `continue`", ast.Continue())
    elif isinstance(node, ast.Continue):
        yield Change("jump", "`continue` becomes `break`", ast.Break(), HARD)
    elif isinstance(node, ast.Raise):
        yield Change("exception", f"`{shown(node)}` is left out", ast.Pass())
    elif may_go(node):
        yield Change("statement", f"`{shown(node)}` is left out", ast.Pass())


def negated(test: ast.expr) -> Change | None:
    """Return the change of a condition into its contrary; None where another change is the same."""
    single = isinstance(test, ast.Compare) and len(test.ops) == 1
    if single or isinstance(test, ast.Constant) or _is_not(test):
        return None
    return Change("condition", f"`{shown(test)}` is negated", ast.UnaryOp(ast.Not(), test), EASY)


def returned(value: ast.expr) -> Change | None:
    """Return the change of a result into None; None where it is that."""
    if isinstance(value, ast.Constant) and value.value is None:
        return None
    return Change("result", "None is returned", ast.Constant(None), EASY)


def kept(test: ast.expr) -> Change:
    """Return the change of a comprehension's condition into one that always holds."""
    return Change("condition", f"`if {shown(test)}` is left out", ast.Constant(True))


def taken_for(value: ast.expr, parameters: Sequence[str]) -> Change | None:
    """Return the change of a result that is a parameter into its neighbour; None where it is none."""
    if not isinstance(value, ast.Name) or value.id not in parameters or len(parameters) < 2:
        return None
    place = parameters.index(value.id)
    other = parameters[place - 1 if place else 1]
    return Change("variable", f"`{other}` is returned for `{value.id}`", ast.Name(other, ast.Load()))


def shown(node: ast.AST) -> str:
    """The source of a node in one line, cut where it is long."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def may_go(node: ast.stmt) -> bool:
    """Return whether a statement is one that does something, and may be left out."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, (ast.Constant, ast.Yield, ast.YieldFrom))
    return isinstance(node, (ast.Assign, ast.AugAssign, ast.Delete, ast.Assert))


def is_text(node: ast.expr) -> bool:
    """Return whether an expression is a text that stands there."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    )


def _of_operation(node: ast.BinOp) -> Iterator[Change]:
    if is_text(node.left) or is_text(node.right):
        return  # what formats or joins texts has no other operation
    for other in _ARITHMETIC[type(node.op)]:
        text = f"`{_SYMBOLS[type(node.op)]}` becomes `{_SYMBOLS[other]}` in `{shown(node)}`"
        yield Change("arithmetic", text, ast.BinOp(node.left, other(), node.right))


def _of_comparison(node: ast.Compare) -> Iterator[Change]:
    for place, op in enumerate(node.ops):
        for other, difficulty in _COMPARISONS[type(op)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            text = f"`{_SYMBOLS[type(op)]}` becomes `{_SYMBOLS[other]}` in `{shown(node)}`"
            changed = ast.Compare(node.left, ops, node.comparators)
            yield Change("comparison", text, changed, difficulty)


def _of_junction(node: ast.BoolOp) -> Iterator[Change]:
    is_and = isinstance(node.op, ast.And)
    words = ("and", "or") if is_and else ("or", "and")
    other = ast.Or() if is_and else ast.And()
    text = f"`{words[0]}` becomes `{words[1]}` in `{shown(node)}`"
    yield Change("logic", text, ast.BoolOp(other, node.values))
    for place, left_out in enumerate(node.values):
        others = [*node.values[:place], *node.values[place + 1 :]]
        rest = others[0] if len(others) == 1 else ast.BoolOp(node.op, others)
        yield Change("logic", f"`{shown(left_out)}` is left out of `{shown(node)}`", rest)


def _of_unary(node: ast.UnaryOp) -> Iterator[Change]:
    if not isinstance(node.op, ast.UAdd):
        sign = {ast.Not: "not", ast.USub: "-", ast.Invert: "~"}[type(node.op)]
        difficulty = EASY if isinstance(node.op, ast.Not) else USUAL
        yield Change("logic", f"`{sign}` is left out in `{shown(node)}`", node.operand, difficulty)


def of_constant(node: ast.Constant) -> Iterator[Change]:
    """Give the changes of a constant: a number one more and one less, a text with something behind it."""
    value = node.value
    others: tuple[bool | int | float | str | bytes, ...] = ()
    if isinstance(value, bool):
        others = (not value,)
    elif isinstance(value, (int, float)):
        others = (value + 1, value - 1)
    elif isinstance(value, str):
        others = (value + "XX" if value else "XX",)
    elif isinstance(value, bytes):
        others = (value + b"XX",)
    for other in others:
        new = ast.Constant(other)
        yield Change("constant", f"`{shown(node)}` becomes `{shown(new)}`", new)


def _of_call(node: ast.Call) -> Iterator[Change]:
    function = node.func
    other = None
    if isinstance(function, ast.Attribute) and function.attr in _METHODS and not _splits_all(node):
        other = ast.Attribute(function.value, _METHODS[function.attr], ast.Load())
        words = function.attr, other.attr
    elif isinstance(function, ast.Name) and function.id in _FUNCTIONS:
        words = function.id, _FUNCTIONS[function.id]
        plain = not node.keywords or words[1] not in ("list", "iter")
        other = ast.Name(words[1], ast.Load()) if plain else None  # type: ignore[assignment]
    if other is not None:
        text = f"`{words[0]}` becomes `{words[1]}` in `{shown(node)}`"
        yield Change("call", text, ast.Call(other, node.args, node.keywords))
    if isinstance(function, ast.Attribute) and function.attr == "append" and len(node.args) == 1:
        inserting = ast.Attribute(function.value, "insert", ast.Load())
        text = f"`append` becomes `insert(0, ...)` in `{shown(node)}`"
        yield Change("call", text, ast.Call(inserting, [ast.Constant(0), *node.args], []))
    for place, (first, second) in enumerate(itertools.pairwise(node.args)):
        if _may_be_swapped(first, second):
            args = [*node.args[:place], second, first, *node.args[place + 2 :]]
            text = f"`{shown(first)}` and `{shown(second)}` are swapped in `{shown(node)}`"
            yield Change("arguments", text, ast.Call(node.func, args, node.keywords))


def _splits_all(node: ast.Call) -> bool:
    """Return whether a text is split wherever it can be: from which end is the same then."""
    names = [option.arg for option in node.keywords]
    return getattr(node.func, "attr", "") in ("split", "rsplit") and len(node.args) < 2 and not names


def without_options(node: ast.Call, optional: Container[str | None]) -> Iterator[Change]:
    """Give the call without each of some arguments by keyword."""
    for place, option in enumerate(node.keywords):
        if option.arg is not None and option.arg in optional:
            others = [*node.keywords[:place], *node.keywords[place + 1 :]]
            text = f"`{option.arg}` is left out of `{shown(node)}`"
            yield Change("call", text, ast.Call(node.func, node.args, others))


def left_out_anyway(node: ast.Call) -> frozenset[str | None]:
    """Return the arguments by keyword that a call may do without whatever it calls."""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return frozenset(option.arg for option in node.keywords) if name in _CHANGED_COPIES else _OPTIONAL


def _of_forgotten(node: ast.Call) -> Iterator[Change]:
    """The thing a call is made on, or gets, in the place of its result; and the call without an option."""
    function, plain = node.func, not any(isinstance(one, ast.Starred) for one in node.args)
    name = getattr(function, "id", "")
    instead: list[ast.expr] = []
    if isinstance(function, ast.Attribute) and function.attr in _KEEPING:
        instead = [function.value]
    elif plain and name in _THROUGH:
        instead = node.args[:1]
    elif plain and name in ("min", "max") and len(node.args) > 1 and not node.keywords:
        instead = node.args
    for one in instead:
        yield Change("call", f"`{shown(node)}` becomes `{shown(one)}`", one)
    yield from without_options(node, left_out_anyway(node))


def _of_entries(node: ast.Dict) -> Iterator[Change]:
    """A dict with the values of two neighbours swapped."""
    for place, (first, second) in enumerate(itertools.pairwise(node.values)):
        if None not in node.keys[place : place + 2] and _may_be_swapped(first, second):
            values = [*node.values[:place], second, first, *node.values[place + 2 :]]
            text = f"`{shown(first)}` and `{shown(second)}` are swapped in `{shown(node)}`"
            yield Change("arguments", text, ast.Dict(node.keys, values))


def _of_format(node: ast.JoinedStr) -> Iterator[Change]:
    """A text in which a value stands as it is, without its width or precision."""
    for place, part in enumerate(node.values):
        if isinstance(part, ast.FormattedValue) and part.format_spec is not None:
            bare = ast.FormattedValue(part.value, part.conversion)
            text = f"the format of `{shown(part.value)}` is left out"
            yield Change(
                "constant", text, ast.JoinedStr([*node.values[:place], bare, *node.values[place + 1 :]])
            )


def _of_copy(node: ast.Call | ast.Subscript) -> Iterator[Change]:
    """The original in the place of a copy: what happens to one happens to the other then."""
    source = _copied(node)
    if isinstance(source, (ast.Name, ast.Attribute, ast.Subscript, ast.BoolOp, ast.IfExp)):
        text = f"`{shown(node)}` becomes `{shown(source)}`"
        yield Change("copy", text, source, HARD)


def _copied(node: ast.Call | ast.Subscript) -> ast.expr | None:
    """The thing that an expression copies, None for one that does something else."""
    if isinstance(node, ast.Subscript):
        whole = isinstance(node.slice, ast.Slice) and node.slice.lower is node.slice.upper is node.slice.step
        return node.value if whole and isinstance(node.ctx, ast.Load) else None
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name not in _COPIES or node.keywords or len(node.args) > 1:
        return None
    if node.args:
        plain = isinstance(function, ast.Name) or name in ("copy", "deepcopy")
        return node.args[0] if plain else None
    return function.value if isinstance(function, ast.Attribute) and name == "copy" else None


def _may_be_swapped(first: ast.expr, second: ast.expr) -> bool:
    """Return whether two values may be taken for each other: two constants, or two that are looked up."""
    kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
    alike = isinstance(first, ast.Constant) and isinstance(second, ast.Constant)
    alike = alike or (isinstance(first, kinds) and isinstance(second, kinds))
    return alike and ast.dump(first) != ast.dump(second)


def _of_alternative(node: ast.IfExp) -> Iterator[Change]:
    if (change := negated(node.test)) is not None:
        new = ast.IfExp(change.node, node.body, node.orelse)
        yield Change(change.operator, change.text, new, change.difficulty)


_OF_EXPRESSIONS: Final[tuple[tuple[type[ast.expr], Callable[..., Iterator[Change]]], ...]] = (
    (ast.BinOp, _of_operation),
    (ast.Compare, _of_comparison),
    (ast.BoolOp, _of_junction),
    (ast.UnaryOp, _of_unary),
    (ast.Constant, of_constant),
    (ast.Call, _of_call),
    (ast.Call, _of_copy),
    (ast.Call, _of_forgotten),
    (ast.Dict, _of_entries),
    (ast.JoinedStr, _of_format),
    (ast.Subscript, _of_copy),
    (ast.IfExp, _of_alternative),
)
