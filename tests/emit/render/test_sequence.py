"""Steps before the call, as a person writes them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.emit.render.test_render import body_of
from tests.emit.sequence_cases import about, do, new, var
from tests.emit.source.test_layout import ruff
from tests.emit.support import Recipe, case, snap, step, target
from tracetwin.emit.exhibit import Exhibit
from tracetwin.emit.render.render import render
from tracetwin.emit.render.setup import EnteredContext, Leave, Loop, Once, RepeatedStep, arrange
from tracetwin.model.case import Step
from tracetwin.model.observation import Raised, Root, ValuePath
from tracetwin.model.recipe import Scalar
from tracetwin.model.snapshot import Itself
from tracetwin.model.status import Outcome
from tracetwin.replay.static import coverable

FACTS = coverable(target("sequences").file)
NONE = (None, None, None)
OPAQUE = snap("opaque", "", "")


def blocks(*steps: Step, briefs: Any = ()) -> list[Any]:
    return arrange([*steps, do("last")], tuple(map(_snapshot, briefs)))


def _snapshot(plain: Any) -> Any:
    return snap(*plain) if isinstance(plain, tuple) else plain


def _parts(**seen: Any) -> dict[str, Any]:
    """Parts of an observation from their plain form."""
    found = dict(seen)
    if "value" in seen:
        found["value"] = _snapshot(seen["value"])
    if "setup" in seen:
        found["setup"] = tuple(map(_snapshot, seen["setup"]))
    if "changed" in seen:
        found["changed"] = tuple(
            (ValuePath(Root(root), *place), _snapshot(part)) for (root, *place), part in seen["changed"]
        )
    if "same" in seen:
        root, *place = seen["same"]
        found["same"] = ValuePath(Root(root), *place)
    return found


def written(*steps: Step, **seen: Any) -> list[str]:
    """The lines of a test of these steps; the call returned 7."""
    made = case("sequences", "Stack.any", "method", *steps)
    parts: dict[str, Any] = {"outcome": Outcome.RETURNED, "value": Scalar(7), **_parts(**seen)}
    looked = Exhibit(**parts)
    page = render("sequences", [(made, looked)], FACTS)
    assert ruff("format", "--diff", text=page.text).returncode == 0
    return body_of(page)


def test_equal_calls_in_a_row_are_a_loop() -> None:
    assert blocks(new("A"), *[do("push", 1)] * 5) == [Once(0), Loop((1,), 5)]
    assert blocks(new("A"), *[do("push", 1)] * 4) == [Once(n) for n in range(5)]


def test_a_pattern_that_repeats_is_a_loop() -> None:
    assert blocks(new("A"), *[do("push", 1), do("pop")] * 3, do("push", 1)) == [
        Once(0),
        Loop((1, 2), 3),
        Once(7),
    ]


def test_calls_that_differ_in_one_literal_are_a_loop_over_its_values() -> None:
    (each,) = blocks(*[do("put", "a", n) for n in (3, 1, 4, 1, 5)])
    assert each == RepeatedStep(0, 1, tuple(Scalar(n) for n in (3, 1, 4, 1, 5)))
    assert len(blocks(*[do("put", n, n) for n in range(5)])) == 5


def test_what_is_bound_and_used_is_in_no_loop() -> None:
    steps = [*[do("make", bind="one")] * 5, do("use", var("one"))]
    assert blocks(*steps)[-2:] == [Once(4), Once(5)]


def test_a_context_that_ends_before_the_call() -> None:
    steps = [new("A"), do("__enter__"), do("work"), do("__exit__", *NONE), do("rest")]
    found = blocks(*steps, briefs=[OPAQUE, Itself(), OPAQUE, ("lit", None), OPAQUE])
    assert found == [EnteredContext(1, 0, same=True), Once(2), Leave(), Once(4)]


@pytest.mark.parametrize(
    "steps",
    [
        [new("A"), do("__enter__"), do("work")],
        [new("A"), do("__exit__", *NONE)],
        [new("A"), do("__enter__"), do("__exit__", 1, 2, 3)],
    ],
)  # fmt: skip
def test_what_is_no_context_is_called_by_its_names(steps: list[Any]) -> None:
    assert blocks(*steps) == [Once(n) for n in range(len(steps))]


def test_a_loop_in_the_text() -> None:
    assert written(new("Counter"), *[do("increment")] * 50, do("size")) == [
        "counter = Counter()",
        "for _ in range(50):",
        "    counter.increment()",
        "self.assertEqual(7, counter.size())",
    ]


def test_values_in_the_text() -> None:
    pushed = [do("push", n) for n in (5, 6, 7, 8, 9)]
    added = [do("__setitem__", n, 1) for n in (3, 1, 2, 0, 4)]
    assert written(new("Stack"), *pushed, *added, do("__len__")) == [
        "stack = Stack()",
        "for item in range(5, 10):",
        "    stack.push(item)",
        "for position in (3, 1, 2, 0, 4):",
        "    stack[position] = 1",
        "self.assertEqual(7, stack.__len__())",
    ]


def test_contexts_in_the_text() -> None:
    briefs = [OPAQUE, Itself(), OPAQUE, ("lit", None)]
    steps = [new("Connection"), do("__enter__"), do("login"), do("__exit__", *NONE), do("login")]
    assert written(*steps, setup=briefs) == [
        "with Connection() as connection:",
        "    connection.login()",
        "self.assertEqual(7, connection.login())",
    ]
    within = [new("Connection"), step(("with", "it", ""), bind="inner"), do("login", on="inner")]
    assert written(*within, setup=briefs[:2]) == [
        "with Connection() as connection:",
        "    self.assertEqual(7, connection.login())",
    ]
    other = written(*within, setup=[OPAQUE, ("opaque", "sequences:Token", "")])
    assert other[0] == "with Connection() as token:"
    empty = [new("Connection"), do("__enter__"), do("__exit__", *NONE), do("login")]
    assert written(*empty, setup=briefs)[:2] == ["with Connection() as connection:", "    pass"]


def test_operators_in_the_text() -> None:
    steps = [
        new("Stack"), do("__setitem__", 0, "x"), do("__delitem__", 0), do("__iadd__", [1]),
        do("__getitem__", 0, bind="first"), do("__contains__", 3), do("__len__"), do("push", var("first")),
    ]  # fmt: skip
    briefs = [OPAQUE, ("lit", None), ("lit", None), Itself(), ("lit", 1), ("lit", True), ("lit", 2)]
    assert written(*steps, setup=briefs) == [
        "stack = Stack()",
        'stack[0] = "x"',
        "del stack[0]",
        "stack += [1]",
        "item = stack[0]",
        "_ = 3 in stack",
        "len(stack)",
        "self.assertEqual(7, stack.push(item))",
    ]


def test_attributes_and_calls_of_the_module_in_the_text() -> None:
    steps = [
        step(("call", "sequences", "configure"), "fast"), new("Account.parse", "12"),
        step(("set", "it", "limit"), 5), step(("get", "it", "balance")), do("deposit", 1),
    ]  # fmt: skip
    briefs = [("lit", None), ("opaque", "sequences:Account", ""), ("lit", None), ("lit", 12)]
    assert written(*steps, setup=briefs) == [
        'configure("fast")',
        'account = Account.parse("12")',
        "account.limit = 5",
        "_ = account.balance",
        "self.assertEqual(7, account.deposit(1))",
    ]


def test_objects_are_called_what_a_person_would_call_them() -> None:
    steps = [
        new("Account"), new("Account", bind="a"), new("Account", bind="b"), new("CoinBox", bind="c"),
        do("deposit", var("b")), do("deposit", var("c")), do("transfer", var("a"), 3),
    ]  # fmt: skip
    assert written(*steps)[:4] == [
        "account = Account()",
        "target = Account()",
        "amount = Account()",
        "box = CoinBox()",
    ]


def test_the_same_object_twice_is_one_name() -> None:
    steps = [new("Account"), new("Token", 1, bind="t"), do("transfer", var("t"), var("t"))]
    assert written(*steps)[1:] == [
        "target = Token(1)",
        "self.assertEqual(7, account.transfer(target, target))",
    ]


def test_contexts_that_cross_are_not_taken_apart() -> None:
    steps = [
        new("A"),
        do("__enter__"),
        do("__enter__", on="b"),
        do("__exit__", *NONE),
        do("__exit__", *NONE, on="b"),
    ]
    assert blocks(*steps) == [Once(0), Once(1), EnteredContext(2, None), Once(3), Leave()]


def test_a_name_of_the_standard_library_is_hidden_only_where_the_file_does_not_need_it() -> None:
    steps = [new("Connection"), do("login", bind="r"), do("send", var("r"), 1.5)]
    assert written(*steps)[1] == "token = connection.login()"
    needed = [*steps[:2], do("send", var("r"), Recipe("ref", "token", "AMPER"))]
    assert written(*needed)[1] == "token_2 = connection.login()"


def test_receiver_is_asserted_to_be_the_result() -> None:
    changed = [(("var", "it", "balance"), ("lit", 3))]
    lines = written(new("Account"), do("deposit", 3), same=("var", "it"), changed=changed)
    assert lines[1:] == [
        "result = account.deposit(3)",
        "self.assertIs(account, result)",
        "self.assertEqual(3, account.balance)",
    ]


def test_what_an_object_holds_that_is_a_container_itself_is_asserted_of_its_name() -> None:
    changed = [(("var", "it", ""), ("dict", [(("lit", "a"), ("lit", 3))]))]
    lines = written(new("Account"), do("deposit", 3), value=("lit", None), changed=changed)
    assert lines[1:] == ["account.deposit(3)", 'self.assertEqual({"a": 3}, account)']


def test_the_most_telling_of_a_state_comes_first_and_it_is_not_much() -> None:
    def node(value: int, below: Any) -> Any:
        return (
            "object",
            "sequences",
            "Token",
            [("left", ("lit", None)), ("value", ("lit", value)), ("right", below)],
        )

    deep = node(1, node(2, node(3, node(4, ("lit", None)))))
    changed = [(("var", "it", "root"), deep), (("var", "it", "size"), ("lit", 4))]
    lines = written(
        about("Account.x", new("Account"), do("deposit", 1)).steps[0], do("deposit", 1), changed=changed
    )
    assert lines[2:6] == [
        "self.assertEqual(7, result)",
        "self.assertEqual(4, account.size)",
        "self.assertEqual(1, account.root.value)",
        "self.assertEqual(2, account.root.right.value)",
    ]
    assert len(lines) <= 2 + 8


def raised_within(name: str) -> list[Step]:
    made = [Recipe("ref", "builtins", name), Recipe("call", "builtins", name, [], []), None]
    return [new("Connection"), do("__enter__", bind="entered"), do("__exit__", *made)]


def test_the_end_of_a_context_in_the_text() -> None:
    briefs = [OPAQUE, ("lit", 5)]
    changed = [(("var", "it", "opened"), ("lit", False))]
    steps = [new("Connection"), do("__enter__", bind="entered"), do("__exit__", *NONE)]
    assert written(*steps, setup=briefs, value=("lit", None)) == [
        "with Connection() as entered:",
        "    self.assertEqual(5, entered)",
    ]
    assert written(*steps, setup=[OPAQUE, Itself()], value=("lit", False), changed=changed) == [
        "with Connection() as connection:",
        "    pass",
        "self.assertIs(False, connection.opened)",
    ]


def test_an_exception_within_a_context_in_the_text() -> None:
    swallowed = written(*raised_within("KeyError"), setup=[OPAQUE, ("lit", 5)], value=("lit", True))
    assert swallowed[-1] == "    raise KeyError()"
    let_through = written(*raised_within("KeyError"), setup=[OPAQUE, OPAQUE], value=("lit", False))
    assert let_through == ["with self.assertRaises(KeyError), Connection():", "    raise KeyError()"]
    other = {"outcome": Outcome.RAISED, "raised": Raised("builtins", "OSError", "x")}
    changed = written(*raised_within("KeyError"), setup=[OPAQUE, OPAQUE], **other)
    assert changed == ["with self.assertRaises(OSError), Connection():", "    raise KeyError()"]


def test_the_end_of_a_context_that_shows_nothing_is_called_by_its_name() -> None:
    steps = [new("Connection"), do("__enter__"), do("__exit__", *NONE)]
    assert written(*steps, setup=[OPAQUE, OPAQUE], value=("lit", None))[-1] == (
        "self.assertIsNone(connection.__exit__(None, None, None))"
    )
