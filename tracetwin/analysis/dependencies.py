"""Digests of what the functions of a module depend on, there and in others, to tell what changes affect.

Coarse, and on the safe side: a class is one thing but for its methods that only look at an object, all that
mentions a name depends on whatever has it, in the module and in those that its import asks for, and an
attribute may be that of any of their classes.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import TypeAlias

from tracetwin.analysis.observers import observers
from tracetwin.support.data import dataclass

_EVERYTHING = ""
"""In the place of a name: statements that do more than give something a name, on which all depends."""

_LOOKS_UP = frozenset(("__subclasses__", "eval", "exec", "getmembers", "globals", "modules", "vars"))
"""Names by which code finds what it does not mention."""

_PLAIN_DECORATORS = frozenset(
    "abstractmethod asynccontextmanager cache cached_property classmethod contextmanager dataclass final"
    " lru_cache overload override property runtime_checkable setter singledispatch staticmethod"
    " total_ordering unique wraps".split()
)
"""Decorators that put what they decorate nowhere else."""

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NAMING = (*_DEFINITIONS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


@dataclass
class _Unit:
    """The meaning of one name of a module.

    Attributes:
        texts: the statements that give it its meaning, without positions.
        mentions: names, attributes and words in texts that occur in them.
        members: for a class, the names that it defines.
    """

    texts: list[str] = field(default_factory=list)
    mentions: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)


_Key: TypeAlias = tuple[str, str]
"""A file, "" for the module itself, and a name that it defines."""


def dependency_digests(source: bytes, others: Mapping[str, bytes] | None = None) -> dict[str, str]:
    """Return a digest of all that it depends on for each name of a module and each method that only looks.

    Raises:
        SyntaxError: one of them is none.
        ValueError: one of them is none, as it holds NULs.
    """
    units: dict[_Key, _Unit] = {}
    for file, text in {**(others or {}), "": source}.items():
        units.update({(file, name): unit for name, unit in _units_of(text).items()})
    known: dict[str, set[_Key]] = {}
    for key, unit in units.items():
        for word in {key[1], *unit.members}:
            known.setdefault(word, set()).add(key)
    everything = known[_EVERYTHING]
    looking_up = {key[0] for key, unit in units.items() if unit.mentions & _LOOKS_UP}
    of_file = {file: {key for key in units if key[0] == file} for file in looking_up}
    direct = {
        key: set().union(*(known.get(word, set()) for word in unit.mentions))
        | (of_file[key[0]] if key[0] in looking_up and (key[1] or not key[0]) else set())
        for key, unit in units.items()
    }
    found = {key[1]: _reachable({key, *everything}, direct) for key in units if not key[0]}
    return {name: _digest(units, reached) for name, reached in found.items()}


@functools.lru_cache(maxsize=500)  # modules of a package depend on the same ones
def _units_of(source: bytes) -> Mapping[str, _Unit]:
    return _units(ast.parse(source))


def _units(tree: ast.Module) -> dict[str, _Unit]:
    units: dict[str, _Unit] = {_EVERYTHING: _Unit()}
    defined = {node.name for node in tree.body if isinstance(node, _DEFINITIONS)}
    hooked = any(_tells_of_subclasses(node, defined) for node in tree.body)
    for node in tree.body:
        if _is_idle(node):
            continue
        everything = [_EVERYTHING] if _may_register(node, defined, hooked) else []
        rest = _without_observers(node, units) if isinstance(node, ast.ClassDef) and not everything else node
        for name in {*_named(node), *everything}:
            unit = units.setdefault(name, _Unit())
            unit.texts.append(ast.dump(rest))
            unit.mentions |= set(_mentions(rest))
            if isinstance(rest, ast.ClassDef):
                unit.members |= set(_members(rest))
                # Who derives from a class has all of its methods.
                unit.mentions |= {f"{_last_name(base)}.*" for base in map(_generic, rest.bases)}
    return units


def _generic(base: ast.expr) -> ast.expr:
    return base.value if isinstance(base, ast.Subscript) else base


def _without_observers(owner: ast.ClassDef, units: dict[str, _Unit]) -> ast.ClassDef:
    """Make units of a class's methods that only look at an object, and return the rest of it."""
    apart = observers(owner)
    for method in apart:
        unit = units.setdefault(f"{owner.name}.{method.name}", _Unit())
        unit.texts.append(ast.dump(method))
        unit.mentions |= {owner.name, *_mentions(method)}
        unit.members |= {method.name, f"{owner.name}.*"}
    rest = [node for node in owner.body if node not in apart]
    made = ast.ClassDef(owner.name, owner.bases, owner.keywords, rest or [ast.Pass()], owner.decorator_list)
    made.type_params = getattr(owner, "type_params", [])  # type: ignore[attr-defined, unused-ignore]
    return made


def _may_register(node: ast.stmt, defined: set[str], hooked: bool) -> bool:
    """Return whether a statement may put something where others find it, as in a table of handlers.

    `hooked`: a class of the module is told of the classes that are derived from it.
    """
    if isinstance(node, ast.ClassDef) and hooked and (node.bases or node.keywords):
        return True
    if isinstance(node, _DEFINITIONS):
        defining = (inner for inner in ast.walk(node) if isinstance(inner, _DEFINITIONS))
        decorators = (one for inner in defining for one in inner.decorator_list)
        return any(_last_name(one) not in _PLAIN_DECORATORS for one in decorators)
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return any(_names(inner.func) & defined for inner in ast.walk(node) if isinstance(inner, ast.Call))
    inside = [inner for inner in ast.walk(node) if isinstance(inner, _NAMING) and inner is not node]
    return any(_may_register(inner, defined, hooked) for inner in inside)


def _tells_of_subclasses(node: ast.stmt, defined: set[str]) -> bool:
    if isinstance(node, ast.ClassDef):
        told = "__init_subclass__" in _members(node)
        return told or any(_names(one.value) & defined for one in node.keywords)
    return False


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _last_name(decorator: ast.expr) -> str:
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    if isinstance(decorator, ast.Attribute):
        return decorator.attr
    return decorator.id if isinstance(decorator, ast.Name) else ""


def _is_idle(node: ast.stmt) -> bool:
    """Return whether a statement does nothing when the module is imported."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.If) and ast.unparse(node.test).startswith("__name__ ==")


def _named(node: ast.stmt) -> list[str]:
    """Return the names that a statement gives a meaning, with `_EVERYTHING` where it does more."""
    if isinstance(node, _DEFINITIONS):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
        return [_EVERYTHING if name == "*" else name for name in names]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        return names if len(names) == len(targets) else [*names, _EVERYTHING]
    if (parts := _choices(node)) is not None:
        return sorted({name for part in parts for name in _named(part)})
    bound = {
        name for inner in ast.walk(node) if isinstance(inner, ast.stmt) and inner is not node
        for name in (_named(inner) if not isinstance(inner, ast.Expr) else ())
    }  # fmt: skip
    return sorted(bound if isinstance(node, ast.Pass) or _is_idle(node) else {*bound, _EVERYTHING})


def _choices(node: ast.stmt) -> list[ast.stmt] | None:
    """Return the statements among which a statement chooses, None where it does more than that.

    So come imports with one that stands in where the first can't be had, and the ways of different versions.
    """
    if isinstance(node, ast.Try):
        handled = [part for handler in node.handlers for part in handler.body]
        return [*node.body, *handled, *node.orelse, *node.finalbody]
    asks = isinstance(node, ast.If) and not any(
        isinstance(inner, (ast.Call, ast.NamedExpr)) for inner in ast.walk(node.test)
    )
    return [*node.body, *node.orelse] if isinstance(node, ast.If) and asks else None


def _mentions(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr
        elif isinstance(inner, ast.ImportFrom):
            yield from (alias.name for alias in inner.names)
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            # A name in quotes may be looked up: by `getattr`, or as an annotation.
            yield from inner.value.replace("[", " ").replace("]", " ").replace(".", " ").split()[:20]


def _members(node: ast.ClassDef) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield inner.name
        elif isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
            yield inner.attr


def _reachable(keys: Iterable[_Key], direct: Mapping[_Key, set[_Key]]) -> set[_Key]:
    found = set(keys)
    left = list(found)
    while left:
        new = direct[left.pop()] - found
        found |= new
        left += new
    return found


def _digest(units: Mapping[_Key, _Unit], keys: Iterable[_Key]) -> str:
    digest = hashlib.sha256()
    for key in sorted(keys):
        for text in (*key, *units[key].texts):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:24]
