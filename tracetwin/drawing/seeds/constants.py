"""Constants near a function: first seeds for its arguments."""

from __future__ import annotations

import ast
import functools
import json
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from tracetwin.analysis.displays import displays
from tracetwin.analysis.evidence.calls.sites import call_sites
from tracetwin.analysis.sources import MOST_WALKED, FunctionNode, Source, children, read, walk
from tracetwin.drawing.discovery.invokables import PlannedInvokable

MOST = 40
MOST_TEXT = 200
_SORTS: dict[type, str] = {int: "int", str: "str", float: "float", bytes: "bytes"}
_SKIPPING = (ast.Expr, ast.Raise, ast.arg, ast.AnnAssign, ast.FunctionDef, ast.AsyncFunctionDef)
"""Nodes with parts that hold no constants of interest."""



class NearConstants:
    """The constants of one module, by invokable."""

    def __init__(self, module: ModuleType, source: Source | None = None) -> None:
        self._module = module
        self._source = read(module) if source is None else source
        self._everywhere = _sorted(_of_module(module, self._source), {})
        self._of_classes: dict[str, list[Any]] = {}

    def of(self, invokable: PlannedInvokable | None = None) -> dict[str, list[Any]]:
        """Constants by sort (``int``, ``str``, ``float``, ``bytes``), nearest first, at most `MOST` of each.

        Nearest are those of the function's own text, then what it reads by name of the module, then what is
        passed to it in the project (where it lacks annotations), then its class, then the rest of the module.
        """
        found = _sorted(() if invokable is None else self._near(invokable), {})
        return _sorted((value for row in self._everywhere.values() for value in row), found)

    def _near(self, invokable: PlannedInvokable) -> Iterator[Any]:
        yield from _of_function(self._module, invokable, self._source)
        if any(not item.annotated for item in invokable.parameters):
            yield from call_sites(self._module).literals(invokable.definition)
        owner = invokable.owner
        if owner is not None:
            if owner not in self._of_classes:
                row = _sorted(_in_tree(self._source.class_(owner)), {})
                self._of_classes[owner] = [value for values in row.values() for value in values]
            yield from self._of_classes[owner]


def _sorted(values: Iterable[Any], found: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Values by sort, each once, added to what was found before."""
    for sort in _SORTS.values():
        found.setdefault(sort, [])
    for value in values:
        sort = _SORTS.get(type(value), "")
        if not sort or (sort in ("str", "bytes") and len(value) > MOST_TEXT):
            continue
        row = found[sort]
        if len(row) < MOST and value not in row:
            row.append(value)
    return found


def _of_function(module: ModuleType, invokable: PlannedInvokable, source: Source) -> Iterator[Any]:
    name = invokable.definition
    names = [name, *(f"{name}.{part}" for part in ("__init__", "__new__", "__post_init__"))]
    found = [source.function(item, invokable.first_line) for item in names]
    node = next((item for item in found if item is not None), None)
    if node is not None:
        yield from _displayed(node)
        if "json" in vars(module):
            yield from _documents(node)
        yield from _in_tree(node)
        for used in _names(node):
            yield from _flat(vars(module).get(used))


def _displayed(node: ast.Module | FunctionNode) -> Iterator[str]:
    """The texts of several lines that a docstring shows: what somebody documents is mostly what is read."""
    return (one for one in displays(node) if "\n" in one)


def _documents(tree: ast.AST) -> Iterator[str]:
    """The containers written out in a piece of text, as the JSON that stands for them."""
    for node in walk(tree):
        if isinstance(node, (ast.Dict, ast.List)):
            try:
                yield json.dumps(ast.literal_eval(node))
            except (ValueError, TypeError):  # not all of it is constant, or JSON has nothing for it
                continue


def _of_module(module: ModuleType, source: Source) -> Iterator[Any]:
    yield from _displayed(source.tree)
    yield from _in_tree(source.tree)
    for name, value in list(vars(module).items()):
        if not name.startswith("__"):
            yield from _flat(value)


def _names(node: ast.AST) -> list[str]:
    return list(dict.fromkeys(item.id for item in walk(node) if isinstance(item, ast.Name)))


@functools.lru_cache(maxsize=MOST_WALKED)
def _in_tree(tree: ast.AST | None) -> tuple[Any, ...]:
    """Constants of a piece of text in order, without docstrings, annotations and sentences of errors."""
    return () if tree is None else tuple(_constants_in(tree))


def _constants_in(tree: ast.AST) -> Iterator[Any]:
    skipped: set[int] = set()
    queue: list[ast.AST] = [tree]
    while queue:
        node = queue.pop()
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant):
            yield node.value
        negative = _negative(node)
        if negative is not None:
            yield negative
            continue
        if isinstance(node, _SKIPPING):
            _skip(node, skipped)
        queue.extend(reversed(children(node)))


def _negative(node: ast.AST) -> int | float | None:
    """The value of a literal such as ``-1``."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case _:
            return None


def _skip(node: ast.AST, skipped: set[int]) -> None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        skipped.add(id(node.value))
    if isinstance(node, ast.Raise):
        skipped.update(id(part) for part in ast.walk(node) if _is_sentence(part))
    for name in ("annotation", "returns"):
        if (part := getattr(node, name, None)) is not None:
            skipped.add(id(part))


def _is_sentence(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()


def _flat(value: Any, depth: int = 0) -> Iterator[Any]:
    """The simple values in a module constant: keys before values."""
    if type(value) in _SORTS:
        yield value
    elif depth < 3:
        parts: Iterable[Any] = ()
        if isinstance(value, dict):
            parts = [*list(value)[:MOST], *list(value.values())[:MOST]]
        elif isinstance(value, (list, tuple, set, frozenset)):
            parts = list(value)[:MOST] if isinstance(value, (list, tuple)) else sorted(value, key=repr)[:MOST]
        for part in parts:
            yield from _flat(part, depth + 1)
