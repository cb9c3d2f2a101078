"""A written test and what it shows, for whoever asks which test covers a line."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

MOCK: Final = "mock"
PATCH: Final = "patch"


@dataclass(frozen=True, slots=True)
class StandIn:
    """Something that stands in for something else in a test, in words.

    Attributes:
        kind: `MOCK`, an object or function that is handed over, or `PATCH`, a name that means something else.
        name: of what it stands for, such as ``Gateway.fetch`` or ``time.time``.
        asked: the arguments of a call, or the name of a variable of the environment.
        answer: how it answers.
    """

    kind: str
    name: str
    asked: str
    answer: str


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
        stand_ins: what stands in for something else meanwhile.
        seconds: how long it took to run, 0 where it was not run this time.
        pairs: the definition-use pairs that it covers, as ``Class:number``, where they were searched for.
    """

    class_name: str
    name: str
    function: str
    lines: tuple[int, ...]
    branches: tuple[tuple[int, int], ...]
    mutants: tuple[int, ...] = ()
    pairs: tuple[str, ...] = ()
    stand_ins: tuple[StandIn, ...] = ()
    seconds: float = 0.0

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
            "seconds": round(self.seconds, 6),
            "stand_ins": [asdict(one) for one in self.stand_ins],
        }
