"""Whatever is refuted must have no solution: random conditions against trying everything in a small world."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.evaluate import holds
from runtime.expr import FALSE, TRUE, Node, Sort, apply, conjunction, const, sort_of, var
from tracetwin.solving import Problem, Sat, Unsat, build_chain

INT, BOOL, FLOAT, STR, BYTES, OBJ = Sort
COMPARISONS = st.sampled_from(["lt", "le", "eq", "ne", "gt", "ge"])


def node(op: str, sort: Sort, *args: object) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


def assert_honest(conditions: list[Node], world: dict[str, list[object]]) -> None:
    """No proof against a solution that exists, and no model that is none."""
    names = sorted(world)
    everything = [
        dict(zip(names, values, strict=True))
        for values in itertools.product(*[world[name] for name in names])
    ]
    solution = next((values for values in everything if holds(conditions, values)), None)
    path, goal = conditions[:-1], conditions[-1]
    current = next(
        (values for values in everything if holds(path, values) and not holds([goal], values)), None
    )
    if current is None:  # no run that takes the path and turns off at its end: all of it is the goal
        path, goal, current = [], conjunction(conditions), everything[0]
    if goal in (TRUE, FALSE):
        return
    sorts = {name: sort_of(value) for name, value in current.items()}
    answer = build_chain(rlimit=300_000).solve(Problem(tuple(path), goal, current, sorts))
    if isinstance(answer, Unsat):
        assert solution is None
    if isinstance(answer, Sat):
        assert holds(conditions, answer.model)


INTS = [var("x", INT), var("y", INT)]


@st.composite
def int_conditions(draw: st.DrawFn) -> Node:
    left: Node = draw(st.sampled_from(INTS))
    for _ in range(draw(st.integers(0, 2))):
        op = draw(st.sampled_from(["add", "mul", "floordiv", "mod", "and_", "xor", "abs", "math.gcd"]))
        other = draw(st.sampled_from([*INTS, const(3), const(-2), const(6)]))
        left = node("abs", INT, left) if op == "abs" else node(op, INT, left, other)
    return node(draw(COMPARISONS), BOOL, left, draw(st.sampled_from([*INTS, *map(const, range(-3, 9))])))


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(int_conditions(), min_size=1, max_size=4))
def test_ints(conditions: list[Node]) -> None:
    assert_honest(conditions, {"x": list(range(-9, 10)), "y": list(range(-9, 10))})


F, G = var("f", FLOAT), var("g", FLOAT)
SOME_FLOATS: list[object] = [
    0.0,
    -0.0,
    0.1,
    0.2,
    0.3,
    0.5,
    1.0,
    1.5,
    -1.0,
    3.0,
    1e16,
    1e308,
    math.inf,
    -math.inf,
    math.nan,
]


@st.composite
def float_conditions(draw: st.DrawFn) -> Node:
    left = draw(st.sampled_from([F, G]))
    if draw(st.booleans()):
        left = node(
            draw(st.sampled_from(["add", "sub"])),
            FLOAT,
            left,
            draw(st.sampled_from([G, const(0.1), const(1.0)])),
        )
    if draw(st.integers(0, 4)) == 0:
        return node(draw(st.sampled_from(["math.isnan", "math.isinf", "math.isfinite"])), BOOL, left)
    comparison = node(
        draw(COMPARISONS), BOOL, left, draw(st.sampled_from([F, const(0.3), const(0.0), const(2)]))
    )
    return node("not", BOOL, comparison) if draw(st.booleans()) else comparison


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(float_conditions(), min_size=1, max_size=3))
def test_floats(conditions: list[Node]) -> None:
    assert_honest(conditions, {"f": SOME_FLOATS, "g": SOME_FLOATS})


S = var("s", STR)
SOME_TEXTS: list[object] = [
    "".join(chars) for size in range(5) for chars in itertools.product("a-1 ", repeat=size)
]
SOME_TEXTS += ["é", "²", "A", "Aa", "\u0661", "ß", "\U000f0000", "a\n", "\x1c"]


@st.composite
def text_conditions(draw: st.DrawFn) -> Node:
    text = draw(
        st.sampled_from(
            [
                S,
                node("str.strip", STR, S),
                node("slice", STR, S, 1, None, None),
                node("str.lower", STR, S),
                node("str.replace", STR, S, "a", "-"),
                node("item", STR, node("str.split", OBJ, S, "-"), 1),
            ]
        )
    )
    length = node("len", INT, text)
    condition = draw(
        st.sampled_from(
            [
                *[node(op, BOOL, length, size) for op in ("eq", "gt", "lt") for size in (0, 1, 3)],
                *[node(op, BOOL, text, word) for op in ("eq", "ne", "lt", "gt") for word in ("a", "-a", "1")],
                *[
                    node(f"str.{name}", BOOL, text)
                    for name in ("isdigit", "isupper", "isspace", "isascii", "isalpha")
                ],
                node("int_ok", BOOL, text),
                node("contains", BOOL, text, "-1"),
                node("str.startswith", BOOL, text, ("a", " ")),
                node("eq", BOOL, node("str.count", INT, text, "a"), 2),
                node("eq", BOOL, node("len", INT, node("str.split", OBJ, S, "-")), 3),
                *[
                    node("is_none", BOOL, node("re.match", OBJ, pattern, 0, text))
                    for pattern in (r"\d", r"[^a]$", r"(?i)a", r"\s*-")
                ],
            ]
        )
    )
    return node("not", BOOL, condition) if draw(st.booleans()) else condition


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(text_conditions(), min_size=1, max_size=4))
def test_texts(conditions: list[Node]) -> None:
    assert_honest(conditions, {"s": SOME_TEXTS})
