"""Evidence from dispatch: classes that a table, a comparison or the name of a method asks a value for."""

from __future__ import annotations

import ast
import builtins
import enum
import functools
import re
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Final

from runtime.classes import bases_of
from tracetwin.analysis.evidence.expressions import Names
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.sources import FunctionNode, walk

MOST: Final = 8
"""Classes of one table, or objects, that are taken for a value."""

_NAMED_AFTER: Final = re.compile(r"_*[a-z]+_?([A-Z]\w*)")
_NAMED: Final = frozenset(("__name__", "__qualname__"))
_PLAIN: Final = (ModuleType, enum.Enum, bool, int, float, str, bytes, type(None))


def note_dispatch(
    node: FunctionNode,
    mine: Names,
    names: Mapping[str, Any],
    members: Mapping[str, Any],
    owner: ast.ClassDef | None = None,
) -> None:
    """Add to what is known of parameters the classes by which a function chooses what to do with them.

    Of a method that is named after a class, such as ``visit_Call``, the first one is an object of it.

    Args:
        node: the function.
        mine: its parameters.
        names: what its module holds.
        members: what its class holds.
        owner: the text of its class.
    """
    match = None if owner is None else _NAMED_AFTER.fullmatch(node.name)
    named = "" if match is None else match[1]
    if not named and not _asks_for_classes(node):
        return
    found = _Dispatch(node, names, members, owner)
    for name, facts in mine.items():
        for cls in found.classes(name):
            facts.name(cls, Strength.PASSED)
    for facts in list(mine.values())[: bool(named)]:
        for cls in found.called(named):
            facts.name(cls, Strength.DECLARED)


@functools.lru_cache(maxsize=4096)
def _asks_for_classes(node: FunctionNode) -> bool:
    """True if a function mentions the class of something."""
    return any(
        (isinstance(part, ast.Name) and part.id == "type")
        or (isinstance(part, ast.Attribute) and part.attr == "__class__")
        for part in walk(node)
    )


def compared_objects(node: ast.AST, name: str, module: ModuleType) -> list[tuple[str, str]]:
    """Return public objects with which a parameter is compared, such as sentinels, by module and name."""
    names = vars(module)
    found: dict[tuple[str, str], None] = {}
    for part in walk(node):
        match part:
            case ast.Compare(ast.Name(asked), [operator], [other]) if asked == name:
                by_identity = isinstance(operator, (ast.Is, ast.IsNot))
                for one in other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else (other,):
                    text = one.id if isinstance(one, ast.Name) else "_"
                    value = names.get(text, getattr(builtins, text, None))
                    if text[0] != "_" and (by_identity or callable(value)) and not isinstance(value, _PLAIN):
                        found[module.__name__ if text in names else "builtins", text] = None
            case _:
                continue
    return list(found)[:MOST]


def _common(classes: list[type]) -> list[type]:
    """Return the nearest class that all of some extend; nothing where it is `object`."""
    shared = [base for base in bases_of(classes[0])[1:-1] if all(base in bases_of(cls) for cls in classes)]
    return shared[:1]


@functools.lru_cache(maxsize=256)
def _tables_in(owner: ast.ClassDef) -> dict[str, list[ast.Dict]]:
    """Return the tables that methods of a class store in attributes, or add to them, by attribute."""
    found: dict[str, list[ast.Dict]] = {}
    for part in walk(owner):
        match part:
            case (
                ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Dict() as table)
                | ast.AnnAssign(ast.Attribute(ast.Name("self"), name), _, ast.Dict() as table)
                | ast.Call(
                    ast.Attribute(ast.Attribute(ast.Name("self"), name), "update"), [ast.Dict() as table]
                )
            ):
                found.setdefault(name, []).append(table)
            case _:
                pass
    return found


class _Dispatch:
    """The expressions of one function that stand for the class of a value, or for its name."""

    def __init__(
        self, node: ast.AST, names: Mapping[str, Any], members: Mapping[str, Any], owner: ast.ClassDef | None
    ) -> None:
        self._nodes = walk(node)
        self._owner = owner
        self._names = names
        self._members = members
        self._bound = {
            target.id: part.value
            for part in self._nodes
            if isinstance(part, ast.Assign)
            for target in part.targets
            if isinstance(target, ast.Name)
        }

    def classes(self, name: str) -> list[type]:
        """Return the classes for which the value of a name is looked at."""
        found = {id(cls): cls for node in self._nodes for cls in self._asked(node, name)}
        classes = list(found.values())
        return classes if len(classes) <= MOST else [*_common(classes), *classes][:MOST]

    def _asked(self, node: ast.AST, name: str) -> Iterator[type]:
        match node:
            case ast.Compare(left, [_], [right]):
                for asked, other in ((left, right), (right, left)):
                    yield from self._meant(asked, self._held(other), name)
            case ast.Subscript(table, key) | ast.Call(ast.Attribute(table, "get"), [key, *_]):
                held = self._value(table)
                yield from self._meant(key, list(held) if isinstance(held, dict) else [], name)
            case ast.BinOp(ast.Constant(str(prefix)), ast.Add(), asked):
                yield from self._suffixes(prefix, asked, name)
            case ast.JoinedStr([ast.Constant(str(prefix)), ast.FormattedValue(asked)]):
                yield from self._suffixes(prefix, asked, name)
            case _:
                return

    def _meant(self, asked: ast.expr, held: list[Any], name: str) -> Iterator[type]:
        """Yield the classes among what the class of a value, or its name, is looked for in."""
        if self._is_class(asked, name):
            yield from (one for one in held if isinstance(one, type))
        elif self._is_class_name(asked, name):
            yield from (cls for one in held if isinstance(one, str) for cls in self.called(one))

    def _suffixes(self, prefix: str, asked: ast.expr, name: str) -> Iterator[type]:
        """Yield the classes that have a method of their own: ``visit_`` with the name of the class."""
        if prefix and self._is_class_name(asked, name):
            for member in self._members:
                if member.startswith(prefix):
                    yield from self.called(member[len(prefix) :])

    def _is_class(self, node: ast.expr, name: str) -> bool:
        match self._resolved(node):
            case ast.Call(ast.Name("type"), [ast.Name(of)]) | ast.Attribute(ast.Name(of), "__class__"):
                return of == name
            case _:
                return False

    def _is_class_name(self, node: ast.expr, name: str) -> bool:
        match self._resolved(node):
            case ast.Attribute(inner, attribute):
                return attribute in _NAMED and self._is_class(inner, name)
            case _:
                return False

    def _resolved(self, node: ast.expr) -> ast.expr:
        """Return what a local variable was set to."""
        return self._bound.get(node.id, node) if isinstance(node, ast.Name) else node

    def _held(self, node: ast.expr) -> list[Any]:
        """Return the values that an expression is or holds."""
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return [value for part in node.elts for value in self._held(part)]
        value = node.value if isinstance(node, ast.Constant) else self._value(node)
        return list(value) if isinstance(value, (tuple, list, dict, set, frozenset)) else [value]

    def _value(self, node: ast.expr) -> Any:
        """Return what a name stands for, or an attribute of the own class or of a module."""
        match node:
            case ast.Name(name):
                return self._names.get(name, getattr(builtins, name, None))
            case ast.Attribute(ast.Name("self" | "cls"), attribute):
                known = attribute in self._members
                return self._members[attribute] if known else self._keys_of(attribute)
            case ast.Attribute(ast.Name(name), attribute):
                holder = self._names.get(name)
                return vars(holder).get(attribute) if isinstance(holder, (ModuleType, type)) else None
            case _:
                return None

    def _keys_of(self, attribute: str) -> dict[Any, None] | None:
        """Return the keys of the tables that methods of the class store in an attribute, or add to it."""
        tables = () if self._owner is None else _tables_in(self._owner).get(attribute, ())
        keys = [self._value(key) for table in tables for key in table.keys if key is not None]
        return {key: None for key in keys if isinstance(key, type)} or None

    def called(self, text: str) -> Iterator[type]:
        """Yield the class of a name: of the module, of a module that it imports, or a builtin one."""
        modules = [vars(held) for held in self._names.values() if isinstance(held, ModuleType)]
        for holder in (self._names, *modules, vars(builtins)):
            cls = holder.get(text)
            if isinstance(cls, type):
                yield cls
                return
