"""The conditions of a module in words, by the branches that they decide, and its statements: for names."""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from tracetwin.analysis.guards import block_start
from tracetwin.support.counting import spelled

Arc: TypeAlias = tuple[int, int]

LONGEST: Final = 50
"""Letters of a condition in words; what is longer says too much."""

MOST_ITEMS: Final = 3

_RELATIONS: Final[dict[type[ast.cmpop], tuple[str, str]]] = {
    ast.Lt: ("is below", "is at least"),
    ast.LtE: ("is at most", "is above"),
    ast.Gt: ("is above", "is at most"),
    ast.GtE: ("is at least", "is below"),
    ast.Eq: ("is", "is not"),
    ast.NotEq: ("is not", "is"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("is in", "is not in"),
    ast.NotIn: ("is not in", "is in"),
}

_OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "plus", ast.Sub: "minus", ast.Mult: "times", ast.Div: "by", ast.FloorDiv: "by",
    ast.Mod: "modulo", ast.BitAnd: "and", ast.BitOr: "or",
}  # fmt: skip

_ASKED: Final = {
    "startswith": ("starts with", "does not start with"),
    "endswith": ("ends with", "does not end with"),
    "isinstance": ("is a", "is no"),
    "issubclass": ("is a", "is no"),
    "hasattr": ("has", "has no"),
    "callable": ("can be called", "can not be called"),
}
"""Functions that answer yes or no, in words."""

_SAYS_IT: Final = r"(is|has|can|should|was|needs)_"

_CONVERSIONS: Final = ("int", "str", "float", "list", "tuple", "set", "frozenset", "dict", "sorted")

_MADE_SO: Final = {"strip": "stripped", "lower": "lower case", "upper": "upper case"}
"""Methods of texts whose result is told before the text."""

_MATCHING: Final = ("match", "fullmatch", "search")


class _Silent(Exception):
    """There are no words for a condition."""


def branch_words(tree: ast.Module) -> dict[Arc, str]:
    """Return for branches what holds where they are taken; one that ends at 0 is all others of its line.

    Nothing is done there but to go on.
    """
    found = {arc: _checked(test, outcome=outcome) for arc, test, outcome in _branches(tree)}
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.update(_of_variables(function))
    return {**found, **dict(_caught(tree))}


def _of_variables(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[Arc, str]]:
    """The words of conditions on variables that a function itself sets.

    One that is true or false stands for itself, and one that holds a match for what was asked. What a
    condition says of a parameter that was changed is said of the argument and its one change.
    """
    given = _given(function)
    nodes = list(ast.walk(function))
    flags = {
        target.id
        for one in nodes if isinstance(one, ast.Assign) and _is_truth(one.value)
        for target in one.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    matches = _matches(nodes)
    changes = [change for name in sorted(given) for change in _changes(function, name)]
    for arc, test, outcome in _branches(function):
        asked, way = _without_not(test, outcome=outcome)
        names = {one.id for one in ast.walk(test) if isinstance(one, ast.Name)}
        changed = [one for one in changes if one.name in names and (one.line < test.lineno or not one.once)]
        if changed:
            told = len(changed) == 1 and changed[0].once
            yield arc, _checked(_with(changed[0], asked), outcome=way) if told else ""
        elif isinstance(asked, ast.Name) and asked.id in matches:
            yield arc, _checked(matches[asked.id], outcome=way)
        elif isinstance(asked, ast.Name) and asked.id in flags - given and not re.match(_SAYS_IT, asked.id):
            yield arc, _slug(asked.id if way else f"not {asked.id}")


def _given(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The parameters, and what these are taken apart into."""
    names = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    for node in function.body:
        match node:
            case ast.Assign([ast.Tuple(parts) | ast.List(parts)], ast.Name(whole)) if whole in names:
                names |= {part.id for part in parts if isinstance(part, ast.Name)}
            case _:
                pass
    return names


def _matches(nodes: list[ast.AST]) -> dict[str, ast.expr]:
    """The variables that hold nothing but one match, with the call that made it."""
    found: dict[str, ast.expr] = {}
    stored = Counter(one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(_, asked), [_], []) as made):
                if asked in _MATCHING and stored[name] == 1:
                    found[name] = made
            case _:
                pass
    return found


class _Change(NamedTuple):
    """A change of a variable: to what, and whether it happens once in any call."""

    name: str
    line: int
    value: ast.expr
    once: bool


def _changes(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[_Change]:
    """Where a variable is set to what is made of its own value; a plain conversion leaves it what it was."""
    for node in ast.walk(function):
        match node:
            case ast.AugAssign(ast.Name(changed), operator, value) if changed == name:
                made: ast.expr = ast.BinOp(ast.Name(name, ast.Load()), operator, value)
            case ast.Assign([ast.Name(changed)], value) if changed == name and not _converts(value, name):
                made = value
            case _:
                continue
        if name in {one.id for one in ast.walk(made) if isinstance(one, ast.Name)}:
            yield _Change(name, node.lineno, made, node in function.body)


def _converts(value: ast.expr, name: str) -> bool:
    match value:
        case ast.Call(ast.Name(kind), [ast.Name(only)], []):
            return only == name and kind in _CONVERSIONS
        case _:
            return False


def _with(change: _Change, asked: ast.expr) -> ast.expr:
    """A condition with the changed value in the place of the variable."""
    replaced: ast.expr = _Replaced({change.name: change.value}).visit(copy.deepcopy(asked))
    return ast.NamedExpr(ast.Name("it"), replaced) if isinstance(asked, ast.Name) else replaced


class _Replaced(ast.NodeTransformer):
    """Puts expressions in the place of variables."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what stands for a variable."""
        return self._values.get(node.id, node)


def _is_truth(value: ast.expr) -> bool:
    """Return whether an expression can only be True or False."""
    negated = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
    known = isinstance(value, ast.Constant) and isinstance(value.value, bool)
    return negated or known or isinstance(value, ast.Compare)


def _without_not(test: ast.expr, *, outcome: bool) -> tuple[ast.expr, bool]:
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, outcome = test.operand, not outcome
    return test, outcome


def _branches(tree: ast.AST) -> Iterator[tuple[Arc, ast.expr, bool]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While)):
            yield (node.lineno, block_start(node.body)), node.test, True
            otherwise = node.orelse and not isinstance(node.orelse[0], ast.If)
            yield (node.lineno, block_start(node.orelse) if otherwise else 0), node.test, False


def _caught(tree: ast.Module) -> Iterator[tuple[Arc, str]]:
    """The handlers, which are entered where an exception was caught."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, (ast.Name, ast.Attribute)):
            name = ast.unparse(node.type).rpartition(".")[2]
            spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
            yield (node.lineno, block_start(node.body)), f"{_slug(spaced)}_is_caught"


def statement_words(tree: ast.Module) -> dict[int, str]:
    """Return by lines what a statement is doing there, of those of which there are words."""
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and (words := _doing(node)):
            ends = getattr(node, "body", [node])[0]
            last = ends.lineno - 1 if ends is not node else node.end_lineno or node.lineno
            found.update(dict.fromkeys(range(node.lineno, max(node.lineno, last) + 1), words))
    return found


def _doing(node: ast.stmt) -> str:
    try:
        match node:
            case ast.For(_, ast.Call(ast.Name("enumerate" | "sorted" | "reversed"), [source, *_]), _):
                words = f"walking over {_text(source)}"
            case ast.For(_, source, _):
                words = f"walking over {_text(source)}"
            case ast.If(test) | ast.While(test):
                words = f"asking whether {_words(test, outcome=True)}"
            case ast.Assign([ast.Tuple() | ast.List()]):
                return ""
            case ast.Assign([target]) | ast.AnnAssign(target) | ast.AugAssign(target):
                words = f"computing {_text(target)}"
            case ast.Expr(ast.Call(function)) | ast.Expr(ast.Await(ast.Call(function))):
                words = f"calling {_text(function)}"
            case _:
                return ""
    except _Silent:
        return ""
    slug = _slug(words)
    return slug if len(slug) <= LONGEST else ""


def words_of(arcs: frozenset[Arc], taken: dict[Arc, str]) -> dict[str, bool]:
    """Return what holds on a way, what was decided last in the text first, and whether something hangs on it.

    What was decided both ways, as in a loop, says nothing.
    """
    found: dict[str, bool] = {}
    lines = dict.fromkeys(line for line, _ in sorted(arcs, reverse=True))
    for line in lines:
        sides = {(start, to) if (start, to) in taken else (start, 0) for start, to in arcs if start == line}
        side = sides.pop() if len(sides) == 1 else (line, 0)
        words = "" if sides else taken.get(side, "")
        if words:
            found[words] = found.get(words, False) or side[1] != 0
    return found


def _checked(test: ast.expr, *, outcome: bool) -> str:
    try:
        words = _slug(_words(test, outcome=outcome))
    except _Silent:
        return ""
    return words if len(words) <= LONGEST else ""


def _slug(text: str) -> str:
    return "_".join(re.findall(r"[A-Za-z0-9]+", text)).lower()


def _words(test: ast.expr, *, outcome: bool) -> str:
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return _words(operand, outcome=not outcome)
        case ast.Compare(left, [operator], [right]):
            relation = _RELATIONS[type(operator)][not outcome]
            return f"{_text(left)} {relation} {_text(right)}"
        case ast.Compare(low, [ast.Lt() | ast.LtE(), ast.Lt() | ast.LtE()], [middle, high]):
            return f"{_text(middle)} is {'' if outcome else 'not '}between {_text(low)} and {_text(high)}"
        case ast.BoolOp(operator, values):
            return _joined(operator, values, outcome=outcome)
        case ast.Constant():
            raise _Silent
        case ast.Call(_, _, []):
            return _asked(test, outcome=outcome)
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.NamedExpr() if not _says_it(test):
            return f"{_text(test)} is {'set' if outcome else 'not set'}"
        case _:
            return _text(test) if outcome else f"not {_text(test)}"


def _says_it(test: ast.expr) -> bool:
    return re.match(_SAYS_IT, _text(test)) is not None


def _asked(call: ast.Call, *, outcome: bool) -> str:
    """A function that answers yes or no."""
    match call:
        case ast.Call(ast.Name(name), [first, *others]) if name in _ASKED:
            about = [_text(other) for other in others[:1]]
            said = _ASKED[name][not outcome]
            article = "n" if said == "is a" and about[0][:1].lower() in "aeiou" else ""
            return " ".join([_text(first), f"{said}{article}", *about])
        case ast.Call(ast.Attribute(value, name), [argument]) if name in _ASKED:
            return f"{_text(value)} {_ASKED[name][not outcome]} {_text(argument)}"
        case ast.Call(ast.Attribute(value, name), [argument]) if name in _MATCHING:
            return f"{_text(argument)} {'matches' if outcome else 'does not match'} {_text(value)}"
        case ast.Call(ast.Attribute(value, name), []) if re.match(r"is_?[a-z]", name):
            asked = name.removeprefix("is").removeprefix("_")
            return f"{_text(value)} {'is' if outcome else 'is not'} {asked}"
        case _:
            return _text(call) if outcome else f"not {_text(call)}"


def _joined(operator: ast.boolop, values: list[ast.expr], *, outcome: bool) -> str:
    """Several conditions of which all hold, or none does; else it is open which."""
    if isinstance(operator, ast.And) is not outcome:
        raise _Silent
    return " and ".join(_words(value, outcome=outcome) for value in values)


def _text(node: ast.expr) -> str:
    return _constant(node.value) if isinstance(node, ast.Constant) else _named(node) or _made(node)


def _constant(value: object) -> str:
    if value in ("", b""):
        return "empty"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return spelled(value) or str(value)
    if isinstance(value, str) and not re.search(r"[A-Za-z0-9]", value):
        raise _Silent
    return str(value)


def _named(node: ast.expr) -> str:
    """A name, and what is reached from it; "" for anything else."""
    match node:
        case ast.Name(name) | ast.Attribute(ast.Name("self" | "cls"), name):
            return name
        case ast.Attribute(value, name):
            return f"{_text(value)} {name}"
        case ast.Subscript(value, ast.Slice()):
            return f"part of {_text(value)}"
        case ast.Subscript(value, index):
            return f"{_text(value)} {_text(index)}"
        case ast.NamedExpr(_, value):
            return _text(value)
        case _:
            return ""


def _made(node: ast.expr) -> str:
    """The words for a value that is computed."""
    match node:
        case ast.UnaryOp(ast.USub(), operand):
            return f"minus {_text(operand)}"
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            return f"{_text(left)} {_OPERATORS[type(operator)]} {_text(right)}"
        case ast.Call(ast.Name("len"), [value], []):
            return f"length of {_text(value)}"
        case ast.Call(ast.Attribute(value, name), [], []) if name in _MADE_SO:
            return f"{_MADE_SO[name]} {_text(value)}"
        case ast.Call(function, arguments, []) if len(arguments) <= 1:
            return " ".join([_text(function), *map(_text, arguments)])
        case ast.Tuple([]) | ast.List([]) | ast.Dict([], []):
            return "empty"
        case ast.Tuple(items) | ast.List(items) | ast.Set(items) if len(items) <= MOST_ITEMS:
            return " or ".join(map(_text, items))
        case _:
            raise _Silent
