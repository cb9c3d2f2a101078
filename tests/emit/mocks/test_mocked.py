"""What is made of mocks before they are written: trimmed, simpler, named, and which calls are asserted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.emit import mock_cases
from tests.emit.mock_cases import TIMEOUT, answer, bus, called, held, mock
from tests.emit.support import Recipe, function, target
from tracetwin.emit.mocks.calls import _has, mark_calls
from tracetwin.emit.mocks.mocked import Mocked
from tracetwin.emit.mocks.style import AUTO, AUTOSPEC, CLASS, style_of
from tracetwin.emit.naming.mocks import asked, mock_words
from tracetwin.emit.naming.stubs import general_names, plain_name, stub_names, wanted_name
from tracetwin.emit.naming.values import recipe_words, snake
from tracetwin.emit.select.select import weight
from tracetwin.emit.select.simpler_mocks import with_simpler_mocks
from tracetwin.emit.select.trimmed import trimmed
from tracetwin.model.recipe_tree import rebuilt, walk
from tracetwin.replay.stability import observe_twice
from tracetwin.replay.static import coverable

CLIENTS = target("clients")


def case(one: Recipe, name: str = "next_message") -> dict[str, Any]:
    return function("clients", name, one)


def members(made: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = made["steps"][-1]["args"][0][2]
    return found


def seen(*calls: Any, reads: Any = ()) -> dict[str, Any]:
    return {"outcome": "returned", "calls": list(calls), "reads": list(reads)}


# ---- trimmed


def test_members_that_nobody_asked_are_left_out() -> None:
    made = case(mock("Bus", number=1, poll=called(answer("a")), ack=called(answer(None)), size=held(3)))
    assert list(members(trimmed(made, seen((1, "poll", [], [], 5))))) == ["poll"]
    assert list(members(trimmed(made, seen((1, "poll", [], [], 5), reads=[(1, "size")])))) == ["poll", "size"]


def test_later_answers_that_were_not_reached_are_left_out() -> None:
    made = case(mock("Bus", number=1, poll=called(answer("a"), answer("b"), answer("a"))))
    short = trimmed(made, seen((1, "poll", [], [], 5), (1, "poll", [], [], 5)))
    assert [call["outcome"][1][1] for call in members(short)["poll"]["calls"]] == ["a", "b"]


def test_answers_to_other_arguments_are_left_out() -> None:
    made = case(mock("Table", number=1, lookup=called(answer(6, 0), answer(4, 10), answer(2, 20))))
    short = trimmed(made, seen((1, "lookup", [("lit", 10)], [], 5)))
    assert [call["args"] for call in members(short)["lookup"]["calls"]] == [[("lit", 10)]]


def test_an_argument_that_no_answer_is_for_leaves_them_all() -> None:
    made = case(mock("Table", number=1, lookup=called(answer(6, 0), answer(4, 10))))
    assert trimmed(made, seen((1, "lookup", [("lit", 7)], [], 5))) is made


def test_what_differs_between_runs_is_not_trimmed() -> None:
    made = case(bus("a"))
    assert trimmed(made, {**seen(), "reads": None}) is made


# ---- simpler


def test_a_mock_is_tried_with_fewer_calls_and_not_at_all() -> None:
    made = case(bus("a", "b", "c", None, acked=1))
    without, *others = with_simpler_mocks(made["steps"])
    assert without[-1]["args"] == []
    found = [members({"steps": steps}) for steps in others]
    assert 1 in [len(one["poll"]["calls"]) for one in found if "poll" in one]


def test_two_answers_that_differ_are_kept() -> None:
    made = case(bus("a", None))
    found = [members({"steps": steps}) for steps in with_simpler_mocks(made["steps"]) if steps[-1]["args"]]
    assert all(len(one["poll"]["calls"]) == 2 for one in found if "poll" in one)


def test_a_mock_with_fewer_calls_weighs_less() -> None:
    assert weight(bus("a").recipe) < weight(bus("a", "b").recipe) < weight(bus("a", "b", acked=1).recipe)


# ---- trees


def test_recipes_within_mocks_are_walked_and_rebuilt() -> None:
    recipe = bus("a", None).recipe
    assert ("lit", "a") in list(walk(recipe))
    changed = rebuilt(recipe, lambda part: ("lit", "z") if part == ("lit", "a") else part)
    assert ("lit", "z") in list(walk(changed))
    assert ("lit", "a") in list(walk(recipe))


# ---- styles


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (bus("a"), AUTOSPEC),
        (bus(TIMEOUT, "a"), AUTOSPEC),
        (mock("Bus", "Closeable"), CLASS),
        (mock("Table", lookup=called(answer(6, 0), answer(4, 10))), CLASS),
        (mock("Source", read_into=called(answer(1, None, effects=[(0, b"x")]))), CLASS),
        (mock("Report", inherits=True), CLASS),
        (mock("Feed", stream=called(answer(["a"]), kind="asyncgen")), CLASS),
        (mock("Bus", __next__=called(answer(1), answer(2))), CLASS),
        (bus("a", Recipe("call", "builtins", "ValueError", [], [])), CLASS),
    ],
)
def test_what_an_autospec_cannot_say_takes_a_class(recipe: Recipe, expected: str) -> None:
    made = case(recipe)
    for wanted in (AUTO, AUTOSPEC):
        assert style_of(recipe.recipe, Mocked(made, {}), wanted) == expected
    assert style_of(recipe.recipe, Mocked(made, {}), CLASS) == CLASS


def test_what_is_nothing_but_its_attributes_is_a_class_unless_asked_otherwise() -> None:
    recipe = mock("Settings", retries=held(3))
    assert style_of(recipe.recipe, Mocked(case(recipe), {}), AUTO) == CLASS
    assert style_of(recipe.recipe, Mocked(case(recipe), {}), AUTOSPEC) == AUTOSPEC


def test_a_mock_whose_test_failed_as_an_autospec_is_a_class() -> None:
    recipe = bus("a")
    assert style_of(recipe.recipe, Mocked(case(recipe), {"mock_style": CLASS}), AUTOSPEC) == CLASS


# ---- words


def test_classes_are_named_after_what_they_do() -> None:
    assert stub_names(bus(None).recipe) == ["StubBus", "BusWhosePollReturnsNone"]
    assert stub_names(bus(TIMEOUT).recipe) == ["FailingBus", "BusWhosePollRaisesTimeoutError"]
    assert general_names(bus("a").recipe, "StubBus", ["poll"]) == ["StubBus", "BusWithPoll"]


def test_the_word_for_an_interface_is_no_part_of_a_name() -> None:
    assert [plain_name(name) for name in ("AbstractShop", "BaseShop", "ShopProtocol")] == ["Shop"] * 3
    assert [plain_name(name) for name in ("Base", "Abstract", "Database")] == ["Base", "Abstract", "Database"]


def words(recipe: Recipe, name: str = "bus") -> list[str]:
    return [word for _, word in sorted(mock_words(recipe.recipe, recipe_words, snake, name))]


def test_tests_are_named_after_what_mocks_answer() -> None:
    assert words(bus(None))[0] == "poll_returns_none"
    assert words(bus(TIMEOUT))[0] == "bus_raises_timeout_error"
    assert words(mock("Store", __len__=called(answer(3))))[0] == "length_is_3"
    assert words(mock("Bus", "Closeable"))[0] == "bus_is_closeable"


def test_answers_that_nobody_uses_are_no_part_of_a_name() -> None:
    recipe = mock("Bus", number=1, poll=called(answer("a")), ack=called(answer(None)))
    assert list(asked(recipe.recipe, [(1, "ack")])[2]) == ["poll"]


# ---- calls


@pytest.fixture(scope="module")
def marked() -> dict[str, list[dict[str, Any]]]:
    cases = [*mock_cases.BUSES, *mock_cases.OTHERS]
    observed = observe_twice(CLIENTS, cases, timeout_per_case=5).observations
    mark_calls(cases, observed, coverable(CLIENTS.file))
    found: dict[str, list[dict[str, Any]]] = {}
    for one, observation in zip(cases, observed, strict=True):
        found.setdefault(one["target"][1], []).append(observation)
    return found


def test_commands_are_asserted_and_questions_are_not(marked: dict[str, list[dict[str, Any]]]) -> None:
    idle, acked, failed = marked["next_message"]
    assert [member for _, member in acked["told"]] == ["ack"]
    assert [member for _, member in idle["silent"]] == ["ack"]
    assert failed["told"] == []


def test_calls_are_noted_with_what_was_passed_at_the_time(marked: dict[str, list[dict[str, Any]]]) -> None:
    _, acked, _ = marked["next_message"]
    assert [(call[1], call[2], call[3]) for call in acked["calls"]] == [
        ("poll", [], [("timeout", ("lit", 2.5))]),
        ("ack", [("lit", "id-1")], []),
    ]


def test_functions_that_are_called_for_nothing_are_commands(marked: dict[str, list[dict[str, Any]]]) -> None:
    once, twice, never = marked["notify"]
    assert [member for _, member in once["told"]] == ["__call__"]
    assert len(twice["calls"]) == 2
    assert [member for _, member in never["silent"]] == ["__call__"]


def test_a_mock_that_is_handed_out_is_spoken_of(marked: dict[str, list[dict[str, Any]]]) -> None:
    (same,) = marked["same"]
    assert same["value"][0] == "mock"


def test_what_is_stored_on_a_mock_is_seen(marked: dict[str, list[dict[str, Any]]]) -> None:
    (renamed,) = marked["rename"]
    assert renamed["changed"] == [(("arg", 0, "name"), ("lit", "new"))]


def test_calls_that_the_steps_before_made_are_not_asserted() -> None:
    mocked = {"number": 3, "hint": "bus", "kind": "interface", "bases": []}
    case = {"target": ["clients", "Bus.describe"], "steps": [{"args": [("mock", mocked, {})], "kwargs": []}]}
    seen = {"outcome": "returned", "value": ("lit", 1), "changed": [], "touched": [], "stdout": ""}
    facts = coverable(CLIENTS.file)
    line, member = min(facts.commands)
    before: dict[str, Any] = {**seen, "calls": [(3, member, [], [], -line)]}
    after: dict[str, Any] = {**seen, "calls": [(3, member, [], [], line)]}
    mark_calls([case], [before], facts)
    mark_calls([case], [after], facts)
    assert (before["told"], after["told"]) == ([], [(3, member)])
    assert before["unused"] == after["unused"] == [(3, member)]


@pytest.mark.parametrize(
    ("hint", "bases", "expected"),
    [
        ("messages[0]", [("jms", "Message")], "message"),
        ("handlers[1]|2", [], "handler"),
        ("boss", [], "boss"),
        ("bus", [("jms", "MessageBus")], "bus"),
    ],
)
def test_an_item_is_not_called_like_what_holds_it(hint: str, bases: list[Any], expected: str) -> None:
    spec = {"hint": hint, "name": "Message" if bases else "", "kind": "duck", "bases": bases}
    assert wanted_name(spec) == expected


def test_a_duck_is_not_given_a_member_for_the_sake_of_an_assertion() -> None:
    with_flush, without = ({"offers": {"write": "method", **more}} for more in ({"flush": "method"}, {}))
    assert _has({"kind": "duck", "bases": [], **with_flush}, "flush", {})
    assert not _has({"kind": "duck", "bases": [], **without}, "flush", {})
