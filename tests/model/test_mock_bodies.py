"""Which body the recorded calls of a mock method give."""

from __future__ import annotations

from typing import Any

import pytest

from tracetwin.model.mock_bodies import BY_ARGUMENT, CONSTANT, SUCCESSIVE, Outcome, body_of, chosen
from tracetwin.model.recipes import evaluate, lit

NAN = float("nan")


def call(args: list[Any], returned: Any = None, raised: type | None = None, **kwargs: Any) -> dict[str, Any]:
    """A recorded call of plain values."""
    recipes = [arg if isinstance(arg, tuple) or arg is None else lit(arg) for arg in args]
    way = ["return", lit(returned)] if raised is None else ["raise", ("ref", "builtins", raised.__name__)]
    named = [[key, lit(value)] for key, value in kwargs.items()]
    return {"args": recipes, "kwargs": named, "outcome": way, "effects": []}


def body(*calls: dict[str, Any]) -> Any:
    return body_of({"kind": "method", "calls": list(calls), "value": None})


def answers(made: Any, *calls: dict[str, Any]) -> list[Any]:
    """What a body gives for calls, in order: a value, or the exception's name."""
    found = []
    for turn, one in enumerate(calls):
        args = [evaluate(recipe) for recipe in one["args"]]
        kwargs = {key: evaluate(recipe) for key, recipe in one["kwargs"]}
        outcome = chosen(made, turn, args, kwargs, evaluate)
        found.append(outcome.recipe[1] if outcome.kind == "return" else outcome.recipe[2])
    return found


def test_one_outcome_is_a_constant():
    made = body(call([1], 5), call([2], 5))
    assert made.form == CONSTANT
    assert made.default == Outcome("return", lit(5))


def test_a_method_that_was_never_called_is_not_implemented():
    assert Outcome("raise", ("ref", "builtins", "NotImplementedError")) == body().default


def test_different_arguments_give_a_body_like_listing_5():
    made = body(call([0], 6), call([10], 4))
    assert made.form == BY_ARGUMENT
    assert [(row.tests, row.outcome.recipe) for row in made.rows] == [(((0, lit(0)),), lit(6))]
    assert made.default.recipe == lit(4)


def test_equal_arguments_with_different_outcomes_are_successive():
    calls = (call([1], 5), call([1], 6), call([2], 5))
    made = body(*calls)
    assert made.form == SUCCESSIVE
    assert [5, 6, 5] == answers(made, *calls)
    with pytest.raises(StopIteration):
        chosen(made, 3, [1], {}, evaluate)


def test_calls_without_arguments_are_successive():
    assert SUCCESSIVE == body(call([], 1), call([], 2)).form


@pytest.mark.parametrize(("first", "second"), [(1, 1.0), (1, True), (0, False), (0.0, -0.0)])
def test_values_that_equality_does_not_tell_apart_are_one(first, second):
    assert SUCCESSIVE == body(call([first], "a"), call([second], "b")).form
    assert CONSTANT == body(call([first], "a"), call([second], "a")).form


def test_outcomes_that_are_equal_but_of_other_types_differ():
    assert BY_ARGUMENT == body(call([1], 1), call([2], True)).form


def test_what_is_not_equal_to_itself_is_not_compared():
    assert SUCCESSIVE == body(call([NAN], 1), call([2.0], 2)).form
    assert SUCCESSIVE == body(call([("list", [lit(NAN)])], 1), call([2.0], 2)).form


def test_only_the_argument_that_tells_is_compared():
    made = body(call([7, "a"], 1), call([7, "b"], 2))
    assert [row.tests for row in made.rows] == [((1, lit("a")),)]


def test_all_arguments_are_compared_where_no_one_tells():
    calls = (call([1, 1], "a"), call([1, 2], "b"), call([2, 1], "c"), call([2, 2], "a"))
    made = body(*calls)
    assert made.form == BY_ARGUMENT
    assert {len(row.tests) for row in made.rows} == {2}
    assert ["a", "b", "c", "a"] == answers(made, *calls)


def test_what_cannot_be_written_down_is_left_out_of_the_comparison():
    calls = (call([None, "a"], 1), call([None, "b"], 2))
    assert [row.tests for row in body(*calls).rows] == [((1, lit("a")),)]
    assert SUCCESSIVE == body(call([None], 1), call([None], 2)).form


def test_keywords_tell_too():
    made = body(call([], 1, key="a"), call([], 2, key="b"))
    assert [row.tests for row in made.rows] == [(("key", lit("a")),)]


def test_arguments_that_some_calls_lack_are_not_compared():
    calls = (call([1], "a"), call([1, 2], "b"))
    assert SUCCESSIVE == body(*calls).form


def test_the_default_is_a_result_and_of_most_rows():
    calls = (call([1], raised=KeyError), call([2], 5), call([3], 6), call([4], 5), call([5], raised=KeyError))
    made = body(*calls)
    assert made.default.recipe == lit(5)
    assert ["KeyError", 5, 6, 5, "KeyError"] == answers(made, *calls)
    assert len(made.rows) == 3


def test_exceptions_mix_with_results():
    calls = (call(["a"], 1), call(["b"], raised=ValueError))
    assert ["ValueError", 1] == answers(body(*calls), calls[1], calls[0])


def test_classes_are_compared_by_name():
    calls = (call([("ref", "builtins", "int")], 1), call([("ref", "builtins", "str")], 2))
    assert [1, 2] == answers(body(*calls), *calls)


def test_containers_are_compared_by_value():
    calls = (call([("list", [lit(1)])], 1), call([("dict", [(lit("k"), lit(2))])], 2))
    assert [1, 2] == answers(body(*calls), *calls)


def test_effects_make_outcomes_differ():
    first, second = call([1], 5), call([2], 5)
    second["effects"] = [[0, ("list", [lit(3)])]]
    made = body(first, second)
    assert made.form == BY_ARGUMENT
    assert made.default.effects == ((0, ("list", [lit(3)])),)
