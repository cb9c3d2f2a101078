"""A case, or some, for each function of `data/shapes.py`."""

from __future__ import annotations

import functools
from typing import Any

from tests.emit import support
from tests.emit.support import Recipe
from tracetwin.model.case import Step

call = functools.partial(support.function, "shapes")
on_stack = functools.partial(support.method, "shapes")


def do(method: str, *args: Any) -> Step:
    return support.step(("method", "box", method), *args)


PLAIN = [
    *(
        call("identity", value)
        for value in (None, True, 0, 1, -5, 2.0, 1.5, "abc", b"ab", 1j, [1], (1,), {1, 2}, {"a": 1})
    ),
    call("identity", frozenset({"b", "a"})),
    call("weight_category", 60, 1.8),
    call("weight_category", 40, 1.8),
    call("weight_category", 100, 1.8),
    call("weight_category", 100, 0),
    call("minus_zero"),
    call("not_a_number", True),
    call("not_a_number", False),
    call("infinite", 1),
    call("infinite", -1),
    call("favourite", 11),
    call("favourite", 1),
    call("rights"),
    call("corner"),
    call("tree", 0),
    call("tree", 1),
    call("money", 10),
    call("birthday"),
    call("text", "long"),
    call("text", "lines"),
    call("text", "odd"),
    call("text", "snow"),
    call("text", "none"),
    call("big"),
    call("liar"),
    call("same", Recipe("ref", "shapes", "Colour.RED"), Recipe("ref", "shapes", "Colour.RED")),
]
NAMES = [call("_private", 1), call("test_me", 0), call("list", [1, 2]), call("math", 1.5)]
CALLABLES = [
    call("apply", Recipe("lambda", 1, ("lit", 3)), 1),
    call("apply", Recipe("lambda", -1, ("list", [("lit", "a long text in a list")] * 3)), 1),
    call("apply", Recipe("ref", "builtins", "len"), "abc"),
    call("apply", Recipe("ref", "shapes", "Stack"), 2),
]
STATE = [
    call("appended", [1], 2),
    call("renamed", {"a": 1}, old="a", new="b"),
    call("renamed", {}, old="a", new="b"),
    call("appended", [0] * 45, "x" * 70),
    support.function("shapes", "Stack", 2, kind="constructor"),
    support.function("shapes", "Stack", -1, kind="constructor"),
    support.function("shapes", "Stack.of", 1, 2, kind="classmethod"),
    support.function("shapes", "Stack.unit", kind="staticmethod"),
    on_stack("Stack.push", do("push", "a")),
    on_stack("Stack.push", do("push", "a"), made=(0,)),
    on_stack("Stack.pop", do("push", "a"), do("push", "b"), do("pop")),
    on_stack("Stack.pop", do("pop")),
    on_stack("Stack.resize", do("resize", 7)),
    on_stack("Stack.drain", do("push", 1), do("drain")),
    on_stack("Stack.__secret", do("__secret")),
    on_stack("Stack.size", support.step(("get", "box", "size"))),
    on_stack("Stack.limit", support.step(("set", "box", "limit"), 9)),
]
FLOW = [
    call("count_up", 3),
    call("three"),
    call("failing"),
    call("later", 1),
    call("later", None),
    call("ticks", 3),
    call("shout", "hey"),
    call("complain"),
    call("ask"),
    call("load", "[1"),
    call("load", "[1]"),
    call("leave", 3),
    call("deep", 0),
    call("remembered", "x"),
]
UNSTABLE = [
    call("address", 5),
    call("dice"),
    call("clock"),
    call("today"),
    call("scrambled", "abcdefgh"),
    call("noisy_error"),
]
REFUSED = [call("vanish"), call("spin"), call("litter")]
ALL = PLAIN + NAMES + CALLABLES + STATE + FLOW + UNSTABLE + REFUSED
