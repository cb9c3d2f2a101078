"""What the process of a target says may be anything: no text in it becomes source, and none stops us."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, TypeVar

import pytest

from tests.emit import mock_cases, shapes_cases
from tests.emit.support import observe_twice, target
from tracetwin.emit.exhibit import exhibited
from tracetwin.emit.mocks.calls import mark_calls
from tracetwin.emit.render.render import render
from tracetwin.emit.select.unchanged import mark_held
from tracetwin.model.case import Case
from tracetwin.model.codec import decode_case, decode_observation, encode
from tracetwin.model.field_types import Malformed
from tracetwin.model.observation import Observation
from tracetwin.replay.static import coverable

Item = TypeVar("Item")

pytestmark = pytest.mark.slow

MARK: Final = "PWNED"
POISON: Final = (
    f"x; {MARK}()",
    f"x if {MARK}() else y",
    f"__import__('os').{MARK}",
    f'"); {MARK}(); ("',
    f'"""\n{MARK}()\n"""',
    f"x\n        {MARK}()\n        y",
    f"x\r{MARK}()",
    f"x=1), {MARK}() #",
    f"{{{MARK}()}}",
    f".x({MARK}())",
    f".pop()*{MARK}()",
    f"list(); {MARK}()",
    f"a.b[{MARK}()]",
    f"\\N{{DIGIT ONE}}\\x22 + {MARK}()",
    f"\u202e{MARK}\u2066",
    f"x\u2028{MARK}()",
    f"x\x00{MARK}()",
    f"\x1b]0;{MARK}()\x07",
    f"\ud800{MARK}()",
    "\uff30\uff37\uff2e\uff25\uff24",  # the mark, once an interpreter has normalised it
    "\u3164",
    "class",
    "None",
    "self",
    "",
    "__class__",
)

Data = tuple[list[Case], list[Observation]]


def texts(part: Any) -> Iterator[tuple[Any, Any]]:
    """Where texts are, as containers with places in them; kinds and other words of ours are left alone."""
    if isinstance(part, dict):
        for name, inner in part.items():
            if isinstance(inner, str) and name not in _OURS:
                yield part, name
            yield from texts(inner)
    elif isinstance(part, list):
        for place, inner in enumerate(part):
            if isinstance(inner, str) and not (place == 0 and inner in _KINDS):
                yield part, place
            yield from texts(inner)


_OURS: Final = ("outcome", "how", "kind", "why", "origin")
_KINDS: Final = (
    "lit", "list", "tuple", "set", "frozenset", "dict", "ref", "call", "var", "lambda", "mock", "object",
    "built", "opaque", "iter", "shuffled", "arg", "kwarg", "result", "method", "get", "set", "with", "return",
    "raise", "first", "last", "same", "returned", "raised",
)  # fmt: skip


def thawed(part: Any) -> Any:
    """With lists in the place of tuples, to be changed; marked, to be turned back."""
    if isinstance(part, tuple):
        return Thawed(thawed(inner) for inner in part)
    if isinstance(part, list):
        return [thawed(inner) for inner in part]
    return {name: thawed(inner) for name, inner in part.items()} if isinstance(part, dict) else part


class Thawed(list[Any]):
    """What was a tuple."""


def frozen(part: Any) -> Any:
    if isinstance(part, Thawed):
        return tuple(frozen(inner) for inner in part)
    if isinstance(part, list):
        return [frozen(inner) for inner in part]
    return {name: frozen(inner) for name, inner in part.items()} if isinstance(part, dict) else part


SOURCES: Final = {"shapes": shapes_cases.ALL, "clients": mock_cases.ALL}


@pytest.fixture(scope="module", params=SOURCES)
def seen(request: pytest.FixtureRequest) -> tuple[str, Data]:
    """Honest observations."""
    cases = SOURCES[request.param]
    replayed = observe_twice(target(request.param), cases, timeout_per_case=2)
    return request.param, (cases, replayed.observations)


@pytest.mark.parametrize("style", ["unittest", "pytest"])
def test_no_text_of_a_target_becomes_source(seen: tuple[str, Data], style: str) -> None:
    name, (cases, observations) = seen
    facts = coverable(target(name).file)
    random = Random(style + name)
    for _ in range(12):
        cases_now = [poisoned(encode(case), decode_case, random) for case in cases]
        looks = [poisoned(encode(one), decode_observation, random) for one in observations]
        shown = mark_calls(cases_now, mark_held(cases_now, list(map(exhibited, looks))), facts)
        pairs = list(zip(cases_now, shown, strict=True))
        page = render(name, pairs, facts, style=style, place=random.choice(POISON))
        assert len(page.tests) + len(page.dropped) == len(cases)
        assert_harmless(page.text)


def poisoned(plain: Any, decode: Callable[[Any], Item], random: Random) -> Item:
    """What is read of plain data in which a target has spoken; what the border refuses stays as it was."""
    data = thawed(plain)
    places = list(texts(data))
    for container, place in random.sample(places, -(-len(places) // 20)):
        honest, container[place] = container[place], random.choice(POISON)
        try:
            decode(frozen(data))
        except Malformed:
            container[place] = honest
    return decode(frozen(data))


def assert_harmless(text: str) -> None:
    """Nothing of the poison is called, asked for or imported; variables may be named after its letters."""
    tree = ast.parse(text)
    assert all(letter == "\n" or letter.isprintable() for letter in text)
    nodes = list(ast.walk(tree))
    named = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in named if isinstance(node.ctx, ast.Store)}
    called = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    assert not [name for name in called if MARK in name.split(".") and MARK not in bound]
    names = [node.id for node in named]
    assert "__import__" not in names
    assert MARK in bound or MARK not in names
    assert all(name.isascii() for name in names)
    assert MARK not in [node.name for node in nodes if isinstance(node, ast.alias)]
