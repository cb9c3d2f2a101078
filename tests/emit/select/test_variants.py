"""Variants of a case: other plain values, in every place, and calls behind it."""

from __future__ import annotations

from dataclasses import replace

from tracetwin.emit.select.telling.constants import TextConstants
from tracetwin.emit.select.variants import followed, made_otherwise, variants, without_call
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Recipe, Scalar, Variable, list_of


def call(*args: Recipe) -> Case:
    return Case("m", "f", "function", (Step(Act.CALL, "m", "f", args),))


def on_object(name: str, *args: Recipe) -> Case:
    maker = Step(Act.CALL, "m", "Box", (Scalar(1),), bind="box")
    return Case("m", f"Box.{name}", "method", (maker, Step(Act.METHOD, "box", name, args)))


def given(case: Case, constants: TextConstants | None = None, most: int = 60) -> list[tuple[Recipe, ...]]:
    return [one.last.args for one in variants(case, constants or TextConstants(), most)]


def test_values_that_hide_a_fault_become_distinct_ones_at_once() -> None:
    first = given(call(Scalar(0), Scalar(1), Scalar("")))[0]
    assert (Scalar(2), Scalar(3), Scalar("item-1")) == first


def test_each_place_is_tried_with_neighbours_and_constants() -> None:
    found = given(call(Scalar(7), Scalar(9)), TextConstants(ints=(50,)))
    assert {(Scalar(8), Scalar(9)), (Scalar(7), Scalar(8)), (Scalar(7), Scalar(51))} <= set(found)
    assert (Scalar(7), Scalar(9)) not in found
    assert len(found) == len(set(found))


def test_lists_get_an_item_more_and_another_order() -> None:
    found = {args[0] for args in given(call(list_of(Scalar(4), Scalar(6))))}
    assert list_of(Scalar(4), Scalar(6), Scalar(7)) in found
    assert list_of(Scalar(6), Scalar(4)) in found
    assert list_of(Scalar(5), Scalar(6)) in found


def test_what_separates_parts_of_a_text_gets_spaces() -> None:
    found = [args[0] for args in given(call(Scalar("a;b,c")))]
    assert {Scalar("a ; b,c"), Scalar("a;b , c")} <= set(found)


def test_there_are_at_most_so_many() -> None:
    assert 3 == len(given(call(Scalar(7), Scalar(9)), most=3))


def test_a_call_without_plain_values_has_none() -> None:
    assert [] == given(call())


def test_calls_of_others_follow_on_the_same_object() -> None:
    adding, asking = on_object("add", Scalar(3)), on_object("total")
    (made,) = followed(adding, [asking])
    assert ["Box", "add", "total"] == [step.name for step in made.steps]
    assert "Box.total" == made.target
    assert [] == list(followed(call(Scalar(1)), [asking]))


def test_methods_are_called_on_what_others_of_the_class_make() -> None:
    asking = on_object("total")
    maker = Step(Act.CALL, "m", "Box", (Scalar(5),), bind="other")
    makers = [Case("m", "Box", "constructor", (maker,)), asking, call(Scalar(2))]
    (made,) = made_otherwise(asking, makers)
    assert [replace(maker, bind="box"), asking.last] == list(made.steps)
    assert [] == list(made_otherwise(call(Scalar(1)), makers))


def test_each_number_in_a_text_becomes_a_larger_one_by_itself() -> None:
    found = {args[0].value for args in given(call(Scalar("1:20 of 3"))) if isinstance(args[0], Scalar)}
    assert {"2:21 of 4", "2:20 of 3", "1:21 of 3", "1:20 of 4"} <= found


def test_values_of_a_document_become_distinct_texts_or_numbers() -> None:
    found = {
        args[0].value
        for args in given(call(Scalar('{"id": "a", "to": ["a", 0]}')))
        if isinstance(args[0], Scalar)
    }
    assert {'{"id": "fig", "to": ["Red box", 2]}', '{"id": 2, "to": [3, 2]}'} <= found


def test_a_text_that_is_a_number_becomes_those_of_the_function_and_their_neighbours() -> None:
    found = [args[0] for args in given(call(Scalar("0")), TextConstants(ints=(1000,)))]
    assert Scalar("2") == found[0]
    assert {Scalar("1000"), Scalar("1001"), Scalar("999")} <= set(found)


def test_letters_are_added_of_either_case() -> None:
    assert (Scalar("user@Bed"),) in given(call(Scalar("user@")))


def test_a_call_before_the_last_may_go_unless_others_need_what_it_returns() -> None:
    case = on_object("total")
    added = replace(case, steps=(case.steps[0], Step(Act.METHOD, "box", "add", (Scalar(3),)), case.last))
    assert case == without_call(added, 1)
    assert without_call(added, 0) is without_call(added, 2) is without_call(added, -1) is None
    bound = replace(added, steps=(*added.steps[:2], replace(case.last, args=(Variable("added"),))))
    needed = replace(bound, steps=(bound.steps[0], replace(bound.steps[1], bind="added"), bound.last))
    assert without_call(needed, 1) is None
