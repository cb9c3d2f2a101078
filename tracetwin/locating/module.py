"""One module to work on, and all of them with what went wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from tracetwin.errors import TargetError


@dataclass(frozen=True)
class TargetModule:
    """A module that was found and whose source compiles; it has not been imported.

    Attributes:
        name: dotted name to import it by.
        file: absolute path of its source; inside a wheel, the wheel's path and the path in it.
        root: import root, to be put first on `sys.path`: a folder, or the wheel itself.
        selection: qualified names to work on, or () for everything in the module.
        search_path: further entries for `sys.path`, after the root.
    """

    name: str
    file: str
    root: str
    selection: tuple[str, ...] = ()
    search_path: tuple[str, ...] = ()


@dataclass
class Resolution:
    """What a list of targets came to.

    Attributes:
        modules: what to work on, each module once.
        problems: one error for each target, or file within a target, that can't be used.
        notes: what was left out on purpose, one sentence each.
    """

    modules: list[TargetModule] = field(default_factory=list)
    problems: list[TargetError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def extend(self, other: Resolution) -> None:
        """Take over everything from another resolution."""
        self.modules += other.modules
        self.problems += other.problems
        self.notes += other.notes
