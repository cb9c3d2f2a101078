"""Names and attributes that are not there on this Python, whatever is passed: leftovers of Python 2, say."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Collection, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Final

from tracetwin.analysis.entries import Definition
from tracetwin.analysis.stores import parts_of, stores, stores_of

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_MOST_STEPS: Final = 5

_DISPLAYS: Final[dict[type[ast.expr], type]] = {
    ast.Dict: dict, ast.DictComp: dict, ast.List: list, ast.ListComp: list, ast.Set: set, ast.SetComp: set,
    ast.Tuple: tuple, ast.JoinedStr: str,
}  # fmt: skip


class NotThere:
    """Finds what the text of a module asks for and nothing can have, as it is not from an argument.

    Args:
        tree: the module.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        nodes = list(ast.walk(tree))
        self._imports = dict(_imports(nodes))
        self._bound = frozenset(_bound(nodes)) | self._imports.keys()
        self._given = frozenset(one.arg for one in nodes if isinstance(one, ast.arg))
        self._set = frozenset(
            one.attr for one in nodes if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)
        )
        self._wide = any(isinstance(one, ast.ImportFrom) and one.names[0].name == "*" for one in nodes)
        self._classes = [one for one in nodes if isinstance(one, ast.ClassDef)]

    def told(self, function: Definition, lines: Collection[int], kind: str) -> str:
        """Return what is not there in some lines of a function where an exception ends runs, or ""."""
        nodes = (one for one in ast.walk(function) if getattr(one, "lineno", 0) in lines)
        found = self._names(nodes) if kind == "NameError" else self._attributes(nodes, function)
        return next(found, "") if kind in ("NameError", "AttributeError") else ""

    def _names(self, nodes: Iterator[ast.AST]) -> Iterator[str]:
        for node in nodes:
            name = node.id if isinstance(node, ast.Name) and not self._wide else ""
            if name and name not in self._bound and not hasattr(builtins, name):
                yield f"there is no `{name}` on this Python (line {getattr(node, 'lineno', 0)})"

    def _attributes(self, nodes: Iterator[ast.AST], function: Definition) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                owner = self._is(node.value, function, 0)
                sets = node.attr in self._set or isinstance(getattr(owner, "__init__", None), FunctionType)
                if owner is not None and not sets and not hasattr(owner, node.attr):
                    yield f"`{owner.__name__}` has no `{node.attr}` on this Python (line {node.lineno})"

    def _is(self, node: ast.expr, function: Definition, steps: int) -> type | ModuleType | None:
        """The class of a value, or the class or module that it is, as far as the text alone says so."""
        if isinstance(node, ast.Constant):
            return type(node.value)
        if type(node) in _DISPLAYS:
            return _DISPLAYS[type(node)]
        if isinstance(node, ast.Call):
            called = node.func
            again = isinstance(called, ast.Attribute) and called.attr.startswith("from")  # dict.fromkeys
            cls = called.value if again and isinstance(called, ast.Attribute) else called
            made = self._named(cls, function)
            return made if isinstance(made, type) and made is not type and made is not super else None
        values: list[ast.expr] = []
        if isinstance(node, ast.Name):
            if (named := self._named(node, function)) is not None:
                return named
            found, sure = stores_of(function).seen(node.id, node)
            given = [one for one in found if one.binds]
            plain = all(isinstance(one.target, ast.Name) and _gives(one.at) for one in given)
            values = [one.value for one in given] if plain and (sure or node.id not in self._given) else []
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return self._field(node.attr, node.value.id, function, steps)
        return self._same([(one, function) for one in values], steps)

    def _same(self, values: Sequence[tuple[ast.expr, Definition]], steps: int) -> type | ModuleType | None:
        if steps >= _MOST_STEPS:
            return None
        kinds = {self._is(value, function, steps + 1) for value, function in values}
        return kinds.pop() if len(kinds) == 1 else None

    def _field(
        self, name: str, receiver: str, function: Definition, steps: int
    ) -> type | ModuleType | None:
        """The class of what all methods of the class around a function put into an attribute."""
        cls = next((one for one in self._classes if function in one.body), None)
        if cls is None or receiver not in _arguments(function)[:1]:
            return None
        methods = [one for one in cls.body if isinstance(one, _FUNCTIONS)]
        values = [
            (value, method)
            for method in methods for node in ast.walk(method) for target, value in stores(node)
            for part in parts_of(target) if isinstance(part, ast.Attribute) and part.attr == name
        ]  # fmt: skip
        return self._same(values, steps)

    def _named(self, node: ast.expr, function: Definition) -> type | ModuleType | None:
        """The class or module of Python's own that an expression names, None for others."""
        parts = ast.unparse(node).split(".")
        root = parts[0]
        own = root in _arguments(function) or any(one.binds for one in stores_of(function).known(root))
        if own or not all(part.isidentifier() for part in parts):
            return None
        known: object
        if root in self._imports:
            module, inside = self._imports[root]
            top = module.partition(".")[0]
            known = sys.modules.get(module) if top in sys.stdlib_module_names else None
            parts = [*([inside] if inside else []), *parts[1:]]
        elif root in self._bound:
            return None
        else:
            known, parts = getattr(builtins, root, None), parts[1:]
        for part in parts:
            known = getattr(known, part, None)
        return known if isinstance(known, (type, ModuleType)) else None


def _gives(node: ast.AST) -> bool:
    return isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr))


def _arguments(function: Definition) -> list[str]:
    given = function.args
    several = [one for one in (given.vararg, given.kwarg) if one is not None]
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *several)]


def _imports(nodes: Collection[ast.AST]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Names that imports bring, with the module and what is taken from it."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for one in node.names:
                whole = one.name if one.asname else one.name.partition(".")[0]
                yield one.asname or whole, (whole, "")
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((one.asname or one.name, (node.module or "", one.name)) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((one.asname or one.name, ("", one.name)) for one in node.names)


def _bound(nodes: Collection[ast.AST]) -> Iterator[str]:
    """The names that anything in a module binds."""
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            yield node.name or ""
        elif isinstance(node, ast.MatchMapping):
            yield node.rest or ""
