"""From nested recipes to one statement per call."""

from __future__ import annotations

from typing import Any

from tracetwin.model.case import Act, Step
from tracetwin.model.flatten import flatten
from tracetwin.model.recipe import (
    Call,
    CallResult,
    PreparedObject,
    PreparingCall,
    Scalar,
    Series,
    Variable,
    list_of,
)

BOX: Any = Call("m", "Box")


def step(*args: Any, do: tuple[str, str, str] = ("call", "m", "f"), bind: str | None = None) -> Step:
    return Step(Act(do[0]), do[1], do[2], args, bind=bind)


def do(name: str, *args: Any) -> PreparingCall:
    return PreparingCall(name, args)


def made(number: int, *calls: Any, hint: str = "box", by: Any = BOX) -> Any:
    return PreparedObject(number, hint, by, list(calls))


def lines(steps: list[Step]) -> list[str]:
    """Steps as a reader writes them."""
    return [("" if s.bind is None else f"{s.bind} = ") + f"{s.place}.{s.name}"
            f"({', '.join(map(text, s.args))})" for s in flatten(steps)]  # fmt: skip


def text(recipe: Any) -> str:
    match recipe:
        case Call(_, name, args):
            return f"{name}({', '.join(map(text, args))})"
        case Series(_, items):
            return f"[{', '.join(map(text, items))}]"
        case Variable(name):
            return name
        case _:
            return str(recipe.value)


def test_an_object_used_once_without_calls_stays_where_it_is() -> None:
    assert lines([step(made(1), list_of(made(2)))]) == ["m.f(Box(), [Box()])"]


def test_calls_and_stores_follow_the_construction() -> None:
    box = made(1, do("put", Scalar(5)), do("size=", Scalar(2)))
    assert lines([step(box)]) == ["box = m.Box()", "box.put(5)", "box.size(2)", "m.f(box)"]


def test_one_object_is_one_variable() -> None:
    box = made(1)
    assert lines([step(box, box)]) == ["box = m.Box()", "m.f(box, box)"]
    assert lines([step(box), step(box)]) == ["box = m.Box()", "m.f(box)", "m.f(box)"]


def test_what_was_built_before_a_variable_is_built_before_it() -> None:
    box = made(3, do("put", Scalar(1)), hint="full")
    assert lines([step(made(1), made(2, hint="other"), box, made(4))]) == [
        "box = m.Box()", "other = m.Box()", "full = m.Box()", "full.put(1)", "m.f(box, other, full, Box())",
    ]  # fmt: skip


def test_arguments_of_preparing_calls_are_prepared_first() -> None:
    inner = made(1, do("put", Scalar(1)), hint="item")
    assert lines([step(made(2, do("add", inner)))]) == [
        "box = m.Box()", "item = m.Box()", "item.put(1)", "box.add(item)", "m.f(box)",
    ]  # fmt: skip


def test_an_object_may_be_given_to_itself() -> None:
    calls: list[PreparingCall] = []
    box = PreparedObject(1, "box", BOX, calls)
    calls.append(do("link", box))
    assert lines([step(box)]) == ["box = m.Box()", "box.link(box)", "m.f(box)"]


def test_results_of_steps_and_of_preparing_calls_get_names() -> None:
    store = made(1, do("open"), hint="store")
    assert lines([step(CallResult(store, 0, "handle"))]) == [
        "store = m.Box()", "handle = store.open()", "m.f(handle)",
    ]  # fmt: skip
    assert lines([step(do=("method", "x", "open")), step(CallResult(None, 0, "handle"))]) == [
        "handle = x.open()", "m.f(handle)",
    ]  # fmt: skip


def test_a_result_that_is_prepared_keeps_its_name() -> None:
    store = made(1, do("open"), hint="store")
    handle = made(2, do("close"), hint="handle", by=CallResult(store, 0, "handle"))
    assert lines([step(handle)]) == [
        "store = m.Box()",
        "handle = store.open()",
        "handle.close()",
        "m.f(handle)",
    ]


def test_a_receiver_that_a_method_returned_is_bound_to_its_name() -> None:
    store = made(1, do("open"), hint="store")
    receiver = step(CallResult(store, 0, "handle"), do=("alias", "", ""), bind="file")
    assert lines([receiver, step(do=("method", "file", "read"))]) == [
        "store = m.Box()", "file = store.open()", "file.read()",
    ]  # fmt: skip


def test_variables_have_names_that_nothing_else_has() -> None:
    steps = [step(bind="box"), step(made(1), made(1), made(2, do("a"), hint="list"))]
    assert [s.bind for s in flatten(steps)] == ["box", "box2", "list_", None, None]


def test_a_shared_container_is_copied_from_its_literal() -> None:
    items = made(1, hint="items", by=list_of(Scalar(1)))
    assert lines([step(items, items)]) == ["items = builtins.list([1])", "m.f(items, items)"]


def test_the_steps_given_stay_as_they_are() -> None:
    box = made(1, do("put", Scalar(1)))
    given = [step(box)]
    flatten(given)
    assert given == [step(box)]


def test_what_others_only_refer_to_weakly_gets_a_variable() -> None:
    table = made(1, hint="table")
    rows = made(2, hint="rows", by=Call("m", "Rows", (table,)))
    steps = [step(rows)]
    assert lines(steps) == ["m.f(Rows(Box()))"]
    kept = [f"{one.bind} = {one.name}" if one.bind else one.name for one in flatten(steps, [table])]
    assert kept == ["table = Box", "f"]
