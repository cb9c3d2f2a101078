"""Changes that only the rest of a module tells: names that one may take for others, constants with names."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from tracetwin.mutation.operators import Change, left_out_anyway, of_constant, shown, without_options
from tracetwin.mutation.slips import slips, totals

_MOST_ENTRIES: Final = 12
"""Entries of a table that are changed."""

_MOST_MEMBERS: Final = 4
"""Members of one of its entries of which each is left out."""


_LOOKED_UP: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""Arguments that are no constants."""

_OF_KEYS: Final = frozenset(
    "any all enumerate frozenset iter len list map max min next set sorted tuple".split()
)
"""Builtins that iterate a dict, or measure it: they see its keys."""

_BOUND: Final = re.compile(r"\{[0-9]*,([0-9]{1,3})\}")
"""Up to how many times a part of a pattern may stand in a text."""


class NamesOfModule:
    """The names of a module that stand for something else than it seems at first sight."""

    def __init__(self, tree: ast.Module) -> None:
        """Look for enumerations, fields of one type, and constants."""
        self._next: dict[str, str] = {}
        self._siblings: dict[str, str] = {}
        self._constants: dict[str, ast.expr] = {}
        self._first = _first_places(tree)
        self._optional = dict(_optional_parameters(tree))
        self._making = frozenset(_making(tree))
        stored = Counter(
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        )
        named = {getattr(node, "name", getattr(node, "arg", "")) for node in ast.walk(tree)} | stored.keys()
        self._totals = named.isdisjoint(("max", "sum"))  # else they may be something else
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                self._read(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
                if isinstance(target, ast.Name) and target.id.isupper() and stored[target.id] == 1:
                    self._constants[target.id] = node.value

    def _read(self, node: ast.ClassDef) -> None:
        names = [part.targets[0] for part in node.body if isinstance(part, ast.Assign)]
        members = [f"{node.name}.{one.id}" for one in names if isinstance(one, ast.Name)]
        if any(ast.unparse(base).endswith(("Enum", "Flag")) for base in node.bases):
            self._next.update(zip(members, [*members[1:], *members[:1]], strict=True))
        by_type: dict[str, list[str]] = {}
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                by_type.setdefault(ast.unparse(part.annotation), []).append(part.target.id)
        for fields in by_type.values():
            if len(fields) > 1:
                self._siblings.update(zip(fields, [*fields[1:], *fields[:1]], strict=True))

    def changes(self, node: ast.expr) -> Iterator[Change]:
        """Give the changes of a name or attribute into what one may take for it; calls without options."""
        if isinstance(node, ast.Attribute):
            other = self._next.get(ast.unparse(node), "").rpartition(".")[2] or self._siblings.get(node.attr)
            if other and other != node.attr:
                changed = ast.Attribute(node.value, other, ast.Load())
                yield Change("variable", f"`{shown(node)}` becomes `{shown(changed)}`", changed)
        elif isinstance(node, ast.Name) and node.id in self._constants:
            known, value = self._first.get(node.id), self._constants[node.id]
            if known is None or known[1:] != (node.lineno, node.col_offset):
                return  # one place is enough: its entries may be many
            if not (isinstance(value, ast.Dict) and known[0]):
                yield from _of_table(node.id, value)
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            optional = self._optional.get(name, frozenset())
            yield from without_options(node, optional - left_out_anyway(node))
            yield from self._forgotten(node)
            if self._totals:
                yield from totals(node)

    def _forgotten(self, node: ast.Call) -> Iterator[Change]:
        """The argument in the place of what a function of the module makes of it."""
        first = node.args[0] if len(node.args) == 1 and not node.keywords else None
        if isinstance(first, _LOOKED_UP) and ast.unparse(node.func) in self._making:
            yield Change("call", f"`{shown(node)}` becomes `{shown(first)}`", first)


def _making(tree: ast.Module) -> Iterator[str]:
    """Give the functions of a module that return something, as they are called; methods on `self`."""
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    for owner, body in ((None, tree.body), *((one, one.body) for one in classes)):
        for node in body:
            if not isinstance(node, ast.FunctionDef):
                continue
            parts = (part for statement in node.body for part in ast.walk(statement))
            if any(isinstance(part, ast.Return) and part.value is not None for part in parts):
                yield node.name if owner is None else f"self.{node.name}"


def _optional_parameters(tree: ast.Module) -> Iterator[tuple[str, frozenset[str | None]]]:
    """Give for names that one function or class of the module has what calls of it may leave out."""
    found: dict[str, list[ast.arguments]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name != "__init__":
            found.setdefault(node.name, []).append(node.args)
        elif isinstance(node, ast.ClassDef):
            made = [one for one in node.body if getattr(one, "name", "") == "__init__"]
            found.setdefault(node.name, []).extend(
                one.args for one in made if isinstance(one, ast.FunctionDef)
            )
    for name, some in found.items():
        if len(some) == 1:
            given = [*some[0].posonlyargs, *some[0].args]
            optional = [one.arg for one in given[len(given) - len(some[0].defaults) :]]
            by_name = zip(some[0].kwonlyargs, some[0].kw_defaults, strict=True)
            yield name, frozenset((*optional, *(one.arg for one, default in by_name if default is not None)))


def _first_places(tree: ast.Module) -> dict[str, tuple[bool, int, int]]:
    """For each name the place at which a function uses it first, if it can where the values of a dict matter.

    Returns:
        whether no more than the keys of a dict matter there, then line and column.
    """
    found: dict[str, tuple[bool, int, int]] = {}
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts = [part for statement in function.body for part in ast.walk(statement)]
            of_keys = {id(one) for part in parts for one in _asked_for_keys(part)}
            for node in parts:
                if isinstance(node, ast.Name):
                    place = (id(node) in of_keys, node.lineno, node.col_offset)
                    found[node.id] = min(found.get(node.id, place), place)
    return found


def _asked_for_keys(node: ast.AST) -> list[ast.expr]:
    """The parts of a node that are iterated, measured or looked into: of a dict, these are its keys."""
    match node:
        case ast.For(iter=inner) | ast.AsyncFor(iter=inner) | ast.comprehension(iter=inner):
            return [inner]
        case ast.Compare(ops=ops, comparators=others):
            return [one for op, one in zip(ops, others, strict=True) if isinstance(op, (ast.In, ast.NotIn))]
        case ast.Call(func=ast.Name(id=name), args=args) if name in _OF_KEYS:
            return args[:1]
        case ast.Call(func=ast.Attribute(attr="join" | "keys"), args=args):
            return args[:1]
        case ast.Attribute(value=inner, attr="keys"):
            return [inner]
        case _:
            return []


def _of_table(name: str, value: ast.expr) -> Iterator[Change]:
    """A constant of the module with another value, a table with one entry that is another."""
    if isinstance(value, ast.Constant):
        for change in of_constant(value):
            yield Change("constant", f"`{name}` becomes `{shown(change.node)}`", change.node)
    elif isinstance(value, ast.Dict):
        yield from _of_dict(name, value)
    elif isinstance(value, (ast.Set, ast.Tuple, ast.List)):
        yield from _of_members(name, value)
    elif isinstance(value, ast.Call) and len(value.args) == 1 and isinstance(value.args[0], ast.Set):
        for change in _of_table(name, value.args[0]):
            yield Change(change.operator, change.text, ast.Call(value.func, [change.node], value.keywords))
    elif isinstance(value, ast.Call):
        first = next(_of_entry(value), None)
        if first is not None:
            yield Change("constant", f"`{name}` becomes `{shown(first)}`", first)
        yield from _of_pattern(name, value)
        yield from slips(value)


def _of_dict(name: str, value: ast.Dict) -> Iterator[Change]:
    """A table with another value for one key."""
    for place, (key, one) in enumerate(zip(value.keys[:_MOST_ENTRIES], value.values, strict=False)):
        others = list(_of_entry(one))
        changes = [
            (f"`{shown(one)}` becomes `{shown(other)}` in `{name}`", other)
            for other in (others if isinstance(one, ast.Tuple) else others[:1])
        ]
        if isinstance(one, (ast.Set, ast.List)) and key is not None:
            at = f"`{shown(key)}` in `{name}`"
            changes = [(f"`{shown(member)}` is left out at {at}", rest) for member, rest in _with_fewer(one)]
        for text, other in changes:
            values = [*value.values[:place], other, *value.values[place + 1 :]]
            yield Change("constant", text, ast.Dict(value.keys, values))


def _with_fewer(value: ast.Set | ast.List) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The first members of a display, each with the display without it."""
    for place, one in enumerate(value.elts[:_MOST_MEMBERS]):
        rest = [*value.elts[:place], *value.elts[place + 1 :]]
        if isinstance(value, ast.List):
            yield one, ast.List(rest, ast.Load())
        else:
            yield one, ast.Set(rest) if rest else ast.Call(ast.Name("set", ast.Load()), [], [])


def _of_members(name: str, value: ast.Set | ast.Tuple | ast.List) -> Iterator[Change]:
    """A set without one of its members, or what lists plain ones."""
    plain = isinstance(value, ast.Set) or all(isinstance(one, ast.Constant) for one in value.elts)
    for place, one in enumerate(value.elts[:_MOST_ENTRIES] if len(value.elts) > 1 and plain else ()):
        elts = [*value.elts[:place], *value.elts[place + 1 :]]
        rest = ast.Set(elts) if isinstance(value, ast.Set) else type(value)(elts, ast.Load())
        yield Change("constant", f"`{shown(one)}` is left out of `{name}`", rest)


def _of_pattern(name: str, value: ast.Call) -> Iterator[Change]:
    """A pattern that takes one more of what it takes up to some number of."""
    first = value.args[0] if value.args else None
    if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
        return
    for bound in _BOUND.finditer(first.value) if ast.unparse(value.func).endswith("compile") else ():
        more = f"{first.value[: bound.start(1)]}{int(bound[1]) + 1}{first.value[bound.end(1) :]}"
        changed = ast.Call(value.func, [ast.Constant(more), *value.args[1:]], value.keywords)
        yield Change("constant", f"`{bound[0]}` takes one more in `{name}`", changed)


def _of_entry(value: ast.expr) -> Iterator[ast.expr]:
    """Other values of one entry: of a number or text, or the first one in an expression of such."""
    if isinstance(value, ast.Constant):
        yield from (change.node for change in of_constant(value))
    elif isinstance(value, ast.Tuple):
        for place, part in enumerate(value.elts):
            for other in itertools.islice(_of_entry(part), 1):
                yield ast.Tuple([*value.elts[:place], other, *value.elts[place + 1 :]], ast.Load())
    elif isinstance(value, ast.BinOp):
        yield from (ast.BinOp(left, value.op, value.right) for left in _of_entry(value.left))
    elif isinstance(value, ast.Call) and value.args and isinstance(value.args[0], ast.Constant):
        first = value.args[0].value
        others = [ast.Constant(f"1{first}")] if isinstance(first, str) else list(_of_entry(value.args[0]))
        yield from (ast.Call(value.func, [other, *value.args[1:]], value.keywords) for other in others)
