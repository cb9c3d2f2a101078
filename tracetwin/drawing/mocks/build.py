"""From the recipe of a mock to an object: the replay's counterpart of a live one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tracetwin.drawing.mocks.effects import fill
from tracetwin.drawing.mocks.interface import answered, left_open, offered
from tracetwin.drawing.mocks.standin import function_that, instance_of, stand_in_class
from tracetwin.model.mock_bodies import MockBody, body_of, chosen
from tracetwin.model.recipe import MockMember, MockNumber, MockRecipe
from tracetwin.model.recipes import NamedValues, Recipe, class_at, evaluate

Evaluate = Callable[[Recipe], Any]
Log = Callable[[int, str, tuple[Any, ...], dict[str, Any]], None]
"""Is told of each call: the mock's number, the member, the arguments."""


def build(mock: MockRecipe | MockNumber, bound: NamedValues) -> Any:
    """The mock of a number: the one that exists, else a new one. Within its own recipe the number is all.

    Raises:
        Refused: no such class can be made here.
        KeyError: a number comes before the mock.
    """
    if mock.number not in bound.mocks and isinstance(mock, MockRecipe):
        bound.mocks[mock.number] = _made(mock, bound)
    return bound.mocks[mock.number]


def _made(mock: MockRecipe, bound: NamedValues) -> Any:
    members = mock.members
    answers = Recorded(mock.number, members, lambda part: evaluate(part, bound), bound.log, bound.spent)
    if mock.is_function:
        called = members.get("__call__")
        is_async = called is not None and called.kind == "async"
        return function_that(answers.called, mock.parameters, is_async=is_async)
    bases = tuple(class_at(*base) for base in mock.bases)
    started = mock.args is not None
    own = offered(mock.offers or {}) if not bases else left_open(bases) if started else answered(bases)
    more = offered({name: member.kind for name, member in members.items() if name not in own})
    made = instance_of(stand_in_class(f"Stub{mock.name}", bases, {**own, **more}), answers)
    bound.mocks[mock.number] = made
    if started:
        named = {name: evaluate(part, bound) for name, part in mock.kwargs}
        made.__init__(*[evaluate(part, bound) for part in mock.args or ()], **named)
    return made


MOST_TURNS: Final = 1_000
"""Calls of one member in a case."""


class Recorded:
    """Answers as a recipe says."""

    def __init__(
        self,
        number: int,
        members: Mapping[str, MockMember],
        evaluate: Evaluate,
        log: Log | None,
        spent: list[str] | None = None,
    ) -> None:
        self._number = number
        self._members = members
        self._evaluate = evaluate
        self._log = log
        self._spent = spent
        self._bodies: dict[str, MockBody] = {}
        self._turns: dict[str, int] = {}

    def called(self, *args: Any, **kwargs: Any) -> Any:
        """A call of the mock itself, which is a function."""
        return self.call("__call__", args, kwargs)

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result, or exception, that belongs to these arguments or to this turn."""
        if self._log is not None:
            self._log(self._number, name, args, kwargs)
        if name not in self._members:
            raise NotImplementedError
        if name not in self._bodies:
            self._bodies[name] = body_of(self._members[name])
        turn = self._turns[name] = self._turns.get(name, -1) + 1
        try:
            if self._spent is not None and turn >= MOST_TURNS:
                raise StopIteration  # who asks for ever is not waited for
            answer = chosen(self._bodies[name], turn, args, kwargs, self._evaluate)
        except StopIteration:  # an answer that nobody gave: what follows is no behaviour of the program's
            if self._spent is not None:
                self._spent.append(name)
            raise
        for place, contents in answer.effects:
            fill(args[place] if isinstance(place, int) else kwargs[place], self._evaluate(contents))
        value = self._evaluate(answer.recipe)
        if answer.raises:
            raise value
        return value

    def optional(self, name: str) -> None:
        """Nothing: the class has them all."""

    def inherited(self, name: str) -> None:
        """Nothing: what the recipe says was noted before."""

    def get(self, name: str) -> Any:
        member = self._members.get(name)
        if member is None or member.value is None:
            raise NotImplementedError
        return self._evaluate(member.value)
