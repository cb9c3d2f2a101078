"""Changes that are slips of people: truth for `None`, a handler less, checks in the wrong order."""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Callable, Iterator
from typing import Any, Final

from tracetwin.mutation.operators import EASY, HARD, Change, is_text, shown

_MOST_MEMBERS: Final = 8
_MOST_CHARACTERS: Final = 3

_FALSY: Final = frozenset(
    """int float str bytes bool complex Decimal Fraction list dict set tuple frozenset Mapping Sequence
    Iterable Collection MutableMapping timedelta List Dict Set Tuple""".split()
)
"""Names in annotations of which there are false values besides None."""

_READING: Final = frozenset(("int", "float", "Decimal", "Fraction"))
"""What makes numbers of texts, and of other numbers."""

_ROUNDINGS: Final = ("ROUND_DOWN", "ROUND_UP")
"""Two ways to round, which differ wherever anything is rounded."""


def slips(node: ast.expr) -> Iterator[Change]:
    """Give the changes of one expression into what somebody may have written by mistake."""
    for kind, changes in _OF_EXPRESSIONS:
        if isinstance(node, kind):
            yield from changes(node)


def handled(node: ast.ExceptHandler) -> Iterator[Change]:
    """Give the changes of what a handler catches: nothing, and without one of several."""
    if node.type is None:
        return
    text = f"`{shown(node.type)}` is not caught"
    yield Change("exception", text, ast.Tuple([], ast.Load()), EASY)
    if isinstance(node.type, ast.Tuple) and len(node.type.elts) > 1:
        for place, one in enumerate(node.type.elts):
            rest = [*node.type.elts[:place], *node.type.elts[place + 1 :]]
            yield Change("exception", f"`{shown(one)}` is not caught", ast.Tuple(rest, ast.Load()))


def next_checks(tree: ast.AST) -> dict[ast.If, ast.expr]:
    """Return for each check that leads away, or on to an `elif`, the condition of the one behind it.

    Only of those about different things: of two that ask for the same, it is seldom that both hold.
    """
    found: dict[ast.If, ast.expr] = {}
    for node in ast.walk(tree):
        bodies = [part for _, part in ast.iter_fields(node) if isinstance(part, list)]
        for first, second in (pair for body in bodies for pair in itertools.pairwise(body)):
            if isinstance(first, ast.If) and not first.orelse and _leads_away(first):
                found.update({first: second.test} if isinstance(second, ast.If) else {})
        match node:
            case ast.If(orelse=[ast.If(test=other)]):
                found[node] = other
            case _:
                pass
    return {node: other for node, other in found.items() if _are_apart(node.test, other)}


def checked_later(test: ast.expr, other: ast.expr | None) -> Change | None:
    """Return the change of a condition into one that leaves to the next check what both hold for."""
    if other is None:
        return None
    later = ast.BoolOp(ast.And(), [test, ast.UnaryOp(ast.Not(), other)])
    return Change("condition", f"`{shown(other)}` is checked before `{shown(test)}`", later, HARD)


def _leads_away(node: ast.If) -> bool:
    return isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _are_apart(test: ast.expr, other: ast.expr) -> bool:
    """Return whether each of two conditions asks for something that the other does not."""
    one, two = _asked_for(test), _asked_for(other)
    keeps = not any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield)) for part in ast.walk(other))
    return keeps and bool(one - two) and bool(two - one)


def _asked_for(test: ast.expr) -> set[str]:
    """The names and attributes that a condition is about, but for builtins and what attributes are of."""
    parts = [part for part in ast.walk(test) if isinstance(part, (ast.Name, ast.Attribute))]
    inner = {id(part.value) for part in parts if isinstance(part, ast.Attribute)}
    return {ast.unparse(part) for part in parts if id(part) not in inner}.difference(dir(builtins))


def truth_for_none(node: ast.expr, annotations: dict[str, ast.expr | None]) -> Iterator[Change]:
    """Give the change of a test of a parameter for None into one for its truth, where false values differ."""
    match node:
        case ast.Compare(ast.Name(id) as asked, [ast.Is() | ast.IsNot() as op], [ast.Constant(None)]):
            pass
        case _:
            return
    annotation = annotations.get(id)
    words = {part.id for part in ast.walk(annotation) if isinstance(part, ast.Name)} if annotation else set()
    if _FALSY.isdisjoint(words):
        return
    new: ast.expr = ast.UnaryOp(ast.Not(), asked) if isinstance(op, ast.Is) else asked
    yield Change("condition", f"`{shown(node)}` becomes `{shown(new)}`", new, HARD)


def _of_membership(node: ast.Compare) -> Iterator[Change]:
    """``x in (1, 2)`` and ``x in "ab"`` without one member."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return
    where = node.comparators[0]
    for text, rest in _without_one(where):
        changed = ast.Compare(node.left, node.ops, [rest])
        yield Change("constant", f"`{text}` is left out of `{shown(where)}`", changed)


def _without_one(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield what is left out, and the rest."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and len(node.elts) > 1:
        for place, one in enumerate(node.elts[:_MOST_MEMBERS]):
            rest = [*node.elts[:place], *node.elts[place + 1 :]]
            others = ast.Set(rest) if isinstance(node, ast.Set) else type(node)(rest, ast.Load())
            yield shown(one), others
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
        for place in range(len(text)) if 1 < len(text) <= _MOST_CHARACTERS else ():
            yield repr(text[place]), ast.Constant(text[:place] + text[place + 1 :])


def _of_alike(node: ast.Compare) -> Iterator[Change]:
    """``a.lower() == b.lower()`` without what is done to both sides: done to one it shows more easily."""
    match node.left, node.comparators:
        case ast.Call(ast.Attribute(one, left), [], []), [ast.Call(ast.Attribute(other, right), [], [])]:
            pass
        case _:
            return
    if left == right and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        changed = ast.Compare(one, node.ops, [other])
        yield Change("call", f"`{shown(node)}` becomes `{shown(changed)}`", changed)


def _of_number(node: ast.Call) -> Iterator[Change]:
    """A number that was read with the other sign: of zero, nobody sees what becomes of it."""
    plain = len(node.args) == 1 and not isinstance(node.args[0], (ast.Constant, ast.Starred))
    if plain and not node.keywords and getattr(node.func, "id", "") in _READING:
        new = ast.UnaryOp(ast.USub(), node)
        yield Change("arithmetic", f"`{shown(node)}` becomes `{shown(new)}`", new)


def _of_options(node: ast.Call) -> Iterator[Change]:
    """A call without the flags of a pattern, or with another way to round."""
    if node.args and _is_flag(node.args[-1]):
        text = f"`{shown(node.args[-1])}` is left out of `{shown(node)}`"
        yield Change("call", text, ast.Call(node.func, node.args[:-1], node.keywords))
    for place, option in enumerate(node.keywords):
        others: list[tuple[str, list[ast.keyword]]] = []
        if option.arg == "flags":
            others = [(f"`{shown(option.value)}` is left out of", [])]
        elif option.arg == "rounding":
            known = shown(option.value).rpartition(".")[2].strip("'\"")
            for way in _ROUNDINGS if known not in _ROUNDINGS else ():
                others.append((f"{way} rounds in", [ast.keyword("rounding", ast.Constant(way))]))
        for text, instead in others:
            keywords = [*node.keywords[:place], *instead, *node.keywords[place + 1 :]]
            yield Change("call", f"{text} `{shown(node)}`", ast.Call(node.func, node.args, keywords))


def _of_distance(node: ast.Call) -> Iterator[Change]:
    """The seconds beside the days for those of the whole distance in time."""
    match node:
        case ast.Call(ast.Attribute(one, "total_seconds"), [], []):
            new = ast.Attribute(one, "seconds", ast.Load())
            yield Change("call", f"`{shown(node)}` becomes `{shown(new)}`", new)
        case _:
            pass


def _of_unique(node: ast.Call) -> Iterator[Change]:
    """Lists things as often as they are there that were listed once each."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("dict"), "fromkeys"), [one], []):
            yield Change("call", f"`{shown(node)}` becomes `{shown(one)}`", one)
        case _:
            pass


def _of_set(node: ast.SetComp) -> Iterator[Change]:
    """Keeps what comes again."""
    changed = ast.ListComp(node.elt, node.generators)
    yield Change("call", f"`{shown(node)}` keeps what comes again", changed)


def totals(node: ast.Call) -> Iterator[Change]:
    """Give the largest of some numbers for their sum, and their sum for the largest."""
    name = getattr(node.func, "id", "")
    given = {option.arg for option in node.keywords}
    if len(node.args) != 1 or isinstance(node.args[0], ast.Starred):
        return
    if name == "max" and given <= {"default"}:
        other = ast.Call(ast.Name("sum", ast.Load()), node.args, [])
    elif name == "sum" and not given:
        keywords = [ast.keyword("default", ast.Constant(0))]
        other = ast.Call(ast.Name("max", ast.Load()), node.args, keywords)
    else:
        return
    yield Change("call", f"`{name}` becomes `{ast.unparse(other.func)}` in `{shown(node)}`", other)


def _is_flag(node: ast.expr) -> bool:
    """Return whether an argument is made of flags of `re`."""
    if isinstance(node, ast.BinOp):
        return _is_flag(node.left) and _is_flag(node.right)
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "re" and node.attr.isupper()


def _of_dict(node: ast.Dict) -> Iterator[Change]:
    """A dict without one that is merged into it."""
    for place, key in enumerate(node.keys):
        if key is None and len(node.keys) > 1:
            keys, values = [*node.keys], [*node.values]
            del keys[place], values[place]
            text = f"`**{shown(node.values[place])}` is left out of `{shown(node)}`"
            yield Change("arguments", text, ast.Dict(keys, values))


def _of_order(node: ast.Call) -> Iterator[Change]:
    """A call that sorts by a key, the other way round."""
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    given = {option.arg for option in node.keywords}
    if name in ("sorted", "sort") and given == {"key"}:
        keywords = [*node.keywords, ast.keyword("reverse", ast.Constant(True))]
        text = f"`{shown(node)}` sorts the other way round"
        yield Change("call", text, ast.Call(node.func, node.args, keywords))


def _of_keys(node: ast.Lambda) -> Iterator[Change]:
    """A function that gives several values, as keys to sort by do, with two of them in the other order."""
    parts = node.body.elts if isinstance(node.body, ast.Tuple) else []
    for place, (one, other) in enumerate(itertools.pairwise(parts)):
        body = ast.Tuple([*parts[:place], other, one, *parts[place + 2 :]], ast.Load())
        text = f"`{shown(one)}` and `{shown(other)}` are swapped in `{shown(node)}`"
        yield Change("key", text, ast.Lambda(node.args, body))


def _of_sum(node: ast.BinOp) -> Iterator[Change]:
    """The sum within the product that it stands beside: `a * b + c` becomes `(a + c) * b`."""
    if not isinstance(node.op, (ast.Add, ast.Sub)):
        return
    match node.left, node.right:
        case ast.BinOp(one, ast.Mult() as times, other), rest:
            new = ast.BinOp(ast.BinOp(one, node.op, rest), times, other)
        case one, ast.BinOp(other, ast.Mult() as times, rest):
            new = ast.BinOp(ast.BinOp(one, node.op, other), times, rest)
        case _:
            return
    if not any(is_text(part) for part in ast.walk(node) if isinstance(part, ast.expr)):
        yield Change("arithmetic", f"`{shown(node)}` becomes `{shown(new)}`", new)


_OF_EXPRESSIONS: Final[tuple[tuple[type[ast.expr], Callable[[Any], Iterator[Change]]], ...]] = (
    (ast.Compare, _of_membership),
    (ast.Compare, _of_alike),
    (ast.Call, _of_number),
    (ast.Call, _of_options),
    (ast.Call, _of_unique),
    (ast.Call, _of_distance),
    (ast.SetComp, _of_set),
    (ast.BinOp, _of_sum),
    (ast.Dict, _of_dict),
    (ast.Call, _of_order),
    (ast.Lambda, _of_keys),
)
