"""What a case has comes again in it: names, numbers, moments; and texts are tables where some are read."""

from __future__ import annotations

import csv
import io
import random
import re
from itertools import pairwise
from typing import Any

import pytest

from tests.emit.select.bills import KNOWN, call, made, method, parts
from tracetwin.emit.select.telling.cases import TellingCases
from tracetwin.emit.select.telling.constants import TextConstants
from tracetwin.emit.select.telling.documents import WayToRead
from tracetwin.emit.select.telling.drawing import TellingValues
from tracetwin.emit.select.telling.tables import table
from tracetwin.model.recipe import Call, Dictionary, Lambda, MockRecipe, Recipe, Scalar, Series, list_of


def rows_of(text: Recipe, delimiter: str) -> list[list[str]]:
    assert isinstance(text, Scalar)
    return list(csv.reader(io.StringIO(str(text.value)), delimiter=delimiter))


def test_a_text_that_is_read_as_a_table_gets_rows_below_columns_that_the_module_lists() -> None:
    tables = [rows_of(case.last.args[0], ",") for case in made(call("imported", Scalar("a")))]
    listed = [rows for rows in tables if rows[:1] == [["name", "unit price"]]]
    assert len(listed) > len(tables) / 3
    assert {2, 3} <= {len(rows) for rows in listed}
    assert any("" in row for rows in listed for row in rows)


def test_lines_and_files_that_are_read_as_tables_have_the_columns_that_are_looked_for() -> None:
    assert WayToRead("csv", {"kind": None}, ";") == KNOWN.formats["summed", "lines"]
    assert KNOWN.formats["summed", "lines"] == KNOWN.formats["summed", "stream"]
    assert ("opened", "path") not in KNOWN.formats
    assert ("opened", "other") not in KNOWN.formats
    assert 2 == sum(function == "opened" for function, _ in KNOWN.formats), "the files, in other words"
    lines = [case.last.args[0] for case in made(call("summed", list_of(Scalar("a")), Scalar("p")))]
    heads = [part.items[0] for part in lines if isinstance(part, Series) and part.items]
    assert Scalar("kind\n") in heads


@pytest.mark.parametrize(("delimiter", "between"), [(";", ";"), ('"', ","), ("\n", ","), ("ab", ",")])
def test_a_table_is_written_whatever_it_is_read_with(delimiter: str, between: str) -> None:
    assert f"a{between}b\n1{between}2\n" == table(["a", "b"], [["1", "2"]], delimiter)


def test_numbers_and_keys_come_again_in_one_case() -> None:
    again = 0
    for one in made(call("counted", Scalar(3), Dictionary(((Scalar(8), Scalar(9)),)))):
        first, second = one.last.args
        again += isinstance(second, Dictionary) and first in dict(second.pairs)
    assert again


def test_a_clock_that_always_shows_the_same_may_go_on_instead() -> None:
    cases = made(call("counted", Lambda(0, Scalar(5)), Scalar(7)))
    clocks = [case.last.args[0] for case in cases if isinstance(case.last.args[0], MockRecipe)]
    answers = [[one.answer.recipe for one in clock.members["__call__"].calls] for clock in clocks]
    times: list[list[Any]] = [[part.value for part in some if isinstance(part, Scalar)] for some in answers]
    assert 10 < len(times) < len(cases)
    assert all(len({*some}) > 1 for some in times)
    assert sum(some == sorted(some) for some in times) > len(times) / 3
    assert any(late - early == 7 for some in times for early, late in pairwise(some)), "what is passed"


def test_a_clock_that_shows_moments_shows_others() -> None:
    moment = Call("datetime", "datetime", (Scalar(2024), Scalar(1), Scalar(2)))
    clocks = [case.last.args[0] for case in made(call("counted", Lambda(0, moment), Scalar(7)))]
    answers = [
        {one.answer.recipe for one in clock.members["__call__"].calls}
        for clock in clocks
        if isinstance(clock, MockRecipe)
    ]
    assert any(len(some) > 1 for some in answers)


def test_parameters_that_are_left_out_get_what_is_like_their_default() -> None:
    given = [dict(case.last.kwargs).get("most") for case in made(call("limited", Scalar(1)))]
    numbers = {part.value for part in given if isinstance(part, Scalar)}
    assert len(numbers) > 3
    assert all(isinstance(one, int) for one in numbers)


def test_texts_are_days_in_the_formats_that_the_function_knows() -> None:
    maker = TellingCases(KNOWN, lambda target: TextConstants(texts=("%m/%d/%Y", "%d of %s", "%Y\udcff")))
    cases = list(maker.of("same", [call("same", Scalar("a"), Scalar("b"))], [], 60))
    texts = [str(part.value) for part in parts(cases) if isinstance(part, Scalar)]
    assert any(re.fullmatch("[0-9]{2}/[0-9]{2}/[0-9]{4}", text) for text in texts)
    assert not any(re.search("[0-9]+ of", text) for text in texts)


def test_what_a_parameter_got_comes_again_for_another_one_of_its_name() -> None:
    first, other = (method(name, Scalar(1), Scalar(9)) for name in ("find", "drop"))
    cases = [case.steps[-2:] for case in made(other, (first,), most=240) if len(case.steps) == len("ab") + 1]
    called = [(one, two) for one, two in cases if (one.name, two.name) == ("find", "drop")]
    same = sum(one.args[0] == two.args[0] for one, two in called)
    assert same > sum(one.args[1] == two.args[1] for one, two in called)
    assert same > len(called) / 3


def test_numbers_of_one_argument_are_none_that_come_again_in_it() -> None:
    values = TellingValues(KNOWN, TextConstants(), "counted", random.Random(1))
    numbers = [values.integer("n"), values.integer("n")]
    assert [] == values.known_numbers
    values.next_argument()
    assert numbers == [Scalar(one) for one in values.known_numbers]


def test_a_call_may_be_like_the_one_before_it_but_for_one_argument() -> None:
    paying = method("pay", Scalar(1), Scalar(2), Scalar(3))
    cases = made(paying, (paying,), most=160)
    found = [case.steps[-2:] for case in cases if len(case.steps) == len("ab") + 1]
    differing = [sum(a != b for a, b in zip(one.args, two.args, strict=False)) for one, two in found]
    assert {0, 1} <= set(differing)
