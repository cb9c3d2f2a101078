"""Classes looked into for a report: their states, the paths of their methods, their definition-use pairs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.summaries.study import Studies, classes_of
from tracetwin.run.studies.explore import WantedClasses, explored_class, with_twins
from tracetwin.run.studies.session import OpenedTwin
from tracetwin.run.studies.summary import class_data, pair_data
from tracetwin.solving import patience
from tracetwin.support.data import dataclass
from tracetwin.support.errors import TracetwinError
from tracetwin.support.failures import Failure, failure_of
from tracetwin.support.scratch import scratch

if TYPE_CHECKING:
    from tracetwin.target.module import TargetModule

DEPTH: Final = 3
"""Calls after the constructor: a picture of more is hard to read."""

MOST_STATES: Final = 60

STATES_PART: Final = 0.4
"""Of the time of a class, what its states get; the rest is for paths and pairs."""

LEAST_SECONDS: Final = 0.5


@dataclass(frozen=True)
class Studied:
    """The classes of a module, or why they could not be looked into.

    Attributes:
        classes: plain data, one entry per class; docs/reference.md describes the fields.
        failure: an error that is not the target's; None for none.
    """

    classes: tuple[dict[str, Any], ...] = ()
    failure: Failure | None = None


@scratch()
def studied(module: TargetModule, seconds: float, *, seed: int = 0) -> Studied:
    """Look into the classes of a module."""
    if module.outside:
        return Studied()
    patience.install()
    try:
        with OpenedTwin(with_twins(module), seed=seed) as session:
            names = [] if session.failure else classes_of(session.invokables, module.selection)
            return Studied(tuple(_all(session, names, time.monotonic() + seconds)))
    except Exception as error:  # noqa: BLE001 - the tests are there, and this is told
        return Studied(failure=failure_of(error, f"looking into the classes of {module.name}"))


def _all(session: OpenedTwin, names: Sequence[str], until: float) -> list[dict[str, Any]]:
    """All that is found of each class; time that one does not need goes on to those after it."""
    found = []
    for place, name in enumerate(names):
        share = max(LEAST_SECONDS, (until - time.monotonic()) / (len(names) - place))
        states = _states(session, name, share * STATES_PART)
        budget = Budget(None, time.monotonic() + share * (1 - STATES_PART))
        studies = Studies(session.module.name, session.executor, session.solver, budget)
        study = studies.of(name, session.invokables)
        found.append({**class_data(study, pair_data(study, session, budget)), "states": states})
    return found


def _states(session: OpenedTwin, name: str, seconds: float) -> dict[str, Any] | None:
    """The states of a class; None where there are none, as no object of it can be made."""
    wanted = WantedClasses(DEPTH, time_limit=seconds, max_states=MOST_STATES)
    try:
        found = explored_class(
            session, replace(session.module, selection=(name,)), wanted, lambda *_: None
        )
    except TracetwinError:
        return None
    plain = found.to_json()
    kept = ("complete", "stopped", "seconds", "rows", "states", "moves")
    return {field: plain[field] for field in kept}
