"""A case, or some, for each function of `data/clients.py`: mocks as they are at the end of a run."""

from __future__ import annotations

import functools
from dataclasses import replace
from itertools import count
from typing import Any

from tests.emit import support
from tests.emit.support import Recipe, recipe
from tracetwin.model.case import Case
from tracetwin.model.recipe import Answer, Call, MockMember, MockRecipe, RecordedCall

call = functools.partial(support.function, "clients")
_numbers = count()


def raising(name: str, *args: Any, module: str = "builtins") -> Answer:
    return Answer(Call(module, name, tuple(map(recipe, args))), raises=True)


def answer(value: Any, *args: Any, effects: Any = (), **kwargs: Any) -> RecordedCall:
    """A call: what it returned, and what it was called with."""
    made = value if isinstance(value, Answer) else Answer(recipe(value))
    changes = tuple((place, recipe(part)) for place, part in effects)
    named = tuple((name, recipe(part)) for name, part in kwargs.items())
    return RecordedCall(tuple(map(recipe, args)), named, replace(made, effects=changes))


def called(*calls: RecordedCall, kind: str = "method") -> MockMember:
    return MockMember(kind, calls)


def held(value: Any, kind: str = "attribute") -> MockMember:
    return MockMember(kind, value=recipe(value))


def mock(
    *bases: str,
    hint: str = "",
    number: int | None = None,
    inherits: bool = False,
    offers: tuple[str, ...] = (),
    module: str = "clients",
    **members: MockMember,
) -> Recipe:
    """The recipe of a mock of classes of the target; of none, that of an object without a name."""
    offered = dict.fromkeys(offers, "method") | {name: one.kind for name, one in members.items()}
    return Recipe.made(
        MockRecipe(
            next(_numbers) if number is None else number,
            "interface" if bases else "duck",
            "".join(bases) or hint.title(),
            hint or bases[0].lower(),
            tuple((module, base) for base in bases),
            offers=offered,
            inherits=inherits,
            members=members,
        )
    )


def function(hint: str, parameters: int, *calls: RecordedCall) -> Recipe:
    members = {"__call__": called(*calls)}
    made = MockRecipe(next(_numbers), "function", "function", hint, parameters=parameters, members=members)
    return Recipe.made(made)


def bus(*polled: Any, acked: int = 0, **named: Any) -> Recipe:
    members: dict[str, Any] = {}
    if polled:
        members["poll"] = called(*(answer(one, **named) for one in polled))
    if acked:
        members["ack"] = called(*(answer(None, None) for _ in range(acked)))
    return mock("Bus", **members)


MESSAGE = Recipe("call", "clients", "Message", [("lit", "id"), ("lit", "hi")], [])
ITEMS = Recipe("call", "builtins", "iter", [("list", [("lit", "a"), ("lit", "bcd")])], [])
TIMEOUT = raising("TimeoutError")
BUSES = [
    call("next_message", bus(None, timeout=2.5)),
    call("next_message", bus("id-1", acked=1, timeout=2.5)),
    call("next_message", bus(TIMEOUT, timeout=2.5)),
    call("drain", bus("a", "b", None, acked=2)),
    call("drain", bus(None)),
    call("persistent", bus(TIMEOUT, "x")),
    call("persistent", bus(TIMEOUT, TIMEOUT, TIMEOUT)),
    call("persistent", bus(raising("RuntimeError", "broken"))),
    call("body_of_next", mock("Bus", receive=called(answer(MESSAGE)))),
    call("finish", bus(None)),
    call(
        "finish", mock("Bus", "Closeable", hint="bus", poll=called(answer(None)), close=called(answer(None)))
    ),
    call("same", bus()),
]
VALUES = [
    call("is_late", mock("Clock", now=called(answer(2.5))), 1.5),
    call("is_late", mock("Clock", now=called(answer(0.5))), 1.5),
    call("attempts", mock("Settings", verbose=held(False, "property"), retries=held(3), name=held("ab"))),
    call("attempts", mock("Settings", verbose=held(True, "property"))),
    call("both", mock("Table", lookup=called(answer(6, 0, strict=True), answer(4, 10, strict=True))), 0),
    call("both", mock("Table", lookup=called(answer(0, 1, strict=True))), 1),
    call("first_bytes", mock("Source", read_into=called(answer(2, None, effects=[(0, b"ok\x00\x00")])))),
    call(
        "remember",
        mock(
            "Store",
            __len__=called(answer(3)),
            __setitem__=called(answer(None, "k", 3)),
            get=called(answer(7, "k")),
        ),
        "k",
    ),
]
FEEDS = [
    call("longest", mock("Feed", items=called(answer(ITEMS)))),
    call("pages", mock("Feed", fetch=called(answer(["a"], 0), answer([], 1), kind="async"))),
    call("pages", mock("Feed", fetch=called(answer([], 0), kind="async"))),
    call("collected", mock("Feed", stream=called(answer(["a", "b"]), kind="asyncgen"))),
]
_SESSION = mock("Session", hint="factory.create()", run=called(answer(1, "a"), answer(2, "b")))
_BUILDER = mock(
    "Builder",
    number=900,
    add=called(answer(Recipe("mock", 900), "a"), answer(Recipe("mock", 900), "b")),
    build=called(answer("ab")),
)
OTHERS = [
    call("run_all", mock("Factory", create=called(answer(_SESSION))), ["a", "b"]),
    call("assembled", _BUILDER),
    call("printed", mock("Report", inherits=True, line=called(answer("x", 0), answer("y", 1)))),
    call("apply", function("function", 1, answer(3, 1), answer(3, 2)), 1),
    call("apply", function("function", 1, answer(3, 4), answer(5, 5)), 4),
    call("apply", function("function", 1, answer(raising("KeyError"), 7)), 7),
    call("notify", function("callback", 1, answer(None, "step 0")), 1),
    call("notify", function("callback", 1, answer(None, "step 0"), answer(None, "step 1")), 2),
    call("notify", function("callback", 1), 0),
    call(
        "send",
        mock(hint="channel", closed=held(False), write=called(answer(None, "hi")), __len__=called(answer(2))),
        "hi",
    ),
    call("send", mock(hint="channel", closed=held(True), offers=("write",)), "hi"),
    call("rename", mock(hint="channel"), "new"),
]


def _worker(*members: Any) -> Case:
    return support.method("clients", "Worker.step", support.step(("method", "box", "step")), made=members)


METHODS = [
    _worker(bus("m", acked=1), mock("Clock", now=called(answer(1.5)))),
    _worker(bus(None), mock("Clock", now=called(answer(1.5)))),
]
ALL = BUSES + VALUES + FEEDS + OTHERS + METHODS
