"""The making of objects: arguments of constructors that come to conditions by what an object holds."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from tracetwin.analysis.entries import Definition
from tracetwin.analysis.sources import is_static, walk
from tracetwin.analysis.stores import bound, parts_of, stores
from tracetwin.run.results.places import Places
from tracetwin.support.data import dataclass
from tracetwin.support.reaching import reached
from tracetwin.support.syntax import definitions
from tracetwin.support.text import listed

_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")

_Class = tuple[str, ast.ClassDef]


@dataclass(frozen=True)
class Deciding:
    """The values that come to a condition from outside of its function.

    Attributes:
        names: the parameters whose values come there, without the object of a method.
        owner: the class of that object where it comes there, "" where it does not.
        made_with: the parameters of its constructor that come there by what the object holds.
        kept: whether no other method gives that a value.
    """

    names: tuple[str, ...] = ()
    owner: str = ""
    made_with: tuple[str, ...] = ()
    kept: bool = True

    @property
    def words(self) -> str:
        """The same in words, "" for nothing."""
        names = [f"`{name}`" for name in self.names]
        if self.made_with:
            made = listed([f"`{name}`" for name in self.made_with])
            names.append(f"what `{self.owner}` is made with, {made}")
        elif self.owner:
            names.append("what the object holds")
        return listed(names)


class Making:
    """Tells what comes to the conditions of one module, also by the objects of methods."""

    def __init__(self, tree: ast.Module, places: Places) -> None:
        self._places = places
        found = definitions(tree, inside="")
        self._classes = {name: node for name, node in found if isinstance(node, ast.ClassDef)}
        self._known: dict[int, Deciding] = {}

    def deciding(self, line: int) -> Deciding:
        """Return what comes to the condition on a line, or to its statement."""
        if line not in self._known:
            self._known[line] = self._deciding(line)
        return self._known[line]

    def _deciding(self, line: int) -> Deciding:
        found, cut = self._places.around(line), self._places.cut(line)
        if found is None or cut is None:
            return Deciding()
        parts: list[ast.AST] = list(cut.parts)
        owner, receiver = self._object(line)
        steps = dict(cut.near)
        if found[1].name in _CONSTRUCTORS and steps.keys() != {receiver}:
            steps.pop(receiver, None)  # there is no object yet that holds anything else
        near = [one for one, far in steps.items() if far == min(steps.values())]
        if not near and (cut.given or (cut.own and not cut.calls)):
            near = _parameters(found[1])  # what is asked before decides which of several values it is
            parts += walk(found[1])
        if receiver not in near or not receiver or found[1].name in _CONSTRUCTORS:
            return Deciding(tuple(name for name in near if name != receiver))
        read = [one.attr for one in parts if _is_of(one, receiver)]
        stored = (part for node in walk(found[1]) for whole, _ in stores(node) for part in parts_of(whole))
        if any(_is_of(one, receiver, ast.Store) and one.attr in read for one in stored):
            near = _parameters(found[1])
        names = [one for one in (steps if near == [receiver] else near) if one != receiver]
        made, kept = self._made_with(owner, read)
        return Deciding(tuple(dict.fromkeys(names)), owner, tuple(made), kept)

    def _object(self, line: int) -> tuple[str, str]:
        """The class of the method around a line, and what this calls its object; both "" for none."""
        around = (pair for pair in self._places.all if pair[1].lineno <= line <= (pair[1].end_lineno or 0))
        found = next((pair for pair in around if self._places.is_method(pair[1])), None)
        receiver = _parameters(found[1])[:1] if found else []
        return (found[0].rpartition(".")[0], receiver[0]) if found and receiver else ("", "")

    def _made_with(self, owner: str, fields: list[str]) -> tuple[list[str], bool]:
        """The parameters of a class's constructor that come into some fields, or into what methods read.

        With them: whether no other method gives a value to these fields, or to those read with them.
        """
        line = list(self._line(owner))
        given = self._given(line)
        seen: set[str] = set()
        while fields:
            if known := [one for one in fields if given.get(one)]:
                names = dict.fromkeys(name for one in known for name in given[one])
                return list(names), not any(self._is_set(line, one) for one in fields)
            seen.update(fields)
            methods = (self._method(line, one) for one in fields)
            read = (one for method in methods if method is not None for one in _fields(method))
            fields = [one for one in dict.fromkeys(read) if one not in seen]
        return [], True

    def _is_set(self, line: list[_Class], field: str) -> bool:
        """Return whether a method of a class, but for its constructor, gives a field a value."""
        owners = {name for name, _ in line}
        named = ((name.rpartition("."), one) for name, one in self._places.all)
        methods = (one for (owner, _, last), one in named if owner in owners and last not in _CONSTRUCTORS)
        return any(field in _fields(one, ast.Store) for one in methods)

    def _given(self, line: list[_Class]) -> dict[str, list[str]]:
        """The parameters of a class's constructor that come into each field."""
        if not line:
            return {}
        if any("dataclass" in ast.unparse(one) for one in line[0][1].decorator_list):
            fields = (one for one in line[0][1].body if isinstance(one, ast.AnnAssign))
            names = [one.target.id for one in fields if isinstance(one.target, ast.Name)]
            return {one: [one] for one in names}
        maker = next((one for one in _CONSTRUCTORS if self._method(line[:1], one)), "")
        function = self._method(line[:1], maker) if maker else None
        above = self._given(line[1:])
        return above if function is None else dict(_received(function, above))

    def _method(self, line: list[_Class], name: str) -> Definition | None:
        found = (self._places.qualified(f"{cls}.{name}") for cls, _ in line)
        return next((one[0] for one in found if one), None)

    def _line(self, owner: str) -> Iterator[_Class]:
        """A class and its bases in the module."""
        classes = self._classes
        names = reached([owner], lambda one: map(ast.unparse, classes[one].bases) if one in classes else ())
        yield from ((name, classes[name]) for name in names if name in classes)


def _received(function: Definition, above: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """The fields that a constructor gives a value, each with the parameters that come into it."""
    receiver, *parameters = _parameters(function) or [""]
    sources: dict[str, set[str]] = {name: {name} for name in parameters}
    pairs = [pair for node in walk(function) for whole in stores(node) for pair in _each(*whole)]
    size = -1
    while size != sum(map(len, sources.values())):
        size = sum(map(len, sources.values()))
        for target, value in pairs:
            read = _read(value, receiver)
            coming = {name for one in read for name in sources.get(one, ())}
            kept = [f".{target.attr}"] if _is_of(target, receiver, ast.Store) else bound(target)
            for one in kept if coming else ():
                sources.setdefault(str(one), set()).update(coming)
    handed = {
        name for call in walk(function) if isinstance(call, ast.Call) and "super()" in ast.unparse(call.func)
        for part in (*call.args, *call.keywords) for one in _read(part, receiver)
        for name in sources.get(one, ())
    }  # fmt: skip
    for field in {*above, *(one[1:] for one in sources if one.startswith("."))}:
        coming = sources.get(f".{field}", set()) | (handed if above.get(field) else set())
        yield field, [name for name in parameters if name in coming]


def _parameters(function: Definition) -> list[str]:
    return [one.arg for one in walk(function.args) if isinstance(one, ast.arg)]


def _each(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The parts that get a value of their own, with the part that it gets as far as that is written."""
    parts, values = parts_of(target), parts_of(value)
    yield from zip(parts, values if len(values) == len(parts) else [value] * len(parts), strict=True)


def _read(part: ast.AST, receiver: str) -> Iterator[str]:
    """The names that a part reads, and fields of an object with a dot before them."""
    for one in walk(part):
        if _is_of(one, receiver):
            yield f".{one.attr}"
        elif isinstance(one, ast.Name) and one.id != receiver:
            yield one.id


@functools.lru_cache(maxsize=1024)  # each condition of a class asks for those of all its methods
def _fields(method: Definition, kind: type[ast.expr_context] = ast.Load) -> Sequence[str]:
    """The fields of its object that a method reads, or gives values."""
    arguments = [*method.args.posonlyargs, *method.args.args]
    if not arguments or is_static(method):
        return ()
    return [one.attr for one in walk(method) if _is_of(one, arguments[0].arg, kind)]


def _is_of(
    node: ast.AST, receiver: str, kind: type[ast.expr_context] = ast.Load
) -> TypeGuard[ast.Attribute]:
    """Return whether a part is a field of an object."""
    owner = node.value if isinstance(node, ast.Attribute) and isinstance(node.ctx, kind) else None
    return isinstance(owner, ast.Name) and owner.id == receiver
