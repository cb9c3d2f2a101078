"""Reasons as a result takes them: an error of ours in one of them costs that reason, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.goal import Uncovered
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.reasons import Reasons
from tracetwin.support.failures import Failure, failure_of

T = TypeVar("T")

UNTOLD: Final = "not known: an internal error came up while the reason was sought"


class Explaining:
    """The reasons of a module.

    Attributes:
        failures: what went wrong on our side, once for each kind.
    """

    def __init__(self, reasons: Reasons) -> None:
        self._reasons = reasons
        self.failures: dict[str, Failure] = {}

    def explain(
        self, line: int, invokable: Invokable | None, outcome: ExplorationOutcome | None
    ) -> Uncovered:
        """See `Reasons.explain`."""
        return self._told(lambda: self._reasons.explain(line, invokable, outcome), Uncovered(line, UNTOLD))

    def explain_side(
        self, line: int, way: int, invokable: Invokable | None, outcome: ExplorationOutcome | None
    ) -> str:
        """See `Reasons.explain_side`."""
        return self._told(lambda: self._reasons.explain_side(line, way, invokable, outcome), UNTOLD)

    def rest(self, outcome: ExplorationOutcome | None) -> str:
        """See `Reasons.rest`."""
        return self._told(lambda: self._reasons.rest(outcome), UNTOLD)

    def function(self, line: int) -> str:
        """See `Reasons.function`."""
        return self._reasons.function(line)

    def _told(self, told: Callable[[], T], otherwise: T) -> T:
        try:
            return told()
        except Exception as error:  # noqa: BLE001 - the tests are there, and are not to be lost
            failure = failure_of(error, "explaining what is not covered")
            self.failures.setdefault(failure.message, failure)
            return otherwise
