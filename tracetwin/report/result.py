"""The result of a run as it was written, read back into typed data."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from tracetwin.model.field_types import read_as
from tracetwin.model.goal import Goal, Uncovered
from tracetwin.model.timeline import Gain, LogEntry, SlowQuestion, Span
from tracetwin.model.written_test import StandIn, Suspect
from tracetwin.report.class_result import ReportedClass, read_class
from tracetwin.report.refused import openings, refusal_told
from tracetwin.support.data import dataclass
from tracetwin.target.wheels.archive import bytes_of

SCHEMA: Final = 1
"""The version of the JSON that is understood."""

OUT: Final = -1
"""The end of a side of a branch that leaves the function."""

_BRANCH: Final = re.compile(r"branch (\d+) -> (\d+|exit)")

Item = TypeVar("Item")


class ResultError(Exception):
    """A file is no result of a run; the message says what is wrong with it."""


def ends_of(goal: Goal) -> tuple[int, int] | None:
    """Return the line that branches and the one that a side of it leads to, None for what is no side."""
    found = _BRANCH.fullmatch(goal.name) if goal.criterion == "branch" else None
    return (int(found[1]), OUT if found[2] == "exit" else int(found[2])) if found else None


@dataclass(frozen=True)
class ReportedTest:
    """A written test and what it covers; a branch that leaves the function goes to `OUT`."""

    class_name: str
    name: str
    function: str
    lines: frozenset[int]
    branches: frozenset[tuple[int, int]]
    mutants: frozenset[int]
    pairs: frozenset[str] = frozenset()
    stand_ins: tuple[StandIn, ...] = ()
    seconds: float = 0.0
    vectors: tuple[str, ...] = ()
    call: str = ""
    raises: str = ""
    entered: tuple[int, ...] | None = None

    @property
    def branching(self) -> frozenset[int]:
        """The lines from which it goes one way of several."""
        return frozenset(start for start, _ in self.branches)

    @property
    def title(self) -> str:
        """Its name with that of its class."""
        return f"{self.class_name}.{self.name}" if self.class_name else self.name


@dataclass(frozen=True)
class ReportedNode:
    """A node of a constraint tree; the fields are those of `tracetwin.model.tree.TreeNode`."""

    parent: int
    text: str
    line: int
    order: int
    state: str
    values: Mapping[str, str]
    ending: str
    function: str = ""


@dataclass(frozen=True)
class ReportedTree:
    """The constraint tree of a function."""

    nodes: tuple[ReportedNode, ...]
    cut: int
    events: str = ""


@dataclass(frozen=True)
class ReportedMutant:
    """A small change of the code, and what became of it."""

    line: int
    function: str
    change: str
    fate: str
    closest: str | None = ""
    operator: str = ""


@dataclass(frozen=True)
class Operand:
    """An operand of a condition, which MC/DC wants shown to decide it alone.

    Attributes:
        number: its place in the condition, from 1.
        condition: the number of the condition, with which vectors of tests begin.
        shown: the outcomes of all operands in two evaluations that show it, each with the tests that have it.
    """

    line: int
    number: int
    text: str
    criterion: str
    fate: str
    shown: tuple[tuple[str, tuple[int, ...]], ...]
    condition: int = -1


@dataclass(frozen=True)
class Figures:
    """The counts of a function, of a module and of all of them."""

    lines: int = 0
    covered_lines: int = 0
    branches: int = 0
    covered_branches: int = 0
    tests: int = 0
    runs: int = 0
    queries: int = 0
    divergences: int = 0
    seconds: float = 0.0

    @property
    def missed_lines(self) -> int:
        """Return how many lines no test runs."""
        return self.lines - self.covered_lines


@dataclass(frozen=True)
class ReportedFunction:
    """One function that was explored."""

    name: str
    first_line: int
    figures: Figures
    misses: tuple[Uncovered, ...]
    notes: tuple[str, ...] = ()
    tree: ReportedTree | None = None
    ended: str = ""
    misfits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Module:
    """One module of a run.

    Attributes:
        source: its text now, "" where it can't be read.
        changed: whether that is another text than the one that was explored.
        tests: the texts of the files of its tests.
        suspicious_file: that of tests that stand apart, "" for none.
        suspicious: tests that pin what looks like a fault, each with the reason.
        regressions: tests of before that no longer hold, each with the reason.
        stats: further figures, as in the JSON.
        empty: whether there is nothing in it that may be called, which `error` says.
        options: what bounded the work, as in the JSON.
        openings: by function, the words for ``--allow`` that open what the walls refused, with the event.
    """

    name: str
    file: str
    test_file: str
    error: str
    figures: Figures
    functions: tuple[ReportedFunction, ...]
    goals: tuple[Goal, ...]
    cases: tuple[ReportedTest, ...]
    misses: tuple[Uncovered, ...]
    mutants: tuple[ReportedMutant, ...]
    refusals: tuple[str, ...]
    notes: tuple[str, ...]
    failures: tuple[str, ...]
    stats: Mapping[str, Any]
    source: str = ""
    tests: tuple[str, ...] = ()
    suspicious: tuple[tuple[str, str], ...] = ()
    regressions: tuple[tuple[str, str], ...] = ()
    changed: bool = False
    spans: tuple[Span, ...] = ()
    slowest: tuple[SlowQuestion, ...] = ()
    classes: tuple[ReportedClass, ...] = ()
    curve: tuple[Gain, ...] = ()
    operands: tuple[Operand, ...] = ()
    suspicious_file: str = ""
    empty: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    openings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def elsewhere(self) -> Figures:
        """Return what is in no function that was explored: in private ones, and in the module's own code."""
        parts = [function.figures for function in self.functions]
        names = ("lines", "covered_lines", "branches", "covered_branches")
        counts = {name: getattr(self.figures, name) for name in names}
        return Figures(**{
            name: max(0, count - sum(getattr(one, name) for one in parts)) for name, count in counts.items()
        })


@dataclass(frozen=True)
class Result:
    """A whole run."""

    modules: tuple[Module, ...]
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    total: Figures = field(default_factory=Figures)
    log: tuple[LogEntry, ...] = ()
    curve: tuple[Gain, ...] = ()


def read_result(place: Path) -> Result:
    """Return what `--json` wrote into a file.

    Raises:
        ResultError: it is no such file, or one of another version.
    """
    try:
        plain = json.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultError(f"{place}: {error.strerror}") from None
    except ValueError:
        raise ResultError(f"{place} is no JSON; give the file that --json wrote") from None
    return result_of(plain, str(place))


def result_of(plain: Any, name: str = "the result") -> Result:
    """Return the typed form of a result.

    Raises:
        ResultError: it is not what a run writes.
    """
    if not isinstance(plain, dict) or "modules" not in plain:
        raise ResultError(f"{name} is not the result of a run; give the file that generate --json wrote")
    if plain.get("schema") != SCHEMA:
        raise ResultError(f"{name} has schema {plain.get('schema')!r}, but {SCHEMA} is what can be read")
    try:
        return Result(
            tuple(map(_module, plain["modules"])),
            tuple(plain.get("errors", ())),
            tuple(plain.get("notes", ())),
            read_as(Figures, plain.get("total", {})),
            _all(LogEntry, plain, "log"),
            _all(Gain, plain, "curve"),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        kind = type(error).__name__
        raise ResultError(f"{name} is damaged or from another version ({kind}: {error})") from None


def _module(plain: Mapping[str, Any]) -> Module:
    source, changed = _text(plain["file"], plain.get("digests", {}).get("source"))
    tests, others = _text(plain["test_file"] or "", plain.get("digests", {}).get("tests"))
    trees = {name: _tree(tree) for name, tree in plain.get("trees", {}).items()}
    return Module(
        plain["name"],
        plain["file"],
        plain["test_file"] or "",
        plain["error"] or "",
        read_as(Figures, plain),
        tuple(_function(one, trees.get(one["name"])) for one in plain["functions"]),
        _all(Goal, plain, "goals"),
        tuple(map(_case, plain.get("cases", ()))),
        _all(Uncovered, plain, "uncovered"),
        _all(ReportedMutant, plain, "mutants"),
        tuple(map(refusal_told, plain.get("refusals", ()))),
        tuple(plain.get("notes", ())),
        tuple(failure["sentence"] for failure in plain.get("failures", ())),
        plain.get("stats", {}),
        source,
        (tests, _text(plain.get("suspicious_file") or "", None)[0]),
        tuple((one["test"], Suspect(**one).told) for one in plain.get("suspicious", ())),
        _reasons(plain.get("regressions", ())),
        changed or others,
        tuple(map(_span, plain.get("spans", ()))),
        _all(SlowQuestion, plain, "slowest"),
        _classes(plain),
        _all(Gain, plain, "curve"),
        tuple(_operands(plain)),
        plain.get("suspicious_file") or "",
        bool(plain.get("empty")),
        plain.get("options", {}),
        openings(plain.get("refusals", ())),
    )


def _all(kind: Callable[..., Item], plain: Mapping[str, Any], name: str) -> tuple[Item, ...]:
    return tuple(read_as(kind, one) for one in plain.get(name, ()))


def _operands(plain: Mapping[str, Any]) -> Iterator[Operand]:
    tests: dict[str, list[int]] = {}
    for number, case in enumerate(plain.get("cases", ())):
        for vector in case.get("vectors", ()):
            tests.setdefault(vector, []).append(number)
    for criterion, listed in (("mcdc", "operands"), ("mcdc-unique", "unique_operands")):
        for one in plain.get(listed, ()):
            place = f"{one['condition']}:"
            shown = tuple((way, tuple(tests.get(place + way, ()))) for way in one["pair"])
            yield Operand(
                one["line"], one["operand"], one["text"], criterion, one["fate"], shown, one["condition"]
            )


def _reasons(plain: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    """Tests, each with what is said of it."""
    return tuple((one["test"], one["why"]) for one in plain)


def _classes(plain: Mapping[str, Any]) -> tuple[ReportedClass, ...]:
    tests: dict[str, tuple[int, ...]] = {}
    for number, case in enumerate(plain.get("cases", ())):
        for pair in case.get("pairs", ()):
            tests[pair] = (*tests.get(pair, ()), number)
    return tuple(read_class(one, tests) for one in plain.get("classes", ()))


def _span(plain: Mapping[str, Any]) -> Span:
    parts = tuple((name, float(seconds)) for name, seconds in plain["parts"].items())
    return Span(int(plain["process"]), plain["kind"], plain["what"], plain["begin"], plain["end"], parts)


def _text(file: str, digest: str | None) -> tuple[str, bool]:
    """The text of a file, and whether it is another one than it was."""
    try:
        data = bytes_of(Path(file)) if file else b""
    except (OSError, ValueError):
        return "", False
    return data.decode("utf-8", "replace"), digest is not None and hashlib.sha256(data).hexdigest() != digest


def _function(plain: Mapping[str, Any], tree: ReportedTree | None) -> ReportedFunction:
    figures, misses = read_as(Figures, plain), _all(Uncovered, plain, "uncovered")
    return read_as(ReportedFunction, plain, figures=figures, misses=misses, tree=tree)


def total(modules: Iterable[Module]) -> Figures:
    """Return the figures of some modules together."""
    listed = list(modules)
    names = Figures.__dataclass_fields__
    return Figures(**{name: sum(getattr(module.figures, name) for module in listed) for name in names})


def _case(plain: Mapping[str, Any]) -> ReportedTest:
    branches = frozenset((first, max(then, OUT)) for first, then in plain["branches"])
    stand_ins = _all(StandIn, plain, "stand_ins")
    return read_as(ReportedTest, plain, class_name=plain["class"], branches=branches, stand_ins=stand_ins)


def _tree(plain: Mapping[str, Any]) -> ReportedTree:
    nodes = tuple(read_as(ReportedNode, node) for node in plain["nodes"])
    if any(node.parent >= number for number, node in enumerate(nodes)):
        raise ValueError("a node of a tree comes before its parent")
    if plain["cut"]:
        parents = {node.parent for node in nodes}
        nodes = tuple(
            replace(node, state="cut") if node.state == "inner" and at not in parents else node
            for at, node in enumerate(nodes)
        )
    return ReportedTree(nodes, plain["cut"], plain.get("events", ""))
