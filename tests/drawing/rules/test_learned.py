"""Types that the project's own tests have passed, as guesses."""

from __future__ import annotations

import datetime as dt

from tracetwin.drawing.rules.learned import Learned
from tracetwin.drawing.typing.guesses import (
    DictGuess,
    FunctionGuess,
    RecordGuess,
    SeriesGuess,
    TupleGuess,
    TypeGuess,
)
from tracetwin.model.recipe import Call, Dictionary, Scalar

INT, STR = TypeGuess(int), TypeGuess(str)


def guesses(*shapes, parameter="x"):
    return Learned({"f": {"shapes": {parameter: list(shapes)}, "calls": []}}).guesses("f", parameter)


def test_scalars_keep_their_order():
    assert guesses("str", "none", "int") == [STR, TypeGuess(None), INT]


def test_containers_of_one_kind_become_one():
    assert guesses(["list", ["int"]], "none", ["list", ["str"]]) == [
        SeriesGuess("list", (INT, STR)),
        TypeGuess(None),
    ]


def test_tuples_have_a_shape_where_all_are_of_one_length():
    assert guesses(["tuple", ["int", "str"]], ["tuple", ["int", "none"]]) == [
        TupleGuess(((INT,), (STR, TypeGuess(None))))
    ]
    assert guesses(["tuple", ["int"]], ["tuple", ["int", "int"]]) == [SeriesGuess("tuple", (INT,))]


def test_dicts_have_known_keys_where_their_values_differ():
    same = ["dict", ["str"], ["int"], {"a": "int", "b": "int"}]
    other = ["dict", ["str"], ["int", "str"], {"a": "int", "c": "str"}]
    assert guesses(same) == [DictGuess((STR,), (INT,))]
    assert guesses(same, other) == [RecordGuess((("a", (INT,)), ("b", (INT,)), ("c", (STR,))))]


def test_a_class_is_known_by_itself_or_a_base_that_the_target_knows():
    fake = ["test_of_shop", "FakeBus"]
    assert guesses(["instance", [fake, ["datetime", "date"]]]) == [TypeGuess(dt.date)]
    assert guesses(["instance", [fake]]) == []
    assert guesses(["class", "datetime", "date"]) == [TypeGuess(type[dt.date])]


def test_the_parts_behind_stars_are_what_is_told():
    assert guesses(["tuple", ["int", "str"]], ["tuple", []], parameter="*rest") == [INT, STR]
    assert guesses(["dict", ["str"], ["int"], {"a": "int"}], parameter="**more") == [INT]


def test_what_is_learned_stands_before_other_guesses():
    known = Learned({"f": {"shapes": {"x": ["int"]}, "calls": []}})
    assert known.ahead_of([STR, INT], "f", "x") == [INT, STR]
    assert known.ahead_of([STR], "g", "x") == [STR]


def test_a_guess_that_tells_more_of_the_same_type_takes_the_place():
    known = Learned({"f": {"shapes": {"x": [["function", 1]], "y": [["list", []]]}, "calls": []}})
    detailed = FunctionGuess(1, (STR,))
    assert known.ahead_of([INT, detailed], "f", "x") == [detailed, INT]
    assert known.ahead_of([SeriesGuess("list", (INT,))], "f", "y") == [SeriesGuess("list", (INT,))]


def test_recipes_come_back_from_json():
    pairs = [[["lit", 1], ["complex", 1.0, 2.0]]]
    plain = {"x": ["call", "m", "C", [["bytes", "\xff"]], [["k", ["dict", pairs]]]]}
    known = Learned({"f": {"shapes": {}, "calls": [plain]}})
    expected = Call("m", "C", (Scalar(b"\xff"),), (("k", Dictionary(((Scalar(1), Scalar(1 + 2j)),))),))
    assert known.calls("f") == [{"x": expected}]
