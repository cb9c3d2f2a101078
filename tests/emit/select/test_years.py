"""Dates of tests lie in years that a reader knows."""

from __future__ import annotations

from tests.emit.support import Recipe, case, step, target
from tracetwin.emit.select.shorten import Improving
from tracetwin.emit.select.years import in_our_time, with_known_years
from tracetwin.model.case import Case
from tracetwin.model.recipe import Call, Scalar
from tracetwin.replay.session import Session
from tracetwin.replay.static import coverable

TARGET = target("calendars")


def date(year: int, month: int, day: int) -> Recipe:
    return Recipe.made(Call("datetime", "date", (Scalar(year), Scalar(month), Scalar(day))))


def called(name: str, *args: Recipe) -> Case:
    return case("calendars", name, "function", step(("call", "calendars", name), *args))


def years(made: Case | None) -> list[object]:
    given = [] if made is None else [part for part in made.given() if isinstance(part, Call)]
    return [year.value for part in given if isinstance(year := part.args[0], Scalar)]


def test_all_dates_of_a_case_move_by_the_same_number_of_cycles() -> None:
    assert [2029, 2030] == years(in_our_time(called("late", date(29, 1, 31), date(30, 1, 14))))
    assert [1999] == years(in_our_time(called("letter", date(9999, 12, 31))))


def test_dates_of_many_ages_move_each_by_itself() -> None:
    assert [2001, 2023, 2000] == years(
        in_our_time(called("late", date(1201, 1, 1), date(2023, 12, 30), date(3200, 1, 1)))
    )


def test_dates_that_a_reader_knows_stay() -> None:
    assert in_our_time(called("late", date(1999, 1, 1), date(2024, 2, 29))) is None
    assert in_our_time(called("late")) is None


def test_a_year_that_matters_stays() -> None:
    cases = [called("late", date(1, 1, 1), date(1, 2, 1)), called("era", date(1, 1, 1))]
    with Session(TARGET) as session:
        seen = zip(cases, session.run(cases), strict=True)
        work = Improving(list(seen), session.run, coverable(TARGET.file))
        assert [[2001, 2001], [1]] == [years(made) for made, _ in with_known_years(work)]
