"""Mocks of `unittest.mock`: what makes one, and the statements that say what its members answer."""

from __future__ import annotations

from typing import Any

from tracetwin.emit.mocks.mocked import Mocked
from tracetwin.emit.mocks.style import is_idle
from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.emit.source.layout import Atom, Group, Node, Prefixed, Text, call
from tracetwin.emit.source.literals import Writer
from tracetwin.model.mock_bodies import CONSTANT, Body, Outcome, body_of

Statement = tuple[str, Node]
"""What stands before an expression, the equals sign with it, and the expression."""


def interface_of(spec: dict[str, Any], writer: Writer) -> str:
    """The first class that a mock stands for, "" where this file can't import any."""
    try:
        return writer.name(*spec["bases"][0]) if spec["bases"] else ""
    except Unwritable:
        return ""  # what has the same methods does as well, unless its class is asked for


class Autospec:
    """Writes one mock.

    Args:
        recipe: that of the mock.
        mocked: the mocks of the case.
        writer: writes values.
    """

    def __init__(self, recipe: Any, mocked: Mocked, writer: Writer) -> None:
        _, self.spec, self.members = recipe
        self.recipe = recipe
        self.mocked = mocked
        self.writer = writer

    def made(self) -> Node:
        """The call that makes it."""
        interface = interface_of(self.spec, self.writer)
        if interface:
            return call(self._of_mock("create_autospec"), [Atom(interface), Atom("instance=True")])
        asserted = self.mocked.asserted(self.spec["number"])
        offered = list(dict.fromkeys([*self.members, *self.spec.get("offers", {}), *asserted]))
        names = Group("[", tuple(Text(name) for name in offered), "]")
        special = any(name.startswith("__") for name in offered)
        return call(self._of_mock("MagicMock" if special else "Mock"), [Prefixed("spec=", names)])

    def _of_mock(self, name: str) -> str:
        return self.writer.name("unittest.mock", name)

    def answering(self, place: str, name: str) -> list[Statement]:
        """The statements that say what a member answers; none where nobody asks.

        Args:
            place: the expression of the member.
            name: the member.
        """
        member = self.members[name]
        if member["kind"] in ("attribute", "property"):
            value = member["value"]
            return [] if value is None else [(f"{place} = ", self.writer.recipe(value))]
        if not member["calls"]:
            return []
        body = body_of(member)
        is_async = member["kind"] == "async" and not interface_of(self.spec, self.writer)
        if is_idle(self.recipe, name, self.mocked):
            return [(f"{place} = ", call(self._of_mock("AsyncMock"), []))] if is_async else []
        way, node = self.answer(member, body)
        if is_async:
            return [(f"{place} = ", call(self._of_mock("AsyncMock"), [Prefixed(f"{way}=", node)]))]
        return [(f"{place}.{way} = ", node)]

    def answer(self, member: dict[str, Any], body: Body) -> tuple[str, Node]:
        """`return_value` or `side_effect`, and its value."""
        if body.form == CONSTANT:
            way = "side_effect" if body.default.kind == "raise" else "return_value"
            return way, self._outcome(member, body.default)
        return "side_effect", Group("[", tuple(self._outcome(member, one) for one in body.outcomes), "]")

    def _outcome(self, member: dict[str, Any], outcome: Outcome) -> Node:
        recipe = outcome.recipe
        if outcome.kind == "raise" and recipe[0] == "call" and not recipe[3] and not recipe[4]:
            return Atom(self.writer.name(recipe[1], recipe[2]))
        node = self.writer.recipe(recipe)
        return call("iter", [node]) if member["kind"] == "generator" and outcome.kind == "return" else node
