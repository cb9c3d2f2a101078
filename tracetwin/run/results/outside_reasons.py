"""Reasons for the uncovered lines of a module of which no condition is known."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.endings import ended, refused
from tracetwin.run.results.reasons import Reasons

_NOT_FROM_OUTSIDE: Final = "explored from outside: no input that was tried leads here"


class OutsideReasons(Reasons):
    """Explains the uncovered lines of a module of which no condition is known."""

    def __init__(
        self,
        functions: Iterable[FunctionLike],
        explored: Iterable[tuple[Invokable, ExplorationOutcome]] = (),
        dropped: Mapping[str, Mapping[int, str]] | None = None,
    ) -> None:
        super().__init__(ast.Module([], []), (), explored, dropped)
        self._names = {line: function.qualname for function in functions for line in function.lines}

    def function(self, line: int) -> str:
        return self._names.get(line, "")

    def _general(self, outcome: ExplorationOutcome) -> str:
        told = ended(outcome) or refused(outcome)
        if told:
            return told
        return _NOT_FROM_OUTSIDE if outcome.complete else self._spent(outcome.qualname)


class FunctionLike(Protocol):
    """The part of a function that reasons need."""

    @property
    def qualname(self) -> str:
        """Its dotted name in the module."""

    @property
    def lines(self) -> frozenset[int]:
        """Its executable lines."""
