"""What may take the place of a case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.emit.mock_cases import bus
from tests.emit.sequence_cases import about, do, new, var
from tests.emit.support import Recipe
from tracetwin.emit.select.candidates import candidates
from tracetwin.model.case import Act, Step
from tracetwin.model.recipe import NONE, Call, MockRecipe, Scalar, walk


def setups(*steps: Step) -> list[list[str]]:
    """The names called before the call, for each candidate with fewer steps."""
    found = candidates(about("A.last", *steps, do("last")))
    return [[step.name for step in one.case.steps[:-1]] for one in found if one.fewer]


def test_the_receiver_stays() -> None:
    assert setups(new("A")) == []
    assert all(names[0] == "A" for names in setups(new("A"), do("x"), do("y")))


def test_what_saves_most_comes_first_and_each_once() -> None:
    found = setups(new("A"), do("x"), do("y"), do("z"))
    assert found[0] == ["A"]
    assert sorted(map(len, found)) == [len(names) for names in found]
    assert len({tuple(names) for names in found}) == len(found)


def test_every_step_and_every_pair_of_few_steps_is_left_out_once() -> None:
    found = setups(new("A"), do("a"), do("b"), do("c"), do("d"))
    for rest in (["b", "c", "d"], ["a", "c", "d"], ["a", "b", "d"], ["a", "b", "c"], ["b", "d"], ["a", "c"]):
        assert ["A", *rest] in found


def test_a_run_of_equal_calls_has_few_candidates() -> None:
    found = setups(new("A"), *[do("x")] * 60)
    counts = [len(names) - 1 for names in found]
    assert counts == sorted(set(counts))
    assert {0, 1, 30, 59} <= set(counts)
    assert len(counts) < 30


def test_an_object_goes_with_what_is_done_to_it_and_what_uses_it() -> None:
    steps = [new("A"), new("B", bind="b"), do("grow", on="b"), do("take", var("b")), do("x")]
    found = setups(*steps)
    assert ["A", "x"] in found
    assert not any("grow" in names and "B" not in names for names in found)


def test_what_the_call_itself_uses_stays() -> None:
    case = about("A.last", new("A"), new("B", bind="b"), do("last", var("b")))
    assert [one for one in candidates(case) if one.fewer] == []


def test_large_objects_are_tried_without_and_smaller() -> None:
    def node(*inside: Any) -> Call:
        return Call("m", "Node", inside)

    none = NONE
    large = node(node(node(none, none), none), node(none, node(none, none)))
    found = candidates(about("A.last", new("A"), do("last", Recipe.made(large))))
    args = [one.case.steps[-1].args[0] for one in found]
    assert none in args
    assert large.args[0] in args
    assert node(none, large.args[1]) in args


def test_one_literal_is_made_plainer_wherever_it_stands() -> None:
    found = candidates(about("A.last", new("A", "long text"), do("x", "long text"), do("last", "long text")))
    plainer = [one.case.steps for one in found if not one.fewer and not one.alike]
    given = [[step.args[0].value for step in steps if isinstance(step.args[0], Scalar)] for steps in plainer]
    assert ["a", "a", "a"] in given
    assert ["a", "a", "long text"] in given
    assert not any(len(set(values[:2])) > 1 for values in given)


def test_keywords_called_as_recipes_are_no_recipes() -> None:
    step = replace(do("x"), kwargs=(("lit", Scalar("long text")), ("var", Scalar(1))))
    found = candidates(about("A.last", new("A"), step, do("last")))
    plainer = [one.case.steps[1].kwargs for one in found if not one.fewer]
    assert (("lit", Scalar("a")), ("var", Scalar(1))) in plainer


def test_a_context_that_stays_open_is_tried_as_one_that_ends_with_the_test() -> None:
    found = candidates(about("A.last", new("A"), do("__enter__"), do("last")))
    entered = [one.case.steps[1] for one in found if one.alike]
    assert (Act.WITH, "it") in [(step.act, step.place) for step in entered]
    closed = candidates(
        about("A.last", new("A"), do("__enter__"), do("__exit__", None, None, None), do("last"))
    )
    assert not any(step.act is Act.WITH for one in closed for step in one.case.steps)


def test_a_call_alone_gets_what_its_mocks_answered_last() -> None:
    polled = bus("a", "b", "c", "d")
    found = candidates(about("A.last", new("A", polled), do("fetch"), do("fetch"), do("fetch"), do("last")))
    alone = [one.case for one in found if one.fewer and len(one.case.steps) == 2]
    answers = [
        [call.answer.recipe for call in part.members["poll"].calls]
        for one in alone
        for part in walk(one.steps[0].args[0])
        if isinstance(part, MockRecipe)
    ]
    assert [list(map(Scalar, some)) for some in ("abcd", "d", "cd", "bcd")] == answers


def test_what_a_call_speaks_of_stays_beside_last_answers() -> None:
    steps = [new("A", bus("a", "b")), do("fetch", bind="got"), do("x"), do("last", var("got"))]
    found = [one.case for one in candidates(about("A.last", *steps)) if one.fewer]
    assert all([step.name for step in case.steps][:2] == ["A", "fetch"] for case in found)
