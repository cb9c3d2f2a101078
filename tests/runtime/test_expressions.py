"""Expressions: canonical forms, negation, evaluation, and the way over the wire."""

from __future__ import annotations

import marshal
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime.twin  # noqa: F401 - seals what the runtime has made
from runtime import expr, values
from runtime.containers import sized
from runtime.evaluate import Undefined, evaluate, holds
from runtime.expr import FALSE, TRUE, Node, Sort, apply, conjunction, const, disjunction, make, negate, var
from runtime.wire import Decoder, Encoder

X, Y = var("x", Sort.INT), var("y", Sort.INT)
F = var("f", Sort.FLOAT)
B = var("b", Sort.BOOL)
S = var("s", Sort.STR)


def test_equal_expressions_are_one_object() -> None:
    assert apply("add", Sort.INT, X, const(3)) is apply("add", Sort.INT, X, const(3))
    assert var("x", Sort.INT) is X
    assert var("x", Sort.FLOAT) is not X


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, 1.0), (0.0, -0.0), (0, False), ("", b""), (1.0, True)]
)
def test_constants_of_other_types_are_other_constants(one: object, other: object) -> None:
    assert const(one) is not const(other)


def test_not_a_number_is_one_constant() -> None:
    assert const(math.nan) is const(float("nan"))


def test_operands_have_smaller_numbers() -> None:
    node = apply("mul", Sort.INT, apply("add", Sort.INT, X, Y), X)
    assert all(arg.ident < node.ident for arg in node.args)
    assert {"x", "y"} == node.names


def test_constants_are_folded_as_python_computes() -> None:
    assert const(5) is apply("add", Sort.INT, const(2), const(3))
    assert const(-4) is apply("floordiv", Sort.INT, const(-7), const(2))
    assert "floordiv" == apply("floordiv", Sort.INT, const(1), const(0)).op


@pytest.mark.parametrize(
    ("op", "opposite"), [("eq", "ne"), ("ne", "eq"), ("lt", "ge"), ("ge", "lt"), ("le", "gt"), ("gt", "le")]
)
def test_the_negation_of_a_comparison_of_ints_is_a_comparison(op: str, opposite: str) -> None:
    node = apply(op, Sort.BOOL, X, Y)
    assert opposite == negate(node).op
    assert node is negate(negate(node))


def test_the_negation_of_a_comparison_of_floats_is_no_comparison() -> None:
    node = apply("lt", Sort.BOOL, F, const(1.0))
    assert "not" == negate(node).op
    assert node is negate(negate(node))
    nan = {"f": math.nan}
    assert (False, True) == (evaluate(node, nan), evaluate(negate(node), nan))


def test_a_float_need_not_equal_itself() -> None:
    assert TRUE is apply("eq", Sort.BOOL, X, X)
    assert TRUE is not apply("eq", Sort.BOOL, F, F)
    assert evaluate(apply("eq", Sort.BOOL, F, F), {"f": math.nan}) is False


def test_truth_values_simplify() -> None:
    assert B is apply("eq", Sort.BOOL, B, TRUE)
    assert negate(B) is apply("eq", Sort.BOOL, B, FALSE)
    assert TRUE is conjunction([])
    assert FALSE is disjunction([])
    assert B is conjunction([TRUE, B, B])
    assert FALSE is conjunction([B, FALSE])


@pytest.fixture
def cleared(own_expressions: None) -> None:
    """An empty table for the test."""
    expr.reset()


def test_the_table_can_be_cleared(cleared: None) -> None:
    small = expr.table_size()
    for i in range(50):
        apply("add", Sort.INT, var(f"only here {i}", Sort.INT), Y)
    assert expr.table_size() >= small + 50
    expr.reset()
    assert small == expr.table_size()
    assert const(True) is TRUE


def test_constants_kept_by_the_runtime_survive_clearing(cleared: None) -> None:
    """Else a new node gets the number of an old one, and two conditions become one."""
    kept = [*values._FALSE_VALUES.values(), sized.ZERO]
    assert [const(node.data) is node for node in kept] == [True] * len(kept)


def test_evaluation_is_lazy_where_python_is() -> None:
    x, y = var("x", Sort.INT), var("y", Sort.INT)
    division = apply("eq", Sort.BOOL, apply("floordiv", Sort.INT, const(10), x), y)
    nonzero = apply("ne", Sort.BOOL, x, const(0))
    values = {"x": 0, "y": 5}
    assert evaluate(make("and", Sort.BOOL, (nonzero, division)), values) is False
    assert evaluate(make("or", Sort.BOOL, (negate(nonzero), division)), values) is True
    assert 7 == evaluate(
        make("ite", Sort.INT, (nonzero, apply("floordiv", Sort.INT, const(10), x), const(7))), values
    )


def test_what_python_would_raise_is_undefined() -> None:
    x = var("x", Sort.INT)
    node = apply("floordiv", Sort.INT, const(1), x)
    with pytest.raises(Undefined):
        evaluate(node, {"x": 0})
    with pytest.raises(Undefined):
        evaluate(node, {})
    assert not holds([apply("eq", Sort.BOOL, node, const(0))], {"x": 0})


def test_deep_expressions_need_no_recursion() -> None:
    node = var("x", Sort.INT)
    for i in range(20_000):
        node = make("add", Sort.INT, (node, var(f"v{i % 3}", Sort.INT)))
    assert 20_000 + 1 == evaluate(node, {"x": 1, "v0": 1, "v1": 1, "v2": 1})


LEAVES = st.sampled_from(
    [("var", "x"), ("var", "y"), ("const", 0), ("const", 1), ("const", -3), ("const", 7)]
)
TREES = st.recursive(
    LEAVES, lambda t: st.tuples(st.sampled_from(["add", "sub", "mul", "floordiv", "mod"]), t, t)
)


def _native(tree: tuple[object, ...], values: dict[str, int]) -> int:
    import operator

    if tree[0] == "var":
        return values[str(tree[1])]
    if tree[0] == "const":
        assert isinstance(tree[1], int)
        return tree[1]
    left, right = _native(tree[1], values), _native(tree[2], values)  # type: ignore[arg-type]
    return int(getattr(operator, str(tree[0]))(left, right))


def _node(tree: tuple[object, ...]) -> Node:
    if tree[0] == "var":
        return var(str(tree[1]), Sort.INT)
    if tree[0] == "const":
        return const(tree[1])
    return apply(str(tree[0]), Sort.INT, _node(tree[1]), _node(tree[2]))  # type: ignore[arg-type]


@given(tree=TREES, x=st.integers(-9, 9), y=st.integers(-9, 9))
@settings(max_examples=150, deadline=None)
def test_simplified_expressions_mean_the_same(tree: tuple[object, ...], x: int, y: int) -> None:
    values = {"x": x, "y": y}
    try:
        expected = _native(tree, values)
    except ZeroDivisionError:
        return
    assert expected == evaluate(_node(tree), values)


@given(tree=TREES)
@settings(max_examples=80, deadline=None)
def test_nodes_come_back_from_the_wire(tree: tuple[object, ...]) -> None:
    node = _node(tree)
    encoder, decoder = Encoder(), Decoder()
    decoder.decode(marshal.loads(marshal.dumps(encoder.encode([node]))))
    assert decoder.node(node.ident) is node
    assert [] == encoder.encode([node])


@pytest.mark.parametrize(
    "value", [0.0, -0.0, math.inf, math.nan, 10**40, True, None, "\ud800", b"\xff", ("a", 1)]
)
def test_constants_come_back_from_the_wire(value: object) -> None:
    node = const(value)
    encoder, decoder = Encoder(), Decoder()
    decoder.decode(marshal.loads(marshal.dumps(encoder.encode([node]))))
    assert decoder.node(node.ident) is node


def test_a_shared_part_is_sent_once() -> None:
    part = apply("add", Sort.INT, var("p", Sort.INT), var("q", Sort.INT))
    encoder = Encoder()
    first = encoder.encode([apply("gt", Sort.BOOL, part, const(0))])
    second = encoder.encode([apply("lt", Sort.BOOL, part, const(9))])
    assert part.ident in {record[0] for record in first}
    assert {"const", "lt"} == {record[1] for record in second}
