"""The source's view of each attribute and variable that an instruction loads or stores.

Twins and originals have the same positions, so one table by position serves both. The end of an
expression is its key: where a method call stands on several lines, CPython moves its beginning.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import field
from typing import Final

from tracetwin.support.data import dataclass

MUTATORS: Final = frozenset(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem appendleft"
    " popleft extendleft rotate move_to_end subtract difference_update intersection_update"
    " symmetric_difference_update".split()
)
"""Methods that change the container they are called on, as in the static facts."""

NOT_USING: Final = frozenset("append add appendleft extend update clear".split())
"""Those that do so whatever is in it."""

READERS: Final = frozenset("get keys values items copy count index".split())
_READING: Final = frozenset(
    "len sorted list iter min max sum enumerate reversed set tuple dict frozenset any all str repr zip map"
    " filter bool next deque".split()
)
_CHANGING: Final = frozenset(
    "heappush heappop heapify heapreplace heappushpop insort insort_left insort_right shuffle".split()
)


@dataclass(slots=True)
class Mention:
    """An expression that names an attribute or variable.

    Attributes:
        base: the expression of the object, None for a variable.
        line: where the expression begins.
        column: likewise, in characters from 0.
        elements: what is done to the elements of what it holds: "", "r", "w" or "rw".
    """

    name: str
    base: ast.expr | None
    line: int
    column: int
    elements: str = ""


@dataclass
class Syntax:
    """A module's source as the observer needs it.

    Attributes:
        mentions: by line and column (in bytes) of the end, and name.
        by_line: the same for interpreters that do not keep every position: by line, name, whether it is an
            attribute and whether it is stored (or deleted), in the order of evaluation.
        names: qualified names of functions by their first line (decorators included) and plain name.
    """

    mentions: dict[tuple[int, int, str], Mention] = field(default_factory=dict)
    by_line: dict[tuple[int, str, bool, bool], list[Mention]] = field(default_factory=dict)
    names: dict[tuple[int, str], str] = field(default_factory=dict)


@functools.lru_cache(maxsize=1)
def read(source: str) -> Syntax:
    """Read a module's source; what is read in the fork server is there in each runner.

    Raises:
        SyntaxError: it is not Python.
    """
    found = Syntax()
    reader = _Reader(found, source.splitlines())
    tree = ast.parse(source)
    reader.elements(tree)
    reader.collect(tree)
    _functions(tree, "", found.names)
    return found


class _Reader:
    def __init__(self, found: Syntax, lines: list[str]) -> None:
        self._found = found
        self._lines = lines
        self._elements: dict[ast.AST, str] = {}

    def elements(self, tree: ast.AST) -> None:
        """Find what is done to the elements of containers."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript):
                kinds = {ast.Load: "r", ast.Store: "w", ast.Del: "rw"}
                self._mark(node.value, kinds[type(node.ctx)])
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
                self._mark(node.target.value, "rw")
            elif isinstance(node, ast.Call):
                self._call(node)
            else:
                for part in _looked_at(node):
                    self._mark(part, "r")

    def _call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in MUTATORS:
                self._mark(node.func.value, "w" if name in NOT_USING else "rw")
            elif name in READERS:
                self._mark(node.func.value, "r")
        else:
            name = node.func.id if isinstance(node.func, ast.Name) else ""
        for place, argument in enumerate(node.args):
            if name in _READING or (name in {"extend", "update"}):
                self._mark(argument, "r")
            elif name in _CHANGING and place == 0:
                self._mark(argument, "rw")

    def _mark(self, node: ast.expr, kind: str) -> None:
        if isinstance(node, (ast.Attribute, ast.Name)):
            old = self._elements.get(node, "")
            self._elements[node] = kind if len(kind) > len(old) else old

    def collect(self, tree: ast.AST) -> None:
        """Put every mention into the tables."""
        augmented = {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
        for node in _evaluated(tree):
            if isinstance(node, (ast.Attribute, ast.Name)):
                stored = not isinstance(node.ctx, ast.Load)
                self._add(node, [False, True] if id(node) in augmented else [stored])

    def _add(self, node: ast.Attribute | ast.Name, stores: list[bool]) -> None:
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        base = node.value if isinstance(node, ast.Attribute) else None
        column = self._characters(node.lineno, node.col_offset)
        mention = Mention(name, base, node.lineno, column, self._elements.get(node, ""))
        self._found.mentions[node.end_lineno or 0, node.end_col_offset or 0, name] = mention
        for stored in stores:
            place = (node.end_lineno or 0, name, base is not None, stored)
            self._found.by_line.setdefault(place, []).append(mention)

    def _characters(self, line: int, octets: int) -> int:
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return octets if text.isascii() else len(text.encode()[:octets].decode(errors="replace"))


def _evaluated(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes, each behind those that are evaluated before it."""
    stack = [(tree, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        else:
            stack.append((node, True))
            stack += [(child, False) for child in reversed(_in_order(node))]


def _in_order(node: ast.AST) -> list[ast.AST]:
    """The children in the order of their evaluation, where the grammar has another one."""
    match node:
        case ast.Assign() | ast.AnnAssign() | ast.NamedExpr():
            first = "value"
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            first = "iter"
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            first = "generators"
        case _:
            first = ""
    children = list(ast.iter_child_nodes(node))
    leading = getattr(node, first, None) or []
    ahead = leading if isinstance(leading, list) else [leading]
    return [*ahead, *(child for child in children if child not in ahead)]


def _looked_at(node: ast.AST) -> list[ast.expr]:
    """The containers whose elements a node looks at."""
    match node:
        case ast.For(iter=part) | ast.AsyncFor(iter=part) | ast.comprehension(iter=part):
            return [part]
        case ast.Compare(left=left, comparators=others, ops=operators):
            if all(isinstance(one, (ast.Is, ast.IsNot)) for one in operators):
                return []
            return [left, *others]
        case ast.If(test=part) | ast.While(test=part) | ast.IfExp(test=part):
            return [part]
        case ast.Starred(value=part) | ast.UnaryOp(operand=part):
            return [part]
        case _:
            return []


def _functions(node: ast.AST, prefix: str, names: dict[tuple[int, str], str]) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
            names[first, child.name] = name = prefix + child.name + _accessor(child)
            _functions(child, f"{name}.<locals>.", names)
        elif isinstance(child, ast.ClassDef):
            _functions(child, f"{prefix}{child.name}.", names)
        else:
            _functions(child, prefix, names)


def _accessor(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Attribute) and decorator.attr in {"setter", "deleter"}:
            return f".{decorator.attr}"
    return ""
