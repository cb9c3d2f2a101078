"""Names of tests of sequences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.emit.sequence_cases import about, do, new
from tests.emit.support import changed, target
from tests.emit.support import seen as looked
from tracetwin.emit.naming.names import subject
from tracetwin.emit.naming.telling import LONGEST, name_all
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Raised
from tracetwin.model.recipe import Scalar
from tracetwin.model.status import Outcome
from tracetwin.replay.static import coverable

FACTS = coverable(target("sequences").file)


def raised_parts(name: str) -> dict[str, Any]:
    return {"outcome": Outcome.RAISED, "raised": Raised("builtins", name, "")}


def named(steps: list[Step], name: str = "CoinBox.vend", **seen: Any) -> Any:
    last = do(name.rpartition(".")[2])
    case = about(name, new(name.partition(".")[0]), *steps, last)
    return subject(case, replace(looked(), **seen), FACTS)


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        (["add_qtr"], "after_add_qtr"),
        (["add_qtr", "add_qtr", "return_qtrs"], "after_add_qtr_twice_and_return_qtrs"),
        (["add_qtr"] * 50, "after_add_qtr_fifty_times"),
        (["add_qtr", "vend"] * 3, "after_add_qtr_three_times_and_vend_three_times"),
        (["__enter__", "login"], "after_entering_and_login"),
    ],
)
def test_what_was_called_before(calls: list[str], words: str) -> None:
    assert name_all([named([do(call) for call in calls])]) == [f"test_vend_{words}"]


def test_how_it_ended_stands_before_that() -> None:
    raised = raised_parts("ValueError")
    assert name_all([named([do("add_qtr")], **raised)]) == ["test_vend_raises_value_error_after_add_qtr"]


def test_the_empty_receiver_of_a_call_that_raises() -> None:
    raised = {**raised_parts("IndexError"), "empty": True}
    assert name_all([named([], "Stack.pop", **raised)]) == ["test_pop_on_empty_stack_raises_index_error"]


def test_a_new_receiver() -> None:
    assert name_all([named([])]) == ["test_vend_on_new_coin_box"]
    both = [named([]), named([do("add_qtr")], value=Scalar(3))]
    assert name_all(both)[0] == "test_vend_on_new_coin_box_returns_none"


def test_the_same_calls_are_told_apart_by_what_they_were_given() -> None:
    one, other = ([do("push", a), do("push", b)] for a, b in ((1, 2), (2, -1)))
    subjects = [named(steps, "Stack.pop", value=Scalar(True)) for steps in (one, other)]
    assert name_all(subjects) == [
        "test_pop_returns_true_after_push_one_two",
        "test_pop_returns_true_after_push_two_minus_one",
    ]


def test_the_new_value_of_what_changed() -> None:
    changes = [
        named([], "Account.deposit", changed=changed("it", "balance", Scalar(n))) for n in (7, -3)
    ]
    assert (
        name_all(changes)
        == [
            "test_deposit_changes_balance_to_seven",
            "test_deposit_changes_balance_to_minus_three",
        ]
        or name_all(changes)[1] == "test_deposit_changes_balance_to_negative"
    )


def test_parameters_that_are_called_as_words_of_ours_stay_conditions() -> None:
    case = about("Gate.opens", new("Gate"), do("opens"))
    last = replace(case.last, kwargs=(("to_x", Scalar(5)),))
    case = replace(case, steps=(*case.setup, last))
    found = subject(case, looked(Scalar(1)), FACTS)
    assert any(word.startswith("to_x") for _, word in found.features)
    assert (
        "_when_to_x_is_five" in name_all([found, named([], "Gate.opens", value=Scalar(1))])[0]
        or found.function
    )


def test_long_sequences_do_not_make_long_names() -> None:
    calls = [do(f"a_method_with_a_rather_long_name_{n}") for n in range(9)]
    assert all(len(name) <= LONGEST for name in name_all([named(calls), named(calls[::-1])]))


def test_objects_that_nobody_uses_were_made_for_what_that_does() -> None:
    steps = [Step(Act.CALL, "sequences", "Stack", ()), Step(Act.CALL, "sequences", "Stack", (), bind="made")]
    made = Case("sequences", "Stack", "constructor", tuple(steps))
    names = name_all([subject(one, looked(), FACTS) for one in (replace(made, steps=made.steps[1:]), made)])
    assert names[1] == "test_stack_is_created_after_stack"
