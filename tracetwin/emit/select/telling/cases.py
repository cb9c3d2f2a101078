"""Cases with telling values: what parameters ask for by their annotations, all different, some alike.

A solver's inputs are as short as they can be, and equal, empty and lower-case ones hide faults. So calls that
are there are filled anew with values as callers pass them, and other calls on the receiver come before them.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeGuard

from tracetwin.emit.select.plainer_mocks import changed_step
from tracetwin.emit.select.telling.answers import MOST_ASKED, asked_often, going_up, is_moment, is_number
from tracetwin.emit.select.telling.constants import TextConstants
from tracetwin.emit.select.telling.drawing import TellingValues
from tracetwin.emit.select.telling.signatures import Signatures, SpelledParameter
from tracetwin.emit.select.variants import VARIANT, followed
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.patch import EnvironPatch, FunctionPatch, Patch, PatchedCall
from tracetwin.model.recipe import (
    NONE,
    Answer,
    Call,
    Dictionary,
    Lambda,
    MockMember,
    MockRecipe,
    Recipe,
    RecordedCall,
    Scalar,
    Series,
    Variable,
    walk,
)
from tracetwin.model.recipe import replace as changed

MOST_STEPS: Final = 5
"""Steps of a case to which others of its receiver are added."""

LATE, RECENT = 0.5, 12
"""Part of the cases that are made of those that worked of late, and how many of these."""

WHOLE: Final = 0.5
"""Part of the cases with calls before their own that take over the receiver of these."""

AGAIN: Final = 0.3
"""Part of the cases with calls before their own in which that is the same method."""

ANSWERED_ALONE: Final = 0.4
"""Part of the cases with mocks that get no calls before their own, which other answers would have to fit."""

ASKED_OFTEN: Final = 0.5
"""Part of the functions without parameters, as clocks are, that do not always answer the same."""

ANSWERED_AGAIN: Final = 0.3
"""Part of the answers of a mock that are as the one before."""

NAMED_ALIKE: Final[Mapping[type, float]] = {str: 0.5, int: 0.25}
"""Part of the texts and numbers that a parameter of the same name got before: names more than amounts."""

ALIKE: Final = 0.3
"""Part of the calls that are like an earlier one of the same method but for one argument."""

SAME: Final = 0.2
"""Part of these that are the same in all arguments."""

MADE_BEFORE: Final = 0.8
"""Part of the cases in which what was made in a step before stays an argument."""

LEFT_OUT: Final = 0.1
"""Part of the arguments that need not be given which are left out."""

STEADY: Final = (0.1, 0.1, 0.5, 0.8, 0.9, 0.95)
"""Parts of the values of a case that stay as they are: all new ones seldom go a long way."""

MOSTLY: Final = 0.5
"""Such a part from which on what is new may be as what is there."""


class TellingCases:
    """Fills calls of a module with telling values, the same in each process."""

    def __init__(self, signatures: Signatures, constants: Callable[[str], TextConstants]) -> None:
        """Remember what the text says."""
        self._signatures = signatures
        self._constants = constants
        self._seen: dict[tuple[str, str], list[Recipe]] = {}

    def look_at(self, cases: Iterable[Case]) -> None:
        """Remember what is passed to the functions and classes of the module."""
        for case in cases:
            for step in case.steps:
                if step.act in (Act.CALL, Act.METHOD):
                    self._note(name_of(step, case.target), step.args, step.kwargs)
                for part in (inner for given in step.given for inner in walk(given)):
                    if isinstance(part, Call) and part.module == self._signatures.module:
                        self._note(part.qualname, part.args, part.kwargs)

    def _note(
        self, name: str, args: Sequence[Recipe], kwargs: Sequence[tuple[str, Recipe]]
    ) -> None:
        wanted = self._signatures.called(name)
        given = [*zip((one.name for one in wanted), args, strict=False), *kwargs]
        for key, part in given:
            if any(isinstance(inner, (Variable, MockRecipe)) for inner in walk(part)):
                continue  # it has a name, or a number, in its own case only
            some = self._seen.setdefault((name, key), [])
            if part not in some:
                some.append(part)

    def of(
        self,
        target: str,
        models: Sequence[Case],
        others: Sequence[Sequence[Case]],
        most: int,
        worth: Callable[[Case], int] = lambda _: 0,
    ) -> Iterator[Case]:
        """Give cases of a target.

        Args:
            target: its qualified name.
            models: cases of it, at least one; there may be more while this goes on, which are gone on with.
            others: cases of each member of its class whose calls may stand before it, more of them as well.
            most: how many to try to make.
            worth: of two models the one that is worth more is gone on with.
        """
        chance = random.Random(target)  # noqa: S311 - no secrets
        first = len(models)
        for number in range(most):
            late = chance.random() < LATE
            options = models[-RECENT:] if late else models[:first]
            case = max((chance.choice(options), chance.choice(options)), key=worth)
            answered = any(step.binds_mock for step in case.steps) and chance.random() < ANSWERED_ALONE
            if others and number % 2 and len(case.steps) < MOST_STEPS and not answered:
                again = chance.random() < AGAIN  # what adds up, or is kept, shows only the second time
                some = [models if again else chance.choice(others) for _ in range(chance.randint(1, 2))]
                before = [chance.choice(members[-RECENT:]) for members in some]
                whole = chance.random() < WHOLE  # a receiver on which the calls are known to work
                behind = list(followed(before[0], [case])) if whole else []
                case = chance.choice(behind or [case]) if whole else _preceded(case, before)
            drawing = TellingValues(self._signatures, self._constants(target), target, chance)
            if (made := _Filling(drawing, target, self._seen).filled(case)) is not None:
                yield made


def of_class(
    target: str, by_target: Mapping[str, Sequence[Case]], changing: Collection[str]
) -> list[Sequence[Case]]:
    """Return the cases of each member of a target's class that may stand before it: those that change it."""
    owner = target.rpartition(".")[0]
    members = [one for one, some in by_target.items() if owner and one.rpartition(".")[0] == owner and some]
    return [by_target[one] for one in [one for one in members if one in changing] or members]


def _says_little(one: SpelledParameter) -> bool:
    """Return whether anything may be in what is passed."""
    words = ast.walk(one.annotation) if one.annotation is not None else ()
    return any(getattr(part, "id", getattr(part, "attr", "")) == "Any" for part in words)


def _has_keys_of(part: Dictionary[Recipe], other: Dictionary[Recipe]) -> bool:
    """Return whether a dict has all keys of another; what mocks are made of cannot be hashed."""
    keys = [key for key, _ in part.pairs]
    return all(key in keys for key, _ in other.pairs)


def _is_clock(part: Recipe) -> TypeGuard[Lambda]:
    """Return whether a function is asked for numbers or moments, and no more than that."""
    if not isinstance(part, Lambda) or part.parameters:
        return False
    return is_number(part.result) or is_moment(part.result)


def _calls_the_same(one: Step, other: Step) -> bool:
    """Return whether two steps call the same method with as many arguments."""
    where = (one.place, one.name, len(one.args)) == (other.place, other.name, len(other.args))
    return where and one.act is other.act and len(one.args) > 0


def name_of(step: Step, target: str) -> str:
    """The qualified name of what a step of a case calls; a method is one of the target's class."""
    return f"{target.rpartition('.')[0]}.{step.name}" if step.act is Act.METHOD else step.name


def _preceded(case: Case, others: Sequence[Case]) -> Case:
    """A case with calls of others on its receiver before its own."""
    *setup, last = case.steps
    more = [replace(one.last, place=last.place, bind=None) for one in others if one.last.act is Act.METHOD]
    return replace(case, steps=(*setup, *more, last)) if setup else case


class _Filling:
    """Fills one case."""

    def __init__(
        self, drawing: TellingValues, target: str, seen: Mapping[tuple[str, str], Sequence[Recipe]]
    ) -> None:
        self._draw = drawing
        self._seen = seen
        self._chance = drawing.chance
        self._known = drawing.known
        self._target = target
        self._answers = False  # of mocks are what is filled now
        self._calls = 0  # that come before the case's own
        self._mocks = 0  # the largest number of one
        self._named: dict[str, list[Scalar]] = {}  # what parameters got, by their names
        self._steady = drawing.chance.choice(STEADY)

    def filled(self, case: Case) -> Case | None:
        """Return the case with other values; None where nothing of it can have any."""
        self._calls = sum(step.act is Act.METHOD for step in case.setup)
        mocks = (part for one in case.given() for part in walk(one) if isinstance(part, MockRecipe))
        self._mocks = max((one.number for one in mocks), default=0)
        if self._steady >= MOSTLY:
            self._draw.remember(part for step in case.steps for recipe in step.given for part in walk(recipe))
        steps = self._steps(case.steps)
        patches = tuple(map(self._patch, case.patches))
        if steps == case.steps and patches == case.patches:
            return None
        made = replace(case, steps=steps, patches=patches, origin=VARIANT, shows=())
        return replace(made, steps=made.needed_steps)

    def _steps(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """All steps, some of them like an earlier call of the same method but for one argument."""
        done: list[Step] = []
        for step in map(self._step, steps):
            before = [one for one in done if one.act is Act.METHOD and _calls_the_same(one, step)]
            alike = before and self._chance.random() < ALIKE
            done.append(self._nearly(before[-1], step) if alike else step)
        return tuple(done)

    def _nearly(self, before: Step, step: Step) -> Step:
        """The call of before with one argument of another one."""
        place = self._chance.randrange(len(step.args))
        if self._chance.random() < SAME and len(step.args) > 1:
            place = len(step.args)
        args = (*before.args[:place], *step.args[place : place + 1], *before.args[place + 1 :])
        return replace(step, args=args)

    def _patch(self, patch: Patch) -> Patch:
        if isinstance(patch, FunctionPatch) and self._known.formats:
            return replace(patch, calls=tuple(map(self._read, patch.calls)))
        if not isinstance(patch, EnvironPatch):
            return patch
        pairs = patch.values.items()
        near = {
            name: self._draw.near(value) if self._chance.random() < 0.8 else value for name, value in pairs
        }
        return replace(patch, values=near)

    def _read(self, call: PatchedCall) -> PatchedCall:
        """A call of something outside whose text is another document, as the module reads it."""
        text = isinstance(call.recipe, Scalar) and isinstance(call.recipe.value, str)
        if not text or self._chance.random() < self._steady:
            return call
        how = self._chance.choice(list(self._known.formats.values()))
        return replace(call, recipe=Scalar(self._draw.read(how)))

    def _step(self, step: Step) -> Step:
        wanted: Sequence[SpelledParameter] = ()
        name = name_of(step, self._target)
        if step.act in (Act.CALL, Act.METHOD):
            wanted = self._known.called(name)
        if step.binds_mock or not wanted:
            return changed_step(step, self._inner)
        args, kwargs = self._arguments(name, wanted, step.args, dict(step.kwargs))
        return replace(step, args=args, kwargs=tuple(kwargs.items()))

    def _arguments(
        self,
        owner: str,
        wanted: Sequence[SpelledParameter],
        args: Sequence[Recipe],
        kwargs: Mapping[str, Recipe],
    ) -> tuple[tuple[Recipe, ...], dict[str, Recipe]]:
        """Other arguments for those that are given, and some for those that are left out."""
        new: list[Recipe] = []
        named: dict[str, Recipe] = {}
        may_go = len(args) <= len(wanted) and not any(one.by_place for one in wanted)
        for place, one in enumerate(wanted):
            old = args[place] if place < len(args) else kwargs.get(one.name)
            if old is None and not one.needed and self._chance.random() < max(0.5, self._steady):
                continue
            if old is not None and may_go and not one.needed and self._chance.random() < LEFT_OUT:
                continue
            value = self._named_again(one.name, self._value(owner, one, old))
            self._draw.next_argument()
            if (
                value is not None
                and len(new) == place
                and not one.by_name
                and (one.needed or place < len(args))
            ):
                new.append(value)
            elif value is not None:
                named[one.name] = value
        return (*new, *args[len(wanted) :]), named

    def _named_again(self, name: str, value: Recipe | None) -> Recipe | None:
        """Return a text or number, or one that an earlier call got for a parameter of that name."""
        if not isinstance(value, Scalar) or type(value.value) not in (str, int):
            return value
        known = self._named.setdefault(name, [])
        alike = [one for one in known if type(one.value) is type(value.value)]
        if alike and self._chance.random() < NAMED_ALIKE[type(value.value)]:
            return self._chance.choice(alike)
        known.append(value)
        return value

    def _value(self, owner: str, one: SpelledParameter, old: Recipe | None) -> Recipe | None:
        steady = MADE_BEFORE if isinstance(old, Variable) else self._steady
        if old is not None and self._chance.random() < steady:
            return changed(old, self._inner)
        how = self._known.formats.get((self._target, one.name))
        if how is not None and self._chance.random() < 0.8:
            text = self._draw.read(how)
            if isinstance(old, Series):  # its lines
                return Series(old.kind, tuple(map(Scalar, text.splitlines(keepends=True))))
            return Scalar(text)
        found = None if one.annotation is None else self._draw.of(one.annotation, one.name)
        if found is None or (_says_little(one) and old is not None and self._chance.random() < 0.5):
            return self._like(owner, one.name, old) if old is not None else self._unasked(owner, one)
        if isinstance(old, Scalar) and isinstance(old.value, str) and old.value:
            is_read = self._answers and bool(self._known.documents) and self._chance.random() < 0.7
            if is_read or old.value[:1] in ("{", "["):
                return Scalar(self._draw.answered(old.value))
            if self._chance.random() < 0.5:
                return Scalar(self._draw.near(old.value))
        return found

    def _unasked(self, owner: str, one: SpelledParameter) -> Recipe | None:
        """Return a value for a parameter that is left out: like what others give, or like its default."""
        seen = [*self._seen.get((owner, one.name), ())]
        seen += [] if one.default is None else [Scalar(one.default)]
        return self._like(owner, one.name, self._chance.choice(seen)) if seen else None

    def _like(self, owner: str, name: str, old: Recipe) -> Recipe:
        """Return a value like one that was passed there, since nothing says what else may be."""
        seen: Sequence[Recipe] = self._seen.get((owner, name), ())
        if isinstance(old, Dictionary):  # who looks for some keys finds none in what others are given
            seen = [one for one in seen if isinstance(one, Dictionary) and _has_keys_of(one, old)]
        part = self._chance.choice(seen) if seen and self._chance.random() < 0.5 else old
        items = [item for other in seen if isinstance(other, Series) for item in other.items]
        drawn = self._draw.like(part, name, items)
        return changed(drawn, self._inner) if drawn == part else drawn

    def _inner(self, part: Recipe) -> Recipe:
        """Return another part of an argument that is not made by an annotation."""
        if isinstance(part, Call):
            known = self._known.classes.get(part.qualname) if part.module == self._known.module else None
            if known is None:
                return replace(part)  # a new one: what is inside stays as it is
            args, kwargs = self._arguments(part.qualname, known, part.args, dict(part.kwargs))
            return Call(part.module, part.qualname, args, tuple(kwargs.items()))
        if isinstance(part, MockRecipe):
            return replace(part, members={name: self._member(one) for name, one in part.members.items()})
        if _is_clock(part) and self._chance.random() < ASKED_OFTEN:
            self._mocks += 1
            return asked_often(part, self._mocks, self._like_answer)
        if isinstance(part, Dictionary):  # the keys are what somebody looks for
            pairs = {self._draw.key(key): changed(value, self._inner) for key, value in part.pairs}
            return Dictionary(tuple(pairs.items()))
        if self._answers and isinstance(part, Scalar) and isinstance(part.value, str):
            return Scalar(self._draw.answered(part.value)) if self._chance.random() < 0.7 else part
        return part

    def _like_answer(self, answer: Recipe) -> Iterator[Recipe]:
        """Answers like one: numbers that go up, or moments."""
        if is_number(answer):
            yield from going_up(self._chance, self._draw.known_numbers)
        while True:
            yield self._draw.like(answer, "")

    def _member(self, member: MockMember) -> MockMember:
        """A member of a mock that answers otherwise, and maybe more calls."""
        answers = [call.answer for call in member.calls]
        if not answers or all(one.raises or one.recipe == NONE for one in answers):
            return member
        number = max(len(answers), self._chance.choice((1, 2, 2, 3)) + self._calls)
        drawn = [self._chance.choice(answers) for _ in range(number)]
        self._answers = True
        new = [one if one.raises else Answer(changed(one.recipe, self._inner)) for one in drawn]
        self._answers = False
        if is_number(drawn[0].recipe) or is_moment(drawn[0].recipe):
            rest = self._like_answer(drawn[0].recipe)
            more = [Answer(next(rest)) for _ in range(MOST_ASKED)]
            return replace(member, calls=tuple(RecordedCall((), (), one) for one in more))
        for place in range(1, number):
            if self._chance.random() < ANSWERED_AGAIN:  # as long as something is busy, it says so
                new[place] = new[place - 1]
        return replace(member, calls=tuple(RecordedCall((), (), one) for one in new))
