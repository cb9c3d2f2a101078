"""The shape of a test: its statements without the values in them, and where these values stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field
from typing import Final, TypeAlias

from tracetwin.replay.static import Coverable
from tracetwin.support.data import dataclass

Parameters: TypeAlias = Callable[[str], Sequence[str]]
"""Gives the names of the parameters of what is called in a test, none where they are not known."""

EXPECTED: Final = "expected"

_MAKERS: Final = frozenset(("float", "set", "frozenset", "bytearray", "range", "complex"))
_RAISES: Final = ("self.assertRaises", "pytest.raises")
_BOUND: Final = re.compile(r"( +)((?:result|expected)(?:_\d+)?) = (.+)")
_HEAD: Final = "if True:\n"
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class Hole:
    """A value in a test.

    Attributes:
        wanted: what a person would call it, "" where nobody knows.
        is_expected: whether it is what comes out; else it goes in.
        dump: its syntax tree as a text, the same for equal values however they are laid out.
        line: its line, counted from 0.
        first: the place of its first character in that line.
        end: the place behind its last one.
    """

    wanted: str
    is_expected: bool
    source: str
    dump: str
    line: int
    first: int
    end: int


@dataclass(frozen=True)
class Shape:
    """The shape of a test.

    Attributes:
        key: the same for tests that differ in values only.
        holes: the values, in their order.
        names: all other names in the test.
    """

    key: str
    holes: tuple[Hole, ...]
    names: frozenset[str]


def parameters_of(coverable: Coverable) -> Parameters:
    """Return what knows the parameters of a file's functions and classes by their last names."""
    known: dict[str, Sequence[str]] = {}
    for function in coverable.functions:
        name = function.qualname.removesuffix(".__init__").rpartition(".")[2]
        if known.setdefault(name, function.parameters) != function.parameters:
            known[name] = ()  # of several, nobody knows which one is called
    return lambda called: known.get(called.rpartition(".")[2], ())


def unwrapped(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a test, each simple statement on one, however long.

    What got a name only because a line would have been too long has none then.
    """
    joined: list[str] = []
    for node in _statements(lines):
        first, last = node.lineno - 2, (node.end_lineno or node.lineno) - 1
        if isinstance(node, ast.With):
            last = node.body[0].lineno - 2
        whole = _joined(lines[first:last])
        is_same = not isinstance(node, ast.With) and ast.dump(ast.parse(whole.strip()).body[0]) == ast.dump(
            node
        )
        joined += [whole] if is_same else lines[first:last]
    for place in reversed(range(len(joined) - 1)):
        found = _BOUND.fullmatch(joined[place])
        uses = [line for line in joined[place + 1 :] if found and re.search(rf"\b{found[2]}\b", line)]
        if found and uses == joined[place + 1 : place + 2]:
            inlined = _without_name(joined[place + 1], found[2], found[3])
            joined[place : place + 2] = [inlined] if inlined else joined[place : place + 2]
    return tuple(joined)


def _without_name(line: str, name: str, value: str) -> str:
    """Return an assertion with a value in the place of its name; "" where it is not one side of it."""
    whole = re.sub(rf"(?<=[ (]){name}(?=[ ,)]|$)", lambda _: value, line, count=1)
    try:
        bound, node = ast.parse(value, mode="eval").body, ast.parse(whole.strip()).body[0]
    except SyntaxError:
        return ""
    sides: list[ast.expr] = []
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), said), sides)) if said.startswith("assert"):
            pass
        case ast.Assert(ast.Compare(left, [_], [right])):
            sides = [left, right]
        case _:
            return ""
    return whole if ast.dump(bound) in map(ast.dump, sides) and not re.search(rf"\b{name}\b", whole) else ""


def _statements(lines: Sequence[str]) -> Iterator[ast.stmt]:
    waiting: list[ast.stmt] = [ast.parse("\n".join([_HEAD.rstrip(), *lines])).body[0]]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.With) or node.lineno == 1:
            waiting[:0] = node.body  # type: ignore[attr-defined]
        if node.lineno > 1:
            yield node


def _joined(lines: Sequence[str]) -> str:
    whole, *rest = (line if not at else line.strip() for at, line in enumerate(lines))
    for piece in rest:
        if piece[:1] in _CLOSING:
            whole = whole.removesuffix(",") + piece
        else:
            whole += piece if whole[-1:] in _OPENING else f" {piece}"
    return whole


def shape_of(lines: Sequence[str], parameters: Parameters, imported: Collection[str]) -> Shape | None:
    """Return the shape of a test; None where it does more than call something and look at what comes out."""
    statements = ast.parse("\n".join([_HEAD.rstrip(), *lines])).body[0].body  # type: ignore[attr-defined]
    reader = _Reader(lines, parameters, frozenset(imported))
    for node in statements:
        if not reader.statement(node):
            return None
    names = {node.id for one in statements for node in ast.walk(one) if isinstance(node, ast.Name)}
    return Shape("\n".join(reader.key), tuple(reader.holes), frozenset(names))


@dataclass
class _Reader:
    lines: Sequence[str]
    parameters: Parameters
    imported: frozenset[str]
    key: list[str] = field(default_factory=list)
    holes: list[Hole] = field(default_factory=list)

    def statement(self, node: ast.stmt) -> bool:
        """Take in a statement; returns whether it is one that a table may have."""
        self.key.append(type(node).__name__)
        match node:
            case ast.Expr(value):
                self.expression(value)
            case ast.Assign([ast.Name(name)], value) if isinstance(value, ast.Call):
                self.key.append(name)
                self.expression(value, name)
            case ast.Assert(ast.Compare(left, [op], [right])):
                self.key.append(type(op).__name__)
                self._sides(*((right, left) if isinstance(op, ast.Is) else (left, right)))
            case ast.Assert(test):
                self.expression(test)
            case ast.With([ast.withitem(ast.Call(function) as call, bound)], body):
                if ast.unparse(function) not in _RAISES:
                    return False
                self.key.append(ast.unparse(call) + (ast.unparse(bound) if bound else ""))
                return all(map(self.statement, body))
            case _:
                return False
        return True

    def expression(self, node: ast.AST, wanted: str = "", *, is_expected: bool = False) -> None:
        if isinstance(node, ast.expr) and self._is_value(node):
            self._hole(node, wanted, is_expected)
            return
        match node:
            case ast.Call(ast.Attribute(ast.Name("self"), name), [first, second]) if name.startswith(
                "assert"
            ):
                self.key.append(name)
                swapped = name == "assertIsInstance"
                self._sides(*((second, first) if swapped else (first, second)))
            case ast.Call(function, arguments, keywords):
                self.key.append("call")
                self.expression(function)
                known = self.parameters(ast.unparse(function))
                for place, part in enumerate(arguments):
                    self.expression(part, known[place] if place < len(known) else "", is_expected=is_expected)
                for keyword in keywords:
                    self.key.append(f"{keyword.arg}=")
                    self.expression(keyword.value, keyword.arg or "", is_expected=is_expected)
            case ast.BinOp(left, op, right):
                self.key.append(type(op).__name__)
                self.expression(left)
                self.expression(right, "other")
            case ast.Name() | ast.Attribute():
                self.key.append(ast.unparse(node))
            case _:
                self.key.append(type(node).__name__)
                for inner in ast.iter_child_nodes(node):
                    self.expression(inner, is_expected=is_expected)

    def _sides(self, expected: ast.expr, actual: ast.expr) -> None:
        self.expression(expected, _seen_in(actual), is_expected=True)
        self.key.append("seen")
        self.expression(actual)

    def _hole(self, node: ast.expr, wanted: str, is_expected: bool) -> None:
        row = node.lineno - 2
        text = self.lines[row]
        whole = node.end_lineno == node.lineno
        first, end = (_place(text, column) for column in (node.col_offset, node.end_col_offset or 0))
        self.key.append(f"? {wanted}" if whole else ast.dump(node))
        if whole:
            source = text[first:end]
            self.holes.append(Hole(wanted, is_expected, source, ast.dump(node), row, first, end))

    def _is_value(self, node: ast.expr) -> bool:
        """Return whether an expression is a value by itself: nothing of the test or the target is called."""
        match node:
            case ast.Constant():
                return True
            case ast.UnaryOp(ast.USub(), operand):
                return self._is_value(operand)
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                return all(map(self._is_value, items))
            case ast.Dict(keys, values):
                return all(part is not None and self._is_value(part) for part in (*keys, *values))
            case ast.Attribute():
                return _root(node) in self.imported
            case ast.Call(function, arguments, keywords):
                makes = isinstance(function, ast.Name) and function.id in _MAKERS
                return makes and not keywords and all(map(self._is_value, arguments))
            case _:
                return False


def _root(node: ast.expr) -> str:
    """The name that a chain of attributes begins with, "" for other expressions."""
    inner: ast.AST = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return inner.id if isinstance(inner, ast.Name) else ""


def _seen_in(actual: ast.expr) -> str:
    """Return the word that a person would have for what an expression gives."""
    match actual:
        case ast.Call(ast.Name("str"), [ast.Attribute(ast.Name("caught"))]):
            return "message"
        case ast.Attribute(_, name):
            return name
        case _:
            return EXPECTED


def _place(text: str, column: int) -> int:
    """The place of a character whose byte's place is known."""
    return column if text.isascii() else len(text.encode()[:column].decode())


def template(lines: Sequence[str], names: Sequence[tuple[Hole, str]]) -> list[str]:
    """Return the lines of a test with names in the place of values."""
    changed = list(lines)
    for hole, name in sorted(names, key=lambda pair: pair[0].first, reverse=True):
        text = changed[hole.line]
        changed[hole.line] = text[: hole.first] + name + text[hole.end :]
    return changed


def differing(shapes: Sequence[Shape]) -> Iterator[int]:
    """Yield the places of the holes in which tests of one shape differ."""
    for place, same in enumerate(zip(*(shape.holes for shape in shapes), strict=True)):
        if len({hole.dump for hole in same}) > 1:
            yield place
