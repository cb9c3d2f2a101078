"""From nested recipes to one statement per call."""

from __future__ import annotations

from typing import Any

from tracetwin.model.flatten import flatten

BOX: Any = ("call", "m", "Box", [], [])


def step(*args: Any, do: tuple[str, ...] = ("call", "m", "f"), bind: str | None = None) -> dict[str, Any]:
    return {"bind": bind, "do": do, "args": list(args), "kwargs": []}


def made(number: int, *calls: Any, hint: str = "box", by: Any = BOX) -> Any:
    return ("made", (number, hint), by, list(calls))


def lines(steps: list[dict[str, Any]]) -> list[str]:
    """Steps as a reader writes them."""
    return [("" if s["bind"] is None else f"{s['bind']} = ") + f"{s['do'][1]}.{s['do'][2]}"
            f"({', '.join(map(text, s['args']))})" for s in flatten(steps)]  # fmt: skip


def text(recipe: Any) -> str:
    if recipe[0] == "call":
        return f"{recipe[2]}({', '.join(map(text, recipe[3]))})"
    return f"[{', '.join(map(text, recipe[1]))}]" if recipe[0] == "list" else str(recipe[1])


def test_an_object_used_once_without_calls_stays_where_it_is() -> None:
    assert lines([step(made(1), ("list", [made(2)]))]) == ["m.f(Box(), [Box()])"]


def test_calls_and_stores_follow_the_construction() -> None:
    box = made(1, ("put", [("lit", 5)], []), ("size=", [("lit", 2)], []))
    assert lines([step(box)]) == ["box = m.Box()", "box.put(5)", "box.size(2)", "m.f(box)"]


def test_one_object_is_one_variable() -> None:
    box = made(1)
    assert lines([step(box, box)]) == ["box = m.Box()", "m.f(box, box)"]
    assert lines([step(box), step(box)]) == ["box = m.Box()", "m.f(box)", "m.f(box)"]


def test_what_was_built_before_a_variable_is_built_before_it() -> None:
    box = made(3, ("put", [("lit", 1)], []), hint="full")
    assert lines([step(made(1), made(2, hint="other"), box, made(4))]) == [
        "box = m.Box()", "other = m.Box()", "full = m.Box()", "full.put(1)", "m.f(box, other, full, Box())",
    ]  # fmt: skip


def test_arguments_of_preparing_calls_are_prepared_first() -> None:
    inner = made(1, ("put", [("lit", 1)], []), hint="item")
    assert lines([step(made(2, ("add", [inner], [])))]) == [
        "box = m.Box()", "item = m.Box()", "item.put(1)", "box.add(item)", "m.f(box)",
    ]  # fmt: skip


def test_an_object_may_be_given_to_itself() -> None:
    calls: list[Any] = []
    box = ("made", (1, "box"), BOX, calls)
    calls.append(("link", [box], []))
    assert lines([step(box)]) == ["box = m.Box()", "box.link(box)", "m.f(box)"]


def test_results_of_steps_and_of_preparing_calls_get_names() -> None:
    store = made(1, ("open", [], []), hint="store")
    assert lines([step(("result", store, 0, "handle"))]) == [
        "store = m.Box()", "handle = store.open()", "m.f(handle)",
    ]  # fmt: skip
    assert lines([step(do=("method", "x", "open")), step(("result", 0, 0, "handle"))]) == [
        "handle = x.open()", "m.f(handle)",
    ]  # fmt: skip


def test_a_result_that_is_prepared_keeps_its_name() -> None:
    store = made(1, ("open", [], []), hint="store")
    handle = made(2, ("close", [], []), hint="handle", by=("result", store, 0, "handle"))
    assert lines([step(handle)]) == [
        "store = m.Box()",
        "handle = store.open()",
        "handle.close()",
        "m.f(handle)",
    ]


def test_a_receiver_that_a_method_returned_is_bound_to_its_name() -> None:
    store = made(1, ("open", [], []), hint="store")
    receiver = step(("result", store, 0, "handle"), do=("alias",), bind="file")
    assert lines([receiver, step(do=("method", "file", "read"))]) == [
        "store = m.Box()", "file = store.open()", "file.read()",
    ]  # fmt: skip


def test_variables_have_names_that_nothing_else_has() -> None:
    steps = [step(bind="box"), step(made(1), made(1), made(2, ("a", [], []), hint="list"))]
    assert [s["bind"] for s in flatten(steps)] == ["box", "box2", "list_", None, None]


def test_a_shared_container_is_copied_from_its_literal() -> None:
    items = made(1, hint="items", by=("list", [("lit", 1)]))
    assert lines([step(items, items)]) == ["items = builtins.list([1])", "m.f(items, items)"]


def test_the_steps_given_stay_as_they_are() -> None:
    box = made(1, ("put", [("lit", 1)], []))
    given = [step(box)]
    flatten(given)
    assert given == [step(box)]
