"""Writes mocks in a test: as an autospec and its answers, or as an instance of a class above the tests."""

from __future__ import annotations

from typing import Any, Final

from tracetwin.emit.mocks.autospec import Autospec
from tracetwin.emit.mocks.body import STEP, BodyLines
from tracetwin.emit.mocks.mocked import Mocked, number_of
from tracetwin.emit.mocks.signatures import function_of, signature_of
from tracetwin.emit.mocks.stub_class import StubClass
from tracetwin.emit.mocks.style import CLASS, is_idle, style_of
from tracetwin.emit.naming.mocks import asked
from tracetwin.emit.naming.stubs import general_names, stub_names, wanted_name
from tracetwin.emit.source.identifiers import Unwritable, attribute, keyword_argument
from tracetwin.emit.source.layout import Atom, Group, Node, Prefixed, call
from tracetwin.emit.source.scribe import Scribe
from tracetwin.model.mock_bodies import BY_ARGUMENT, CONSTANT, Body, body_of

_CALL: Final = "__call__"


class TestMocks:
    """The mocks of one test.

    Args:
        mocked: what is known of them.
        scribe: where their statements go.
        wanted: the style that the user wants.
    """

    __test__ = False

    def __init__(self, mocked: Mocked, scribe: Scribe, wanted: str) -> None:
        self.mocked = mocked
        self.scribe = scribe
        self.wanted = wanted
        self.names: dict[int, str] = {}
        self.stubs: set[int] = set()

    def name(self, number: int) -> str:
        """What a mock is called.

        Raises:
            Unwritable: it has no name in this test.
        """
        if number not in self.names:
            raise Unwritable("a mock that has no name in the test")
        return self.names[number]

    def node(self, recipe: Any) -> Node:
        """The expression of a mock; what makes it goes before."""
        number = number_of(recipe)
        if number in self.names:
            return Atom(self.names[number])
        full = self.mocked.recipes[number]
        if full[1]["kind"] == "function":
            return self._function(full)
        if style_of(full, self.mocked, self.wanted) == CLASS:
            return self._stub(full)
        return self._autospec(full)

    def _bound(self, recipe: Any, node: Node) -> Node:
        """A variable for a mock."""
        wanted = wanted_name(recipe[1])
        name = self.scribe.new(wanted, f"other_{wanted}")
        self.names[recipe[1]["number"]] = name
        self.scribe.add(f"{name} = ", node)
        return Atom(name)

    # ---- the three forms

    def _stub(self, recipe: Any) -> Node:
        """An instance of a class of the file."""
        space = self.scribe.space
        stub = StubClass(recipe, self.mocked, space)
        general = StubClass(recipe, self.mocked, space, general=True)
        names = stub_names(asked(recipe, self.mocked.unused))
        if space.is_shared(stub.lines(names[0]), general.lines(names[0])):
            stub, names = general, general_names(recipe, names[0], [part.name for part in general.parts])
        name = space.define(names, stub.lines)
        node = call(name, self._given(stub))
        self.stubs.add(recipe[1]["number"])
        return self._bound(recipe, node) if self.mocked.needs_name(recipe[1]["number"]) else node

    def _given(self, stub: StubClass) -> list[Node]:
        """The arguments of a stub's constructor; several are named."""
        writer = self.scribe.writer
        if stub.arguments is not None and stub.constructor.is_empty:
            args, kwargs = stub.arguments
            return [*(writer.recipe(part) for part in args), *writer.keywords(kwargs)]
        nodes = [(part.name, writer.recipe(part.recipe)) for part in stub.parts]
        return [node if len(nodes) == 1 else keyword_argument(name, node) for name, node in nodes]

    def _autospec(self, recipe: Any) -> Node:
        """`create_autospec`, and what each member answers."""
        autospec = Autospec(recipe, self.mocked, self.scribe.writer)
        bound = self._bound(recipe, autospec.made())
        name = self.names[recipe[1]["number"]]
        for member in recipe[2]:
            for prefix, node in autospec.answering(attribute(name, member), member):
                self.scribe.add(prefix, node)
        return bound

    def _function(self, recipe: Any) -> Node:
        """A lambda, a `Mock`, or a function of the test's."""
        _, spec, members = recipe
        number = spec["number"]
        body = body_of(members.get(_CALL, {"calls": []}))
        told = bool(self.mocked.asserted(number))
        is_async = _is_async(recipe)
        plain = body.form == CONSTANT and body.default.kind == "return" and not body.default.effects
        if plain and not told:
            if not self.mocked.needs_name(number) and not is_async:
                return self.scribe.writer.recipe(("lambda", spec["parameters"], body.default.recipe))
            self.names[number] = self._defined(recipe, body)
            return Atom(self.names[number])
        if body.form == BY_ARGUMENT or any(outcome.effects for outcome in body.outcomes):
            answers = self._defined(recipe, body)
            if told:
                return self._bound(recipe, self._mock([Prefixed("side_effect=", Atom(answers))], is_async))
            self.names[number] = answers
            return Atom(answers)
        quiet = _CALL not in members or not members[_CALL]["calls"]
        if quiet or (body.form == CONSTANT and is_idle(recipe, _CALL, self.mocked)):
            node = self._mock([], is_async)
            return self._bound(recipe, node) if self.mocked.needs_name(number) else node
        prefix, value = Autospec(recipe, self.mocked, self.scribe.writer).answer(members[_CALL], body)
        node = self._mock([Prefixed(f"{prefix}=", value)], is_async)
        return self._bound(recipe, node) if self.mocked.needs_name(number) else node

    def _mock(self, arguments: list[Node], is_async: bool) -> Node:
        return call(self.scribe.space.name("unittest.mock", "AsyncMock" if is_async else "Mock"), arguments)

    def _defined(self, recipe: Any, body: Body) -> str:
        """A local function that answers by its arguments, or changes them."""
        used = recipe[2].get(_CALL, {"calls": []})
        signature = signature_of(function_of(recipe[1]["parameters"]), used, self.scribe.space)
        name = self.scribe.new(wanted_name(recipe[1]))
        inner = BodyLines(self.scribe.writer, signature.names, "method", self.scribe.indent + STEP)
        word = "async def" if _is_async(recipe) else "def"
        head = Group(f"{word} {name}(", signature.nodes, ")").flat()
        self.scribe.block(f"{head}:", inner.lines(body) or [" " * (self.scribe.indent + STEP) + "pass"])
        return name


def _is_async(recipe: Any) -> bool:
    """Whether a function is to be awaited."""
    return bool(recipe[2].get(_CALL, {"kind": ""})["kind"] == "async")
