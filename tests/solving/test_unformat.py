"""Texts made of numbers, compared with constants: the numbers are what is solved for."""

from __future__ import annotations

import pytest

from runtime.evaluate import evaluate
from runtime.expr import FALSE, Node, Sort, apply, const, var
from tracetwin.solving import Problem
from tracetwin.solving.unformat import Unformat

X, Y = var("x", Sort.INT), var("y", Sort.INT)
TEXT = var("t", Sort.STR)


def _joined(*parts: Node | str) -> Node:
    nodes = [const(part) if isinstance(part, str) else part for part in parts]
    result = nodes[0]
    for node in nodes[1:]:
        result = apply("add", Sort.STR, result, node)
    return result


def _written(number: Node, spec: str = "") -> Node:
    return apply("format", Sort.STR, number, const(spec)) if spec else apply("str", Sort.STR, number)


def _rewritten(text: Node, constant: str, op: str = "eq") -> Node:
    goal = apply(op, Sort.BOOL, text, const(constant))
    return Unformat()(Problem((), goal, {}, {"x": Sort.INT, "y": Sort.INT, "t": Sort.STR})).goal


@pytest.mark.parametrize(
    ("text", "constant"),
    [
        (_joined(_written(X, "04d"), "-", _written(Y, "02d")), "2024-02"),
        (_joined(_written(X), _written(Y)), "123"),
        (_joined("0x", _written(X, "02x")), "0x0f"),
        (_joined(_written(X), "-", _written(Y)), "1--2"),
        (_joined("<", TEXT, ": ", _written(X), ">"), "<a: 7: 7>"),
    ],
)
@pytest.mark.parametrize("op", ["eq", "ne"])
def test_the_numbers_say_the_same_as_the_text(text, constant, op):
    goal = apply(op, Sort.BOOL, text, const(constant))
    rewritten = _rewritten(text, constant, op)
    assert rewritten is not goal
    for x in (*range(-3, 130), 2024):
        for y in (-2, 0, 2, 3, 23):
            for t in ("", "a", "a: 7"):
                values = {"x": x, "y": y, "t": t}
                assert evaluate(goal, values) == evaluate(rewritten, values), values


def test_what_cannot_be_read_as_the_pieces_is_refuted():
    assert FALSE is _rewritten(_joined(_written(X, "02d"), "/", _written(Y)), "7/1")
    assert FALSE is _rewritten(_joined(_written(X), "!"), "1_0!")


def test_a_text_without_numbers_is_left_alone():
    goal = apply("eq", Sort.BOOL, _joined(TEXT, "-", TEXT), const("a-a"))
    assert goal is _rewritten(_joined(TEXT, "-", TEXT), "a-a")
