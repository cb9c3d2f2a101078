"""One process that runs the tests of a file, or several of them where tests end the process."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tracetwin.emit.dialects.base import dialect_of
from tracetwin.model.written_test import KeptTwin
from tracetwin.process import bytecode, late_imports, launch
from tracetwin.process.channel import Channel, Closed, ProtocolError, TooSlow
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.conditions.conditions import Conditions
from tracetwin.replay.session import CASE_SECONDS, environment
from tracetwin.replay.watching import Doing
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

MOST_STARTS = 8
_GRACE: Final = 3.0
_START_SECONDS: Final = 60.0
"""Time for the start of our own side, on a machine that has much else to do."""

_PROGRAM: Final = "tracetwin.emit.verify.runner"
TOOK_TOO_LONG: Final = "the written test took too long"
_PARTS: Final = ((3, 0.2), (1, 0.4))
"""So many tests took too long: the part of the usual time that the others get."""
_ENDED: Final = "the written test ended the process"
NOT_VERIFIED: Final = "the time was up before its test was verified"


class TrialFailure(NamedTuple):
    """Why a test did not pass, and in which line of the file that was seen (0: not known)."""

    why: str
    line: int = 0


Test = tuple[str, str]
Failures = dict[Test, TrialFailure]


class SuiteBroken(Exception):
    """The file could not be imported at all."""


SAID: Final = "the written test did not pass: "
"""Begins the reason of a test that failed."""


@dataclass(frozen=True)
class Page:
    """A file to run, and what it needs.

    Attributes:
        style: the dialect of the file.
        limits: those of the sandbox; None for its defaults.
        seconds: what one test may take, as long as not many take too long.
        late: how many tests of earlier pages took too long.
        until: a time of `time.monotonic` at which its processes are ended, whatever they do.
    """

    text: str
    module: TargetModule
    style: str = "unittest"
    limits: Limits | None = None
    seconds: float = CASE_SECONDS
    late: int = 0
    until: float = math.inf

    @property
    def is_over(self) -> bool:
        """Return whether the time is up."""
        return time.monotonic() >= self.until

    def patience(self, late: int) -> float:
        """Seconds for a test after so many of this page took too long."""
        return self.seconds * next((part for count, part in _PARTS if self.late + late >= count), 1.0)

    def job(self) -> dict[str, Any]:
        """Return the job for the running process."""
        package = self.module.name.partition(".")[0]
        return {
            "text": self.text,
            "name": self.module.name,
            "file": self.module.file,
            "root": self.module.root,
            "search_path": list(self.module.search_path),
            "code": "" if self.module.python else bytecode.default_folder(),
            "late": late_imports.remembered(self.module.file, without=package),
            "allow_fork": False,
            "guide": {"permissions": self.module.rules.get("permissions")},
            "stand_ins": dict(dialect_of(self.style).stand_ins),
            "limits": (self.limits or Limits()).to_plain(),
        }


@dataclass(frozen=True)
class TrialPlan:
    """The tests that one process is to run, in this order.

    Attributes:
        alone: tests that get a copy of the process each, in which nothing else was run.
        shuffled: tests that are run in a copy of the process together, in an order of its own.
        together: those that are run in the process itself.
        watches: what of the target is watched meanwhile: `COVERAGE`, `ENDINGS` or `SIDES`, "" for nothing.
        twin: for sides, where twins are kept, and the operands of conditions.
    """

    conditions: Conditions
    alone: tuple[Test, ...] = ()
    shuffled: tuple[Test, ...] = ()
    together: tuple[Test, ...] = ()
    watches: str = ""
    twin: KeptTwin = KeptTwin()


@dataclass
class TrialOutcome:
    """The outcome of a plan.

    Attributes:
        failures: tests that did not pass.
        alone: those of them that failed alone.
        passed: tests that passed at least once.
        seconds: how long each test took at most.
        shaky: whether code of the target, or the file, does what may depend on hashes, time or chance.
        doing: what each test was seen to do in the target, where that was watched.
    """

    failures: Failures = field(default_factory=dict)
    alone: set[Test] = field(default_factory=set)
    passed: set[Test] = field(default_factory=set)
    seconds: dict[Test, float] = field(default_factory=dict)
    shaky: bool = False
    doing: dict[Test, Doing] = field(default_factory=dict)

    @property
    def late(self) -> int:
        """The number of tests that took too long."""
        return sum(failure.why == TOOK_TOO_LONG for failure in self.failures.values())


def attempt(page: Page, plan: TrialPlan) -> TrialOutcome:
    """Run the tests; where one ends the process or takes too long, those after it in another one.

    That is done a few times only, so where some failed, others may not have been run. Where the time is up,
    what did not pass yet was not verified.

    Raises:
        Broken: importing the file raised or ended the process.
    """
    seen, whole = TrialOutcome(), plan
    for _ in range(MOST_STARTS):
        if page.is_over:
            break
        run = _Run(plan, seen)
        _one_run(run, page)
        if not run.cut_off:
            break
        plan = replace(run.left(), shuffled=())
        if not (plan.alone or plan.together):
            break
    if page.is_over:
        for test in (*whole.alone, *whole.shuffled, *whole.together):
            if test not in seen.passed:
                seen.failures.setdefault(test, TrialFailure(NOT_VERIFIED))
    return seen


class _Run:
    """The conversation with one process about its tests."""

    def __init__(self, plan: TrialPlan, seen: TrialOutcome) -> None:
        self.plan = plan
        self.seen = seen
        parts = {"alone": plan.alone, "shuffled": plan.shuffled, "together": plan.together}
        self.todo = {part: list(tests) for part, tests in parts.items()}
        self.part = ""
        self.last: Test | None = None
        self.ended = True
        self.cut_off = False

    def left(self) -> TrialPlan:
        """Return the plan of what was not run, without tests that failed: those are mended or dropped."""
        alone, together = (
            tuple(test for test in self.todo[part] if test not in self.seen.failures)
            for part in ("alone", "together")
        )
        return replace(self.plan, alone=alone, together=together)

    @property
    def is_done(self) -> bool:
        """Return whether the last test has ended."""
        return self.ended and not any(self.todo.values())

    def start(self, part: str, test: Test) -> None:
        if test not in self.todo.get(part, ()):
            raise ProtocolError("no test of that name is to be run")
        self.part, self.last, self.ended = part, test, False
        self.todo[part].remove(test)

    def judge(self, why: str, line: int, seconds: float) -> None:
        if self.last is not None:
            self.seen.seconds[self.last] = max(seconds, self.seen.seconds.get(self.last, 0.0))
        if why:
            self.fail(why, line)
        elif self.last is not None:
            self.seen.passed.add(self.last)

    def fail(self, why: str, line: int = 0) -> None:
        """The test that was started last did not pass."""
        if self.last is not None:
            self.seen.failures.setdefault(self.last, TrialFailure(why, line))
            if self.part == "alone":
                self.seen.alone.add(self.last)


def _one_run(run: _Run, page: Page) -> None:
    module, conditions = page.module, run.plan.conditions
    variables = environment(conditions, [module.file, *module.search_path])
    live = launch.start(_PROGRAM, variables, fixed_addresses=conditions.fixed, python=module.python)
    job = {
        **page.job(),
        "conditions": conditions.to_plain(),
        "tests": [[part, tests] for part, tests in run.todo.items()],
        "watches": run.plan.watches,
        "elsewhere": module.python is not None,
        "cache": run.plan.twin.cache,
        "operands": {site: list(some) for site, some in run.plan.twin.operands.items()},
        "written_by": launch.rewriter_version() if module.python else b"",
    }
    try:
        _listen(live.channel(), run, job, page.patience(run.seen.late), page.until)
    finally:
        live.clean()


def _listen(
    channel: Channel, run: _Run, job: dict[str, object], seconds: float, until: float = math.inf
) -> None:
    patience, importing = _START_SECONDS, Limits().import_seconds + _GRACE
    try:
        channel.send(job, time.monotonic() + patience)
        while True:
            message = channel.receive(min(until, time.monotonic() + patience))
            if not _is_well_formed(message):
                raise ProtocolError("the target wrote it")
            if message[0] == "end":
                run.seen.shaky = bool(message[1])
                return
            if message[0] == "broken":
                raise SuiteBroken(message[1])
            _hear(run, message)
            # Neither the import nor what is asked after the last test is charged to a test.
            patience = importing if message[0] == "up" or run.is_done else seconds
    except (Closed, TooSlow, ProtocolError) as error:
        if isinstance(error, TooSlow) and time.monotonic() >= until:
            return
        if run.last is None:
            raise SuiteBroken("the process that runs the tests ended") from error
        # Where it had passed already, something that it left behind ended the process.
        run.cut_off = True
        run.fail(TOOK_TOO_LONG if isinstance(error, TooSlow) else _ENDED)


_SHAPES: Final[dict[str, tuple[type, ...]]] = {
    "up": (),
    "start": (str, str, str),
    "done": (str, int, float),
    "doing": (list, list, list, list),
    "copy": (),
    "broken": (str,),
    "end": (bool,),
}


def _is_well_formed(message: Any) -> bool:
    """Return whether it is one that the runner sends: what runs in that process can send anything."""
    if type(message) is not tuple or not message or type(message[0]) is not str:
        return False
    return _SHAPES.get(message[0]) == tuple(type(part) for part in message[1:])


def _hear(run: _Run, message: Sequence[Any]) -> None:
    what, *parts = message
    if what == "start":
        part, class_name, name = parts
        run.start(part, (class_name, name))
    elif what == "done":
        why, line, seconds = parts
        run.ended = True
        run.judge(f"{SAID}{why}" if why else "", line, seconds)
    elif what == "doing" and run.last is not None:
        if (doing := Doing.told(*parts)) is not None:
            run.seen.doing[run.last] = doing
    elif what == "copy" and not run.ended:  # a copy of the process is gone
        run.ended = True
        run.fail(_ENDED)
