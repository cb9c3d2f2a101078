"""Mocks of `unittest.mock`: what makes one, and the statements that say what its members answer."""

from __future__ import annotations

from tracetwin.emit.mocks.mocked import Mocked
from tracetwin.emit.mocks.style import is_idle
from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.emit.source.layout import Atom, Group, Node, Prefixed, Quoted, call
from tracetwin.emit.source.literals import Writer
from tracetwin.model.mock_bodies import BodyForm, MockBody, body_of
from tracetwin.model.recipe import Answer, Call, MockMember, MockRecipe

Statement = tuple[str, Node]
"""What stands before an expression, the equals sign with it, and the expression."""


def interface_of(recipe: MockRecipe, writer: Writer) -> str:
    """The first class that a mock stands for, "" where this file can't import any."""
    try:
        return writer.name(*recipe.bases[0]) if recipe.bases else ""
    except Unwritable:
        return ""  # what has the same methods does as well, unless its class is asked for


class Autospec:
    """Writes one mock.

    Args:
        recipe: that of the mock.
        mocked: the mocks of the case.
        writer: writes values.
    """

    def __init__(self, recipe: MockRecipe, mocked: Mocked, writer: Writer) -> None:
        self.recipe = recipe
        self.mocked = mocked
        self.writer = writer

    def made(self) -> Node:
        """The call that makes it."""
        interface = interface_of(self.recipe, self.writer)
        if interface:
            return call(self._of_mock("create_autospec"), [Atom(interface), Atom("instance=True")])
        asserted = self.mocked.asserted(self.recipe.number)
        offered = list(dict.fromkeys([*self.recipe.members, *(self.recipe.offers or ()), *asserted]))
        names = Group("[", tuple(Quoted(name) for name in offered), "]")
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
        member = self.recipe.members[name]
        if member.kind in ("attribute", "property"):
            value = member.value
            return [] if value is None else [(f"{place} = ", self.writer.recipe(value))]
        if not member.calls:
            return []
        body = body_of(member)
        is_async = member.kind == "async" and not interface_of(self.recipe, self.writer)
        if is_idle(self.recipe, name, self.mocked):
            return [(f"{place} = ", call(self._of_mock("AsyncMock"), []))] if is_async else []
        way, node = self.answer(member, body)
        if is_async:
            return [(f"{place} = ", call(self._of_mock("AsyncMock"), [Prefixed(f"{way}=", node)]))]
        return [(f"{place}.{way} = ", node)]

    def answer(self, member: MockMember, body: MockBody) -> tuple[str, Node]:
        """Return `return_value` or `side_effect`, and its value."""
        if body.form is BodyForm.CONSTANT:
            way = "side_effect" if body.default.raises else "return_value"
            return way, self._answer(member, body.default)
        return "side_effect", Group("[", tuple(self._answer(member, one) for one in body.answers), "]")

    def _answer(self, member: MockMember, answer: Answer) -> Node:
        recipe = answer.recipe
        if answer.raises and isinstance(recipe, Call) and not recipe.args and not recipe.kwargs:
            return Atom(self.writer.name(recipe.module, recipe.qualname))
        node = self.writer.recipe(recipe)
        return call("iter", [node]) if member.kind == "generator" and not answer.raises else node
