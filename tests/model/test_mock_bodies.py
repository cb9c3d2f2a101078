"""Which body the recorded calls of a mock method give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tracetwin.model.mock_bodies import BodyForm, MockBody, body_of, chosen
from tracetwin.model.recipe import Answer, Dictionary, MockMember, RecordedCall, Reference, Series, list_of
from tracetwin.model.recipes import evaluate, lit

NAN = float("nan")
RECIPES = (Dictionary, Reference, Series)


def call(args: list[Any], returned: Any = None, raised: type | None = None, **kwargs: Any) -> RecordedCall:
    """A recorded call of plain values."""
    recipes = tuple(arg if isinstance(arg, RECIPES) or arg is None else lit(arg) for arg in args)
    named = tuple((key, lit(value)) for key, value in kwargs.items())
    if raised is None:
        return RecordedCall(recipes, named, Answer(lit(returned)))
    return RecordedCall(recipes, named, Answer(Reference("builtins", raised.__name__), raises=True))


def body(*calls: RecordedCall) -> MockBody:
    return body_of(MockMember("method", calls))


def answers(made: MockBody, *calls: RecordedCall) -> list[Any]:
    """What a body gives for calls, in order: a value, or the exception's name."""
    found = []
    for turn, one in enumerate(calls):
        args = [evaluate(recipe) for recipe in one.args if recipe is not None]
        kwargs = {key: evaluate(recipe) for key, recipe in one.kwargs if recipe is not None}
        recipe = chosen(made, turn, args, kwargs, evaluate).recipe
        found.append(recipe.qualname if isinstance(recipe, Reference) else evaluate(recipe))
    return found


def test_one_outcome_is_a_constant():
    made = body(call([1], 5), call([2], 5))
    assert made.form is BodyForm.CONSTANT
    assert made.default == Answer(lit(5))


def test_a_method_that_was_never_called_is_not_implemented():
    assert Answer(Reference("builtins", "NotImplementedError"), raises=True) == body().default


def test_different_arguments_give_a_body_like_listing_5():
    made = body(call([0], 6), call([10], 4))
    assert made.form is BodyForm.BY_ARGUMENT
    assert [(row.tests, row.answer.recipe) for row in made.rows] == [(((0, lit(0)),), lit(6))]
    assert made.default.recipe == lit(4)


def test_equal_arguments_with_different_outcomes_are_successive():
    calls = (call([1], 5), call([1], 6), call([2], 5))
    made = body(*calls)
    assert made.form is BodyForm.SUCCESSIVE
    assert [5, 6, 5] == answers(made, *calls)
    with pytest.raises(StopIteration):
        chosen(made, 3, [1], {}, evaluate)


def test_calls_without_arguments_are_successive():
    assert body(call([], 1), call([], 2)).form is BodyForm.SUCCESSIVE


@pytest.mark.parametrize(("first", "second"), [(1, 1.0), (1, True), (0, False), (0.0, -0.0)])
def test_values_that_equality_does_not_tell_apart_are_one(first, second):
    assert body(call([first], "a"), call([second], "b")).form is BodyForm.SUCCESSIVE
    assert body(call([first], "a"), call([second], "a")).form is BodyForm.CONSTANT


def test_outcomes_that_are_equal_but_of_other_types_differ():
    assert body(call([1], 1), call([2], True)).form is BodyForm.BY_ARGUMENT


def test_what_is_not_equal_to_itself_is_not_compared():
    assert body(call([NAN], 1), call([2.0], 2)).form is BodyForm.SUCCESSIVE
    assert body(call([list_of(lit(NAN))], 1), call([2.0], 2)).form is BodyForm.SUCCESSIVE


def test_only_the_argument_that_tells_is_compared():
    made = body(call([7, "a"], 1), call([7, "b"], 2))
    assert [row.tests for row in made.rows] == [((1, lit("a")),)]


def test_all_arguments_are_compared_where_no_one_tells():
    calls = (call([1, 1], "a"), call([1, 2], "b"), call([2, 1], "c"), call([2, 2], "a"))
    made = body(*calls)
    assert made.form is BodyForm.BY_ARGUMENT
    assert {len(row.tests) for row in made.rows} == {2}
    assert ["a", "b", "c", "a"] == answers(made, *calls)


def test_what_cannot_be_written_down_is_left_out_of_the_comparison():
    calls = (call([None, "a"], 1), call([None, "b"], 2))
    assert [row.tests for row in body(*calls).rows] == [((1, lit("a")),)]
    assert body(call([None], 1), call([None], 2)).form is BodyForm.SUCCESSIVE


def test_keywords_tell_too():
    made = body(call([], 1, key="a"), call([], 2, key="b"))
    assert [row.tests for row in made.rows] == [(("key", lit("a")),)]


def test_arguments_that_some_calls_lack_are_not_compared():
    calls = (call([1], "a"), call([1, 2], "b"))
    assert body(*calls).form is BodyForm.SUCCESSIVE


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
    calls = (call([Reference("builtins", "int")], 1), call([Reference("builtins", "str")], 2))
    assert [1, 2] == answers(body(*calls), *calls)


def test_containers_are_compared_by_value():
    calls = (call([list_of(lit(1))], 1), call([Dictionary(((lit("k"), lit(2)),))], 2))
    assert [1, 2] == answers(body(*calls), *calls)


def test_effects_make_outcomes_differ():
    first, second = call([1], 5), call([2], 5)
    second = replace(second, answer=replace(second.answer, effects=((0, list_of(lit(3))),)))
    made = body(first, second)
    assert made.form is BodyForm.BY_ARGUMENT
    assert made.default.effects == ((0, list_of(lit(3))),)
