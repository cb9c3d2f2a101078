"""Runs cases on the original, each in a clean fork of one process that has imported it.

How long cases are waited for: less and less where many take too long, and of some targets none at all.

It depends on the order of the cases and on which of them take too long, on nothing else.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tracetwin.model.case import Case
from tracetwin.model.codec import encode
from tracetwin.model.observation import Observation, ended
from tracetwin.model.status import Outcome
from tracetwin.process import disk
from tracetwin.process.launch import passed_on
from tracetwin.process.messages import Failed, Ready
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import HandlerError, RunnerDied, RunnerTimeout, Worker, WorkerError
from tracetwin.replay import received
from tracetwin.replay.conditions.conditions import HERE, Conditions
from tracetwin.replay.conditions.perturbations import variables
from tracetwin.replay.observe.stored import mocks_of
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

CASE_SECONDS: Final = 5.0
MOST_STARTS: Final = 3
"""Processes that a batch of cases gets after one that ended with a case."""

MOST_OF_TIME: Final = 1 / 8
"""The part of the time that is left which one case may take: a case that hangs must not cost all others."""

LEAST_OF_CASE: Final = 0.5
"""Seconds that a case may take however little is left."""

NO_TIME: Final = "the time was up before it was replayed"
_HANDLER: Final = ("tracetwin.replay.replayer", "Replayer", "")


@dataclass(frozen=True)
class Replay:
    """Observations of one fresh process, or of two that were merged, on the original.

    Attributes:
        observations: one per case, in the order of the cases.
        import_lines: lines of the file that importing it executes.
        import_arcs: arcs likewise.
        error: why the module could not be imported; then there are no observations.
        outline: what a module without source holds, as plain data.
        reasons: for each case, what was left out of its observation and why.
    """

    observations: list[Observation] = field(default_factory=list)
    import_lines: frozenset[int] = frozenset()
    import_arcs: frozenset[tuple[int, int]] = frozenset()
    error: str | None = None
    reasons: list[list[str]] = field(default_factory=list)
    outline: tuple[Any, ...] | None = None


def environment(conditions: Conditions, paths: Sequence[str] = ()) -> dict[str, str]:
    """The environment's variables for a process that lives under conditions and is to find those files."""
    kept = passed_on()
    return {**kept, **variables(conditions, kept, [tempfile.gettempdir(), *paths])}


def replay(
    module: TargetModule,
    cases: Sequence[Case],
    *,
    timeout_per_case: float = CASE_SECONDS,
    limits: Limits | None = None,
    conditions: Conditions = HERE,
) -> Replay:
    """Run the cases on the original module in one fresh process."""
    with Session(module, timeout_per_case=timeout_per_case, limits=limits, conditions=conditions) as session:
        return session.replay(cases)


Need: TypeAlias = tuple[str, ...]


def needs(case: Case) -> Iterator[Need]:
    """Yield what the process is to prepare for once before it runs cases such as this one."""
    if case.patches:
        yield ("patches",)
    if case.asks_leaks:
        yield ("leaks",)
    for mock in mocks_of(case):
        yield ("mock", *chain.from_iterable(mock.bases), *mock.members)


class Session:
    """Runs cases when asked, each on the module as it was imported; use it as a context.

    The process starts with the first case. When it dies, that costs the case at hand, and the next one gets a
    new process; where that happens again and again, the rest of the batch has died with it.

    Attributes:
        until: a time of `time.monotonic` from which on no case is run, nor waited for.
    """

    until = math.inf

    def __init__(
        self,
        module: TargetModule,
        *,
        timeout_per_case: float = CASE_SECONDS,
        limits: Limits | None = None,
        conditions: Conditions = HERE,
    ) -> None:
        self._name = module.name
        self._seconds = float(timeout_per_case)
        self._limits = limits or Limits()
        self._patience = TimeAllowance(self._seconds)
        rules = module.rules
        self._worker = Worker(
            module,
            self._limits,
            handler=_HANDLER,
            options={
                "guide": dict(rules),
                "conditions": conditions.to_plain(),
                "assume": [list(rule) for rule in rules.get("assume", ())],
            },
            variables=environment(conditions, [module.file, *module.search_path]),
            fixed_addresses=conditions.fixed,
        )
        self._foreseen: set[Need] = set()
        self._started = 0  # which start of the process was told what is foreseen

    def __enter__(self) -> Session:  # noqa: PYI034 - `Self` came with Python 3.11
        """Nothing is started before there are cases."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        self._worker.close()
        self._foreseen.clear()
        self._patience = TimeAllowance(self._seconds)

    def replay(
        self, cases: Sequence[Case], *, whole: bool = True, seconds: float = math.inf, least: int = 0
    ) -> Replay:
        """Observe the import, and then each case; the arguments are those of `run`."""
        started = self._worker.start()
        if isinstance(started, Failed):
            return Replay(error=self._explained(started))
        told = received.imported(started.info)
        if told is None:
            return Replay(error=f"the process that imports {self._name} ended")
        return Replay(
            self.run(cases, derived=False, whole=whole, seconds=seconds, least=least),
            frozenset(told["lines"]),
            frozenset(map(tuple, told["arcs"])),
            None,
            [[] for _ in cases],
            told["outline"],
        )

    @property
    def starting(self) -> float:
        """Return the seconds that the present process took to import the target."""
        shaken = self._worker.handshake
        return shaken.seconds if isinstance(shaken, Ready) else 0.0

    def _explained(self, failed: Failed) -> str:
        if failed.kind == "hung":
            return f"importing {self._name} took more than {self._limits.import_seconds:g} seconds"
        if failed.kind in ("import raised", "missing"):
            return f"importing {self._name} raised {failed.message}"
        return f"the process that imports {self._name} ended: {failed.message}"

    def run(
        self,
        cases: Sequence[Case],
        *,
        derived: bool = True,
        whole: bool = True,
        seconds: float = math.inf,
        least: int = 0,
    ) -> list[Observation]:
        """Run cases; returns an observation of each, in their order.

        Args:
            cases: what to run.
            derived: whether they may be of our own making: they must keep the user's preconditions then.
            whole: whether receivers are asked for their state afterwards, for a test's assertions.
            seconds: after which cases are left out; it does not count until all is imported that they need.
            least: how many of them, the first ones, are run although these are over.
        """
        seen: list[Observation] = []
        most = self._worker.starts + MOST_STARTS
        try:
            self._foresee(cases)
            until = time.monotonic() + seconds
            while len(seen) < len(cases) and (self._worker.pid is not None or self._worker.starts < most):
                now = time.monotonic()
                if now >= self.until or (len(seen) >= least and now >= until):
                    return seen + [ended(Outcome.TIMEOUT, NO_TIME) for _ in cases[len(seen) :]]
                seen.append(self._observe(cases[len(seen)], derived=derived, whole=whole))
        except WorkerError:
            self.close()
        return seen + [ended(Outcome.DIED, "the replaying process ended") for _ in cases[len(seen) :]]

    def _foresee(self, cases: Sequence[Case]) -> None:
        """Prepare the process for what cases need that none before them did; else each does that itself."""
        if self._worker.pid is None or self._worker.starts != self._started:
            self._foreseen.clear()
        new = {need: case for case in cases for need in needs(case) if need not in self._foreseen}
        if new:
            self._foreseen |= new.keys()
            with suppress(RunnerDied):
                self._worker.foresee(list(map(encode, new.values())))
            self._started = self._worker.starts

    def _observe(self, case: Case, *, derived: bool, whole: bool) -> Observation:
        seconds = self._patience.of(case)
        if not seconds:
            return ended(Outcome.TIMEOUT, "other inputs of it took too long")
        left = self.until - time.monotonic()
        seconds = max(0.0, min(seconds, left, max(LEAST_OF_CASE, left * MOST_OF_TIME)))
        message = (seconds, derived, whole, encode(case))
        try:
            return self._observed(message, seconds)
        except RunnerTimeout:
            if time.monotonic() >= self.until:
                return ended(Outcome.TIMEOUT, NO_TIME)
            self._patience.note(case)
            return ended(Outcome.TIMEOUT, f"took more than {seconds:.2g} seconds")
        except RunnerDied as death:
            if self._worker.pid is None:
                self._foreseen.clear()
            overfull = death.reason == disk.WORDS
            return ended(Outcome.DIED, f"it {disk.WORDS}" if overfull else "the process ended")
        except HandlerError:
            return ended(Outcome.DIED, "looking at the outcome failed")

    def _observed(self, message: tuple[object, ...], seconds: float) -> Observation:
        seen = received.observation(self._answer(message, seconds))
        if seen.outcome is Outcome.REFUSED and self._worker.lacking():
            # What it imported may have done what is refused; now it finds that imported.
            seen = received.observation(self._answer(message, seconds))
        return seen

    def _answer(self, message: tuple[object, ...], seconds: float) -> Any:
        """The answer to a request; what takes too long after others is tried once more in a new process."""
        forks = self._worker.forks
        try:
            return self._worker.request(message, seconds)
        except RunnerTimeout:
            left = self.until - time.monotonic()
            if self._worker.forks != forks or left <= 0:
                raise
            return self._worker.request(message, min(seconds, left))


MOST_OF_ONE: Final = 3
"""Cases of one target that may take too long; the rest of its cases is not run."""

PARTS: Final = ((12, 0.2), (3, 0.4))
"""So many cases took too long: the part of the usual time that the others get."""


class TimeAllowance:
    """Counts the cases that took too long."""

    def __init__(self, seconds: float) -> None:
        """Begin with the usual time of a case."""
        self._seconds = seconds
        self._late: Counter[str] = Counter()

    def of(self, case: Case) -> float:
        """Seconds for a case; 0 where it is not to be run."""
        if self._late[case.target] >= MOST_OF_ONE:
            return 0.0
        late = self._late.total()
        return self._seconds * next((part for count, part in PARTS if late >= count), 1.0)

    def note(self, case: Case) -> None:
        """A case took too long."""
        self._late[case.target] += 1
