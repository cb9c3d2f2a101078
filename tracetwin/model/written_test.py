"""A written test and what it shows, for whoever asks which test covers a line.

A test that pins what looks like a fault.

The tests of a module that are there when new ones are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, field
from typing import Any, Final, NamedTuple, Protocol

from tracetwin.model.case import Case
from tracetwin.support.data import dataclass

MOCK: Final = "mock"
PATCH: Final = "patch"


@dataclass(frozen=True, slots=True)
class StandIn:
    """Something that stands in for something else in a test, in words.

    Attributes:
        kind: `MOCK`, an object or function that is handed over, or `PATCH`, a name that means something else.
        name: of what it stands for, such as ``Gateway.fetch`` or ``time.time``.
        asked: the arguments of a call, or the name of a variable of the environment.
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
        function: what it calls, by qualified name.
        lines: of the target that it runs, beside what importing runs.
        branches: pairs of lines that it takes, as coverage.py counts them.
        mutants: the numbers of those that it notices, in the order of the result's mutants.
        stand_ins: what stands in for something else meanwhile.
        seconds: how long it took to run, 0 where it was not run this time.
        pairs: the definition-use pairs that it covers, as ``Class:number``, where they were searched for.
        vectors: outcomes of the operands of conditions, as ``condition:10-``, where MC/DC asks for them.
        call: what it calls as source, "" where that takes more than a line.
        raises: the exception that leaves the call, as the name of a goal of the criterion `exception`.
        entered: the first lines of functions, lambdas and the like in the target that it runs.
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
    vectors: tuple[str, ...] = ()
    call: str = ""
    raises: str = ""
    entered: tuple[int, ...] = ()

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
            "vectors": list(self.vectors),
            "seconds": round(self.seconds, 6),
            "stand_ins": [asdict(one) for one in self.stand_ins],
            "call": self.call,
            "raises": self.raises,
            "entered": list(self.entered),
        }


class Meeting(Protocol):
    """A test, and what it meets."""

    @property
    def lines(self) -> Collection[int]: ...

    @property
    def branches(self) -> Collection[tuple[int, int]]: ...

    @property
    def mutants(self) -> Collection[int]: ...


@dataclass(frozen=True, slots=True)
class MetAlone:
    """Goals that one test of a suite meets and no other, mutants as far as they were tried.

    Attributes:
        lines: those that only it runs.
        branches: those that only it takes.
        mutants: the numbers of those that only it was seen to notice.
    """

    lines: tuple[int, ...] = ()
    branches: tuple[tuple[int, int], ...] = ()
    mutants: tuple[int, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        branches = [list(branch) for branch in self.branches]
        return {"lines": list(self.lines), "branches": branches, "mutants": list(self.mutants)}


def met_alone(tests: Sequence[Meeting]) -> list[MetAlone]:
    """Return for each test of a suite the goals that no other test of it meets."""
    lines = Counter(line for test in tests for line in set(test.lines))
    branches = Counter(branch for test in tests for branch in set(test.branches))
    mutants = Counter(mutant for test in tests for mutant in set(test.mutants))
    return [
        MetAlone(
            tuple(line for line in sorted(test.lines) if lines[line] == 1),
            tuple(branch for branch in sorted(test.branches) if branches[branch] == 1),
            tuple(mutant for mutant in sorted(test.mutants) if mutants[mutant] == 1),
        )
        for test in tests
    ]


class Suspect(NamedTuple):
    """A test to look at before it is believed.

    Attributes:
        call: the source of what it calls, "" where that takes more than an expression or two.
    """

    test: str
    why: str
    call: str = ""

    @property
    def told(self) -> str:
        """The reason and the call."""
        return self.why if self.call in self.why else f"{self.why}: {self.call}"


@dataclass(frozen=True)
class SettledNames:
    """The names that a module defines which mean what they meant: of a class, all methods but some.

    Attributes:
        names: of functions and classes, and of methods that are told apart from their class.
        apart: all methods that are.
    """

    names: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()

    def __contains__(self, qualname: object) -> bool:
        owner, *inner = str(qualname).split(".")
        method = ".".join([owner, *inner[:1]])
        return (method if method in self.apart else owner) in self.names


@dataclass(frozen=True)
class KeptTwin:
    """The twin of a module for tests that are run on it.

    Attributes:
        cache: the folder that has it, "" for none.
        operands: the sites of the operands of each condition, by its site.
    """

    cache: str = ""
    operands: Mapping[int, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True)
class EarlierTests:
    """The tests that are there, and what is known of them.

    Attributes:
        texts: the file of tests and the one of suspicious tests, "" for each that is not there.
        cases: those of the tests that were written, as far as they are known, each with what the list at the
            end of its file says of it.
        settled: functions that mean what they meant then: no new test of them is looked for.
        lines: the functions that can be tested, each with a line of it.
        twin: the twin of the module.
        finer: whether they were written for criteria of which some are not asked for any more.
    """

    texts: tuple[str, ...] = ()
    cases: tuple[tuple[str, Case], ...] = ()
    settled: SettledNames = SettledNames()
    lines: Mapping[str, int] = field(default_factory=dict)
    twin: KeptTwin = KeptTwin()
    finer: bool = False
