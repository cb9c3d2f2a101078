"""Patches as a test applies them, around a case that is run on the original."""

from __future__ import annotations

import io
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from tracetwin.drawing.environment.uses import CHECKS, MAKES
from tracetwin.model.case import Case
from tracetwin.model.class_stand_in import patched
from tracetwin.model.observation import CalledWith, Effect, Written
from tracetwin.model.patch import (
    ArgumentsPatch,
    AwakePatch,
    ClassPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    PatchedCall,
    StdinPatch,
    Way,
)
from tracetwin.model.recipe import Scalar
from tracetwin.model.recipes import Recipe, evaluate, lookup, of_value

Evaluate = Callable[[Recipe], Any]


class Applied:
    """The patches of one case, as a context.

    Attributes:
        spent: the names of functions that were called more often than there are results.
    """

    def __init__(self, patches: Iterable[Patch], evaluate: Evaluate = evaluate) -> None:
        """Nothing is patched before it is entered."""
        self._patches = list(patches)
        self._evaluate = evaluate
        self._stack = ExitStack()
        self.spent: list[str] = []
        self._files: dict[str, Any] = {}
        self._told: dict[str, Any] = {}

    def __enter__(self) -> Applied:  # noqa: PYI034 - `Self` came with Python 3.11
        for patch in self._patches:
            real = _found(patch.place) if isinstance(patch, FunctionPatch) else None
            put = self._stack.enter_context(self._patching(patch))
            self._stack.enter_context(patched(put, real))
            if isinstance(patch, FunctionPatch) and patch.tells:
                self._told[patch.place] = put
        return self

    def __exit__(self, *raised: object) -> None:
        self._stack.close()

    def _patching(self, patch: Patch) -> Any:
        """The context in which one patch is there."""
        from unittest import mock

        match patch:
            case FunctionPatch(place, calls):
                return self._function(place, calls)
            case EnvironPatch(values, alone):
                return mock.patch.dict("os.environ", values, clear=alone)
            case ClassPatch(place, module, qualname, uses):
                return mock.patch(place, patchable(lookup(module, qualname), uses))
            case StdinPatch(text, place):
                return mock.patch(place, io.StringIO(self._evaluate(text)))
            case ArgumentsPatch(words, place):
                return mock.patch(place, list(words))
            case AwakePatch(place, holder):
                return self._awake(place, holder)

    def _function(self, place: str, calls: Sequence[PatchedCall]) -> Any:
        """A function that answers its calls in order."""
        from unittest import mock

        if same(calls):
            way, value = calls[0].way, self._evaluate(calls[0].recipe)
            match way:
                case Way.NOTHING:
                    return mock.patch(place)
                case Way.PICK:
                    return mock.patch(place, side_effect=lambda options, *_: options[value])
                case Way.FILE | Way.SINK:
                    self._files[place] = mock.mock_open(read_data=value)
                    return mock.patch(place, self._files[place])
                case Way.RETURN:
                    return mock.patch(place, return_value=value)
                case Way.RAISE:
                    return mock.patch(place, side_effect=value)
        return mock.patch(place, side_effect=self._in_order(place, list(map(self._outcome, calls))))

    def _outcome(self, call: PatchedCall) -> Any:
        from unittest import mock

        value = self._evaluate(call.recipe)
        return mock.mock_open(read_data=value)() if call.way in (Way.FILE, Way.SINK) else value

    def told(self) -> tuple[Effect, ...]:
        """What a test can assert of calls, by the name of the patch."""
        found: list[Effect] = []
        for place, opened in self._files.items():
            parts = [call.args[0] for call in opened.return_value.write.call_args_list if call.args]
            if parts and all(isinstance(part, (str, bytes)) for part in parts):
                found.append(Written(place, tuple(map(Scalar, parts))))
        for place, put in self._told.items():
            if len(put.call_args_list) == 1:
                args, kwargs = put.call_args_list[0]
                given = tuple(part for value in args if (part := of_value(value)) is not None)
                pairs = ((name, of_value(value)) for name, value in kwargs.items())
                named = tuple((name, part) for name, part in pairs if part is not None)
                if (len(given), len(named)) == (len(args), len(kwargs)):
                    found.append(CalledWith(place, given, named))
        return tuple(found)

    def _awake(self, place: str, holder: str) -> Any:
        """A function that sleeps, wherever a module finds it: nobody is to wait for it."""
        from unittest import mock

        stack = ExitStack()
        module, _, name = place.partition(".")
        if module not in sys.modules:  # nobody has it
            return stack
        real = lookup(module, name)
        names = [name for name, value in vars(sys.modules.get(holder, sys)).items() if value is real]

        def refused(delay: Any, *args: Any, **kwargs: Any) -> Any:
            if delay > 0:
                self.spent.append(place)
                delay = 0
            return real(delay, *args, **kwargs)

        for where in (place, *(f"{holder}.{name}" for name in names)):
            stack.enter_context(mock.patch(where, refused))
        if module == "asyncio":
            stack.enter_context(self._refused_wait(place, real))
        return stack

    def _refused_wait(self, place: str, sleep: Any) -> Any:
        """The same for who has got the function itself, as the default of a parameter: it asks its loop."""
        from asyncio import BaseEventLoop
        from unittest import mock

        real = BaseEventLoop.call_later

        def call_later(loop: Any, delay: Any, *args: Any, **kwargs: Any) -> Any:
            if sys._getframe(1).f_code is getattr(sleep, "__code__", None):  # noqa: SLF001 - documented
                self.spent.append(place)
                delay = 0
            return real(loop, delay, *args, **kwargs)

        return mock.patch.object(BaseEventLoop, "call_later", call_later)

    def _in_order(self, place: str, values: Sequence[Any]) -> Iterator[Any]:
        yield from values
        self.spent.append(place)


def _found(place: str) -> Any:
    """The thing that is there before it is patched; None where nothing is."""
    try:
        return pkgutil.resolve_name(place)
    except (ImportError, AttributeError, ValueError):
        return None


def same(calls: Sequence[PatchedCall]) -> bool:
    """True if all calls of a function end alike."""
    return all(repr(call) == repr(calls[0]) for call in calls)


def patchable(cls: Any, uses: Sequence[str]) -> Any:
    """A class whose methods can be patched, which otherwise is like another that is written in C."""
    original = cls

    class Like(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, original)

    def new(_cls: Any, *args: Any, **kwargs: Any) -> Any:
        return cls(*args, **kwargs)

    made = Like if CHECKS in uses else type
    return made(f"Patchable{cls.__name__.title()}", (cls,), {"__new__": new} if MAKES in uses else {})


def preload(case: Case) -> None:
    """Import what patches need, for all cases to come."""
    if case.patches:
        import unittest.mock  # noqa: F401 - slow
