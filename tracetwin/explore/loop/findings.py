"""Findings of runs: which of them make cases."""

from __future__ import annotations

import re

from tracetwin.explore.loop.borders import Borders
from tracetwin.explore.loop.mutate import Makings
from tracetwin.explore.loop.run import Assignment, Run
from tracetwin.explore.loop.shown import flows_of, path_of
from tracetwin.model.status import Status

MAX_CASES = 60
"""Ways of combining known sides of which a case is kept, besides those that show something new."""

MAX_PATHS = 400
"""Paths of one function of which a case is kept, where each path is wanted."""

MOST_INPUTS = 6
"""Inputs with which a call returned that are remembered for calls in other states."""

_EARLIER = re.compile(r"\d+\.")


class Findings:
    """Endings, decisions, effects and checks of the runs of one invokable, whichever explorer made them.

    Attributes:
        inputs: arguments with which a call returned, by their names in it: in another state, they are tried
            first. An object that took many calls to make need not be found twice.
        borders: those of comparisons, where they are wanted.
        makings: what the objects of its runs were made of, and of those of the other members of its class.
        handling: it has handlers: no side tells when one runs, so that each kind of argument is a finding.
    """

    def __init__(self) -> None:
        self.inputs: list[Assignment] = []
        self.makings = Makings()
        self.borders = Borders()
        self.handling = False
        self._kinds: set[tuple[str, object]] = set()
        self._endings: set[tuple[Status, str, int]] = set()
        self._decisions: set[tuple[int, int]] = set()
        self._effects: set[str] = set()
        self._checks: set[tuple[int, int]] = set()
        self._signatures: set[object] = set()
        self._cut: set[int] = set()
        self._flows: set[str] = set()

    @property
    def effects(self) -> frozenset[str]:
        """The attributes of receivers that were seen changing."""
        return frozenset(self._effects)

    @property
    def cut(self) -> int:
        """The number of paths of which no case was kept, as there were `MAX_PATHS` already."""
        return len(self._cut)

    @property
    def returned(self) -> bool:
        """Return whether some run came back with a result."""
        return any(status is Status.RETURNED for status, *_ in self._endings)

    @property
    def entered(self) -> bool:
        """Return whether some run came to the call, since all that it needs could be built."""
        return any(not status.is_unbuilt for status, *_ in self._endings)

    @property
    def one_sided(self) -> bool:
        """Return whether all that came back until now is the same one of true and false."""
        results = {result for status, result, _ in self._endings if status is Status.RETURNED}
        return len(results) == 1 and results <= {"True", "False"}

    def is_new(self, run: Run, covered: set[int], *, paths: bool = False) -> bool:
        """Return whether a run passes a side, takes a decision or ends in a way that none did before."""
        checks = run.checks
        kinds = _kinds(run) if self.handling else frozenset()
        new = (
            run.ending not in self._endings
            or not run.outcomes <= covered
            or not run.decisions <= self._decisions
            or not run.effects <= self._effects
            or not checks <= self._checks
            or not kinds <= self._kinds
        )
        self._kinds |= kinds
        self._checks |= checks
        self._effects |= run.effects
        self._endings.add(run.ending)
        self._decisions |= run.decisions
        if new:
            self._signatures.add(path_of(run) if paths else _signature(run))
            self._remember(run)
        return new

    def is_telling(self, run: Run, flows: frozenset[str]) -> bool:
        """Return whether it executes one of these definition-use pairs that no run did before."""
        new = flows.intersection(flows_of(run)) - self._flows
        self._flows |= new
        return bool(new)

    def _remember(self, run: Run) -> None:
        if run.status is not Status.RETURNED or len(self.inputs) >= MOST_INPUTS:
            return
        arguments = arguments_of(run)
        if arguments and arguments not in self.inputs:
            self.inputs.append(arguments)

    def is_another(self, run: Run, *, paths: bool = False) -> bool:
        """Return whether it is one of the first to combine what is known in its way."""
        signature = path_of(run) if paths else _signature(run)
        if signature in self._signatures:
            return False
        if len(self._signatures) >= (MAX_PATHS if paths else MAX_CASES):
            if paths:
                self._cut.add(hash(signature))
            return False
        self._signatures.add(signature)
        return True


def arguments_of(run: Run) -> Assignment:
    """The input of a run's last call, without what its receiver and the calls before it got."""
    request = run.request
    if request.bare:
        own = stage_name(request.prefix) if request.prefix else ""
        return {n.removeprefix(own): v for n, v in run.values.items() if own and n.startswith(own)}
    others = re.compile(r"(?!)" if run.receiver is None else rf"{re.escape(run.receiver)}\W")
    return {n: v for n, v in run.values.items() if not _EARLIER.match(n) and not others.match(n)}


def _kinds(run: Run) -> frozenset[tuple[str, object]]:
    """Return which alternatives the arguments of a run's last call are."""
    given = arguments_of(run).items()
    return frozenset(pair for pair in given if pair[0] in run.kinds and pair[0].rstrip("?").isidentifier())


def stage_name(prefix: tuple[str, ...]) -> str:
    """Return the prefix of the names of the arguments of a sequence's last call."""
    return f"{len(prefix)}.{prefix[-1]}."


def _signature(run: Run) -> object:
    """Return a value that is equal for runs that do the same in their last call."""
    return (run.ending, run.latest, run.decisions, run.effects)
