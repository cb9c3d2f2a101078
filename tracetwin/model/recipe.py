"""Recipes: how a value is built, one class per kind; `children`, `replace` and `walk` are their only walks.

A new kind is a class here, its place in `Recipe`, `children`, `replace_children`, and its word in
`tracetwin.model.codec`; mypy names each `match` that has to know it.

While an input is drawn, an object is a `PreparedObject`, and what a call on it returned a `CallResult`;
`tracetwin.model.flatten` turns steps with them into steps that bind variables.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from dataclasses import replace as changed
from typing import Generic, TypeAlias, TypeVar

from tracetwin.support.data import dataclass

Part_co = TypeVar("Part_co", covariant=True)
"""`Recipe` in recipes, `tracetwin.model.snapshot.Snapshot` in snapshots."""

ScalarValue: TypeAlias = bool | int | float | str | bytes | complex | None

SCALARS = (type(None), bool, int, float, str, bytes, complex)


class SeriesKind(str, enum.Enum):
    """The builtin types of containers of items."""

    LIST = "list"
    TUPLE = "tuple"
    SET = "set"
    FROZENSET = "frozenset"

    def __str__(self) -> str:
        return self.value

    @property
    def has_order(self) -> bool:
        """True if items have positions."""
        return self in (SeriesKind.LIST, SeriesKind.TUPLE)

    @property
    def is_mutable(self) -> bool:
        """True if the container can be changed."""
        return self in (SeriesKind.LIST, SeriesKind.SET)


@dataclass(frozen=True, slots=True)
class Scalar:
    """An exact scalar."""

    value: ScalarValue


@dataclass(frozen=True, slots=True)
class Series(Generic[Part_co]):
    """A list, tuple, set or frozenset of items."""

    kind: SeriesKind
    items: tuple[Part_co, ...]


@dataclass(frozen=True, slots=True)
class Dictionary(Generic[Part_co]):
    """A dict of keys and values."""

    pairs: tuple[tuple[Part_co, Part_co], ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """A name to import: what a module holds under it."""

    module: str
    qualname: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of what a module holds under a dotted name."""

    module: str
    qualname: str
    args: tuple[Recipe, ...] = ()
    kwargs: tuple[tuple[str, Recipe], ...] = ()


@dataclass(frozen=True, slots=True)
class Lambda:
    """A function of so many positional parameters (-1: any arguments) that always returns the same."""

    parameters: int
    result: Recipe


@dataclass(frozen=True, slots=True)
class Variable:
    """The value that a step gave a name to."""

    name: str


@dataclass(frozen=True, slots=True)
class PreparingCall:
    """A call on an object before it is used; a name with ``=`` at its end stores an attribute."""

    name: str
    args: tuple[Recipe, ...]
    kwargs: tuple[tuple[str, Recipe], ...] = ()

    @property
    def given(self) -> tuple[Recipe, ...]:
        """The recipes of all arguments."""
        return (*self.args, *(part for _, part in self.kwargs))

    @property
    def stored(self) -> str:
        """The attribute that is stored, "" for a call of a method."""
        return self.name[:-1] if self.name.endswith("=") else ""


@dataclass(frozen=True, slots=True)
class PreparedObject:
    """An object and the calls that prepare it; the same number is the same object.

    Attributes:
        hint: a name for its variable.
        calls: what is done on it; the list grows while the input is drawn.
    """

    number: int
    hint: str
    construction: Recipe = field(compare=False)
    calls: list[PreparingCall] = field(compare=False, default_factory=list)


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of a preparing call on an object, or without an owner, of a step of the sequence.

    Attributes:
        owner: the object that was called; None for the sequence's own steps.
        index: of the call or step.
        hint: a name for its variable.
    """

    owner: PreparedObject | None
    index: int
    hint: str


@dataclass(frozen=True, slots=True)
class MockNumber:
    """A mock of the case, by its number."""

    number: int


Place: TypeAlias = int | str
"""Which argument of a call: its position, or its keyword."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a mock to one call.

    Attributes:
        raises: it ends in an exception.
        recipe: of the result; of a generator's, the list of what it gives; of the exception or its class.
        effects: new contents of mutable arguments.
    """

    recipe: Recipe
    raises: bool = False
    effects: tuple[tuple[Place, Recipe], ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call of a mock's member; an argument that can't be written down is None."""

    args: tuple[Recipe | None, ...]
    kwargs: tuple[tuple[str, Recipe | None], ...]
    answer: Answer

    def given(self) -> dict[Place, Recipe | None]:
        """The arguments by their places."""
        found: dict[Place, Recipe | None] = dict(enumerate(self.args))
        found.update(self.kwargs)
        return found


@dataclass(frozen=True, slots=True)
class MockMember:
    """One member of a mock, as a run used it.

    Attributes:
        kind: as in `tracetwin.drawing.mocks.members`: method, async, property, attribute, ...
        calls: those that were made of it, in order.
        value: of an attribute or property that was read.
    """

    kind: str
    calls: tuple[RecordedCall, ...] = ()
    value: Recipe | None = None


@dataclass(frozen=True, slots=True)
class MockRecipe:
    """A mock: its answers to the calls of a run.

    Attributes:
        number: of the mock in its case.
        kind: ``"function"`` for a function, ``"duck"`` for an object known by its use only, else a class's.
        name: of what it stands for.
        hint: what it was drawn for.
        bases: the classes that it derives from, as module and qualified name.
        parameters: of a function, how many (-1: any).
        offers: the kinds of the members that it has without a base, used or not; None with a base.
        args: what the constructor of its bases gets, None where that is not run.
        kwargs: what that gets by keyword.
        inherits: code of a base is used.
        members: those that the run used, by name.
    """

    number: int
    kind: str
    name: str
    hint: str
    bases: tuple[tuple[str, str], ...] = ()
    parameters: int = -1
    offers: Mapping[str, str] | None = None
    args: tuple[Recipe, ...] | None = None
    kwargs: tuple[tuple[str, Recipe], ...] = ()
    inherits: bool = False
    members: Mapping[str, MockMember] = field(default_factory=dict)

    @property
    def is_function(self) -> bool:
        """True if it stands for a function."""
        return self.kind == "function"


Recipe: TypeAlias = (
    "Scalar | Series[Recipe] | Dictionary[Recipe] | Reference | Call | Lambda | Variable"
    " | PreparedObject | CallResult | MockRecipe | MockNumber"
)

Change: TypeAlias = Callable[["Recipe"], "Recipe"]


def children(recipe: Recipe) -> tuple[Recipe, ...]:
    """The recipes directly inside one, in order of evaluation.

    The preparing calls of an object are left out, and so are arguments of a mock's calls, which are compared
    and not built.
    """
    match recipe:
        case Scalar() | Reference() | Variable() | MockNumber():
            return ()
        case Series():
            return recipe.items
        case Dictionary():
            return tuple(part for pair in recipe.pairs for part in pair)
        case Call():
            return (*recipe.args, *(part for _, part in recipe.kwargs))
        case Lambda():
            return (recipe.result,)
        case PreparedObject():
            return (recipe.construction,)
        case CallResult():
            return () if recipe.owner is None else (recipe.owner,)
        case MockRecipe():
            return tuple(_of_mock(recipe))


def _of_mock(mock: MockRecipe) -> Iterator[Recipe]:
    yield from mock.args or ()
    yield from (part for _, part in mock.kwargs)
    for member in mock.members.values():
        if member.value is not None:
            yield member.value
        for call in member.calls:
            yield call.answer.recipe
            yield from (part for _, part in call.answer.effects)


def walk(recipe: Recipe) -> Iterator[Recipe]:
    """The recipe and all that is inside, from left to right."""
    yield recipe
    for part in children(recipe):
        yield from walk(part)


def replace_children(recipe: Recipe, change: Change) -> Recipe:
    """The same recipe with each of its `children` changed."""
    match recipe:
        case Scalar() | Reference() | Variable() | MockNumber():
            return recipe
        case Series():
            return Series(recipe.kind, tuple(map(change, recipe.items)))
        case Dictionary():
            return Dictionary(tuple((change(key), change(value)) for key, value in recipe.pairs))
        case Call():
            return changed(recipe, args=tuple(map(change, recipe.args)), kwargs=_named(recipe.kwargs, change))
        case Lambda():
            return Lambda(recipe.parameters, change(recipe.result))
        case PreparedObject():
            return changed(recipe, construction=change(recipe.construction))
        case CallResult():
            owner = None if recipe.owner is None else change(recipe.owner)
            return changed(recipe, owner=owner) if isinstance(owner, PreparedObject) else recipe
        case MockRecipe():
            return changed(
                recipe,
                args=None if recipe.args is None else tuple(map(change, recipe.args)),
                kwargs=_named(recipe.kwargs, change),
                members={name: _member(member, change) for name, member in recipe.members.items()},
            )


def replace(recipe: Recipe, change: Change) -> Recipe:
    """The recipe with everything in it changed, from the outside; what became another is not looked into."""
    found = change(recipe)
    return found if found is not recipe else replace_children(recipe, lambda part: replace(part, change))


def _named(kwargs: tuple[tuple[str, Recipe], ...], change: Change) -> tuple[tuple[str, Recipe], ...]:
    return tuple((name, change(part)) for name, part in kwargs)


def _member(member: MockMember, change: Change) -> MockMember:
    calls = tuple(changed(call, answer=_answer(call.answer, change)) for call in member.calls)
    return MockMember(member.kind, calls, None if member.value is None else change(member.value))


def _answer(answer: Answer, change: Change) -> Answer:
    effects = tuple((place, change(part)) for place, part in answer.effects)
    return Answer(change(answer.recipe), answer.raises, effects)


def mentions(recipe: Recipe, name: str) -> bool:
    """True if a bound value is used somewhere inside."""
    return any(isinstance(part, Variable) and part.name == name for part in walk(recipe))


Item = TypeVar("Item")


def subscripted(qualname: str) -> str:
    """The name of what a call with such a name takes an item of, as in ``Optional[int]``; else ""."""
    holder, _, way = qualname.rpartition(".")
    return holder if way in ("__getitem__", "__class_getitem__") else ""


def list_of(*items: Item) -> Series[Item]:
    """A list of these."""
    return Series(SeriesKind.LIST, items)


def tuple_of(*items: Item) -> Series[Item]:
    """A tuple of these."""
    return Series(SeriesKind.TUPLE, items)


NONE = Scalar(None)
