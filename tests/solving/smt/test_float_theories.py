"""Functions of reals, and puzzles about floats: what z3 makes of them against Python."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.evaluate import Undefined, evaluate, holds
from runtime.expr import Node, Sort, apply, const, sort_of, var
from tracetwin.solving import Problem, Sat, build_chain
from tracetwin.solving.smt.floats.reals import Reals
from tracetwin.solving.smt.ints.encoding import Integers
from tracetwin.solving.smt.seq.sequences import Sequences
from tracetwin.solving.smt.terms import Terms
from tracetwin.solving.smt.translate import Translator, side_conditions
from tracetwin.solving.smt.z3lib import z3

INT, BOOL, FLOAT = Sort.INT, Sort.BOOL, Sort.FLOAT
F, G, N = var("f", FLOAT), var("g", FLOAT), var("n", INT)


def node(op: str, sort: Sort, *args: object) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


def is_(op: str, *args: object) -> Node:
    return node(op, BOOL, *args)


def check(translator: Translator, expression: Node, values: dict[str, Any]) -> None:
    """With the inputs pinned z3 must allow Python's value, and no other."""
    try:
        expected = evaluate(expression, values)
    except Undefined:
        return
    part = translator.translate(expression)
    assert not translator.abstracted
    pins = [translator.translate(var(name, sort_of(value))) for name, value in values.items()]
    solver = z3.Solver(ctx=translator.terms.context)
    solver.set("rlimit", 3_000_000)
    solver.add(
        *(translator.equals(var(n, sort_of(v)), v) for n, v in values.items() if n in expression.names)
    )
    solver.add(*side_conditions(translator, [part, *pins]))
    solver.add(z3.Not(translator.equals(expression, expected)))
    assert solver.check() != z3.sat, (expression, values, expected)


REALS = [
    node("modf_whole", FLOAT, F),
    node("modf_fraction", FLOAT, F),
    node("math.fmod", FLOAT, F, 2.0),
    node("math.remainder", FLOAT, F, 4.0),
    node("math.ldexp", FLOAT, F, -2),
    node("math.copysign", FLOAT, F, G),
    node("math.isclose", BOOL, F, G, 0.25, 0.5),
    node("math.fsum", FLOAT, F, G, 1.0),
    node("round", INT, F),
    node("cdiv_real", FLOAT, F, G, 2.0, 0.0),
    node("cpow_imag", FLOAT, F, G, 2.0, 0.0),
    is_("exp_ok", F),
    is_("pow_fits", F, 2.0),
]


@pytest.mark.parametrize("expression", REALS, ids=str)
def test_reals_have_python_values_where_nothing_is_rounded(expression: Node) -> None:
    for f, g in ((2.5, -0.125), (-7.75, -7.5), (3.5, 4.0), (0.0, 1.0), (1024.0, 1000.0)):
        terms = Terms()
        translator = Translator(Integers(terms), Reals(terms), Sequences(terms))
        check(translator, expression, {"f": f, "g": g})


PUZZLES: dict[str, tuple[Node, ...]] = {
    "absorbed": (is_("eq", node("add", FLOAT, F, G), F), is_("gt", G, 1.0)),
    "rounded away": (is_("ne", node("to_float", FLOAT, N), N),),
    "equal beyond all fractions": (is_("gt", N, 1 << 53), is_("eq", N, F)),
    "halved to nothing": (is_("eq", node("truediv", FLOAT, F, 2.0), 0.0), is_("gt", F, 0.0)),
    "close, not equal": (
        is_("math.isclose", F, G, 1e-12, 0.0),
        is_("ne", F, G),
        is_("gt", F, 3.0),
    ),
    "banker's rounding": (is_("eq", node("round", INT, F), 2), is_("eq", F, 2.5)),
    "a quarter left": (is_("eq", node("mod", FLOAT, F, 1.0), 0.25), is_("gt", F, 7.0)),
    "cube root": (is_("eq", node("pow", FLOAT, F, 3.0), 1728.0),),
    "logarithm": (is_("eq", node("math.log2", FLOAT, F), 20.0),),
    "exponential": (
        is_("gt", node("math.exp", FLOAT, F), 1000.0),
        is_("lt", node("math.exp", FLOAT, F), 1000.5),
    ),
    "sine": (is_("gt", node("math.sin", FLOAT, F), 0.99999), is_("gt", F, 7.0), is_("lt", F, 10.0)),
    "other size": (is_("gt", node("math.sqrt", FLOAT, F), 1e100), is_("lt", F, 1e201)),
    "denominator": (is_("eq", node("ratio_denominator", INT, F), 8), is_("gt", F, 2.0)),
    "exponent": (
        is_("eq", node("frexp_exponent", INT, F), 10),
        is_("eq", node("frexp_mantissa", FLOAT, F), 0.625),
    ),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_float_puzzles_are_solved(name: str) -> None:
    goal, *conditions = PUZZLES[name]
    current = {"f": 1.5, "g": 3.0, "n": 1}
    answer = build_chain().solve(
        Problem(tuple(conditions), goal, current, {"f": FLOAT, "g": FLOAT, "n": INT})
    )
    assert isinstance(answer, Sat)
    assert holds((goal, *conditions), answer.model)
