"""The lines that call a function, as far as the text of its module says that they can mean it."""

from __future__ import annotations

import ast
import io
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Final

from tracetwin.analysis.stores import root_of, stores_of
from tracetwin.support.reaching import reached

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_MAKING: Final = ("__init__", "__new__", "__post_init__")

_TYPES: Final = (str, bytes, bytearray, list, dict, set, tuple, type, deque, OrderedDict, io.TextIOWrapper)

_COMMON: Final = frozenset(("next", "send", "throw", *(name for kind in _TYPES for name in dir(kind))))
"""Methods of Python's own types: of an object that nothing is known of these are most likely meant."""


class Callers:
    """The calls in one module, by the functions that they can mean."""

    def __init__(self, tree: ast.Module) -> None:
        self._classes: dict[str, ast.ClassDef] = {}
        self._methods: dict[str, set[str]] = {}
        self._plain: set[str] = set()
        self._outside = {
            one.asname or one.name.partition(".")[0]
            for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) for one in node.names
        }  # fmt: skip
        calls = list(self._walk(tree, (), ()))
        self._above = {name: self._bases(name) for name in self._classes}
        self._below = {
            name: [one for one in self._classes if name in self._above[one]] for name in self._classes
        }
        self._families: dict[tuple[str, bool], list[str]] = {}
        self._found: dict[str, set[int]] = {}
        for line, called, names, around in calls:
            for one in self._meant(called, names, around):
                self._found.setdefault(one, set()).add(line)

    def lines(self, name: str) -> list[int]:
        """Return the lines that call what has a qualified name, decorate with it, or make an object by it."""
        owner, _, last = name.rpartition(".")
        found = self._found.get(name, set())
        if owner in self._classes and last in _MAKING:
            heirs = [one for one in self._family(owner, below=True) if not self._own_maker(one, owner)]
            found = found.union(*(self._found.get(one, set()) for one in heirs))
        return sorted(found)

    def _own_maker(self, name: str, owner: str) -> bool:
        return name != owner and not self._methods.get(name, set()).isdisjoint(_MAKING)

    def _walk(
        self, node: ast.AST, names: tuple[str, ...], around: tuple[ast.AST, ...]
    ) -> Iterator[tuple[int, ast.expr, tuple[str, ...], tuple[ast.AST, ...]]]:
        """Yield the calls below a node with what stands around them, and note what is defined there."""
        for child in ast.iter_child_nodes(node):
            inner, wider = names, around
            if isinstance(child, ast.Call):
                yield child.lineno, child.func, names, around
            if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
                inner, wider = (*names, child.name), (*around, child)
                name = ".".join(inner)
                yield from ((one.lineno, one, names, around) for one in child.decorator_list)
                if isinstance(child, ast.ClassDef):
                    self._classes[name] = child
                elif around and isinstance(around[-1], ast.ClassDef):
                    self._methods.setdefault(".".join(names), set()).add(child.name)
                else:
                    self._plain.add(name)
            yield from self._walk(child, inner, wider)

    def _meant(
        self, called: ast.expr, names: tuple[str, ...], around: tuple[ast.AST, ...]
    ) -> Iterator[str]:
        """The qualified names of what a call can mean."""
        if isinstance(called, ast.Name):
            found = self._by_name(called.id, names, around)
            yield from [found] if found else []
        elif isinstance(called, ast.Attribute):
            yield from (f"{cls}.{called.attr}" for cls in self._owners(called, names, around))

    def _by_name(self, name: str, names: tuple[str, ...], around: tuple[ast.AST, ...]) -> str:
        """The qualified name of the function or class that a plain name means somewhere, "" for neither."""
        for depth in range(len(names), -1, -1):
            if depth and isinstance(around[depth - 1], ast.ClassDef) and depth < len(names):
                continue  # a method does not see the names of its class
            full = ".".join((*names[:depth], name))
            if full in self._plain or full in self._classes:
                return full
            if depth and _binds(around[depth - 1], name):
                return ""
        return ""

    def _owners(
        self, called: ast.Attribute, names: tuple[str, ...], around: tuple[ast.AST, ...]
    ) -> Iterator[str]:
        """The classes whose method a call of an attribute can mean."""
        base, name = called.value, called.attr
        own = next((at for at in range(len(around), 0, -1) if isinstance(around[at - 1], ast.ClassDef)), 0)
        mine = ".".join(names[:own])
        above = mine and isinstance(base, ast.Call) and ast.unparse(base.func) == "super"
        if above:
            yield from self._definers(self._family(mine, below=False)[1:], name)
        elif mine and _is_receiver(base, around[own:]):
            yield from self._definers(self._family(mine, below=False), name)
            yield from self._all_definers(self._family(mine, below=True)[1:], name)
        elif kinds := self._kinds(base, names, around):
            for kind in kinds:
                yield from self._definers(self._family(kind, below=False), name)
        elif root_of(base, calls=True) not in self._outside and name not in _COMMON:
            definers = self._all_definers(list(self._classes), name)
            if definers and self._kin(definers[0]).issuperset(definers):
                yield from definers

    def _kinds(self, base: ast.expr, names: tuple[str, ...], around: tuple[ast.AST, ...]) -> list[str]:
        """The classes of the module of which a receiver is one, or made; none where that is not known."""
        if isinstance(base, ast.Call):
            base = base.func
        if not isinstance(base, ast.Name):
            return []
        if (named := self._by_name(base.id, names, around)) in self._classes:
            return [named]
        function = around[-1] if around else None
        if not isinstance(function, _FUNCTIONS):
            return []
        made = [one.value for one in stores_of(function).seen(base.id, base)[0] if one.binds]
        called = (one.func if isinstance(one, ast.Call) else None for one in made)
        kinds = [self._by_name(one.id, names, around) if isinstance(one, ast.Name) else "" for one in called]
        return kinds if kinds and all(kind in self._classes for kind in kinds) else []

    def _definers(self, family: list[str], name: str) -> list[str]:
        """The first class of some that has a method, in a list."""
        return self._all_definers(family, name)[:1]

    def _all_definers(self, classes: list[str], name: str) -> list[str]:
        return [one for one in classes if name in self._methods.get(one, ())]

    def _kin(self, name: str) -> set[str]:
        roots = [one for one in self._family(name, below=False) if not self._above[one]]
        return {one for root in roots for one in self._family(root, below=True)}

    def _family(self, name: str, *, below: bool) -> list[str]:
        """A class with all classes of the module that it inherits from, or that inherit from it."""
        if (name, below) not in self._families:
            nearest = (self._below if below else self._above).__getitem__
            self._families[name, below] = reached([name], nearest)
        return self._families[name, below]

    def _bases(self, name: str) -> list[str]:
        """The bases of a class that are of the module."""
        around = name.rpartition(".")[0]
        written = [ast.unparse(one) for one in self._classes[name].bases]
        known = ([f"{around}.{one}", one] if around else [one] for one in written)
        found = (next((one for one in names if one in self._classes), "") for names in known)
        return [one for one in found if one and one != name]


def _is_receiver(base: ast.expr, functions: tuple[ast.AST, ...]) -> bool:
    """Return whether an expression is the object, or the class, that a method of a class was called for."""
    text = ast.unparse(base)
    first = next((one for one in functions if isinstance(one, _FUNCTIONS)), None)
    given = [] if first is None else [*first.args.posonlyargs, *first.args.args][:1]
    return any(text in (one.arg, f"type({one.arg})", f"{one.arg}.__class__") for one in given)


def _binds(node: ast.AST, name: str) -> bool:
    """Return whether a function gives a name a value of its own."""
    if not isinstance(node, _FUNCTIONS):
        return False
    arguments = (one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg))
    return name in arguments or any(one.binds for one in stores_of(node).known(name))
