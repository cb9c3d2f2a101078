"""Cases: the steps of a test, and what is patched while they are performed."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from tracetwin.model.patch import AwakePatch, FunctionPatch, Patch
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    Lambda,
    MockRecipe,
    Recipe,
    Series,
    Variable,
    children,
    mentions,
)
from tracetwin.support.data import dataclass

RESULT: Final = "result:"
"""Begins an entry of a case's ``shows`` for the kind of a result, of a function or together with a side."""

WHOLE: Final = "whole:"
"""Begins an entry of a case's ``shows`` that its calls show together: none of them may go."""


NO_STEP: Final = -1
"""In the place of a step's position: there is no such step."""


class Act(str, enum.Enum):
    """The kinds of steps."""

    CALL = "call"
    """Calls what a module holds under a dotted name."""
    METHOD = "method"
    GET = "get"
    SET = "set"
    WITH = "with"
    """Enters a context that is left at the end of the test."""
    ALIAS = "alias"
    """Names the result that is its argument; only while an input is drawn."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        place: the module of a call, else the variable that it acts on.
        name: the dotted name that is called, the method or the attribute; "" for the others.
        bind: the variable that its result gets, or None.
    """

    act: Act
    place: str
    name: str
    args: tuple[Recipe, ...] = ()
    kwargs: tuple[tuple[str, Recipe], ...] = ()
    bind: str | None = None

    @property
    def given(self) -> tuple[Recipe, ...]:
        """The recipes of all arguments."""
        return (*self.args, *(part for _, part in self.kwargs))

    @property
    def receiver(self) -> str | None:
        """The variable that it acts on; None for a call of a function or class."""
        return None if self.act in (Act.CALL, Act.ALIAS) else self.place

    @property
    def binds_mock(self) -> bool:
        """True if it only binds a mock, its argument."""
        return self.act is Act.CALL and (self.place, self.name) == MOCK

    def mentions(self, variable: str | None) -> bool:
        """True if it uses the value bound to that name."""
        if variable is None:
            return False
        return self.receiver == variable or any(mentions(part, variable) for part in self.given)


MOCK = ("builtins", "mock")
"""What a step calls that only binds a mock, its argument; there is no such function."""


def binding_mock(variable: str, mock: Recipe) -> Step:
    """The step that binds a mock."""
    return Step(Act.CALL, *MOCK, (mock,), bind=variable)


@dataclass(frozen=True, slots=True)
class Case:
    """The steps and patches of one test.

    Attributes:
        module: name of the target's module.
        target: qualified name of the target in it.
        kind: function, method, constructor, ...
        steps: the last of them calls the target.
        origin: how the run ended that it comes from.
        shows: what a test of it shows beyond lines and branches: sides of sites, and others as texts.
        found: seconds after which it was found.
        refused: an act, besides reading, that the walls refused to the run; "" for none.
        asks_paths: a replay tells of the instruction paths of the last call in the place of lines.
        asks_leaks: a replay tells what it changed in the module's own state.
    """

    module: str
    target: str
    kind: str
    steps: tuple[Step, ...]
    patches: tuple[Patch, ...] = ()
    origin: str = ""
    shows: tuple[int | str, ...] = ()
    found: float = 0.0
    refused: str = ""
    asks_paths: bool = False
    asks_leaks: bool = False

    @property
    def last(self) -> Step:
        """The step that calls the target."""
        return self.steps[-1]

    @property
    def setup(self) -> tuple[Step, ...]:
        return self.steps[:-1]

    @property
    def needed_steps(self) -> tuple[Step, ...]:
        """The steps without those that only make what no later one speaks of."""
        kept, patched = list[Step](), list(self._answers())
        for step in reversed(self.steps):
            name = step.bind if step.act is Act.CALL and step is not self.last else None
            used = name is None or any(later.mentions(name) for later in kept)
            if used or (name is not None and any(mentions(part, name) for part in patched)):
                kept.insert(0, step)
        return tuple(kept)

    def given(self) -> Iterator[Recipe]:
        """The recipes of arguments of its steps, and of results of what is patched."""
        for step in self.steps:
            yield from step.given
        yield from self._answers()

    def _answers(self) -> Iterator[Recipe]:
        for patch in self.patches:
            if isinstance(patch, FunctionPatch):
                yield from (call.recipe for call in patch.calls)

    def awake(self) -> Case:
        """The case as an attempt, which fails where it would sleep: exploring it never did."""
        still = (AwakePatch(place, self.module) for place in ("time.sleep", "asyncio.sleep"))
        return replace(self, patches=(*still, *self.patches))


def may_alias_or_change(steps: Iterable[Step]) -> bool:
    """True if arguments are objects, or several containers.

    An object can come in states that its constructor alone does not give, and two mutable arguments can be
    one: inputs like that are not all tried.
    """
    given = [recipe for step in steps for recipe in step.given]
    return any(map(_holds_object, given)) or sum(map(_is_mutable, given)) > 1


def _holds_object(recipe: Recipe) -> bool:
    """Return whether a recipe makes or names an object; a mock is in the state that it was made in."""
    if isinstance(recipe, (Call, Lambda, Variable)):
        return True
    return not isinstance(recipe, MockRecipe) and any(map(_holds_object, children(recipe)))


def _is_mutable(recipe: Recipe) -> bool:
    """Return whether a recipe is that of a builtin container that can be changed."""
    return isinstance(recipe, Dictionary) or (isinstance(recipe, Series) and recipe.kind.is_mutable)
