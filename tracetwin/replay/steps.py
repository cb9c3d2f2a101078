"""The steps of a case, performed one after the other: objects are built, bound to names, and called."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from tracetwin.drawing.mocks.build import build
from tracetwin.model import recipes
from tracetwin.model.case import Act, Step
from tracetwin.model.recipe import Reference, Scalar
from tracetwin.model.snapshot import Itself, Snapshot
from tracetwin.replay.observe.preconditions import Preconditions
from tracetwin.replay.observe.snap import is_a, opaque

LONGEST_TEXT = 50


class Steps:
    """Performs steps.

    Args:
        preconditions: the user's, which every call has to keep.

    Attributes:
        bound: the values that steps gave names to.
        briefs: for each step that was performed, what is known of its result (`brief`).
        awaited: the positions of steps whose result was awaited.
    """

    def __init__(self, preconditions: Preconditions | None = None) -> None:
        self._preconditions = preconditions or Preconditions()
        self.bound = recipes.NamedValues(build)
        self.briefs: list[Snapshot] = []
        self.awaited: list[int] = []
        self._entered: list[Any] = []

    def arguments(self, step: Step) -> tuple[list[Any], list[tuple[str, Any]]]:
        """The values of its arguments, by position and by name.

        Raises:
            Broken: what they are made of would break a precondition.
        """
        self._preconditions.check_inside(step.given)
        args = [recipes.evaluate(part, self.bound) for part in step.args]
        return args, [(name, recipes.evaluate(part, self.bound)) for name, part in step.kwargs]

    def callable(self, step: Step, args: list[Any], kwargs: dict[str, Any]) -> Callable[[], Any]:
        """The call that is left to do when the arguments are there.

        Raises:
            ValueError: there is no step of that kind.
            Broken: the call would break a precondition.
        """
        if step.binds_mock:
            return lambda: args[0]
        if step.act is Act.CALL:
            function = recipes.lookup(step.place, step.name)
            self._preconditions.check(step.place, step.name, function, None, args, kwargs)
            return lambda: function(*args, **kwargs)
        receiver = self.bound[step.place]
        name = mangled(receiver, step.name)
        match step.act:
            case Act.METHOD:
                if self._preconditions:
                    method = getattr(receiver, name)
                    module = type(receiver).__module__
                    self._preconditions.check(module, name, method, receiver, args, kwargs)
                return lambda: getattr(receiver, name)(*args, **kwargs)
            case Act.GET:
                return lambda: getattr(receiver, name)
            case Act.SET:
                return lambda: setattr(receiver, name, args[0])
            case Act.WITH:
                return lambda: self._enter(receiver)
            case Act.ALIAS:
                raise ValueError(f"not a step of a test: {step!r}")

    def perform(self, step: Step) -> None:
        """Do all of a step and bind what it returns."""
        args, kwargs = self.arguments(step)
        result = self.callable(step, args, dict(kwargs))()
        if is_a(result, types.CoroutineType):
            result = run_coroutine(result)
            self.awaited.append(len(self.briefs))
        self.briefs.append(brief(result, None if step.receiver is None else self.bound[step.receiver]))
        if step.bind is not None:
            self.bound[step.bind] = result

    def leave(self) -> None:
        """Leave the contexts that were entered, the last one first, as when nothing was raised within."""
        while self._entered:
            context = self._entered.pop()
            type(context).__exit__(context, None, None, None)

    def _enter(self, context: Any) -> Any:
        result = type(context).__enter__(context)
        self._entered.append(context)
        return result


def brief(result: Any, receiver: Any) -> Snapshot:
    """A snapshot that says little: a short literal, `Itself` for the receiver, else the type."""
    if receiver is not None and result is receiver:
        return Itself()
    if result is NotImplemented:
        return Reference("builtins", "NotImplemented")
    if type(result) in (type(None), bool) or (type(result) is int and result.bit_length() < 64):
        return Scalar(result)
    if type(result) in (str, bytes) and len(result) <= LONGEST_TEXT:
        return Scalar(result)
    return opaque(result, "")


def mangled(receiver: object, name: str) -> str:
    """The attribute under which a class-private name is really found."""
    if name.startswith("__") and not name.endswith("__") and not hasattr(receiver, name):
        kind = receiver if isinstance(receiver, type) else type(receiver)
        for base in kind.__mro__:
            longer = f"_{base.__name__.lstrip('_')}{name}"
            if hasattr(receiver, longer):
                return longer
    return name


def run_coroutine(coroutine: Any) -> Any:
    """The value that a coroutine returns in the end."""
    import asyncio  # slow to import, and few targets need it

    return asyncio.run(coroutine)
