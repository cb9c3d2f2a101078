"""Writes mocks in a test: as an autospec and its answers, or as an instance of a class above the tests.

Mocks of `unittest.mock`: what makes one, and the statements that say what its members answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tracetwin.emit.mocks.body import STEP, BodyLines
from tracetwin.emit.mocks.mocked import Mocked
from tracetwin.emit.mocks.signatures import function_of, signature_of
from tracetwin.emit.mocks.stub_class import StubClass
from tracetwin.emit.naming.mocks import asked_mock
from tracetwin.emit.naming.stubs import general_names, stub_names, wanted_name
from tracetwin.emit.source.identifiers import Unwritable, attribute, keyword_argument
from tracetwin.emit.source.layout import Atom, Group, LaidOut, Prefixed, Quoted, call
from tracetwin.emit.source.literals import Writer
from tracetwin.emit.source.scribe import Scribe
from tracetwin.model.mock_bodies import BodyForm, MockBody, body_of
from tracetwin.model.options import MockStyle
from tracetwin.model.recipe import (
    Answer,
    Call,
    Lambda,
    MockMember,
    MockNumber,
    MockRecipe,
    Recipe,
    Reference,
    Variable,
    walk,
)

_UNSAYABLE: Final = frozenset(
    ("__call__", "__next__", "__anext__", "__iter__", "__aiter__", "__eq__", "__hash__", "__str__")
)
"""Special methods that `unittest.mock` leaves out, or that mean something of its own there."""


def is_class(recipe: MockRecipe, mocked: Mocked, wanted: MockStyle) -> bool:
    """Return whether a mock is written as a class; else it is an autospec.

    An autospec that can't say what is needed is written as a class whatever is wanted.
    """
    if recipe.is_function:
        return False
    if mocked.as_class or wanted is MockStyle.CLASS or any(True for _ in _obstacles(recipe)):
        return True
    return wanted is MockStyle.AUTO and _is_record(recipe, mocked)


def _is_record(recipe: MockRecipe, mocked: Mocked) -> bool:
    """Return whether it is nothing but its attributes, all of them used: that reads better in one place."""
    values = {name for name, member in recipe.members.items() if member.value is not None}
    needed = {
        name
        for told in mocked.described(recipe)
        for name, member in told.members.items()
        if member.needed
    }
    return bool(values) and values >= needed | set(recipe.members) and not mocked.asserted(recipe.number)


def _obstacles(recipe: MockRecipe) -> Iterator[str]:
    """Why an autospec can't say it."""
    if recipe.inherits:
        yield "code of the interface runs"
    if len(recipe.bases) > 1:
        yield "it implements several interfaces"
    for name, member in recipe.members.items():
        if name in _UNSAYABLE:
            yield f"{name} is none of an autospec's methods"
        body = body_of(member)
        if body.form is BodyForm.BY_ARGUMENT:
            yield f"what {name} returns depends on its arguments"
        if member.kind == "asyncgen":
            yield f"{name} is an asynchronous generator"
        if any(call.answer.effects for call in member.calls):
            yield f"{name} changes an argument"
        if _gives_exceptions(body) or _gives_anew(body, member):
            yield f"what {name} returns is no plain value"


def _gives_exceptions(body: MockBody) -> bool:
    """Return whether exceptions are among successive results: a mock would raise them."""
    results = [answer.recipe for answer in body.answers if not answer.raises]
    return body.form is BodyForm.SUCCESSIVE and any(_is_exception(result) for result in results)


def _gives_anew(body: MockBody, member: MockMember) -> bool:
    """Return whether several calls return what is used up by one: a mock hands out the same object again."""
    consumed = member.kind in ("generator", "asyncgen")
    return consumed and len(member.calls) > 1 and body.form is not BodyForm.SUCCESSIVE


def _is_exception(recipe: Recipe) -> bool:
    if not isinstance(recipe, (Call, Reference)):
        return False
    return recipe.module == "builtins" and recipe.qualname.endswith(("Error", "Exception"))


def is_idle(recipe: MockRecipe, name: str, mocked: Mocked) -> bool:
    """Return whether nobody uses what a member returns: there is nothing to say of it."""
    answers = [call.answer for call in recipe.members[name].calls]
    returns = all(not answer.raises and not answer.effects for answer in answers)
    inside = any(
        isinstance(part, (MockRecipe, MockNumber, Variable))
        for answer in answers
        for part in walk(answer.recipe)
    )
    return returns and not inside and (recipe.number, name) in mocked.unused


_CALL: Final = "__call__"


class TestMocks:
    """The mocks of one test."""

    __test__ = False

    def __init__(self, mocked: Mocked, scribe: Scribe, wanted: MockStyle) -> None:
        self.mocked = mocked
        self.scribe = scribe
        self.wanted = wanted
        self.names: dict[int, str] = {}
        self.stubs: set[int] = set()

    def name(self, number: int) -> str:
        """Return the name of a mock.

        Raises:
            Unwritable: it has no name in this test.
        """
        if number not in self.names:
            raise Unwritable("a mock that has no name in the test")
        return self.names[number]

    def node(self, recipe: MockRecipe | MockNumber) -> LaidOut:
        """Return the expression of a mock; what makes it goes before."""
        if recipe.number in self.names:
            return Atom(self.names[recipe.number])
        full = self.mocked.recipes[recipe.number]
        if full.is_function:
            return self._function(full)
        if is_class(full, self.mocked, self.wanted):
            return self._stub(full)
        return self._autospec(full)

    def _bound(self, recipe: MockRecipe, node: LaidOut) -> LaidOut:
        """A variable for a mock."""
        wanted = wanted_name(recipe)
        name = self.scribe.new(wanted, f"other_{wanted}")
        self.names[recipe.number] = name
        self.scribe.add(f"{name} = ", node)
        return Atom(name)

    # ---- the three forms

    def _stub(self, recipe: MockRecipe) -> LaidOut:
        """An instance of a class of the file."""
        space = self.scribe.space
        stub = StubClass(recipe, self.mocked, space)
        general = StubClass(recipe, self.mocked, space, general=True)
        names = stub_names(asked_mock(recipe, self.mocked.unused))
        if space.is_shared(stub.lines(names[0]), general.lines(names[0])):
            stub, names = general, general_names(recipe, names[0], [part.name for part in general.parts])
        name = space.define(names, stub.lines)
        node = call(name, self._given(stub))
        self.stubs.add(recipe.number)
        return self._bound(recipe, node) if self.mocked.needs_name(recipe.number) else node

    def _given(self, stub: StubClass) -> list[LaidOut]:
        """The arguments of a stub's constructor; several are named."""
        writer = self.scribe.writer
        if stub.recipe.args is not None and stub.constructor.is_empty:
            args, kwargs = stub.recipe.args, stub.recipe.kwargs
            return [*(writer.recipe(part) for part in args), *writer.keywords(kwargs)]
        nodes = [(part.name, writer.recipe(part.recipe)) for part in stub.parts]
        return [node if len(nodes) == 1 else keyword_argument(name, node) for name, node in nodes]

    def _autospec(self, recipe: MockRecipe) -> LaidOut:
        """`create_autospec`, and what each member answers."""
        autospec = Autospec(recipe, self.mocked, self.scribe.writer)
        bound = self._bound(recipe, autospec.made())
        name = self.names[recipe.number]
        for member in recipe.members:
            for prefix, node in autospec.answering(attribute(name, member), member):
                self.scribe.add(prefix, node)
        return bound

    def _function(self, recipe: MockRecipe) -> LaidOut:
        """A lambda, a `Mock`, or a function of the test's."""
        number = recipe.number
        used = _call_of(recipe)
        body = body_of(used)
        told = bool(self.mocked.asserted(number))
        is_async = used.kind == "async"
        is_constant = body.form is BodyForm.CONSTANT
        if is_constant and not told and not body.default.raises and not body.default.effects:
            if not self.mocked.needs_name(number) and not is_async:
                return self.scribe.writer.recipe(Lambda(recipe.parameters, body.default.recipe))
            self.names[number] = self._defined(recipe, body)
            return Atom(self.names[number])
        if body.form is BodyForm.BY_ARGUMENT or any(answer.effects for answer in body.answers):
            answers = self._defined(recipe, body)
            if told:
                return self._bound(recipe, self._mock([Prefixed("side_effect=", Atom(answers))], is_async))
            self.names[number] = answers
            return Atom(answers)
        given: list[LaidOut] = []
        if used.calls and not (is_constant and is_idle(recipe, _CALL, self.mocked)):
            prefix, value = Autospec(recipe, self.mocked, self.scribe.writer).answer(used, body)
            given = [Prefixed(f"{prefix}=", value)]
        node = self._mock(given, is_async)
        return self._bound(recipe, node) if self.mocked.needs_name(number) else node

    def _mock(self, arguments: list[LaidOut], is_async: bool) -> LaidOut:
        return call(self.scribe.space.name("unittest.mock", "AsyncMock" if is_async else "Mock"), arguments)

    def _defined(self, recipe: MockRecipe, body: MockBody) -> str:
        """A local function that answers by its arguments, or changes them."""
        used = _call_of(recipe)
        made = self.mocked.calls.get((recipe.number, _CALL), [])
        signature = signature_of(function_of(recipe.parameters), used, self.scribe.space, made=made)
        name = self.scribe.new(wanted_name(recipe))
        inner = BodyLines(self.scribe.writer, signature.names, "method", self.scribe.indent + STEP)
        word = "async def" if used.kind == "async" else "def"
        head = Group(f"{word} {name}(", signature.nodes, ")").flat()
        self.scribe.block(f"{head}:", inner.lines(body) or [" " * (self.scribe.indent + STEP) + "pass"])
        return name


def _call_of(recipe: MockRecipe) -> MockMember:
    """Return what was made of a function."""
    return recipe.members.get(_CALL) or MockMember("method")


Statement = tuple[str, LaidOut]
"""What stands before an expression, the equals sign with it, and the expression."""


def interface_of(recipe: MockRecipe, writer: Writer) -> str:
    """The first class that a mock stands for, "" where this file can't import any."""
    try:
        return writer.name(*recipe.bases[0]) if recipe.bases else ""
    except Unwritable:
        return ""  # what has the same methods does as well, unless its class is asked for


class Autospec:
    """Writes one mock."""

    def __init__(self, recipe: MockRecipe, mocked: Mocked, writer: Writer) -> None:
        self.recipe = recipe
        self.mocked = mocked
        self.writer = writer

    def made(self) -> LaidOut:
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
        """The statements that say what a member answers; none where nobody asks."""
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

    def answer(self, member: MockMember, body: MockBody) -> tuple[str, LaidOut]:
        """Return `return_value` or `side_effect`, and its value."""
        if body.form is BodyForm.CONSTANT:
            way = "side_effect" if body.default.raises else "return_value"
            return way, self._answer(member, body.default)
        return "side_effect", Group("[", tuple(self._answer(member, one) for one in body.answers), "]")

    def _answer(self, member: MockMember, answer: Answer) -> LaidOut:
        recipe = answer.recipe
        if answer.raises and isinstance(recipe, Call) and not recipe.args and not recipe.kwargs:
            return Atom(self.writer.name(recipe.module, recipe.qualname))
        node = self.writer.recipe(recipe)
        return call("iter", [node]) if member.kind == "generator" and not answer.raises else node
