from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.emit.support import Recipe, case, function, raised, snap, step, target
from tests.emit.support import seen as looked
from tracetwin.emit.naming.dates import calendar_words, span_words
from tracetwin.emit.naming.names import class_name, subject
from tracetwin.emit.naming.results import error_words, result_words
from tracetwin.emit.naming.telling import SAYING, Subject, name_all
from tracetwin.emit.naming.values import all_words, exact_text, plain_words, recipe_words, size_of, snake
from tracetwin.model.recipe import Call, Dictionary, Scalar, Series, SeriesKind, list_of
from tracetwin.model.snapshot import Built
from tracetwin.replay.static import coverable

SHAPES = coverable(target("shapes").file)


def returned(value: Any, name: str, *args: Any) -> Any:
    seen = looked(Scalar(value))
    return subject(function("shapes", name, *args), seen, SHAPES)


def failed(kind: str, name: str, *args: Any) -> Any:
    seen = raised(kind)
    return subject(function("shapes", name, *args), seen, SHAPES)


def test_a_name_says_function_ending_and_condition() -> None:
    assert name_all(
        [
            returned("normal", "weight_category", 60, 2),
            returned("underweight", "weight_category", -1, 2),
            failed("AssertionError", "weight_category", 60, 0),
        ]
    ) == [
        "test_weight_category_returns_normal",
        "test_weight_category_returns_underweight_when_weight_is_negative",
        "test_weight_category_raises_assertion_error_when_height_is_zero",
    ]


def test_a_condition_of_one_argument_among_several_is_told_only_where_it_may_be_the_cause() -> None:
    name, said = "weight_category", "test_weight_category_returns"
    assert name_all([returned("normal", name, 60), returned("low", name, 5)]) == [
        f"{said}_normal_when_weight_is_sixty",
        f"{said}_low_when_weight_is_five",
    ]
    assert name_all([returned("normal", name, 60, 3), returned("low", name, 5, 3)]) == [
        f"{said}_normal",
        f"{said}_low",
    ]
    assert name_all([returned("low", name, 60, 3), returned("low", name, 5, 3)]) == [
        f"{said}_low_when_weight_is_sixty",
        f"{said}_low_when_weight_is_five",
    ]


def test_tests_of_one_ending_are_told_apart_by_two_conditions_where_one_is_not_enough() -> None:
    flags = [(False, False), (False, True), (True, False)]
    assert name_all([returned(1, "same", *pair) for pair in flags]) == [
        "test_same_returns_one_when_first_is_false_and_second_is_false",
        "test_same_returns_one_when_second_is_true",
        "test_same_returns_one_when_first_is_true",
    ]


def test_tests_that_no_condition_tells_apart_are_told_by_size() -> None:
    assert name_all([returned(5, "identity", n) for n in (1.1234567, 1.1234568)]) == [
        "test_identity_returns_five_when_value_is_small",
        "test_identity_returns_five_when_value_is_large",
    ]


def test_tests_that_no_condition_tells_apart_are_told_by_an_argument() -> None:
    inputs = [(("style", f"is_{word}"), ("width", "")) for word in ("heading", "footing")]
    alike = [Subject("border", "yields_a_plus", (), inputs=given) for given in inputs]
    assert name_all([*alike, Subject("border", "returns_one", (), inputs=(("width", "is_one"),))])[:2] == [
        "test_border_yields_a_plus_when_style_is_heading",
        "test_border_yields_a_plus_when_style_is_footing",
    ]


def test_sizes_may_be_ints_beyond_the_floats() -> None:
    names = name_all([returned(5, "identity", n) for n in (10**400 + 1, 10**400 + 3)])
    assert len(set(names)) == 2


def test_no_name_ends_with_a_number_even_where_tests_are_alike() -> None:
    names = name_all([returned(5, "identity", 1.1234567) for _ in range(4)])
    assert len(set(names)) == 4
    assert not any(name[-1].isdigit() for name in names)
    assert names[1].endswith("in_another_way")


def test_a_condition_of_the_function_is_better_than_a_number() -> None:
    made = [
        subject(
            function("shapes", "weight_category", mass, 1),
            looked(Scalar("normal"), own_arcs=arcs),
            SHAPES,
        )
        for mass, arcs in ((31, ((112, 113),)), (42, ((112, 114), (114, 115))))
    ]
    assert name_all(made) == [
        "test_weight_category_returns_normal_when_index_is_below_eighteen_point_five",
        "test_weight_category_returns_normal_when_index_is_below_twenty_five",
    ]


DECIDED = """\
def f(n, limit, flag):
    if not flag:
        return -1
    if n > limit:
        raise ValueError("too many")
    return 10 * n
"""


def test_what_the_last_decision_was_about_comes_before_special_values_of_other_arguments(
    tmp_path: Path,
) -> None:
    (tmp_path / "decided.py").write_text(DECIDED)
    known = coverable(str(tmp_path / "decided.py"))

    def made(seen: Any, *args: Any) -> Any:
        return subject(function("decided", "f", *args), seen, known)

    too_many = made(raised("ValueError", message="too many", raised_at=5, own_arcs=((2, 4), (4, 5))), 9, 0, 1)
    plain = made(looked(Scalar(-30), own_arcs=((2, 4), (4, 6))), -3, 7, 1)
    other = made(looked(Scalar(40), own_arcs=((2, 4), (4, 6))), 4, 7, 1)
    without = made(looked(Scalar(-1), own_arcs=((2, 3),)), 4, 7, None)
    assert name_all([too_many, plain, other, without]) == [
        "test_f_raises_value_error_when_n_is_above_limit",
        "test_f_returns_minus_thirty_when_n_is_negative",
        "test_f_returns_forty_when_n_is_four_and_limit_is_seven_and_flag_is_one",
        "test_f_returns_minus_one_when_flag_is_none",
    ]


def test_a_method_has_its_words_apart_unless_another_one_has_the_same(tmp_path: Path) -> None:
    methods = ("isEmpty", "is_empty", "lastItem")
    body = "".join(f"    def {name}(self):\n        return 1\n" for name in methods)
    (tmp_path / "box.py").write_text(f"class Box:\n{body}")
    known = coverable(str(tmp_path / "box.py"))
    maker = step(("call", "box", "Box"), bind="it")
    made = [
        case("box", f"Box.{name}", "method", maker, step(("method", "it", name))) for name in methods
    ]
    told = [subject(one, looked(Scalar(1)), known) for one in made]
    assert [one.function for one in told] == ["isempty", "is_empty", "last_item"]


def test_a_text_of_one_argument_is_no_cause_beside_another_that_is_empty() -> None:
    """The empty one is that of a test with another ending, too."""
    made = [returned("", "same", "", "a"), failed("ValueError", "same", "", ""), returned("b", "same", "b")]
    assert name_all(made)[0] == "test_same_returns_empty_string_when_first_is_empty_and_second_is_a"


def test_a_single_item_is_not_the_argument_itself() -> None:
    names = name_all([of_list([n], n) for n in (2, 3)])
    assert names[0] == "test_same_returns_a_long_list_when_first_holds_2_and_second_is_two"


def test_results_that_are_numbers_do_not_tell_tests_apart() -> None:
    names = name_all([returned(n, "same", flag, "a") for n, flag in ((377, False), (378, True))])
    assert names == ["test_same_returns_377_when_first_is_false", "test_same_returns_378_when_first_is_true"]
    assert name_all([returned(377, "same")]) == ["test_same_returns_377"]
    assert name_all([returned(377, "same", "b")]) == ["test_same_returns_377_when_first_is_b"]


def test_a_result_that_is_an_argument_is_called_by_its_name() -> None:
    assert name_all([returned(4, "same", 4, 9)]) == ["test_same_returns_first"]
    assert name_all([returned("a b", "same", "A B")]) == [
        "test_same_returns_first_in_lower_case_when_first_is_a_b"
    ]
    assert name_all([returned("a", "same", "", "a")]) == ["test_same_returns_a_when_first_is_empty"]


def test_what_a_message_repeats_of_an_argument_is_no_cause() -> None:
    seen = raised("ValueError", message="Not Roman: A", raised_at=min(SHAPES.raising))
    made = subject(function("shapes", "weight_category", "a", 1), seen, SHAPES)
    assert [word for _, word in made.features if word.startswith(SAYING)] == ["saying_not_roman_a"]


def test_arguments_that_the_function_compares_are_named_together() -> None:
    assert name_all([returned(4, "ordered", 3, 9), returned(5, "ordered", 12, 9)]) == [
        "test_ordered_returns_four_when_first_is_below_second",
        "test_ordered_returns_five_when_first_is_above_second",
    ]


def test_names_do_not_depend_on_the_order_of_the_tests() -> None:
    subjects = [returned(n, "identity", n) for n in (-5, 0, 3, 77)]
    assert sorted(name_all(subjects)) == sorted(name_all(subjects[::-1]))


def test_names_stay_short() -> None:
    subjects = [returned("a" * 20, "weight_category", "b" * n, "c" * 24) for n in range(20, 24)]
    assert all(len(name) <= 83 for name in name_all(subjects))


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        (None, "is_none"),
        (0.0, "is_zero"),
        (-0.0, "is_minus_zero"),
        (float("nan"), "is_nan"),
        (float("-inf"), "is_minus_infinity"),
        (1.5, "is_one_point_five"),
        ("", "is_empty"),
        ("  ", "is_blank"),
        ("Red Box", "is_red_box"),
        ([], "is_empty"),
        ([0], "holds_zero"),
        (Recipe("ref", "shapes", "Colour.RED"), "is_red"),
        (Recipe("lambda", 0, ("lit", True)), "returns_true"),
    ],
)
def test_the_first_thing_said_of_an_argument(argument: Any, words: str) -> None:
    made = subject(function("shapes", "identity", argument), looked(), SHAPES)
    assert min(made.features)[1] == f"value_{words}"


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        (("lit", "a b"), "a_b"),
        (("lit", "[1"), "a_string"),
        (("lit", "#0a"), "hash_0a"),
        (("lit", "68"), "string_68"),
        (("lit", "top-10-reasons-to-love-dogs"), "top_10_reasons_to_love_dogs"),
        (("lit", "1-85798"), "1_85798"),
        (("lit", "Red (1), red (2)"), "a_string_beginning_with_red"),
        (("lit", 10007.55722), "about_10007_56"),
        (("lit", 1e-17), "about_zero"),
        (("tuple", [("lit", 255), ("lit", -1.5), ("lit", None)]), "255_minus_1_5_and_none"),
        (("list", [("lit", "a b")]), "list_with_a_b"),
        (("list", [("lit", "a b"), ("lit", "c"), ("lit", "d")]), "list_of_three"),
        (("dict", [[("lit", "a"), ("lit", 1)]]), "dict_with_one_for_a"),
        (("lit", 12345678901), "an_int"),
        (("list", []), "empty_list"),
        (("ref", "shapes", "Colour.RED"), "red"),
        (("object", "shapes", "Node", []), "a_node"),
        (("opaque", "builtins:float", "x"), "a_float"),
    ],
)
def test_results_in_words(plain: Any, words: str) -> None:
    assert result_words(snap(*plain)) == words


def test_snake() -> None:
    assert [snake(name) for name in ("ValueError", "HTTPError", "JSONDecodeError", "x", "")] == [
        "value_error",
        "http_error",
        "json_decode_error",
        "x",
        "",
    ]


def test_days_and_lengths_of_time_that_came_back_are_told() -> None:
    day = Built("datetime", "date", (Scalar(1969), Scalar(9), Scalar(19)))
    length = Built("datetime", "timedelta", (), (("days", Scalar(87)),))
    assert [result_words(one) for one in (day, length)] == ["september_nineteenth_1969", "eighty_seven_days"]


@pytest.mark.parametrize(
    ("module", "qualname", "words"),
    [
        ("builtins", "ValueError", "value_error"),
        ("builtins", "Exception", "exception"),
        ("re", "error", "re_error"),
        ("xml.parsers.expat", "Error", "expat_error"),
        ("app", "Parser.Failed", "failed"),
    ],
)
def test_exceptions_in_words(module: str, qualname: str, words: str) -> None:
    assert error_words(module, qualname) == words


def test_a_function_and_a_class_of_one_name_get_two_test_classes() -> None:
    taken: set[str] = set()
    assert class_name("Box", "class", taken) == "TestBox"
    assert class_name("box", "function", taken) == "TestBoxFunction"
    assert class_name("_box_", "function", taken) == "TestBoxFunction2"


def of_list(*arguments: Any) -> Any:
    seen = looked(snap("list", [("lit", 0)] * 25))
    return subject(function("shapes", "same", *arguments), seen, SHAPES)


@pytest.mark.parametrize(
    ("inputs", "conditions"),
    [
        ([([1, 2], 0), ([1, 2], 9)], ["second_is_zero", "second_is_nine"]),
        ([([5, 2],), ([6, 2],)], ["first_is_5_and_2", "first_is_6_and_2"]),
        ([([5, 2, 2, 2, 2],), ([6, 2, 2, 2, 2],)], ["first_begins_with_five", "first_begins_with_six"]),
        ([([5, 2] * 3,), ([5, 3] * 3,)], ["first_second_item_is_two", "first_second_item_is_three"]),
        ([(-9, 5), (3, 4)], ["first_is_negative", "first_is_three_and_second_is_four"]),
        ([({"a": 1},), ({"b": 1},)], ["first_has_key_a", "first_has_key_b"]),
        ([({"a": 1},), ({"a": 2},)], ["first_has_one_for_a", "first_has_two_for_a"]),
        ([("a, b and more of it, which is long",), ("b, c and more of it, which is long",)], None),
        ([(10**12 + 5,), (10**12 + 6,)], ["first_is_odd", "first_is_even"]),
        ([(1,), (1, 2)], ["second_is_left_out", "second_is_two"]),
        (
            [(Recipe("call", "shapes", "Stack", [("lit", n)], []),) for n in (1, 2)],
            ["first_is_a_stack_of_one", "first_is_a_stack_of_two"],
        ),
    ],
)
def test_what_differs_between_tests_is_what_their_names_say(inputs: Any, conditions: Any) -> None:
    conditions = conditions or ["first_begins_with_a", "first_begins_with_b"]
    assert name_all([of_list(*given) for given in inputs]) == [
        f"test_same_returns_a_long_list_when_{condition}" for condition in conditions
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [("-1s", "minus_1s"), ("+0", "plus_0"), (b"-ab", "minus_ab"), ("1s", "1s"), ("-", ""), (".y", "")],
)
def test_a_sign_before_a_short_text_is_spelled(text: str | bytes, words: str) -> None:
    assert exact_text(text) == words


def test_dates_are_told_by_their_relation_month_or_day() -> None:
    calendars = coverable(target("calendars").file)

    def made(days: int, *dates: tuple[int, int, int]) -> Any:
        args = [Recipe.made(Call("datetime", "date", tuple(map(Scalar, date)))) for date in dates]
        return subject(function("calendars", "late", *args), looked(Scalar(days)), calendars)

    first, second = (2024, 1, 31), (2024, 2, 9)
    assert name_all([made(0, first, first), made(9, first, second)]) == [
        "test_late_returns_zero_when_due_equals_today",
        "test_late_returns_nine_when_due_is_before_today",
    ]
    names = name_all([made(8, first, (2024, 2, 8)), made(8, second, (2024, 2, 17))])
    assert names == [
        "test_late_returns_eight_when_due_is_in_january",
        "test_late_returns_eight_when_due_is_in_february",
    ]


@pytest.mark.parametrize(
    ("time", "words"),
    [
        ((0, 0, 0), "is_at_midnight"),
        ((9, 0, 0), "is_at_nine_o_clock"),
        ((9, 0, 1), "is_after_nine_o_clock"),
        ((18, 30, 0), "is_at_half_past_six_pm"),
        ((18, 30, 1), "is_after_half_past_six_pm"),
        ((23, 5, 0), "is_after_eleven_pm"),
    ],
)
def test_a_time_of_the_day_is_told_by_its_hour_or_half_hour(time: tuple[int, int, int], words: str) -> None:
    assert next(calendar_words((2024, 1, 31, *time)))[1] == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "is_zero"),
        (-5, "is_negative"),
        (7200, "is_two_hours"),
        (7201, "is_just_over_two_hours"),
        (7199, "is_just_under_two_hours"),
        (14 * 86400, "is_fourteen_days"),
        (3700, "is_over_one_hour"),
    ],
)
def test_a_length_of_time_is_told_in_whole_units(seconds: int, words: str) -> None:
    assert words in {word for _, word in span_words(seconds * 1_000_000)}


def test_moments_that_nothing_else_tells_apart_are_earlier_and_later() -> None:
    calendars = coverable(target("calendars").file)

    def made(day: int) -> Any:
        parts = (2024, 1, day, 9, 5, day)
        moment = Recipe.made(Call("datetime", "datetime", tuple(map(Scalar, parts))))
        told = subject(function("calendars", "late", moment), looked(Scalar(0)), calendars)
        return replace(told, features=())

    assert name_all([made(8), made(7)]) == [
        "test_late_returns_zero_when_due_is_later",
        "test_late_returns_zero_when_due_is_earlier",
    ]


def test_a_dict_has_as_many_items_as_different_keys() -> None:
    one, other = Scalar("a"), Scalar("b")
    assert 2 == size_of(Dictionary(((one, one), (other, one), (one, other))))
    assert 1 == size_of(Series(SeriesKind.SET, (one, one)))
    assert 2 == size_of(list_of(one, one))


_HUGE = st.integers(300, 6_000).flatmap(lambda digits: st.sampled_from((10**digits, -(10**digits))))
_LITERALS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), st.binary(max_size=9), _HUGE
).map(Scalar)  # fmt: skip
_PAIRS = st.lists(st.tuples(_LITERALS, _LITERALS), max_size=4).map(tuple)
_SERIES = st.builds(Series, st.sampled_from(SeriesKind), st.lists(_LITERALS, max_size=4).map(tuple))


@given(st.one_of(_LITERALS, _SERIES, _PAIRS.map(Dictionary)))
def test_anything_that_can_be_said_of_a_value_is_part_of_a_name(value: Any) -> None:
    said = [plain_words(value), all_words(value), *(words for _, words in recipe_words(value))]
    assert all(re.fullmatch(r"\w*", words) for words in said)
