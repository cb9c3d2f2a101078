"""Ints as bit-vectors: Python's values, solutions for mixed bits, and proofs only where they are exact."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.evaluate import Undefined, evaluate, holds
from runtime.expr import Node, Sort, apply, const, var
from tracetwin.solving import Problem, Sat, Unsat, build_chain
from tracetwin.solving.answers import Answer, Unknown
from tracetwin.solving.smt.bits.vectors import BitInts, BitTerms
from tracetwin.solving.smt.chars.characters import Characters
from tracetwin.solving.smt.floats.reals import Reals
from tracetwin.solving.smt.stage import Z3Stage
from tracetwin.solving.smt.theory import TheoryTurn
from tracetwin.solving.smt.translate import Translator, side_conditions
from tracetwin.solving.smt.z3lib import z3
from tracetwin.solving.task import Task

INT, BOOL = Sort.INT, Sort.BOOL
X, Y = var("x", INT), var("y", INT)


def node(op: str, *args: object, sort: Sort = INT) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


def is_(op: str, *args: object) -> Node:
    return node(op, *args, sort=BOOL)


BINARY = ("add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor")
UNARY = ("neg", "abs", "invert", "bit_count", "bit_length")


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> Node:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from([X, Y, const(draw(st.integers(-9, 300)))]))
    kind = draw(st.sampled_from((*BINARY, *BINARY, *UNARY, "lshift", "rshift")))
    first = draw(expressions(depth - 1))
    if kind in UNARY:
        return node(kind, first)
    if kind in ("lshift", "rshift"):
        return node(kind, first, draw(st.integers(0, 9)))
    return node(kind, first, draw(expressions(depth - 1)))


@given(expression=expressions(), x=st.integers(-300, 300), y=st.integers(-300, 300))
@settings(max_examples=40, deadline=None)
def test_terms_have_python_values_where_their_guards_hold(expression: Node, x: int, y: int) -> None:
    values = {"x": x, "y": y}
    try:
        expected = evaluate(expression, values)
    except Undefined:
        return
    terms = BitTerms(64, {"x": (-300, 300), "y": (-300, 300)})
    translator = Translator(BitInts(terms), Reals(terms), Characters(terms, {}))
    part = translator.translate(expression)
    pins = [translator.translate(var(name, INT)) for name in values]
    solver = z3.Solver(ctx=terms.context)
    solver.set("rlimit", 3_000_000)
    solver.add(*(translator.equals(var(name, INT), value) for name, value in values.items()))
    solver.add(*side_conditions(translator, [part, *pins]))
    assert isinstance(expected, int)
    if not -(1 << 63) <= expected < 1 << 63:
        assert solver.check() != z3.sat
        return
    if not translator.abstracted:
        solver.add(z3.Not(translator.equals(expression, expected)))
        assert solver.check() != z3.sat, (expression, values, expected)


def ask(goal: Node, current: dict[str, Any], *conditions: Node) -> Answer:
    sorts = dict.fromkeys(current, INT)
    answer = build_chain().solve(Problem(conditions, goal, current, sorts))
    if isinstance(answer, Sat):
        assert holds((goal, *conditions), answer.model)
    return answer


def xorshift(value: Node) -> Node:
    value = node("xor", value, node("and_", node("lshift", value, 13), 0xFFFFFFFF))
    value = node("xor", value, node("rshift", value, 17))
    return node("xor", value, node("and_", node("lshift", value, 5), 0xFFFFFFFF))


def murmur(value: Node) -> Node:
    value = node("xor", value, node("rshift", value, 16))
    value = node("and_", node("mul", value, 0x85EBCA6B), 0xFFFFFFFF)
    value = node("xor", value, node("rshift", value, 13))
    value = node("and_", node("mul", value, 0xC2B2AE35), 0xFFFFFFFF)
    return node("xor", value, node("rshift", value, 16))


LOW = node("and_", X, 0xFFFFFFFF)
FOUND = {
    "power of two": (is_("eq", node("and_", X, node("sub", X, 1)), 0), is_("gt", X, 5000)),
    "lowest bit": (is_("eq", node("and_", X, node("neg", X)), 64), is_("gt", X, 1000)),
    "xor and and": (is_("eq", node("xor", X, Y), 0x5A5A), is_("eq", node("and_", X, Y), 0x0101)),
    "gray code": (is_("eq", node("xor", X, node("rshift", X, 1)), 0b1011011101),),
    "xorshift": (is_("eq", xorshift(LOW), 0xDEADBEEF),),
    "murmur": (is_("eq", murmur(LOW), 12345678),),
    "rotated": (
        is_("eq", node("or_", node("and_", node("lshift", X, 5), 255), node("rshift", X, 3)), 0xB7),
        is_("ge", X, 0),
        is_("le", X, 255),
    ),
    "bits counted": (is_("eq", node("bit_count", X), 9), is_("gt", X, 3000)),
    "variable shift": (is_("eq", node("lshift", Y, X), 0x5000), is_("gt", X, 8), is_("ge", Y, 0)),
    "zigzag": (is_("eq", node("xor", node("lshift", X, 1), node("rshift", X, 63)), 4321),),
}


@pytest.mark.parametrize("name", FOUND)
def test_mixed_bits_are_solved(name: str) -> None:
    goal, *conditions = FOUND[name]
    assert isinstance(ask(goal, {"x": 100_000, "y": 3}, *conditions), Sat)


def test_bounded_bits_are_refuted() -> None:
    bounds = (is_("ge", X, 0), is_("le", X, 0xFFFFF), is_("ge", Y, 0), is_("le", Y, 0xFFFFF))
    less = is_("lt", node("or_", X, Y), node("and_", X, Y))
    assert isinstance(ask(less, {"x": 1, "y": 2}, *bounds), Unsat)


def test_masked_inputs_need_no_bounds_for_a_proof() -> None:
    flipped = node("xor", LOW, node("rshift", LOW, 1))
    assert isinstance(ask(is_("gt", node("and_", flipped, LOW), 0xFFFFFFFF), {"x": 5}), Unsat)


def test_a_width_proves_nothing_of_inputs_without_bounds() -> None:
    goal = is_("eq", node("xor", X, Y), 1 << 200)
    task = Task(Problem((), goal, {"x": 1, "y": 2}, {"x": INT, "y": INT}))
    assert isinstance(Z3Stage(TheoryTurn.SPECIAL, 500_000, 6.0).attempt(task), Unknown)
