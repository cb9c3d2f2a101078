"""A written test and what it shows, for whoever asks which test covers a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """One test of a suite.

    Attributes:
        class_name: its class in the file, "" for a function.
        name: its own.
        function: what it calls, by qualified name.
        lines: of the target that it runs, beside what importing runs.
        branches: pairs of lines that it takes, as coverage.py counts them.
        mutants: the numbers of those that it notices, in the order of the result's mutants.
        pairs: the definition-use pairs that it covers, as ``Class:number``, where they were searched for.
    """

    class_name: str
    name: str
    function: str
    lines: tuple[int, ...]
    branches: tuple[tuple[int, int], ...]
    mutants: tuple[int, ...] = ()
    pairs: tuple[str, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {
            "class": self.class_name,
            "name": self.name,
            "function": self.function,
            "lines": list(self.lines),
            "branches": [list(branch) for branch in self.branches],
            "mutants": list(self.mutants),
            "pairs": list(self.pairs),
        }
