"""Tasks of explorer processes and their answers: plain data."""

from __future__ import annotations

import hashlib
import math
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tracetwin.explore.loop.past import Begun
from tracetwin.explore.objects.classes import shard_of
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.case import Case
from tracetwin.model.invokable import Invokable
from tracetwin.model.met import Met
from tracetwin.model.options import APART, CRITERIA, DROP, MINIMAL, NEVER, SHORT
from tracetwin.model.timeline import SlowQuestion
from tracetwin.model.written_test import EarlierTests
from tracetwin.run.listener import Work
from tracetwin.run.twins import TwinTask
from tracetwin.support.data import dataclass
from tracetwin.support.failures import Failure

if TYPE_CHECKING:
    from instrumenter.twin import Site
    from tracetwin.emit.result import Suite
    from tracetwin.target.selection import TargetModule


@dataclass(frozen=True)
class OpenTask:
    """Import a module's twin and tell what is in it.

    Attributes:
        seconds: how long the import may take at most.
        unpacked: the folder for the files of wheels that have to be unpacked.
        building: seconds for rewriting modules that the target imports; None: all are rewritten.
    """

    index: int
    module: TargetModule
    seconds: float | None = None
    unpacked: Path | None = None
    building: float | None = None


@dataclass(frozen=True)
class JoinTask:
    """Get a module ready that another process opens: some of it will be explored in this one, too.

    Its answer says nothing. The attributes are those of `OpenTask`.
    """

    index: int
    module: TargetModule
    seconds: float | None = None
    building: float | None = None


@dataclass(frozen=True)
class ExploreTask:
    """Explore one invokable (or go on with it) for some seconds and runs.

    Attributes:
        members: those of its shard, itself among them.
        part: which part of its shard is explored in this process; the parts know nothing of each other.
        copied: whether the module is a copy of what lies in a wheel.
        number: how many tasks for it there were before.
        journals: a folder for what is found, so that another process can go on with it.
        lost: the previous explorer died on this task.
        models: solutions from the functions that were explored in earlier rounds.
        missing: the sides that nothing took there, of functions that had their turns.
        criteria: the names of what is to be covered.
        trees: how many nodes of its constraint tree people want to look at, 0 where they do not.
        misuse: what becomes of cases that only show that a guess at a type was wrong.
    """

    index: int
    module: TargetModule
    invokable: Invokable
    helpers: frozenset[int]
    seconds: float
    runs: int | None
    seed: int
    private: tuple[tuple[int, ...], ...] = ()
    members: tuple[Invokable, ...] = ()
    journals: Path = Path()
    models: tuple[dict[str, object], ...] = ()
    missing: tuple[int, ...] = ()
    criteria: tuple[str, ...] = (CRITERIA.default,)
    number: int = 0
    lost: bool = False
    trees: int = 0
    misuse: str = DROP
    part: int = 0
    copied: bool = False

    @property
    def shard(self) -> str:
        """Return the name of what shares a space, a journal and a process."""
        return shard_of(self.invokable, self.part)

    @property
    def journal(self) -> Path:
        """Return the file that findings are written to, and read from when another process goes on."""
        name = self.shard.encode(errors="surrogatepass")
        return self.journals / f"shard-{hashlib.sha256(name).hexdigest()[:24]}"

    @property
    def begun(self) -> Begun:
        """The task as it is written down there."""
        return Begun(self.invokable.qualname, self.number, self.runs, self.seconds, self.models, self.missing)

    def again(self, begun: Begun) -> ExploreTask:
        """Return the task as it is given for an earlier one of its shard."""
        members = {member.qualname: member for member in (*self.members, self.invokable)}
        return replace(
            self, invokable=members[begun.qualname], number=begun.number, runs=begun.runs,
            seconds=begun.seconds, models=begun.models, missing=begun.missing,
        )  # fmt: skip


@dataclass(frozen=True)
class SuiteTask:
    """Replay, select and render the cases of a module.

    Attributes:
        criteria: the names of what is to be covered.
        elsewhere: a second copy of the module, where its wheel had to be unpacked.
        place: what the test file says of where the module is imported from, "" for the usual words.
        seconds: how long it may take, about.
        within: seconds after which it is over.
        before: the tests that are there.
        suspicious: where tests go that pin what looks like a fault.
        misuse: what becomes of cases that only show that a guess at a type was wrong.
        typed: qualified names of what takes no guessed argument.
        data: which values are written where several lead the same way.
        met: what the user's own tests meet.
        group: whether those that differ in values only become rows of one.
    """

    index: int
    module: TargetModule
    cases: tuple[Case, ...]
    style: str
    mock: str
    criteria: tuple[str, ...] = (CRITERIA.default,)
    elsewhere: TargetModule | None = None
    place: str = ""
    seconds: float = math.inf
    within: float = math.inf
    before: EarlierTests | None = None
    suspicious: str = APART
    misuse: str = DROP
    typed: frozenset[str] = frozenset()
    met: Met | None = None
    data: str = SHORT
    assertions: str = MINIMAL
    group: str = NEVER


Task: TypeAlias = TwinTask | OpenTask | JoinTask | ExploreTask | SuiteTask


def doing(task: Task) -> str:
    """Return what is done in a task, as the middle of a sentence."""
    match task:
        case TwinTask():
            return f"making the twin of {task.module.name}"
        case OpenTask() | JoinTask():
            return "importing it"
        case ExploreTask():
            return f"exploring {task.invokable.qualname}"
        case SuiteTask():
            return "writing its tests"


@dataclass(frozen=True)
class ModuleOpened:
    """Answer to `OpenTask`.

    Attributes:
        unpacked: two copies of the module, to be used in its place where its wheel had to be unpacked.
        outside: why the module is explored from outside only, "" where it is traced.
        private: there, the lines of each function that no test calls directly.
        hidden: private functions, for where what calls them does not reach all of their branches.
        uncached: why its twin could not be kept for another time, "" where it is.
        refused: what the walls refused to its import, as (event, detail).
        unguarded: sentences about walls that this system does not have.
        failure: where the import broke code of ours, what happened.
        empty: whether there is nothing in it that a test could call, which is no fault.
        passed: the sites that its import passed.
    """

    index: int
    invokables: tuple[Invokable, ...] = ()
    sites: tuple[Site, ...] = ()
    error: str = ""
    notes: tuple[str, ...] = ()
    unpacked: tuple[TargetModule, TargetModule] | None = None
    outside: str = ""
    private: tuple[tuple[int, ...], ...] = ()
    hidden: tuple[Invokable, ...] = ()
    uncached: str = ""
    refused: tuple[tuple[str, str], ...] = ()
    unguarded: tuple[str, ...] = ()
    failure: Failure | None = None
    empty: bool = False
    passed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Joined:
    """Answer to `JoinTask`."""

    index: int


@dataclass(frozen=True)
class Progress:
    """How far an exploration is."""

    index: int
    qualname: str
    work: Work


@dataclass(frozen=True)
class Regained:
    """How many seconds went by while an exploration only repeated what its journal holds."""

    index: int
    seconds: float


@dataclass(frozen=True)
class Starting:
    """A module is imported once more before a function of it is explored, which may take so many seconds."""

    index: int
    seconds: float


@dataclass(frozen=True)
class Found:
    """The findings so far of an exploration that goes on: nothing is lost when its process is."""

    index: int
    outcome: ExplorationOutcome


@dataclass(frozen=True)
class FunctionExplored:
    """Answer to `ExploreTask`.

    Attributes:
        unwritten: why not all of it was written down, "" where it was.
        failures: errors of ours that cost the answer to a question each.
        warnings: what the user is to be told once.
        slowest: what took z3 longest.
        starting: seconds that importing the module took in a process for its suite; 0 where none did yet.
        passed: the sites that runs for it, or for what shares its objects, passed; None where one did not
            live to tell.
    """

    index: int
    outcome: ExplorationOutcome
    solver: dict[str, Any] = field(default_factory=dict)
    models: tuple[dict[str, object], ...] = ()
    unwritten: str = ""
    failures: tuple[Failure, ...] = ()
    warnings: tuple[str, ...] = ()
    slowest: tuple[SlowQuestion, ...] = ()
    starting: float = 0.0
    passed: frozenset[int | None] = frozenset()


@dataclass(frozen=True)
class SuiteBuilt:
    """Answer to `SuiteTask`.

    Attributes:
        failures: what kept some functions from having tests.
    """

    index: int
    suite: Suite
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True)
class TaskFailed:
    """An error of our own while a task ran.

    Attributes:
        function: what was explored, "" where it was another task.
        outcome: there, what had been found until then.
    """

    index: int
    failure: Failure
    function: str = ""
    outcome: ExplorationOutcome | None = None
