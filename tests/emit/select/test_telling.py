"""Calls are filled with values as callers pass them, by what the module's text says of its parameters."""

from __future__ import annotations

import ast
import csv
import io
import json
import math
import re
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tests.emit.support import raised, seen
from tracetwin.emit.select.kills import (
    MOST_FRUITLESS_TELLING,
    MOST_LOST,
    MOST_OTHERS_IN_VAIN,
    _is_readable,
    _Search,
    other_killers,
)
from tracetwin.emit.select.telling.cases import TellingCases, of_class
from tracetwin.emit.select.telling.constants import ConstantsOfFunctions, TextConstants, constants_of
from tracetwin.emit.select.telling.documents import WayToRead
from tracetwin.emit.select.telling.plainest import plainest
from tracetwin.emit.select.telling.signatures import Signatures
from tracetwin.emit.select.telling.written import written
from tracetwin.model.case import NO_STEP, Act, Case, Step
from tracetwin.model.observation import Observation
from tracetwin.model.patch import EnvironPatch
from tracetwin.model.recipe import (
    Answer,
    Call,
    Dictionary,
    Lambda,
    MockMember,
    MockRecipe,
    Recipe,
    RecordedCall,
    Reference,
    Scalar,
    Series,
    Variable,
    list_of,
    tuple_of,
    walk,
)
from tracetwin.model.status import Outcome
from tracetwin.mutation.session import Verdict

SOURCE = '''\
"""Bills."""
import datetime
import tomllib
from dataclasses import dataclass, field
from datetime import time
from decimal import Decimal
from enum import Enum
from typing import Any, Protocol

OPENS = time(7, 45)

class Status(Enum):
    OPEN = "open"
    PAID = "paid"

class Sender(Protocol):
    def send(self, text: str) -> str: ...

@dataclass
class Line:
    text: str
    amount: Decimal
    count: int = 1

@dataclass
class Bill:
    number: str
    day: datetime.date
    lines: list[Line] = field(default_factory=list)
    status: Status = Status.OPEN

    def total(self) -> Decimal: ...
    def pay(self, amount: Decimal) -> None: ...
    def find(self, key, most): ...
    def drop(self, key, least): ...

def parse(text: str) -> list[str]:
    """Parse a list such as '5, 30'."""

def same(first: str, second: str) -> bool: ...

def read(data: dict[str, Any]) -> list[str]:
    return [one["name"] for one in data.get("labels", [])]

def configure(text: str) -> None:
    data = tomllib.loads(text)
    table = data.get("service", {})
    table["host"]

def post(sender: Sender, at: datetime.datetime | None = None) -> None: ...

COLUMNS = ("name", "unit price")

def counted(first, second): ...

def limited(first, most=10): ...

def imported(text):
    rows = csv.reader(io.StringIO(text))
    return list(rows)

def summed(lines, path):
    with open(path) as stream:
        for row in csv.DictReader(stream, delimiter=";"):
            row["kind"]
    table = csv.DictReader(lines, delimiter=";")
    return [row["kind"] for number, row in enumerate(table)]
'''
KNOWN = Signatures("bills", ast.parse(SOURCE))
MAKER = TellingCases(KNOWN, lambda target: TextConstants(ints=(14,)))


def call(target: str, *args: Recipe, **more: Any) -> Case:
    return Case("bills", target, "function", (Step(Act.CALL, "bills", target, args),), **more)


def method(name: str, *args: Recipe) -> Case:
    maker = Step(
        Act.CALL,
        "bills",
        "Bill",
        (Scalar(""), Call("datetime", "date", (Scalar(1), Scalar(1), Scalar(1)))),
        bind="bill",
    )
    return Case("bills", f"Bill.{name}", "method", (maker, Step(Act.METHOD, "bill", name, args)))


def made(case: Case, others: tuple[Case, ...] = (), most: int = 80) -> list[Case]:
    return list(MAKER.of(case.target, [case], [others] if others else [], most))


def parts(cases: list[Case]) -> list[Recipe]:
    return [part for case in cases for recipe in case.given() for part in walk(recipe)]


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
    lines = [case.last.args[0] for case in made(call("summed", list_of(Scalar("a")), Scalar("p")))]
    heads = [part.items[0] for part in lines if isinstance(part, Series) and part.items]
    assert Scalar("kind\n") in heads


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
    maker = TellingCases(KNOWN, lambda target: TextConstants(texts=("%m/%d/%Y",)))
    cases = list(maker.of("same", [call("same", Scalar("a"), Scalar("b"))], [], 60))
    texts = [str(part.value) for part in parts(cases) if isinstance(part, Scalar)]
    assert any(re.fullmatch("[0-9]{2}/[0-9]{2}/[0-9]{4}", text) for text in texts)


def test_what_a_parameter_got_comes_again_for_another_one_of_its_name() -> None:
    first, other = (method(name, Scalar(1), Scalar(9)) for name in ("find", "drop"))
    cases = [case.steps[-2:] for case in made(other, (first,), most=240) if len(case.steps) == len("ab") + 1]
    called = [(one, two) for one, two in cases if (one.name, two.name) == ("find", "drop")]
    same = sum(one.args[0] == two.args[0] for one, two in called)
    assert same > sum(one.args[1] == two.args[1] for one, two in called)
    assert same > len(called) / 3


def test_a_call_may_be_like_the_one_before_it_but_for_one_argument() -> None:
    paying = method("pay", Scalar(1), Scalar(2), Scalar(3))
    cases = made(paying, (paying,), most=160)
    found = [case.steps[-2:] for case in cases if len(case.steps) == len("ab") + 1]
    differing = [sum(a != b for a, b in zip(one.args, two.args, strict=False)) for one, two in found]
    assert {0, 1} <= set(differing)


def test_objects_get_several_different_things_whose_default_is_none() -> None:
    found = parts(made(method("total"), most=160))
    lists = [part for part in found if isinstance(part, Series)]
    assert {1, 2, 3} <= {len(part.items) for part in lists}
    assert {Reference("bills", "Status.OPEN"), Reference("bills", "Status.PAID")} <= set(found)
    amounts = {str(part.args[0]) for part in found if isinstance(part, Call) and part.qualname == "Decimal"}
    assert any("005" in one for one in amounts), "something has to be rounded"


def test_days_are_near_each_other_and_times_near_those_of_the_module() -> None:
    days = [
        part
        for part in parts(made(method("total"), most=240))
        if isinstance(part, Call) and part.qualname == "date"
    ]
    assert {2023, 2024} <= {part.args[0].value for part in days if isinstance(part.args[0], Scalar)}
    moments = [part for part in parts(made(call("post"))) if isinstance(part, Call)]
    assert {(7, 45), (7, 46)} & {
        tuple(one.value for one in part.args[3:5] if isinstance(one, Scalar)) for part in moments
    }


def test_texts_of_one_case_are_alike_but_for_blanks_and_capitals() -> None:
    pairs = []
    for case in made(call("same", Scalar(""), Scalar(""))):
        first, second = (part.value for part in case.last.args if isinstance(part, Scalar))
        pairs.append((str(first), str(second)))
    assert any(a != b and a.strip().lower() == b.strip().lower() for a, b in pairs)
    assert any(a.strip().lower() != b.strip().lower() for a, b in pairs)


def test_examples_of_the_documentation_are_passed() -> None:
    texts = {part.value for part in parts(made(call("parse", Scalar("")))) if isinstance(part, Scalar)}
    assert any("30" in str(text) and "," in str(text) for text in texts)


def test_documents_have_the_keys_that_functions_look_for() -> None:
    found = [case.last.args[0] for case in made(call("read", Dictionary(())))]
    labels = [
        value
        for part in found
        if isinstance(part, Dictionary)
        for key, value in part.pairs
        if key == Scalar("labels")
    ]
    names = [part for one in labels for part in walk(one) if isinstance(part, Dictionary)]
    assert any(Scalar("name") in dict(one.pairs) for one in names)


def test_documents_are_made_for_texts_that_are_read_as_one() -> None:
    tomllib = pytest.importorskip("tomllib")
    texts = [case.last.args[0] for case in made(call("configure", Scalar("")))]
    readable = [
        tomllib.loads(str(one.value))
        for one in texts
        if isinstance(one, Scalar) and "host =" in str(one.value)
    ]
    assert any("host" in found.get("service", {}) for found in readable)


def test_documents_are_written_as_they_are_read() -> None:
    tomllib = pytest.importorskip("tomllib")
    document = {"a": 1, "l": [{"c": 2.5}], "t": {"b": ["x"], "on": True}}
    assert tomllib.loads(written(document, "tomllib")) == document
    assert json.loads(written(document, "json")) == document


def test_mocks_answer_otherwise_and_more_often() -> None:
    member = MockMember("method", (RecordedCall((), (), Answer(Scalar("ok"))),))
    sender = MockRecipe(0, "interface", "Sender", "sender", (("bills", "Sender"),), members={"send": member})
    mocks = [part for part in parts(made(call("post", sender))) if isinstance(part, MockRecipe)]
    numbers = {len(mock.members["send"].calls) for mock in mocks}
    assert {1, 2, 3} <= numbers
    assert all(mock.bases == sender.bases for mock in mocks)


def test_variables_of_the_environment_vary() -> None:
    patch = EnvironPatch({"PORT": "80"}, alone=True)
    found = {
        one for case in made(call("parse", Scalar("x"), patches=(patch,))) for one in map(str, case.patches)
    }
    assert len(found) > 3


def test_a_mapping_of_texts_has_keys_that_are_made_of_constants_and_numbers_where_some_are_read() -> None:
    tree = ast.parse(
        'PREFIX = "APP_"\ndef f(environ: dict[str, str]):\n'
        '    port = environ.get(PREFIX + "PORT", environ.get("PORT"))\n    return int(port)\n'
    )
    maker = TellingCases(Signatures("m", tree), constants_of(tree).__getitem__)
    case = Case("m", "f", "function", (Step(Act.CALL, "m", "f", (Dictionary(()),)),))
    found = parts(list(maker.of("f", [case], [], 200)))
    pairs = [dict(part.pairs) for part in found if isinstance(part, Dictionary)]
    both = [one for one in pairs if {Scalar("APP_PORT"), Scalar("PORT")} <= one.keys()]
    assert any(all(re.search("value='[0-9.]+'", str(value)) for value in one.values()) for one in both)


def test_other_calls_on_the_receiver_come_before() -> None:
    pay = method("pay", Call("decimal", "Decimal", (Scalar("1"),)))
    cases = made(method("total"), (pay,))
    assert any([step.name for step in case.steps] == ["Bill", "pay", "total"] for case in cases)


def test_only_calls_that_change_the_receiver_come_before_where_some_do() -> None:
    pay, total = method("pay", Call("decimal", "Decimal", (Scalar("1"),))), method("total")
    known = {"Bill.pay": [pay], "Bill.total": [total], "Bill.lines": [], "parse": [call("parse")]}
    assert of_class("Bill.total", known, {"Bill.pay"}) == [[pay]]
    assert of_class("Bill.total", known, ()) == [[pay], [total]]


def test_calls_before_may_take_over_a_receiver_on_which_they_work() -> None:
    paid = method("pay", Call("decimal", "Decimal", (Scalar("1"),)))
    maker = replace(paid.steps[0], kwargs=(("lines", list_of(Scalar("rich"))),))
    rich = replace(paid, steps=(maker, paid.last))
    cases = made(method("total"), (rich,), 200)
    kept = [one for one in cases if "rich" in str(one.steps[0].kwargs)]
    assert kept
    assert {one.steps[1].name for one in kept} == {"pay"}


def test_what_worked_of_late_is_gone_on_with() -> None:
    models = [call("parse", Scalar("x"))]
    stream = MAKER.of("parse", models, [], 200)
    next(stream)
    models.append(call("parse", Scalar("late one")))
    assert any("late one" in str(one.steps) for one in stream)


def test_a_case_loses_what_shows_nothing() -> None:
    case = method("total")
    maker, last = case.steps
    full = replace(maker, kwargs=(("status", Reference("bills", "Status.PAID")), ("lines", list_of())))
    longer = replace(case, steps=(full, replace(last, name="pay"), last))
    plain = plainest(longer, lambda one: dict(one.steps[0].kwargs).get("status") is not None)
    assert [step.name for step in plain.steps] == ["Bill", "total"]
    assert [name for name, _ in plain.steps[0].kwargs] == ["status"]


def test_a_text_that_shows_nothing_becomes_plain() -> None:
    case = method("total")
    maker, last = case.steps
    dated = Call("datetime", "date", (Scalar(29), Scalar(1), Scalar(31)))
    full = replace(maker, args=(Scalar("firm"), Scalar("pear"), dated))

    def shows(one: Case) -> bool:
        return len(one.steps[0].args) == len(full.args) and Scalar("pear") in one.steps[0].args

    plain = plainest(replace(case, steps=(full, last)), shows)
    assert (Scalar("a"), Scalar("pear")) == plain.steps[0].args[:2]
    assert replace(dated, args=(Scalar(2029), Scalar(1), Scalar(31))) == plain.steps[0].args[2]


def test_the_same_cases_are_made_each_time_and_each_differs_from_its_model() -> None:
    case = method("total")
    assert made(case) == made(case)
    assert all(one.steps != case.steps and not one.shows for one in made(case))


def test_things_come_with_others_that_differ_in_one_part_only() -> None:
    lists = [part for part in parts(made(method("total"))) if isinstance(part, Series)]
    lines = [[item.args for item in one.items if isinstance(item, Call)] for one in lists]
    pairs = [(one, other) for some in lines for one in some for other in some if len(one) == len(other) > 1]
    assert any(one[0] == other[0] and one[1] != other[1] for one, other in pairs)


def test_entries_with_a_default_are_of_its_type() -> None:
    source = SOURCE.replace('one["name"]', 'one["name"] * one.get("times", 1)')
    known = Signatures("bills", ast.parse(source))
    assert {"times": 1} == {key: value for key, value in known.defaults.items() if key == "times"}
    maker = TellingCases(known, lambda target: TextConstants())
    found = parts(list(maker.of("read", [call("read", Dictionary(()))], [], 80)))
    pairs = [pair for part in found if isinstance(part, Dictionary) for pair in part.pairs]
    counts = [value for key, value in pairs if key == Scalar("times")]
    assert counts
    assert all(isinstance(one, Scalar) and type(one.value) is int for one in counts)


def test_objects_keep_only_what_they_need_and_lists_their_items() -> None:
    line = Call("bills", "Line", (Scalar("plum"), Scalar(5)), (("count", Scalar(3)),))
    case = method("total", list_of(line, Call("bills", "Line", (Scalar("fig"), Scalar(7)))))

    def has_plum(one: Case) -> bool:
        return Scalar("plum") in list(parts([one]))

    (plain,) = plainest(case, has_plum).last.args
    assert plain == list_of(Call("bills", "Line", (Scalar("plum"), Scalar(5))))


TARIFF = '''\
from typing import Any, Iterable

class Tariff:
    def __init__(self, tiers: Iterable[tuple], fees) -> None: ...
    def cost(self, kwh: int) -> int: ...

def size(value: Any) -> int:
    """Bytes from 1024, "10MB" or '1.5 gb'; don't ask for "more."""
'''


def like(target: str, *args: Recipe, most: int = 60, seen: tuple[Recipe, ...] = ()) -> list[Any]:
    """The arguments of a call, or of the making of its receiver, that are made of others."""
    maker = TellingCases(Signatures("bills", ast.parse(TARIFF)), lambda target: TextConstants(texts=("MB",)))
    maker.look_at([call(target, *seen)] if seen else [])
    return [one.steps[0].args for one in maker.of(target, [call(target, *args)], (), most)]


def tier(limit: int | None, price: int) -> Recipe:
    return tuple_of(Scalar(limit), Scalar(price))


def test_what_nobody_annotated_becomes_other_values_of_its_kind() -> None:
    found = like("Tariff", list_of(tier(None, 0)), Dictionary(((Scalar("base"), Scalar(0.0)),)))
    tiers = [args[0] for args in found]
    assert {1, 2, 3} <= {len(one.items) for one in tiers if isinstance(one, Series)}
    assert all(item.items[0] == Scalar(None) for one in tiers for item in one.items)
    assert len({item.items[1] for one in tiers for item in one.items}) > 4
    fees = {part.value for args in found for part in walk(args[1]) if isinstance(part, Scalar)}
    assert len(fees - {"base", 0.0}) > 2
    assert {type(one) for one in fees} == {str, float}


def test_items_are_like_those_that_were_passed_elsewhere() -> None:
    seen = (list_of(tier(7, 1), tier(None, 1)), Scalar(None))
    found = like("Tariff", list_of(tier(None, 0)), Scalar(None), seen=seen)
    kinds = {tuple(type(item.items[0].value) for item in args[0].items) for args in found}
    assert (int, type(None)) in kinds


def test_texts_that_a_docstring_quotes_in_either_way_are_tried() -> None:
    known = Signatures("bills", ast.parse(TARIFF))
    assert known.examples["size"] == ["10MB", "1.5 gb"]
    found = [args[0] for args in like("size", Scalar("a"), most=400)]
    assert {Scalar("10MB"), Scalar("1.5 gb")} & set(found)


def test_of_two_models_the_one_that_is_worth_more_is_gone_on_with() -> None:
    plain, better = call("same", Scalar("a"), Scalar("a")), call("same", Scalar("b"), Scalar("b"), origin="b")
    cases = list(MAKER.of("same", [plain, better], [], 200, lambda case: len(case.origin)))
    with_b = [case for case in cases if Scalar("b") in case.last.args]
    with_a = [case for case in cases if Scalar("a") in case.last.args]
    assert len(with_b) > 2 * len(with_a) > 0


def test_what_adds_up_is_called_twice() -> None:
    found = made(method("pay", Scalar(0)), (method("total"),))
    calls = [[step.name for step in case.steps[1:]] for case in found]
    assert ["pay", "pay"] in calls
    assert ["total", "pay"] in calls


class Judged:
    """What is known of three mutants, and how much it costs to run a case on them."""

    def __init__(self, steps: dict[str, int]) -> None:
        self.wanted = {1, 2, 3}
        self.until, self.ends = time.monotonic() + 100, math.inf
        self.steps = steps
        self.order: list[str] = []
        self.seen: Observation | None = None
        self.killed: frozenset[int] = frozenset()
        self.lost = False
        self.refused: set[str] = set()

    def judge(self, case: Case, _seen: object, _asked: object) -> Verdict:
        self.order.append(case.target)
        steps = self.steps[case.target]
        both = frozenset((1, 2))
        refused = [at for at, step in enumerate(case.setup) if step.name in self.refused]
        return Verdict(
            self.seen,
            tried=both,
            reached=both,
            steps=steps,
            killed=self.killed,
            lost=self.lost,
            refused_at=refused[0] if refused else NO_STEP,
        )


@pytest.mark.parametrize(
    ("value", "readable"),
    [
        (Scalar("plum"), True),
        (Scalar("plum" * 100), False),
        (list_of(*[Scalar(1)] * 20), True),
        (list_of(*[Scalar(1)] * 200), False),
    ],
)
def test_nobody_reads_a_result_that_fills_a_page(value: Any, readable: bool) -> None:
    assert _is_readable(seen(value=value)) is readable


@pytest.mark.parametrize(("line", "found"), [(3, 1), (2, 0)])
def test_a_refusal_of_the_target_may_tell_and_no_other_error_does(tmp_path, line: int, found: int) -> None:
    (tmp_path / "bills.py").write_text("def f(x: int):\n    if x < 9:\n        raise ValueError\n")
    judged: Any = Judged({"f": 1})
    judged.seen, judged.killed = raised("ValueError", raised_at=line), frozenset((1,))
    search = _Search(judged, 1)
    models = [(call("f", Scalar(0)), frozenset((1,)))]
    search.try_telling(ConstantsOfFunctions(tmp_path / "bills.py"), models, ())
    assert len(search.found) == found


def test_what_is_long_takes_no_more_than_its_share(tmp_path) -> None:
    (tmp_path / "bills.py").write_text("def long(x: int): ...\ndef short(x: int): ...\n")
    judged: Any = Judged({"long": 900, "short": 100})
    models = [(call(name, Scalar(0)), frozenset((1, 2))) for name in judged.steps]
    _Search(judged, 5).try_telling(ConstantsOfFunctions(tmp_path / "bills.py"), models, ())
    assert Counter(judged.order) == dict.fromkeys(judged.steps, MOST_FRUITLESS_TELLING)
    judged.order.clear()
    judged.steps["long"] = 10**9  # a second one comes when all that is short is done
    _Search(judged, 5).try_telling(ConstantsOfFunctions(tmp_path / "bills.py"), models, ())
    assert judged.order[:2] == ["long", "short"]
    assert set(judged.order[2:MOST_FRUITLESS_TELLING]) == {"short"}


def test_cases_that_call_what_had_no_end_are_tried_no_more() -> None:
    judged: Any = Judged({"Bill.pay": 1, "Bill.total": 1})
    judged.lost = True
    search = _Search(judged, 5)
    search.try_all([method("pay", Scalar(1))] * 5)
    assert ["Bill.pay"] * MOST_LOST == judged.order
    judged.lost = False
    waits = method("total")
    waits = replace(waits, steps=(waits.steps[0], Step(Act.METHOD, "bill", "pay", (Scalar(1),)), waits.last))
    search.try_all([waits, method("total")])
    assert [*["Bill.pay"] * MOST_LOST, "Bill.total"] == judged.order


def test_a_case_goes_on_without_a_call_that_raises_before_its_own() -> None:
    judged: Any = Judged({"Bill.total": 1})
    judged.refused = {"pay"}
    paying = method("pay", Scalar(1))
    total = method("total")
    longer = replace(total, steps=(total.steps[0], *[paying.last] * 2, total.last))
    made, _, verdict = _Search(judged, 5)._judged(longer)
    assert total == made
    assert NO_STEP == verdict.refused_at
    longest = replace(total, steps=(total.steps[0], *[paying.last] * 3, total.last))
    made, _, verdict = _Search(judged, 5)._judged(longest)
    assert 1 == verdict.refused_at, "as often as that nobody looks further"


def test_cases_that_were_not_chosen_are_looked_at_until_too_many_show_nothing() -> None:
    judged: Any = Judged({"parse": 1})
    judged.lines = lambda _: {1: {1, 2, 3}}
    seen = Observation(Outcome.RETURNED, lines=(1,))
    others = [(at, call("parse", Scalar(str(at))), seen) for at in range(200)]
    assert not other_killers(judged, others, 5)
    assert judged.order == ["parse"] * MOST_OTHERS_IN_VAIN


TASKS = '''\
"""Tasks in plain text, one a line:

x 2024-03-02 (A) Call the plumber +house due:2024-03-01
"""
from dataclasses import dataclass, field
from datetime import date

@dataclass
class Task:
    text: str
    extras: dict[str, str] = field(default_factory=dict)

    def due(self) -> date | None:
        value = self.extras.get("due")
        return date.fromisoformat(value) if value else None

def parse(line: str) -> Task:
    """Read one of these:

    (B) Feed the cat

    That is all.
    """

class Runner:
    def add(self, name: str, needs: list[str]) -> None: ...
'''


def of_tasks(case: Case, others: tuple[Case, ...] = (), most: int = 200) -> list[Case]:
    tree = ast.parse(TASKS)
    known = constants_of(tree)
    maker = TellingCases(Signatures("tasks", tree), lambda name: known.get(name, TextConstants()))
    return list(maker.of(case.target, [case], [others] if others else [], most))


def test_lines_that_a_docstring_shows_are_taken_whole_and_in_part() -> None:
    case = Case("tasks", "parse", "function", (Step(Act.CALL, "tasks", "parse", (Scalar("a"),)),))
    texts = {part.value for part in parts(of_tasks(case, most=600)) if isinstance(part, Scalar)}
    assert "(B) Feed the cat" in texts
    assert any("plumber" in str(one) and "Call" not in str(one) for one in texts)
    days = {day for one in texts for day in re.findall(r"\d{4}-\d{2}-\d{2}", str(one))}
    assert len(days - {"2024-03-02", "2024-03-01"}) > 1
    assert not any("That is all" in str(one) for one in texts)


def test_dicts_of_texts_have_keys_that_the_module_looks_up() -> None:
    task = Step(Act.CALL, "tasks", "Task", (Scalar("a"),), bind="task")
    case = Case("tasks", "Task.due", "method", (task, Step(Act.METHOD, "task", "due")))
    dicts = [part for part in parts(of_tasks(case)) if isinstance(part, Dictionary)]
    due = [value for one in dicts for key, value in one.pairs if key == Scalar("due")]
    assert any(re.fullmatch(r"\d{4}-\d{2}-\d{2}", str(getattr(one, "value", ""))) for one in due)


def test_a_name_of_an_earlier_call_comes_again_within_a_list() -> None:
    runner = Step(Act.CALL, "tasks", "Runner", bind="runner")
    add = Step(Act.METHOD, "runner", "add", (Scalar("a"), list_of()))
    case = Case("tasks", "Runner.add", "method", (runner, add))
    found = [one.steps for one in of_tasks(case, (case,)) if len(one.steps) == len(("make", "add", "add"))]
    needs = [(steps[1].args[0], steps[2].args[1]) for steps in found]
    assert any(isinstance(again, Series) and again.items == (name,) for name, again in needs)


def test_what_nobody_speaks_of_any_more_is_not_made() -> None:
    part = Step(Act.CALL, "bills", "Line", (Scalar("a"), Scalar(1)), bind="line")
    case = method("total")
    kept = replace(case, steps=(part, *case.steps))
    assert kept.needed_steps == case.steps
    passed = replace(case, steps=(part, *case.setup, replace(case.last, args=(Variable("line"),))))
    assert passed.needed_steps == passed.steps


def test_a_mock_answers_the_same_several_times() -> None:
    answers = [Answer(Scalar(number)) for number in (1, 2)]
    calls = tuple(RecordedCall((), (), one) for one in answers)
    member = MockMember("method", calls=calls)
    mock = MockRecipe(0, "interface", "Sender", "sender", (("bills", "Sender"),), members={"send": member})
    case = Case("bills", "post", "function", (Step(Act.CALL, "bills", "post", (mock,)),))
    sent = [part.members["send"].calls for part in parts(made(case, most=40)) if isinstance(part, MockRecipe)]
    assert any(len(one) > 1 and one[0].answer == one[1].answer for one in sent)


def test_texts_of_several_lines_differ_in_their_lines() -> None:
    text = "job a\n every: day\nend"
    found = [args[0].value.split("\n") for args in like("size", Scalar(text), most=300) if is_lined(args[0])]
    lines = text.split("\n")
    assert any(len(one) == 2 and set(one) < set(lines) for one in found)
    assert any(len(one) > 3 and set(one) == set(lines) for one in found)
    assert any(one != lines and sorted(one) == sorted(lines) for one in found)
    assert any("10MB" in one for one in found)


def is_lined(recipe: Recipe) -> bool:
    return isinstance(recipe, Scalar) and isinstance(recipe.value, str) and "\n" in recipe.value


def test_a_word_becomes_one_that_the_code_looks_for() -> None:
    found = {args[0].value.strip().upper() for args in like("size", Scalar("ten apples"), most=300)}
    assert {"MB APPLES", "TEN MB"} & found
