"""A small class that stands in for an interface: it repeats the signatures, and answers as the test wants.

The constructor of a stub: what it is given, and what it keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, count
from typing import Final

from tracetwin.emit.mocks.body import STEP, BodyLines, Names, is_uniform
from tracetwin.emit.mocks.mocked import Mocked, is_mock
from tracetwin.emit.mocks.signatures import Signature, signature_of, spelled
from tracetwin.emit.naming.stubs import wanted_name
from tracetwin.emit.source.gate import check_definition
from tracetwin.emit.source.identifiers import Unwritable, checked
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import Atom, Group, LaidOut, call, lay_out
from tracetwin.emit.source.literals import Writer
from tracetwin.model.mock_bodies import BodyForm, MockBody, body_of
from tracetwin.model.observation import Spelled
from tracetwin.model.recipe import (
    NONE,
    Answer,
    Lambda,
    MockMember,
    MockNumber,
    MockRecipe,
    Recipe,
    Reference,
    Scalar,
    Variable,
    list_of,
    walk,
)
from tracetwin.support.data import dataclass

_INNER: Final = 2 * STEP


class StubClass:
    """Writes the class of one mock.

    Where it is general, its constructor takes the values that it answers with, for others to use it as well.
    """

    def __init__(
        self, recipe: MockRecipe, mocked: Mocked, space: Namespace, *, general: bool = False
    ) -> None:
        self.recipe = recipe
        self.members = recipe.members
        self.mocked = mocked
        self.space = space
        self.general = general
        self.constructor = Constructor()
        self.defined: frozenset[str] = frozenset()
        self.recorded = [name for name in mocked.asserted(self.recipe.number) if not is_special(name)]
        if general:
            self.recorded = list(dict.fromkeys([*self.recorded, *self._commands()]))

    @property
    def parts(self) -> list[ConstructorParameter]:
        """The parameters of its constructor, known once it was written."""
        return self.constructor.parts

    def _commands(self) -> list[str]:
        """The methods that return nothing: whoever uses the class may ask whether they were called."""
        known = {name: self.mocked.member(self.recipe, name) for name in self._wanted()}
        return [
            name
            for name, member in known.items()
            if member is not None
            and member.kind in ("method", "async")
            and not is_special(name)
            and member.returns is not None
            and member.returns.text == "None"
            and not any(call.answer.raises for call in self._used(name).calls)
        ]

    def _used(self, name: str) -> MockMember:
        """Return what the run made of a member."""
        return self.members.get(name) or MockMember("method")

    def lines(self, name: str) -> list[str]:
        """The whole class under a name.

        Raises:
            Unwritable: a value in it has no source.
        """
        self.constructor = Constructor()
        bases = list(self._bases())
        wanted = self._wanted()
        self.defined = frozenset(wanted)
        held = [name for name in wanted if self._kind(name) == "attribute"]
        stored = self.mocked.stored.get(self.recipe.number, ())
        new = [checked(name) for name in stored if name not in wanted]
        body = [f"{' ' * STEP}{name}: object = None" for name in new if not self._is_known(name)]
        body += [line for member in held for line in self._attribute(member)]
        methods = [self._method(member) for member in wanted if member not in held]
        for block in [self._constructor(), *methods]:
            body += [*([""] if body and block else []), *block]
        head = f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
        lines = [head, *(body or [" " * STEP + "pass"])]
        check_definition(lines, self.space.names())
        return lines

    def _constructor(self) -> list[str]:
        """Nothing of the base's runs, unless its code is what the test is about."""
        if self.recipe.args is None:
            starts = any(told.starts for told in self.mocked.described(self.recipe))
            return self.constructor.lines(always=starts)
        writer = self._writer()
        nodes = [*(writer.recipe(part) for part in self.recipe.args), *writer.keywords(self.recipe.kwargs)]
        return self.constructor.lines(always=False, first=call("super().__init__", nodes))

    def _bases(self) -> Iterator[str]:
        """Those that this file can import; without others it has the same methods, but not their class."""
        for base in self.recipe.bases:
            with suppress(Unwritable):
                yield self.space.name(*base)

    def _wanted(self) -> list[str]:
        """The members to be written: those that are used, and those without which there is no instance."""
        needed = [
            name
            for told in self.mocked.described(self.recipe)
            for name, member in told.members.items()
            if member.needed
        ]
        # In the order of the interface, so that those of several tests are alike.
        order = [name for told in self.mocked.described(self.recipe) for name in told.members]
        names = list(dict.fromkeys([*self.members, *needed, *self.mocked.asserted(self.recipe.number)]))
        found = [checked(name) for name in names]
        return sorted(found, key=lambda name: order.index(name) if name in order else len(order))

    # ---- members

    def _is_known(self, name: str) -> bool:
        return self.mocked.member(self.recipe, name) is not None

    def _kind(self, name: str) -> str:
        known = self.members.get(name) or self.mocked.member(self.recipe, name)
        return "method" if known is None else known.kind

    def _method(self, name: str) -> list[str]:
        known, used, kind = self.mocked.member(self.recipe, name), self.members.get(name), self._kind(name)
        made = self.mocked.calls.get((self.recipe.number, name), [])
        signature = signature_of(known, used, self.space, self.defined, made)
        body = body_of(self._used(name))
        if kind == "property":
            value = NONE if used is None or used.value is None else used.value
            body = MockBody(BodyForm.CONSTANT, (Answer(value),)) if used is not None else body
        idle = used is None and name in self.recorded and signature.returns in ("", "None")
        lines = [] if idle else self._body(name, kind, signature, body)
        note = self._note(name, signature) if name in self.recorded else []
        head = self._head(name, kind, signature)
        return [*head, *note, *(lines or ([] if note else [" " * _INNER + "pass"]))]

    def _head(self, name: str, kind: str, signature: Signature) -> list[str]:
        decorators = {"property": "@property", "classmethod": "@classmethod", "staticmethod": "@staticmethod"}
        first = {"classmethod": "cls", "staticmethod": ""}.get(kind, "self")
        items = (*([Atom(first)] if first else []), *signature.nodes)
        word = "async def" if kind in ("async", "asyncgen") else "def"
        result = f" -> {signature.returns}:" if signature.returns else ":"
        above = [" " * STEP + decorators[kind]] if kind in decorators else []
        return [*above, *lay_out("", Group(f"{word} {name}(", items, ")"), result, STEP)]

    def _body(self, name: str, kind: str, signature: Signature, body: MockBody) -> list[str]:
        writer = self._writer()
        names = signature.names
        if self.general and self._is_plain(name, kind, body, signature):
            body = self._asking(name, body, signature)
        elif body.form is BodyForm.SUCCESSIVE:
            names = self._remembering(name, names, body, writer, signature.returns)
        return BodyLines(writer, names, kind, _INNER, signature.returns).lines(body)

    def _is_plain(self, name: str, kind: str, body: MockBody, signature: Signature) -> bool:
        """Return whether a member answers with one value that the constructor may take."""
        default = body.default
        plain = body.form is BodyForm.CONSTANT and not default.raises and not default.effects
        idle = name in self.recorded or signature.returns == "None"
        return plain and not idle and kind in ("method", "async", "property") and _is_value(default.recipe)

    def _asking(self, name: str, body: MockBody, signature: Signature) -> MockBody:
        """The body that returns what the constructor was given."""
        plain = name.strip("_")
        self.constructor.value(plain, body.default.recipe, signature.returns)
        self.constructor.start(f"self._{plain} = ", Atom(plain))
        return MockBody(BodyForm.CONSTANT, (Answer(Variable(f"self._{plain}")),))

    def _remembering(self, name: str, names: Names, body: MockBody, writer: Writer, returns: str) -> Names:
        """Give successive results a source, an iterator or a count of calls; return all names with its."""
        plain = name.strip("_")
        if is_uniform(body):
            values: LaidOut = Group("[", tuple(writer.recipe(one.recipe) for one in body.answers), "]")
            if self.general:
                recipe = list_of(*(one.recipe for one in body.answers))
                annotation = f"{self._builtin('list')}[{returns}]" if returns else ""
                self.constructor.value(plain, recipe, annotation)
                values = Atom(plain)
            self.constructor.start(f"self._{plain}_results = ", Group("iter(", (values,), ")"))
            return Names(names.positional, names.rest, names.named, results=f"self._{plain}_results")
        self.constructor.start(f"self._{plain}_turn = ", Atom("0"))
        return Names(names.positional, names.rest, names.named, turns=f"self._{plain}_turn")

    def _note(self, name: str, signature: Signature) -> list[str]:
        """Return the statement that keeps the arguments of each call."""
        given = signature.names.positional
        if signature.names.rest:
            given = [signature.names.rest]
        if not given:
            self.constructor.start(f"self.{calls_of(name)} = ", Atom("0"))
            return [f"{' ' * _INNER}self.{calls_of(name)} += 1"]
        self.constructor.start(f"self.{calls_of(name)}: {self._builtin('list')}[object] = ", Atom("[]"))
        text = given[0] if len(given) == 1 else f"({', '.join(given)})"
        return [f"{' ' * _INNER}self.{calls_of(name)}.append({text})"]

    def _builtin(self, name: str) -> str:
        """A builtin by its name in this class."""
        return spelled(Spelled(name, ((name, "builtins", name),)), self.space, self.defined)

    def _attribute(self, name: str) -> list[str]:
        known, used = self.mocked.member(self.recipe, name), self.members.get(name)
        annotation = spelled(known.returns, self.space, self.defined) if known is not None else ""
        typed = f"{name}: {annotation}" if annotation else name
        recipe = None if used is None else used.value
        if recipe is None:
            return [f"{' ' * STEP}{typed}"] if annotation else [f"{' ' * STEP}{name} = None"]
        other = is_mock(recipe) and recipe.number != self.recipe.number
        if other or (self.general and _is_value(recipe)):
            self.constructor.value(name, MockNumber(recipe.number) if is_mock(recipe) else recipe, annotation)
            self.constructor.start(f"self.{name} = ", Atom(name))
            return []
        value = self._writer().recipe(recipe)
        if isinstance(recipe, (Scalar, Reference)):
            return lay_out(f"{typed} = ", value, "", STEP)
        empty = value.flat() in ("[]", "{}", "set()")
        untyped = ": object" if empty and not annotation and not known else ""
        self.constructor.start(f"self.{name}{untyped} = ", value)
        return []

    # ---- values

    def _writer(self) -> Writer:
        writer = Writer(self.space.name, self._bound, _no_function)
        writer.mocks = _Given(self)
        return writer

    def _bound(self, name: str) -> str:
        """A value that the test binds to a name: the class is given it. Its own attributes it has."""
        return name if name.startswith("self.") else self.given(name, Variable(name))

    def given(self, wanted: str, recipe: Recipe) -> str:
        """The expression, in the class, of an object that it is given."""
        return self.constructor.given(wanted, recipe, list(self.members))


def _is_value(recipe: Recipe) -> bool:
    """Return whether a recipe can stand in a test as well as in a class."""
    return not any(isinstance(part, (MockRecipe, MockNumber, Variable, Lambda)) for part in walk(recipe))


class _Given:
    """Mocks within a mock: itself, and others, which the class is given."""

    def __init__(self, stub: StubClass) -> None:
        self._stub = stub

    def node(self, recipe: MockRecipe | MockNumber) -> LaidOut:
        number = recipe.number
        if number == self._stub.recipe.number:
            return Atom("self")
        full = self._stub.mocked.recipes.get(number) or recipe
        if isinstance(full, MockNumber):
            raise Unwritable(f"mock {number} is not among those of the case")
        return Atom(self._stub.given(wanted_name(full), MockNumber(number)))

    def name(self, number: int) -> str:
        raise Unwritable(f"mock {number} has no name here")


def is_special(name: str) -> bool:
    """Return whether a member has a name that Python gives a meaning."""
    return name.startswith("__") and name.endswith("__")


def calls_of(name: str) -> str:
    """The attribute of a stub that keeps the calls of a member."""
    return f"{name}_calls"


def _no_function(parameters: str, result: LaidOut) -> str:
    raise Unwritable(f"a class can't define a function of {parameters} for {result.flat()}")


@dataclass(frozen=True)
class ConstructorParameter:
    """Something that a test gives the class when it makes an instance.

    Attributes:
        annotation: "" for none.
    """

    name: str
    recipe: Recipe
    annotation: str = ""


class Constructor:
    """Collects what the other members need of it."""

    def __init__(self) -> None:
        self.parts: list[ConstructorParameter] = []
        self._statements: list[str] = []

    def given(self, wanted: str, recipe: Recipe, taken: Sequence[str]) -> str:
        """The expression of an object that the class is given, which may be used in several places."""
        for part in self.parts:
            if part.recipe == recipe and not part.annotation:
                return f"self.{part.name}"
        names = {part.name for part in self.parts} | set(taken) | {"self"}
        numbered = (f"{wanted}_{number}" for number in count(2))
        name = next(one for one in chain((wanted, f"other_{wanted}"), numbered) if one not in names)
        self.parts.append(ConstructorParameter(name, recipe))
        self.start(f"self.{name} = ", Atom(name))
        return f"self.{name}"

    def value(self, name: str, recipe: Recipe, annotation: str) -> None:
        """A value that is given under a name of its own, for a member to answer with."""
        self.parts.append(ConstructorParameter(name, recipe, annotation))

    def start(self, prefix: str, node: LaidOut) -> None:
        self._statements += lay_out(prefix, node, "", _INNER)

    @property
    def is_empty(self) -> bool:
        """Return whether it would do nothing."""
        return not (self.parts or self._statements)

    def lines(self, *, always: bool, first: LaidOut | None = None) -> list[str]:
        """The whole function; nothing where it would do nothing.

        `always`: it stands in the way of one that must not run.
        """
        if self.is_empty and not always:
            return []
        items = [Atom("self"), *(Atom(_parameter(part)) for part in self.parts)]
        typed = " -> None" if all(part.annotation for part in self.parts) else ""
        head = lay_out("", Group("def __init__(", tuple(items), ")"), f"{typed}:", STEP)
        before = [] if first is None else lay_out("", first, "", _INNER)
        return [*head, *([*before, *self._statements] or [" " * _INNER + "pass"])]


def _parameter(part: ConstructorParameter) -> str:
    return f"{part.name}: {part.annotation}" if part.annotation else part.name
