"""Functions that the user asks to patch, and those behind the walls: what they return is drawn, as by mocks.

By the annotation of the function, else by what the target does with its results (`response.status_code`).
They fail in the ways for which the target has handlers.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any, Final

from runtime.inputs import UnfitInput
from tracetwin.analysis.scopes import is_anything
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.environment.sources import SOURCES, EnvironmentRead, ReadSource, Thrown, decided
from tracetwin.drawing.environment.uses import bound_to
from tracetwin.drawing.mocks import observed
from tracetwin.drawing.mocks.errors import error_plan
from tracetwin.drawing.mocks.results import guessed_plan
from tracetwin.drawing.plans.plans import NONE, Plan
from tracetwin.drawing.typing.guesses import Guess
from tracetwin.model.errors import Unbuildable
from tracetwin.model.flatten import made_at_once
from tracetwin.model.recipes import Recipe

DEPTH: Final = 1


def source_of(title: str, planner: Planner, needs: str = "") -> ReadSource | None:
    """The source behind a dotted name; None where it is known anyway, or nothing to call."""
    if any(known == title or known.startswith(f"{title}.") for known in SOURCES):
        return None
    module, name, found = _looked_up(title)
    if not callable(found):
        return None
    function = _Function(found, planner, name.rpartition(".")[2])
    is_async = inspect.iscoroutinefunction(found)
    return ReadSource(module, name, title, function.read, needs, is_async, tells=True)


class _Function:
    """One such function: its results are planned when it is first called."""

    def __init__(self, function: Any, planner: Planner, name: str) -> None:
        self._function = function
        self._planner = planner
        self._plan: Plan | None = None
        names = vars(planner.module).items()
        self._names = dict.fromkeys((name, *(given for given, value in names if value is function)))

    def read(self, reading: EnvironmentRead, *_args: Any, **_kwargs: Any) -> tuple[Any, Recipe]:
        """The result of one call."""
        self._fail(reading)
        if self._plan is None:
            self._plan = self._planned()
        mocks = reading.inputs.pool.mocks
        before = len(mocks)
        with reading.inputs.pool.apart():
            value, recipe = self._plan.build(reading.inputs, reading.name)
        for mock in mocks[before:]:
            if mock.hint == reading.name:  # a test calls it as the target does
                mock.hint = bound_to(self._planner.source.tree, self._names) or reading.name
        if (plain := made_at_once(recipe)) is None:  # a patch has no place for the steps
            raise UnfitInput
        return value, plain

    def _fail(self, reading: EnvironmentRead) -> None:
        """Let the call fail in one of the ways that are handled, if the input says so."""
        planner = self._planner
        plans = [error_plan(kind, planner.scope(), planner.resolver) for kind in reading.handled]
        errors = [plan for plan in plans if plan is not None]
        chosen = decided(reading.inputs, f"{reading.name}!", f"{reading.title}!", 1 + len(errors))
        if chosen:
            value, recipe = errors[chosen - 1].build(reading.inputs, f"{reading.name}!{chosen}")
            raise Thrown(value() if isinstance(value, type) else value, recipe)

    def _planned(self) -> Plan:
        """By the class that is called, by the annotation, else by use; None where nothing is known."""
        planner, function = self._planner, self._function
        try:
            if isinstance(function, type):
                return planner.mocks.of(function, planner.scope())
            annotation = getattr(function, "__annotations__", {}).get("return", inspect.Signature.empty)
            if annotation is not inspect.Signature.empty and not is_anything(annotation):
                return planner.resolver.plan(annotation, planner.scope(function), DEPTH)
        except Unbuildable:
            pass  # its uses may tell
        return self._used()

    def _used(self) -> Plan:
        planner = self._planner
        names = vars(planner.module)
        stub = str(self._function.__module__), self._function.__qualname__
        found: list[Guess] = []
        for name in self._names:
            found += observed.guesses(planner.source, names, name, is_function=True, stub=stub) or ()
        return guessed_plan(found, planner.scope(), planner.resolver, DEPTH) or NONE


def _looked_up(title: str) -> tuple[str, str, Any]:
    """The module, the qualified name there, and what it is; None where there is nothing."""
    parts = title.split(".")
    for length in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:length])
        try:
            found: Any = importlib.import_module(module)
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        return module, ".".join(parts[length:]), found
    return "", "", None
