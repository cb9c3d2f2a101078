"""Which modules are to be traced, by their dotted names."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable

ONE_MODULE = ".__init__"
"""What follows the name of a package when its own file is meant, without its submodules."""


class Patterns:
    """Names of modules, as people write them.

    "pkg" is a module and, if it is a package, all beneath it; "pkg.__init__" the package's own file alone;
    what holds `*`, `?` or `[` is compared as `fnmatch` does, where "pkg.*" is all beneath `pkg`.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.written = tuple(patterns)

    def matches(self, name: str) -> bool:
        """Whether a dotted module name is meant."""
        return any(_matches(name, pattern) for pattern in self.written)

    def matched_by(self, pattern: str, names: Iterable[str]) -> list[str]:
        """Those of some names that one of the patterns means, sorted."""
        return sorted(name for name in names if _matches(name, pattern))


def _matches(name: str, pattern: str) -> bool:
    if any(character in pattern for character in "*?["):
        return fnmatch.fnmatchcase(name, pattern)
    if pattern.endswith(ONE_MODULE):
        return name == pattern.removesuffix(ONE_MODULE)
    return name == pattern or name.startswith(f"{pattern}.")
