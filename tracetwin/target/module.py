"""One module to work on, and all of them with what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError
from tracetwin.target.environment import PythonEnvironment


@dataclass(frozen=True)
class TargetModule:
    """A module that was found and whose source compiles; it has not been imported.

    Attributes:
        name: dotted name to import it by.
        file: absolute path of its source; inside a wheel, the wheel's path and the path in it.
        root: import root, to be put first on `sys.path`: a folder, or the wheel itself.
        selection: qualified names to work on, or () for everything in the module.
        search_path: further entries for `sys.path`, after the root.
        outside: why it can't be looked into, so that it is explored from outside only; "" where it is traced.
        missing: what its wheel needs and was not found: name of the distribution, and who needs it.
        library: modules of the standard library that its import asks for and that are reasoned about.
        rules: what the user lets be done with it, as `tracetwin.config.rules` makes it: plain data.
        python: the environment whose interpreter runs it; None for the one that runs tracetwin.
        sources_first: its package is imported from sources, also where extensions are compiled from them.
    """

    name: str
    file: str
    root: str
    selection: tuple[str, ...] = ()
    search_path: tuple[str, ...] = ()
    outside: str = ""
    missing: tuple[tuple[str, str], ...] = ()
    library: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict, compare=False)
    python: PythonEnvironment | None = None
    sources_first: bool = False

    @property
    def path_here(self) -> list[str]:
        """The entries for `sys.path` in our own interpreter, with the environment's where they fit."""
        there = self.python.places if self.python and self.python.is_of_our_version else ()
        return [self.root, *self.search_path, *there]


@dataclass(frozen=True, order=True)
class Boundary:
    """A module of a target that runs as it is, for it is not Python source.

    Attributes:
        target: the wheel, folder or name, as the user named it.
        name: dotted name of the module.
        kind: what it comes as, such as "C extension".
    """

    target: str
    name: str
    kind: str


@dataclass
class Resolution:
    """The modules that a list of targets stands for, and the errors.

    Attributes:
        modules: what to work on, each module once.
        problems: one error for each target, or file within a target, that can't be used.
        notes: what was left out on purpose, one sentence each.
        boundaries: the modules that run as they are.
    """

    modules: list[TargetModule] = field(default_factory=list)
    problems: list[TargetError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    boundaries: list[Boundary] = field(default_factory=list)

    def extend(self, other: Resolution) -> None:
        """Take over everything from another resolution."""
        self.modules += other.modules
        self.problems += other.problems
        self.notes += other.notes
        self.boundaries += other.boundaries
