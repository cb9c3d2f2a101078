"""Documents that a module looks into: the keys, what is found by them, and how texts become documents."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

Document: TypeAlias = "dict[str, Document | list[Document] | None]"
"""The keys of a dict, with those of a dict, or of several ones, that are found by a key."""

ANY: Final = "*"
"""In the place of a key: there may be any, and of each the same is asked."""

KEEPING: Final = ("sorted", "list", "tuple", "reversed", "iter")
"""Functions that give the items of what they are given."""

ROUNDS: Final = 3
"""How often what is known of one name goes on to another that stands for it."""


class LookedInto(NamedTuple):
    """The documents that a module looks into.

    Attributes:
        by_name: the keys by which each name is looked into.
        whole: those that are found in no other.
        needed: keys that have to be there.
    """

    by_name: dict[str, Document]
    whole: list[Document]
    needed: frozenset[str]


class WayToRead(NamedTuple):
    """How a text becomes a document: the library, and what is looked for in it, where that is known.

    Attributes:
        library: its module.
        keys: what is looked for; of a table the names of columns.
        delimiter: of a table.
    """

    library: str
    keys: Document | None
    delimiter: str = ","


class _Place(NamedTuple):
    """Where something is found: in what, by which key, and whether it is one of several there."""

    name: str
    key: str
    many: bool = False


def documents_of(tree: ast.Module) -> LookedInto:
    """Return what the functions of a module look into, told apart by the names of variables."""
    found: dict[str, Document] = {}
    inner: dict[str, _Place] = {}
    needed: set[str] = set()
    asked: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and (place := _looked_up(node)) is not None:
            name, key, is_needed = place
            found.setdefault(name, {}).setdefault(key, None)
            (needed if is_needed else asked).add(key)
        for one, where in _held(node):
            inner[one] = where
            found.setdefault(where.name, {}).setdefault(where.key, None)
    same = list(_standing_for(tree))
    for name in {*map(_looked_for, ast.walk(tree))} & inner.keys():
        found.setdefault(name, {}).setdefault(ANY, None)
    for _ in range(ROUNDS):
        for one, other in same:
            _take_over(found.setdefault(other, {}), found.get(one, {}))
        for one, where in inner.items():
            if found.get(one) and one != where.name:
                found[where.name][where.key] = [found[one]] if where.many else found[one]
    parts = {one for one, _ in same}
    return LookedInto(found, [keys for name, keys in found.items() if name not in {*inner, *parts} and keys],
                     frozenset(needed - asked))  # fmt: skip


def _take_over(keys: Document, others: Document) -> None:
    """Let a document have what is known of another one under the same or further keys."""
    for key, inner in others.items():
        if keys.get(key) is None:
            keys[key] = inner


def defaults_of(tree: ast.Module) -> Iterator[tuple[str, object]]:
    """Give the keys that something is looked up by, with what is taken where there is none."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(_, "get"), [ast.Constant(str() as key), ast.Constant(value)]):
                yield key, value
            case ast.Call(ast.Attribute(_, "get"), [ast.Constant(str() as key), ast.List([])]):
                yield key, []
            case _:
                pass


def readings_of(node: ast.AST, by_name: Mapping[str, Document]) -> Iterator[tuple[str, WayToRead]]:
    """Give the names of texts that are read as documents, and how."""
    kept = {
        id(part.value): part.targets[0].id
        for part in ast.walk(node)
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
    }
    for part in ast.walk(node):
        match part:
            case ast.Call(ast.Attribute(ast.Name(library), "loads"), [ast.Name(name), *_]):
                yield name, WayToRead(library, by_name.get(kept.get(id(part), "")))
            case _:
                pass


def _held(node: ast.AST) -> Iterator[tuple[str, _Place]]:
    """The names of variables for what is found in something, and where."""
    match node:
        case ast.For(target, source) | ast.comprehension(target, source):
            yield from _walked_over(target, source)
        case ast.Assign([ast.Name(one)], source) | ast.NamedExpr(ast.Name(one), source):
            if (place := _looked_up(source)) is not None:
                yield one, _Place(*place[:2])
        case _:
            pass


def _walked_over(target: ast.expr, source: ast.expr) -> Iterator[tuple[str, _Place]]:
    """The name of each of several things that are found together, or of what is found by any key."""
    while isinstance(source, ast.Call) and getattr(source.func, "id", "") in KEEPING and source.args:
        source = source.args[0]
    if isinstance(target, ast.Name) and (place := _looked_up(source)) is not None:
        yield target.id, _Place(*place[:2], many=True)
    match source, target:
        case ast.Call(ast.Attribute(base, "items"), []), ast.Tuple([_, ast.Name(one)]):
            pass
        case ast.Call(ast.Attribute(base, "values"), []), ast.Name(one):
            pass
        case _:
            return
    if isinstance(base, ast.Name):
        yield one, _Place(base.id, ANY)
    elif (place := _looked_up(base)) is not None:
        name = f"{place[0]}.{place[1]}"
        yield one, _Place(name, ANY)
        yield name, _Place(*place[:2])


def _standing_for(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Pairs of names of which the first is looked into, and what is in it comes from the second."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(one)], ast.Dict(keys, values)) if None in keys:
                merged = (value for key, value in zip(keys, values, strict=True) if key is None)
                yield from ((one, value.id) for value in merged if isinstance(value, ast.Name))
            case ast.Assign([ast.Name(one)], ast.BinOp(ast.Name(left), ast.BitOr(), ast.Name(right))):
                yield from ((one, left), (one, right))
            case ast.Call(ast.Name(name), args) if name in functions:
                parameters = functions[name].args.args
                pairs = zip(parameters, args, strict=False)
                yield from ((one.arg, two.id) for one, two in pairs if isinstance(two, ast.Name))
            case _:
                pass


def _looked_for(node: ast.AST) -> str:
    """The name of what something is looked up in by a key that is not written out; "" for anything else."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(name), "get"), [key, *_]) | ast.Subscript(ast.Name(name), key):
            return "" if isinstance(key, (ast.Constant, ast.Slice)) else name
        case _:
            return ""


def _looked_up(node: ast.expr) -> tuple[str, str, bool] | None:
    """The name and key of what is looked up, and whether it has to be there; None for anything else."""
    match node:
        case ast.Subscript(ast.Name(name), ast.Constant(str() as key), ast.Load()):
            return name, key, True
        case ast.Call(ast.Attribute(ast.Name(name), "get"), [ast.Constant(str() as key), *_]):
            return name, key, False
        case ast.Compare(ast.Constant(str() as key), [ast.In()], [ast.Name(name)]):
            return name, key, False
        case _:
            return None
