"""What each stage of the chain does, and what it must never do."""

from __future__ import annotations

import gc
import subprocess
import sys
import time

import pytest

from runtime import expr
from runtime.evaluate import Undefined, evaluate, holds
from runtime.expr import Node, Sort, apply, const, negate, sort_of, var
from tracetwin.solving import HURRIED, Answer, Chain, Problem, Sat, Unknown, Unsat, build_chain
from tracetwin.solving.inversion.examples import examples
from tracetwin.solving.program import UNDEFINED, Program
from tracetwin.solving.shrink import cost, shrink
from tracetwin.solving.split import relevant
from tracetwin.solving.stages.cache import Cache
from tracetwin.solving.stages.candidates import Candidates
from tracetwin.solving.stages.fold import Fold
from tracetwin.solving.stages.search import Search
from tracetwin.solving.task import Task
from tracetwin.solving.vain import PATIENT

INT, BOOL, FLOAT, STR, BYTES, OBJ = Sort
X, Y, Z = var("x", INT), var("y", INT), var("z", INT)
F = var("f", FLOAT)
S, T = var("s", STR), var("t", STR)


def node(op: str, sort: Sort, *args: object) -> Node:
    return apply(op, sort, *[arg if isinstance(arg, Node) else const(arg) for arg in args])


def is_(op: str, *args: object) -> Node:
    return node(op, BOOL, *args)


def problem(goal: Node, *conditions: Node, **current: object) -> Problem:
    return Problem(conditions, goal, current, {name: sort_of(value) for name, value in current.items()})


def square(value: Node) -> Node:
    return node("mul", INT, value, value)


# split


def test_split_follows_shared_variables() -> None:
    linked, far, other = is_("lt", X, Y), is_("lt", Y, Z), is_("eq", S, "a")
    assert relevant([other, far, linked, far], is_("gt", X, 0)) == (far, linked)


def test_split_drops_conditions_without_variables_and_the_goal_itself() -> None:
    goal = is_("gt", X, 0)
    assert relevant([expr.TRUE, goal], goal) == ()


def test_variables_outside_the_goals_part_keep_their_values() -> None:
    answer = build_chain().solve(problem(is_("gt", X, 5), is_("eq", S, "kept"), x=0, s="kept", f=2.5))
    assert isinstance(answer, Sat)
    assert {"s": "kept", "f": 2.5} == {name: answer.model[name] for name in ("s", "f")}


def test_a_path_of_two_thousand_conditions_is_handled() -> None:
    names = [f"v{i}" for i in range(40)]
    variables = [var(name, INT) for name in names]
    current = {name: 3 * place for place, name in enumerate(names)}
    path = [
        is_(
            "lt",
            node("add", INT, node("mul", INT, variables[i % 40], 2), variables[(7 * i + 1) % 40]),
            1000 + i,
        )
        for i in range(2000)
    ]
    goal = is_("gt", node("add", INT, node("mul", INT, variables[0], 3), variables[1]), 900)
    answer = build_chain().solve(problem(goal, *path, **current))
    assert isinstance(answer, Sat)
    assert holds([*path, goal], answer.model)


def test_expressions_may_be_thousands_of_levels_deep() -> None:
    total = X
    for place in range(5000):
        total = node("add", INT, node("mul", INT, total, 3) if place % 2 else total, Y)
    answer = build_chain().solve(problem(is_("eq", node("mod", INT, total, 7), 3), x=0, y=0))
    assert not isinstance(answer, Unsat)


# program


def test_a_program_computes_what_the_evaluator_does() -> None:
    guarded = node("ite", INT, is_("ne", Y, 0), node("floordiv", INT, X, Y), -1)
    for expression in (
        is_("gt", guarded, 2),
        is_("and", is_("ne", Y, 0), is_("eq", node("mod", INT, X, Y), 1)),
    ):
        program = Program([expression])
        for x in range(-4, 8):
            for y in range(-2, 3):
                assert evaluate(expression, {"x": x, "y": y}) == bool(
                    program.first_failing({"x": x, "y": y})
                ), (x, y)


@pytest.mark.parametrize(
    "expression",
    [
        is_("eq", node("floordiv", INT, X, Y), 0),
        is_("ne", node("floordiv", INT, X, Y), 0),
        is_("int_ok", node("add", STR, S, node("str", STR, node("floordiv", INT, X, Y)))),
        negate(is_("is_none", node("floordiv", INT, X, Y))),
        is_("str.isdigit", node("item", STR, S, 9)),
    ],
    ids=repr,
)
def test_what_is_undefined_does_not_hold(expression: Node) -> None:
    values = {"x": 1, "y": 0, "s": "1"}
    with pytest.raises(Undefined):
        evaluate(expression, values)
    program = Program([expression])
    assert not program.holds(values)
    assert program.value(expression) is UNDEFINED


# time


@pytest.mark.parametrize(("seconds", "hurried"), [(-1.0, True), (60.0, False), (None, False)])
def test_no_stage_but_the_first_is_begun_with_when_it_is_late(seconds: float | None, hurried: bool) -> None:
    until = None if seconds is None else time.monotonic() + seconds
    chain = Chain([Fold(), Search(0, 500)], until=lambda: until)
    answer = chain.solve(problem(is_("eq", square(X), 49), x=0))
    assert hurried is (isinstance(answer, Unknown) and HURRIED in answer.reason)
    assert isinstance(chain.solve(problem(is_("gt", X, 5), is_("lt", X, 3), x=0)), Unsat)


# cache


def test_a_superset_of_a_refuted_conjunction_is_refuted_from_memory() -> None:
    chain = build_chain()
    goal = is_("eq", square(X), 50)
    assert isinstance(chain.solve(problem(goal, x=0)), Unsat)
    assert isinstance(chain.solve(problem(goal, is_("lt", X, 40), x=0)), Unsat)
    assert (1, 2) == (chain.statistics["cache_hits"], chain.statistics["queries"])


def test_a_known_model_is_used_again_only_if_it_holds() -> None:
    cache = Cache()
    first = Task(problem(is_("gt", X, 5), x=0))
    cache.learn(first, Sat({"x": 12}, "test"))
    assert Sat({"x": 12}, "cache") == cache.attempt(Task(problem(is_("gt", X, 10), x=0)))
    assert isinstance(cache.attempt(Task(problem(is_("gt", X, 20), x=0))), Unknown)


def test_a_known_model_of_another_type_is_not_used() -> None:
    cache = Cache()
    cache.learn(Task(problem(is_("gt", X, 5), x=0)), Sat({"x": 12}, "test"))
    assert isinstance(cache.attempt(Task(problem(is_("gt", var("x", FLOAT), 5.0), x=0.0))), Unknown)


# candidates


@pytest.mark.parametrize(
    ("goal", "current"),
    [
        (is_("gt", X, 5), {"x": 0}),
        (is_("eq", node("add", INT, node("mul", INT, X, 3), 7), 100), {"x": 5}),
        (is_("eq", S, "secret"), {"s": ""}),
        (is_("eq", S, T), {"s": "", "t": "abc"}),
        (is_("math.isinf", F), {"f": 0.0}),
        (is_("eq", node("add", FLOAT, node("mul", FLOAT, F, 9.0), 32.0), 212.0), {"f": 0.0}),
        (negate(is_("is_none", node("re.fullmatch", OBJ, r"\d{3}-[x-z]+", 0, S))), {"s": ""}),
    ],
    ids=repr,
)
def test_candidates_suffice_for_simple_branches(goal: Node, current: dict[str, object]) -> None:
    task = Task(problem(goal, **current))
    assert isinstance(Candidates().attempt(task), Sat)
    assert task.program.evaluations < 200


def test_simple_branches_do_not_load_z3() -> None:
    script = (
        "import sys\n"
        "from runtime.expr import *\n"
        "from tracetwin.solving import *\n"
        "goal = apply('gt', Sort.BOOL, var('x', Sort.INT), const(5))\n"
        "assert build_chain().solve(Problem((), goal, {'x': 0}, {'x': Sort.INT})).model['x'] > 5\n"
        "assert 'z3' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env={"PYTHONPATH": ":".join(sys.path)})


# z3


def test_an_approximation_proves_nothing() -> None:
    # over the reals there is no solution; among floats the infinite one
    answer = build_chain().solve(problem(is_("eq", node("add", FLOAT, F, 1.0), F), f=0.0))
    assert isinstance(answer, Sat)
    # z3 could only refute this for ASCII digits
    superscript = is_("and", is_("str.isdigit", S), negate(is_("int_ok", S)))
    assert not isinstance(build_chain().solve(problem(superscript, s="")), Unsat)


def test_zeros_of_both_signs_are_members_alike() -> None:
    goal = is_("and", is_("contains", (0.0, 7.25), F), is_("eq", node("math.copysign", FLOAT, 1.0, F), -1.0))
    answer = build_chain().solve(problem(goal, f=1.0))
    assert not isinstance(answer, Unsat)


def test_an_operation_that_z3_lacks_is_learnt_from_examples() -> None:
    # gcd is a variable to z3, until Python tells what it gives
    goal = is_("eq", node("add", INT, X, node("math.gcd", INT, Y, 12)), 1005)
    answer = build_chain().solve(problem(goal, is_("gt", Y, 100), x=0, y=101))
    assert isinstance(answer, Sat)


def test_models_are_small_and_plain() -> None:
    chain = build_chain()
    answer = chain.solve(problem(is_("gt", square(X), 1000), x=0))
    assert isinstance(answer, Sat)
    assert abs(answer.model["x"]) <= 100  # type: ignore[arg-type]
    length = is_("eq", node("len", INT, S), 5)
    answer = chain.solve(problem(is_("ne", node("item", STR, S, 2), "q"), length, s="qqqqq"))
    assert isinstance(answer, Sat)
    assert str(answer.model["s"]).isprintable()
    assert str(answer.model["s"]).isascii()


def test_the_same_queries_get_the_same_answers() -> None:
    def answers() -> list[Answer]:
        chain = build_chain(seed=3)
        return [
            chain.solve(
                problem(is_("eq", node("add", INT, square(X), square(Y)), 625), is_("gt", X, 0), x=1, y=1)
            ),
            chain.solve(problem(is_("lt", node("math.sin", FLOAT, F), -0.999), f=0.0)),
            chain.solve(problem(is_("str.startswith", S, "ab"), is_("contains", S, "-"), s="-")),
        ]

    assert answers() == answers()


# search


def test_search_spends_no_more_than_its_budget() -> None:
    task = Task(problem(is_("eq", node("math.gcd", INT, X, 1000003), 1009), x=0))
    answer = Search(seed=0, budget=500).attempt(task)
    assert Unknown("nothing found in 500 evaluations") == answer
    assert task.program.evaluations == 500


@pytest.mark.parametrize(
    ("goal", "current"),
    [
        (is_("eq", node("bit_count", INT, X), 9), {"x": 0}),
        (is_("lt", node("math.sin", FLOAT, F), -0.9999), {"f": 0.0}),
        (is_("eq", node("str.title", STR, S), "Ab Cd"), {"s": ""}),
        (is_("eq", node("len", INT, node("str.split", OBJ, S)), 3), {"s": ""}),
        (is_("eq", node("int", INT, S, 16), 255), {"s": "0"}),
    ],
    ids=repr,
)
def test_search_needs_no_theory(goal: Node, current: dict[str, object]) -> None:
    task = Task(problem(goal, **current))
    answer = Search(seed=0, budget=3000).attempt(task)
    assert isinstance(answer, Sat)
    assert evaluate(goal, answer.model)


# shrink, examples, chain


def test_shrinking_keeps_the_conditions() -> None:
    task = Task(problem(is_("gt", X, 17), is_("contains", S, "key"), x=0, s="key"))
    values = {"x": 98765, "s": "??key??"}
    smaller = shrink(Task(problem(is_("gt", X, 17), x=0)), {"x": 98765}, 200)
    assert 17 < smaller["x"] <= 100  # type: ignore[operator]
    assert "s" not in task.names
    assert {"s": "key"} == shrink(Task(problem(is_("contains", S, "key"), s="")), {"s": values["s"]}, 200)


def test_readable_values_cost_less() -> None:
    assert sorted([900, -3, 0, 1], key=cost) == [0, 1, -3, 900]
    assert max([0.1 + 0.2, 0.5, 2.0], key=cost) == 0.1 + 0.2
    assert sorted(["\x00", "a", "", "abc"], key=cost) == ["", "a", "abc", "\x00"]


@pytest.mark.parametrize(
    "pattern",
    [r"a+b*", r"(\w)\1", r"[^a-z]\d{2,}", r"x(y|z)?$", r"\bword\b", r"(?i)k=(?P<v>[\w.]+)", r"\S+@\S+"],
)
def test_examples_match_their_pattern(pattern: str) -> None:
    assert examples(pattern, 0)


def test_a_model_that_does_not_hold_never_leaves_the_chain() -> None:
    class Liar(Candidates):
        name = "liar"

        def attempt(self, task: Task) -> Answer:
            return Sat({"x": 0}, "wrong")

    chain = Chain([Liar(), Candidates()])
    answer = chain.solve(problem(is_("gt", X, 5), x=0))
    assert isinstance(answer, Sat)
    assert answer.theory == "candidates"
    assert chain.statistics["stages"]["liar"]["refused"] == 1


def test_a_search_that_finds_nothing_again_and_again_takes_fewer_evaluations() -> None:
    search = Search(seed=0, budget=4000)
    reasons = []
    for number in range(PATIENT + 1):
        answer = search.attempt(Task(problem(is_("eq", square(X), 10**9 + 2 + 4 * number), x=0)))
        assert isinstance(answer, Unknown)
        reasons.append(answer.reason)
    assert reasons[0] == "nothing found in 4000 evaluations"
    assert reasons[-1] == "nothing found in 1000 evaluations"


def test_constant_goals_need_no_stage() -> None:
    chain = build_chain()
    assert Sat({"x": 1}, "constant") == chain.solve(problem(expr.TRUE, x=1))
    assert Unsat() == chain.solve(problem(expr.FALSE, x=1))


# what a chain holds while it waits


@pytest.mark.slow
def test_a_chain_at_rest_holds_no_z3_and_knows_what_it_answered() -> None:
    chain = build_chain()
    root = is_("eq", square(X), 50)
    assert isinstance(chain.solve(problem(root, x=0)), Unsat)
    theories = chain.statistics["theories"]
    assert theories
    gc.collect()
    before = len(_contexts())
    chain.rest()
    assert len(_contexts()) < before
    assert theories == chain.statistics["theories"]
    assert isinstance(chain.solve(problem(is_("eq", square(Y), 51), y=0)), Unsat)


def _contexts() -> list[object]:
    from tracetwin.solving.smt.z3lib import z3

    return [thing for thing in gc.get_objects() if isinstance(thing, z3.Context)]
