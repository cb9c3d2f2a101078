"""Options of one run of `generate`."""

from __future__ import annotations

import enum
import os
from dataclasses import field
from pathlib import Path
from typing import Final

from tracetwin.support.choices import NamedChoices
from tracetwin.support.data import dataclass

CRITERIA: Final = NamedChoices(
    "criterion", "tracetwin.criteria", "tracetwin.explore.criteria", "CRITERION", "branch"
)
"""What counts as covered, and so which branch is explored next."""

USUAL_CRITERIA: Final = "branch,exception,mutation"
"""What is covered where the user names no criterion: a suite that finds faults."""


def criteria_in(text: str) -> tuple[str, ...]:
    """Return the names in a list such as ``branch,def-use``, each once.

    Raises:
        ValueError: one of them is no criterion's.
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    wrong = [name for name in names if not CRITERIA.has(name)]
    if wrong:
        raise ValueError(f"{wrong[0]!r} is not one of {', '.join(map(repr, CRITERIA.names()))}")
    return names


APART, INCLUDE, OMIT = "apart", "include", "omit"
SUSPICIONS: Final = (APART, INCLUDE, OMIT)
"""Where tests go that pin what looks like a fault: a file of their own, among the others, nowhere."""

DROP, KEEP = "drop", "keep"
MISUSES: Final = (DROP, KEEP)
"""What becomes of cases that only show that a guess at a type was wrong."""

PLAUSIBLE, SHORT = "plausible", "short"
DATA: Final = (SHORT, PLAUSIBLE)
"""Which values are written where several lead the same way: those a caller might pass, or the plainest."""

MINIMAL, ALL = "minimal", "all"
ASSERTIONS: Final = (MINIMAL, ALL)
"""Which assertions a test gets: those that it needs to notice what it notices, or all that are worth one."""

NEVER, AUTO = "never", "auto"
GROUPS: Final = (NEVER, AUTO)
"""Whether tests that differ in values only become rows of one."""

STYLES = NamedChoices("dialect", "tracetwin.dialects", "tracetwin.emit.dialects", "DIALECT", "unittest")
"""How the test file is written."""


class MockStyle(str, enum.Enum):
    """How mocks are written in it."""

    AUTO = "auto"
    CLASS = "class"
    AUTOSPEC = "autospec"


def available_cores() -> int:
    """The cores that this process may use: fewer than the machine has under `taskset` and in containers."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


NET_SECONDS: Final = 600.0
"""The time limit where executions bound the work: a net, which the result is not to depend on."""


@dataclass(frozen=True)
class Options:
    """Everything about a run but its targets.

    Attributes:
        output: folder that gets one `test_<module>.py` per module.
        criterion: what to cover: one or several names of `CRITERIA`, separated by commas.
        time_limit: seconds of wall-clock time per module; `NET_SECONDS` by default where `max_runs` is given.
        budget: seconds for all modules together, or None for `time_limit` each; where both are given, that is
            the most for one.
        max_runs: executions of the target per module, or None for as many as the time allows.
        seed: where the pseudo-random choices start.
        jobs: processes that explore at the same time.
        style: the dialect of the written tests, one of `STYLES`.
        mock: how mocks are written in them.
        private: whether names that begin with an underscore are targets, and may be called and stored; None:
            functions are targets where no test gets into them or misses some of their branches.
        max_length: calls in a sequence, the constructor's not counted, or None for no limit but the budget.
        patch: functions that are patched in tests besides those that are by default.
        no_patch: functions, modules or groups of functions that are not patched; ``all`` for all defaults.
        learn_from: the project's own test command, whose arguments are learned from; None for none.
        learn_limit: seconds that it may take.
        resume: whether to go on with an interrupted run of the same work.
        journal: whether to write down what is found, so that a run can be gone on with.
        suspicious: where tests go that pin what looks like a fault, one of `SUSPICIONS`.
        misuse: what becomes of cases that only show that a guess at a type was wrong, one of `MISUSES`.
        data: which values are written where several lead the same way, one of `DATA`.
        assertions: which assertions tests get, one of `ASSERTIONS`.
        group: whether tests that differ in values only become rows of one, one of `GROUPS`.
        trees: whether the result shows constraint trees.
        again: whether modules are explored of which nothing has changed since they were.
        store: folder for the results of earlier runs; None for the user's cache.
        accept: whether tests that no longer hold are replaced.
        cluster: address of a dask scheduler whose workers explore, or ``local:N``; "" for none.
        complement: the user's own tests, files or folders: new ones are written for what they don't meet.
        allow: what targets may do to the world, in the words of `process.walls.permissions`.
    """

    output: Path
    criterion: str = USUAL_CRITERIA
    time_limit: float = 60.0
    max_runs: int | None = None
    seed: int = 0
    jobs: int = field(default_factory=available_cores)
    style: str = STYLES.default
    mock: MockStyle = MockStyle.AUTO
    private: bool | None = None
    max_length: int | None = None
    patch: tuple[str, ...] = ()
    no_patch: tuple[str, ...] = ()
    learn_from: str | None = None
    learn_limit: float = 300.0
    allow: tuple[str, ...] = ()
    resume: bool = False
    journal: bool = True
    suspicious: str = APART
    misuse: str = DROP
    data: str = SHORT
    assertions: str = MINIMAL
    group: str = NEVER
    trees: bool = False
    again: bool = False
    store: Path | None = None
    accept: bool = False
    budget: float | None = None
    complement: tuple[Path, ...] = ()
    cluster: str = ""

    @property
    def criteria(self) -> tuple[str, ...]:
        """The names of the criteria."""
        return criteria_in(self.criterion)

    @property
    def bounds(self) -> dict[str, object]:
        """Return what bounds the work, as plain data for JSON."""
        names = ("criterion", "time_limit", "budget", "max_runs", "jobs", "seed", "private")
        return {name: getattr(self, name) for name in names}
