"""Calls are filled with values as callers pass them, by what the module's text says of its parameters."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.emit.select.bills import MAKER, SOURCE, call, made, method, parts
from tracetwin.emit.select.telling.cases import TellingCases, of_class
from tracetwin.emit.select.telling.constants import TextConstants, constants_of
from tracetwin.emit.select.telling.plainest import plainest
from tracetwin.emit.select.telling.signatures import Signatures
from tracetwin.emit.select.telling.written import written
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.patch import EnvironPatch
from tracetwin.model.recipe import (
    Answer,
    Call,
    Dictionary,
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


def test_what_only_a_call_was_for_goes_with_it() -> None:
    case = method("total")
    maker, last = case.steps
    line = Step(Act.CALL, "bills", "Line", (Scalar("pear"), Scalar(2)), bind="line")
    add = replace(last, name="add", args=(Variable("line"),))
    plain = plainest(replace(case, steps=(maker, line, add, last)), lambda one: one.last.name == "total")
    assert [step.name for step in plain.steps] == ["Bill", "total"]


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


def test_what_has_a_name_in_another_case_is_not_passed_in_this_one() -> None:
    mock = MockRecipe(7, "duck", "thing", "first")
    for part in (Variable("made"), mock, list_of(Variable("made"))):
        found = like("Tariff", list_of(tier(None, 0)), Scalar(None), seen=(part, part))
        inner = [one for args in found for given in args for one in walk(given)]
        assert not [one for one in inner if isinstance(one, (Variable, MockRecipe))]


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


def test_others_speak_of_the_fields_of_a_text_and_of_the_numbers_in_it() -> None:
    text = "2024-03-01|1.250,00|Acme Works|Payment 1001 thanks"
    tree = ast.parse("def find(text: str, who: str, number: int): ...")
    maker = TellingCases(Signatures("bank", tree), constants_of(tree).__getitem__)
    case = replace(call("find", Scalar(text), Scalar("a"), Scalar(0)), module="bank")
    found = [one.last.args for one in maker.of("find", [case], [], 400)]
    assert any(args[1] == Scalar("Acme Works") for args in found)
    assert any(args[2] == Scalar(1001) for args in found)
