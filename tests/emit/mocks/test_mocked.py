"""What is made of mocks before they are written: trimmed, simpler, named, and which calls are asserted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.emit import mock_cases
from tests.emit.mock_cases import TIMEOUT, answer, bus, called, held, mock
from tests.emit.support import Recipe, function, observe_twice, seen, target
from tracetwin.emit.exhibit import Exhibit, exhibited
from tracetwin.emit.mocks.calls import _has, mark_calls
from tracetwin.emit.mocks.mocked import Mocked
from tracetwin.emit.mocks.write import is_class
from tracetwin.emit.naming.mocks import asked_mock, mock_words
from tracetwin.emit.naming.stubs import general_names, plain_name, stub_names, wanted_name
from tracetwin.emit.naming.values import recipe_words, snake
from tracetwin.emit.select.plainer_mocks import trimmed, with_simpler_mocks
from tracetwin.emit.select.select import weight
from tracetwin.model.case import Case, Step
from tracetwin.model.observation import MockCall, Root, ValuePath
from tracetwin.model.options import MockStyle
from tracetwin.model.recipe import MockMember, MockNumber, MockRecipe, Scalar, walk
from tracetwin.model.recipe import replace as replace_all
from tracetwin.replay.static import coverable

CLIENTS = target("clients")


def case(one: Recipe, name: str = "next_message") -> Case:
    return function("clients", name, one)


def members(steps: Sequence[Step]) -> Mapping[str, MockMember]:
    (made,) = steps[-1].args
    assert isinstance(made, MockRecipe)
    return made.members


def observed(*calls: MockCall, reads: Any = ()) -> Exhibit:
    return seen(calls=calls, reads=tuple(reads))


def made_call(member: str, *args: Any) -> MockCall:
    return MockCall(1, member, tuple(map(Scalar, args)), (), 5)


# ---- trimmed


def test_members_that_nobody_asked_are_left_out() -> None:
    made = case(mock("Bus", number=1, poll=called(answer("a")), ack=called(answer(None)), size=held(3)))
    assert list(members(trimmed(made, observed(made_call("poll"))).steps)) == ["poll"]
    read = observed(made_call("poll"), reads=[(1, "size")])
    assert list(members(trimmed(made, read).steps)) == ["poll", "size"]


def test_later_answers_that_were_not_reached_are_left_out() -> None:
    made = case(mock("Bus", number=1, poll=called(answer("a"), answer("b"), answer("a"))))
    short = trimmed(made, observed(made_call("poll"), made_call("poll")))
    assert [call.answer.recipe for call in members(short.steps)["poll"].calls] == [Scalar("a"), Scalar("b")]


def test_answers_to_other_arguments_are_left_out() -> None:
    made = case(mock("Table", number=1, lookup=called(answer(6, 0), answer(4, 10), answer(2, 20))))
    short = trimmed(made, observed(made_call("lookup", 10)))
    assert [call.args for call in members(short.steps)["lookup"].calls] == [(Scalar(10),)]


def test_an_argument_that_no_answer_is_for_leaves_them_all() -> None:
    made = case(mock("Table", number=1, lookup=called(answer(6, 0), answer(4, 10))))
    assert trimmed(made, observed(made_call("lookup", 7))) is made


def test_what_differs_between_runs_is_not_trimmed() -> None:
    made = case(bus("a"))
    assert trimmed(made, replace(observed(), reads=None)) is made


# ---- simpler


def test_a_mock_is_tried_with_fewer_calls_and_not_at_all() -> None:
    made = case(bus("a", "b", "c", None, acked=1))
    without, *others = with_simpler_mocks(made.steps)
    assert without[-1].args == ()
    found = [members(steps) for steps in others]
    assert 1 in [len(one["poll"].calls) for one in found if "poll" in one]


def test_two_answers_that_differ_are_kept() -> None:
    made = case(bus("a", None))
    found = [members(steps) for steps in with_simpler_mocks(made.steps) if steps[-1].args]
    assert all(len(one["poll"].calls) == 2 for one in found if "poll" in one)


def test_a_mock_with_fewer_calls_weighs_less() -> None:
    assert weight(bus("a").recipe) < weight(bus("a", "b").recipe) < weight(bus("a", "b", acked=1).recipe)


# ---- trees


def test_recipes_within_mocks_are_walked_and_rebuilt() -> None:
    recipe = bus("a", None).recipe
    assert Scalar("a") in list(walk(recipe))
    changed = replace_all(recipe, lambda part: Scalar("z") if part == Scalar("a") else part)
    assert Scalar("z") in list(walk(changed))
    assert Scalar("a") in list(walk(recipe))


# ---- styles


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (bus("a"), False),
        (bus(TIMEOUT, "a"), False),
        (mock("Bus", "Closeable"), True),
        (mock("Table", lookup=called(answer(6, 0), answer(4, 10))), True),
        (mock("Source", read_into=called(answer(1, None, effects=[(0, b"x")]))), True),
        (mock("Report", inherits=True), True),
        (mock("Feed", stream=called(answer(["a"]), kind="asyncgen")), True),
        (mock("Bus", __next__=called(answer(1), answer(2))), True),
        (bus("a", Recipe("call", "builtins", "ValueError", [], [])), True),
    ],
)
def test_what_an_autospec_cannot_say_takes_a_class(recipe: Recipe, expected: bool) -> None:
    made = case(recipe)
    for wanted in (MockStyle.AUTO, MockStyle.AUTOSPEC):
        assert is_class(recipe.recipe, Mocked(made, seen()), wanted) is expected
    assert is_class(recipe.recipe, Mocked(made, seen()), MockStyle.CLASS)


def test_what_is_nothing_but_its_attributes_is_a_class_unless_asked_otherwise() -> None:
    recipe = mock("Settings", retries=held(3))
    assert is_class(recipe.recipe, Mocked(case(recipe), seen()), MockStyle.AUTO)
    assert not is_class(recipe.recipe, Mocked(case(recipe), seen()), MockStyle.AUTOSPEC)


def test_a_mock_whose_test_failed_as_an_autospec_is_a_class() -> None:
    recipe = bus("a")
    assert is_class(recipe.recipe, Mocked(case(recipe), seen(as_class=True)), MockStyle.AUTOSPEC)


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
    assert words(mock("Store", __len__=called(answer(3))))[0] == "length_is_three"
    assert words(mock("Bus", "Closeable"))[0] == "bus_is_closeable"


def test_answers_that_nobody_uses_are_no_part_of_a_name() -> None:
    recipe = mock("Bus", number=1, poll=called(answer("a")), ack=called(answer(None)))
    assert list(asked_mock(recipe.recipe, [(1, "ack")]).members) == ["poll"]


# ---- calls


@pytest.fixture(scope="module")
def marked() -> dict[str, list[Exhibit]]:
    cases = [*mock_cases.BUSES, *mock_cases.OTHERS]
    looked = [exhibited(one) for one in observe_twice(CLIENTS, cases, timeout_per_case=5).observations]
    shown = mark_calls(cases, looked, coverable(CLIENTS.file))
    found: dict[str, list[Exhibit]] = {}
    for one, observation in zip(cases, shown, strict=True):
        found.setdefault(one.target, []).append(observation)
    return found


def test_commands_are_asserted_and_questions_are_not(marked: dict[str, list[Exhibit]]) -> None:
    idle, acked, failed = marked["next_message"]
    assert [member for _, member in acked.told] == ["ack"]
    assert [member for _, member in idle.silent] == ["ack"]
    assert failed.told == ()


def test_calls_are_noted_with_what_was_passed_at_the_time(marked: dict[str, list[Exhibit]]) -> None:
    _, acked, _ = marked["next_message"]
    assert [(call.member, call.args, call.kwargs) for call in acked.calls] == [
        ("poll", (), (("timeout", Scalar(2.5)),)),
        ("ack", (Scalar("id-1"),), ()),
    ]


def test_functions_that_are_called_for_nothing_are_commands(marked: dict[str, list[Exhibit]]) -> None:
    once, twice, never = marked["notify"]
    assert [member for _, member in once.told] == ["__call__"]
    assert len(twice.calls) == 2
    assert [member for _, member in never.silent] == ["__call__"]


def test_a_mock_that_is_handed_out_is_spoken_of(marked: dict[str, list[Exhibit]]) -> None:
    (same,) = marked["same"]
    assert isinstance(same.value, MockNumber)


def test_what_is_stored_on_a_mock_is_seen(marked: dict[str, list[Exhibit]]) -> None:
    (renamed,) = marked["rename"]
    assert renamed.changed == ((ValuePath(Root.ARG, 0, "name"), Scalar("new")),)


def test_calls_that_the_steps_before_made_are_not_asserted() -> None:
    mocked = mock("Bus", number=3, module="sample")
    tested = function("clients", "Bus.describe", mocked)
    facts = coverable(CLIENTS.file)
    line, member = min(facts.commands)
    before = seen(Scalar(1), calls=(MockCall(3, member, (), (), -line),))
    after = seen(Scalar(1), calls=(MockCall(3, member, (), (), line),))
    (before,), (after,) = mark_calls([tested], [before], facts), mark_calls([tested], [after], facts)
    assert (before.told, after.told) == ((), ((3, member),))
    assert before.unused == after.unused == {(3, member)}


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
    name = "Message" if bases else ""
    assert wanted_name(MockRecipe(1, "duck", name, hint, tuple(bases))) == expected


def test_a_duck_is_not_given_a_member_for_the_sake_of_an_assertion() -> None:
    offers = ({"write": "method", **more} for more in ({"flush": "method"}, {}))
    with_flush, without = (MockRecipe(1, "duck", "", "channel", offers=some) for some in offers)
    assert _has(with_flush, "flush", seen())
    assert not _has(without, "flush", seen())
