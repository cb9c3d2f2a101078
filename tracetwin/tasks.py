"""What explorer processes are told to do, and what they answer: plain data."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tracetwin.explore.exploration import Outcome
from tracetwin.explore.invokable import Invokable
from tracetwin.twins import TwinTask

if TYPE_CHECKING:
    from instrumenter.twin import Site
    from tracetwin.emit.suite import Suite
    from tracetwin.targets import TargetModule


@dataclass(frozen=True)
class OpenTask:
    """Import a module's twin and tell what is in it.

    Attributes:
        seconds: how long the import may take at most.
        unpacked: the folder for the files of wheels that have to be unpacked.
    """

    index: int
    module: TargetModule
    seconds: float | None = None
    unpacked: Path | None = None


@dataclass(frozen=True)
class ExploreTask:
    """Explore one invokable (or go on with it) for some seconds and runs.

    Attributes:
        family: the members of its class, itself among them.
        journals: a folder for what the solver answers, so that another process can go on with it.
        models: solutions from the functions that were explored in earlier rounds.
        criterion: a value of `options.Criterion`.
    """

    index: int
    module: TargetModule
    invokable: Invokable
    helpers: frozenset[int]
    seconds: float
    runs: int | None
    seed: int
    private: tuple[tuple[int, ...], ...] = ()
    family: tuple[Invokable, ...] = ()
    journals: Path | None = None
    models: tuple[dict[str, object], ...] = ()
    criterion: str = "branch"

    @property
    def journal(self) -> Path | None:
        """Where the solver's answers are written down, and read when the exploration is taken up again."""
        name = hashlib.sha256(self.invokable.qualname.encode()).hexdigest()[:24]
        return None if self.journals is None else self.journals / f"{self.index}-{name}"


@dataclass(frozen=True)
class SuiteTask:
    """Replay, select and render the cases of a module.

    Attributes:
        mock: how mocks are written.
        elsewhere: a second copy of the module, where its wheel had to be unpacked.
        place: what the test file says of where the module is imported from, "" for the usual words.
        seconds: how long it may take, about.
    """

    index: int
    module: TargetModule
    cases: tuple[dict[str, Any], ...]
    style: str
    mock: str
    elsewhere: TargetModule | None = None
    place: str = ""
    seconds: float = math.inf


Task: TypeAlias = TwinTask | OpenTask | ExploreTask | SuiteTask


@dataclass(frozen=True)
class Opened:
    """Answer to `OpenTask`.

    Attributes:
        unpacked: two copies of the module, to be used in its place where its wheel had to be unpacked.
        outside: why the module is explored from outside only, "" where it is traced.
        private: there, the lines of each function that no test calls directly.
        uncached: why its twin could not be kept for another time, "" where it is.
    """

    index: int
    invokables: tuple[Invokable, ...] = ()
    sites: tuple[Site, ...] = ()
    error: str = ""
    notes: tuple[str, ...] = ()
    unpacked: tuple[TargetModule, TargetModule] | None = None
    outside: str = ""
    private: tuple[tuple[int, ...], ...] = ()
    uncached: str = ""


@dataclass(frozen=True)
class Progress:
    """How far an exploration is."""

    index: int
    qualname: str
    covered: int
    total: int
    runs: int


@dataclass(frozen=True)
class Found:
    """What an exploration that goes on has found so far: nothing is lost when its process is."""

    index: int
    outcome: Outcome


@dataclass(frozen=True)
class Explored:
    """Answer to `ExploreTask`."""

    index: int
    outcome: Outcome
    solver: dict[str, Any] = field(default_factory=dict)
    models: tuple[dict[str, object], ...] = ()


@dataclass(frozen=True)
class Built:
    """Answer to `SuiteTask`."""

    index: int
    suite: Suite


@dataclass(frozen=True)
class Broken:
    """An error of our own while a task ran."""

    index: int
    text: str
