"""Texts put together from numbers, compared with a constant: what the comparison says of the numbers.

``f"{y:04}-{m:02}" == "2024-02"`` holds exactly when ``y == 2024 and m == 2``, of which any solver knows more
than of the text. Where the constant can be read in several ways, one of them has to hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from runtime.expr import Node, Sort, apply, conjunction, const, const_int, disjunction, negate
from tracetwin.solving.answers import Problem

_MOST_READINGS: Final = 40
_LONGEST: Final = 200
_BASES: Final = {"": 10, "d": 10, "x": 16, "X": 16, "o": 8, "b": 2}
# Without alignment, sign or separators no two numbers look the same.
_SPEC: Final = re.compile(r"0?[0-9]{0,2}([dxXob]?)")


class Unformat:
    """Rewrites problems; each node once."""

    def __init__(self) -> None:
        self._known: dict[Node, Node] = {}

    def __call__(self, problem: Problem) -> Problem:
        """The same problem, with equations of numbers in place of such comparisons."""
        conditions = _Rewritten(problem.conditions, self._rewritten)
        return replace(problem, conditions=conditions, goal=self._rewritten(problem.goal))

    def _rewritten(self, node: Node) -> Node:
        if node.op not in ("eq", "ne"):
            return node
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = _equation(node) or node
        return known


class _Rewritten:
    """Conditions, rewritten when they are asked for: paths are long, and most questions need none of them."""

    def __init__(self, conditions: Iterable[Node], rewrite: Callable[[Node], Node]) -> None:
        self._conditions, self._rewrite = conditions, rewrite

    def __iter__(self) -> Iterator[Node]:
        return map(self._rewrite, self._conditions)


def _equation(node: Node) -> Node | None:
    """Return an equation of texts as conditions on numbers; None where it is none, or says more."""
    text, constant = node.args
    if text.op == "const":
        text, constant = constant, text
    if constant.op != "const" or text.sort is not Sort.STR or constant.sort is not Sort.STR:
        return None
    content = str(constant.data)
    pieces = list(_pieces(text))
    if len(content) > _LONGEST or not any(_spec(piece) is not None for piece in pieces):
        return None
    readings: list[list[Node]] = []
    for reading in _readings(pieces, content):
        readings.append(reading)
        if len(readings) > _MOST_READINGS:
            return None
    holds = disjunction(map(conjunction, readings))
    return holds if node.op == "eq" else negate(holds)


def _pieces(text: Node) -> Iterator[Node]:
    """The parts of a concatenation, from left to right."""
    waiting = [text]
    while waiting:
        node = waiting.pop()
        if node.op == "add" and node.sort is Sort.STR:
            waiting += reversed(node.args)
        else:
            yield node


def _spec(piece: Node) -> str | None:
    """How a piece writes an int, None where it is something else."""
    if not piece.args or piece.args[0].sort is not Sort.INT:
        return None
    if piece.op in ("str", "repr") and len(piece.args) == 1:
        return ""
    if piece.op == "format" and len(piece.args) == 2 and piece.args[1].op == "const":
        spec = str(piece.args[1].data)
        return spec if _SPEC.fullmatch(spec) else None
    return None


def _readings(pieces: list[Node], content: str) -> Iterator[list[Node]]:
    """The ways to read `content` as the pieces: what each number has to be."""
    waiting: list[tuple[int, int, list[Node]]] = [(0, 0, [])]
    while waiting:
        place, start, found = waiting.pop()
        if place == len(pieces):
            if start == len(content):
                yield found
            continue
        piece = pieces[place]
        if piece.op == "const":
            literal = str(piece.data)
            if content.startswith(literal, start):
                waiting.append((place + 1, start + len(literal), found))
            continue
        ends = range(start, len(content) + 1) if place < len(pieces) - 1 else (len(content),)
        for end in ends:
            said = _said(piece, content[start:end])
            if said is not None:
                waiting.append((place + 1, end, [*found, said]))


def _said(piece: Node, content: str) -> Node | None:
    """Return the condition that a piece is `content`; None where it can't be."""
    spec = _spec(piece)
    if spec is None:
        return apply("eq", Sort.BOOL, piece, const(content))
    value = _number(content, spec)
    return None if value is None else apply("eq", Sort.BOOL, piece.args[0], const_int(value))


def _number(text: str, spec: str) -> int | None:
    """The one int that is written so, if there is one."""
    try:
        value = int(text.strip(" "), _BASES[spec[-1:] if spec[-1:].isalpha() else ""])
    except ValueError:
        return None
    return value if format(value, spec) == text else None
