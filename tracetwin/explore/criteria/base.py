"""The base of criteria: goals that steer the search, decide which cases make tests, and are reported."""

from __future__ import annotations

import ast
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from tracetwin.analysis.guards import guards_of
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.model.case import Case
from tracetwin.model.goal import Goal, GoalFate
from tracetwin.model.invokable import Invokable
from tracetwin.model.mutant import Mutant, MutantFate
from tracetwin.model.options import CRITERIA
from tracetwin.support.choices import ChoiceError
from tracetwin.support.data import dataclass
from tracetwin.support.text import clean, count

if TYPE_CHECKING:
    from instrumenter.twin import Site
    from tracetwin.explore.loop.budget import Budget
    from tracetwin.explore.loop.goals import Side
    from tracetwin.explore.loop.run import Executor
    from tracetwin.solving import Solver


class Sides(NamedTuple):
    """The sides of one condition that a criterion wants taken.

    Attributes:
        main: those that are searched for with all patience.
        finer: those that are wanted too, but not at any price.
    """

    main: tuple[Side, ...] = ()
    finer: tuple[Side, ...] = ()


@dataclass(frozen=True)
class ModuleText:
    """The source of the module under test.

    Attributes:
        source: its bytes; none where there is no source.
    """

    module: str = ""
    source: bytes = b""

    @property
    def tree(self) -> ast.Module:
        """The syntax tree; not to be changed, as others read it, too."""
        return parsed(self.source)


@functools.lru_cache(maxsize=4)  # asked for by every function of a module
def parsed(source: bytes) -> ast.Module:
    """Return the syntax tree of a source; not to be changed."""
    return ast.parse(source)


@functools.lru_cache(maxsize=4)  # asked for by every condition of a module
def guarding(source: bytes, kind: type[ast.stmt]) -> frozenset[tuple[int, int]]:
    """Return the line and the outcome of each condition that something of a kind hangs on."""
    tree = parsed(source)
    lines = {node.lineno for node in ast.walk(tree) if isinstance(node, kind)}
    return frozenset((guard.line, guard.outcome) for line in lines for guard in guards_of(tree, line))


@dataclass(frozen=True)
class Shard:
    """Invokables that work on the same state, for a search of a criterion's own.

    Attributes:
        text: the source of their module.
    """

    text: ModuleText
    members: Sequence[Invokable]
    executor: Executor
    solver: Solver


class Hunt(Protocol):
    """A search for goals that sides of conditions can't express; the members of a shard share it."""

    def explore(self, invokable: Invokable, budget: Budget, seconds: float) -> int:
        """Look for the missing goals of a member, and return how many runs that took.

        Args:
            invokable: the member.
            budget: what may be spent; each run takes one from it.
            seconds: how long the member has been explored until now.
        """

    def finished(self, invokable: Invokable) -> bool:
        """Return whether more budget would change nothing for a member."""

    def cases(self, invokable: Invokable) -> list[Case]:
        """Return the cases that were found for a member."""

    def goals(self, invokable: Invokable) -> list[Goal]:
        """Return the goals of a member, with their fates."""


@dataclass(frozen=True)
class Reached:
    """The parts of the original that a case reached, measured by coverage.py.

    Attributes:
        target: module and qualified name of what was called.
        lines: executable lines.
        arcs: branches: pairs of lines, as coverage.py counts them.
        own_lines: the lines that the call itself ran, not the steps that prepare it.
        own_arcs: the branches that the call itself took.
        shown: what the twin saw beyond lines and branches.
        ending: how the call ended: outcome, exception, line of the exception.
    """

    target: tuple[str, ...]
    lines: Collection[int]
    arcs: Collection[tuple[int, int]]
    own_lines: Collection[int]
    own_arcs: Collection[tuple[int, int]]
    shown: Collection[Hashable]
    ending: tuple[Hashable, ...]


class Raising(NamedTuple):
    """An exception that leaves a call.

    Attributes:
        target: qualified name of what is called.
        kind: the exception's class, with its module where that is not `builtins`.
        line: where in the module it was raised, or passed; 0 where that is elsewhere.
    """

    target: str
    kind: str
    line: int

    @classmethod
    def of(cls, target: str, place: tuple[str, str], line: int | None) -> Raising:
        """Return the exception of a class, given by its module and name."""
        module, name = place
        kind = name if module in ("builtins", "") else f"{module}.{name}"
        return cls(target, kind, line or 0)

    @property
    def name(self) -> str:
        """The same for people."""
        return f"{self.kind} out of {self.target}" + (f" in line {self.line}" if self.line else "")


@dataclass(frozen=True)
class SuiteCoverage:
    """The coverage of a module by its written tests, and why they don't cover the rest.

    Attributes:
        text: the source of the module.
        lines: executable lines, as coverage.py counts them.
        branches: branches as coverage.py counts them.
        why_line: returns why a line was not reached.
        why_side: returns why the condition of a line never had an outcome, "" where nothing is known.
        function: returns the qualified name of the function that a line belongs to, "" outside of all.
        found: the goals that a search of the criterion's own has told.
        mutants: the mutants of the module with what became of them, where a criterion wants them.
        sites: the conditions and loops of the module.
        shown: what cases of written tests show (`Case.shows`).
        raised: the exceptions that written tests expect.
        raised_anywhere: those that any case raised, each with why no test expects it.
        why_site: returns why a site never had an outcome, "" where nothing is known.
        why_rest: returns why an outcome that nothing is known of was not reached, for the function of a line.
        closest: the test that comes closest to noticing a mutant that none notices, by the mutant's number.
    """

    text: ModuleText
    lines: Collection[int]
    covered_lines: Collection[int]
    branches: Collection[tuple[int, int]]
    covered_branches: Collection[tuple[int, int]]
    why_line: Callable[[int], str]
    why_side: Callable[[int, int], str]
    function: Callable[[int], str]
    found: Sequence[Goal] = ()
    mutants: Sequence[tuple[Mutant, MutantFate]] = ()
    sites: Sequence[Site] = ()
    shown: Collection[int | str] = ()
    seen: Collection[int | str] = ()
    raised: Collection[Raising] = ()
    raised_anywhere: Mapping[Raising, str] = field(default_factory=dict)
    why_site: Callable[[int, int], str] = lambda site, outcome: ""
    closest: Mapping[int, str] = field(default_factory=dict)
    why_rest: Callable[[int], str] = lambda line: str(Obstacle.NOT_FOUND.value)


class Criterion(ABC):
    """One way to say what tests should cover; a subclass is a file in this folder, or an entry point.

    Attributes:
        name: what the user calls it.
        noun: one of its goals, in the singular.
        listed_as: the list in a module's JSON that holds the details of its goals, "" for none.
        wants_mutants: whether tests are chosen by the mutants that they notice.
        wants_borders: of how many inputs at the borders of comparisons a case is kept, per function.
        wants_all_borders: whether the floats next to such a border are wanted as well, and the borders of
            comparisons that are no conditions.
        wants_paths: whether cases are kept for each path.
        wants_vectors: whether cases tell how operands decided conditions.
        wants_flows: whether cases tell which definitions of variables come to which uses.
        wants_sides: whether goals are met by sides of conditions, which only a twin tells.
    """

    name: ClassVar[str]
    noun: ClassVar[str]
    listed_as: ClassVar[str] = ""
    wants_mutants: ClassVar[bool] = False
    wants_borders: ClassVar[int] = 0
    wants_all_borders: ClassVar[bool] = False
    wants_paths: ClassVar[bool] = False
    wants_vectors: ClassVar[bool] = False
    wants_flows: ClassVar[bool] = False
    wants_sides: ClassVar[bool] = False

    @abstractmethod
    def sides(self, site: Site, text: ModuleText) -> Sides:
        """Return the sides of a condition that goals lie behind: the search wants them taken."""

    def hunt(self, shard: Shard) -> Hunt | None:
        """Return a search for goals that no side stands for; None where sides say it all."""
        return None

    @abstractmethod
    def select(self, reached: Reached) -> Iterable[tuple[Hashable, ...]]:
        """Return what a case reaches that the suite has to keep, the kind of each first.

        Of the kind ``shown`` is only what stems from `Reached.shown`: a replay can't tell it anew.
        """

    def is_reported(self, goal: tuple[Hashable, ...]) -> bool:
        """Return whether something that `select` gives is a goal, and not what only makes tests tell more."""
        return True

    @abstractmethod
    def report(self, written: SuiteCoverage) -> list[Goal]:
        """Return the goals of a module with what became of each, in the order of the text."""

    def told(self, goals: Sequence[Goal]) -> Iterator[str]:
        """Give lines for the terminal: how many goals are covered, and each that is open."""
        return open_goals(self, goals)

    def __repr__(self) -> str:
        return f"<criterion {self.name}>"


@functools.cache
def criterion_named(name: str) -> Criterion:
    """Return the criterion of a name.

    Raises:
        ChoiceError: there is none, or it can't be loaded.
    """
    found = CRITERIA.load(name)
    if not isinstance(found, Criterion):
        raise ChoiceError(f"the criterion {name!r} is no Criterion but a {type(found).__name__}")
    return found


def criteria_named(names: Iterable[str]) -> list[Criterion]:
    """Return the criteria of some names, in their order.

    Raises:
        ChoiceError: one of them can't be had.
    """
    return [criterion_named(name) for name in names]


def tally(noun: str, fates: Sequence[str]) -> str:
    """Return in one line how many goals are covered, of those that are feasible."""
    infeasible = fates.count(GoalFate.INFEASIBLE.value)
    feasible = count(len(fates) - infeasible, f"feasible {noun}")
    text = f"{fates.count(GoalFate.COVERED.value)} of {feasible} covered"
    return f"{text}, {infeasible} infeasible" if infeasible else text


def open_goals(criterion: Criterion, goals: Sequence[Goal]) -> Iterator[str]:
    """Give lines for the terminal: how many goals are covered, and each that is open."""
    if goals:
        yield tally(criterion.noun, [goal.fate for goal in goals])
    for goal in goals:
        if goal.fate is GoalFate.OPEN:
            yield clean(f"{goal.name}: {goal.reason}")


def goal_of_line(criterion: Criterion, name: str, line: int, written: SuiteCoverage) -> Goal:
    """Return the goal that is covered where a line runs."""
    function = written.function(line)
    if line in written.covered_lines:
        return Goal(criterion.name, name, function, line, GoalFate.COVERED)
    reason = written.why_line(line)
    return Goal(criterion.name, name, function, line, fate_of(reason), reason)


def fate_of(reason: str) -> GoalFate:
    """Return the fate of a goal that was not reached for a reason."""
    return GoalFate.INFEASIBLE if reason == Obstacle.INFEASIBLE.value else GoalFate.OPEN


def details(criterion: Criterion, goals: Iterable[Goal]) -> list[Mapping[str, Any]]:
    """Return what a criterion tells of its own goals as plain data, of those of which it does."""
    return [goal.details for goal in goals if goal.criterion == criterion.name and goal.details]
