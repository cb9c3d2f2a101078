"""Definition-use pairs of a class: which a run executes, and sequences deduced for those that are missing.

A pair is a statement that defines an attribute, one that uses it, and a definition-clear path between them,
possibly across methods. What paths define and use is not guessed from names: each run reports its accesses to
the receiver in order, so a pair in a helper is found through every method that calls it. A pair's sequence is
deduced backwards from a path that uses the attribute before it defines it; words that define it again may not
stand between. Where that search has seen everything, the pair is infeasible, and this is a proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Executor, Request, Run
from tracetwin.explore.summaries.deduce import Definition, SearchLimits, SequenceSearch
from tracetwin.explore.summaries.summary import CONSTRUCTOR, MethodPath, Summaries
from tracetwin.model.goal import GoalFate
from tracetwin.support.data import dataclass

TRIES: Final = 3
"""Sequences run for one path of a use, before another path is tried."""


class Effort(NamedTuple):
    """How much is done for one pair.

    Attributes:
        paths: of the use; with more of them nothing is proved.
    """

    paths: int
    states: int


QUICK: Final = Effort(3, 12)
THOROUGH: Final = Effort(10, 80)

PROVED: Final = "proved by search: no calls that all return lead there, whatever their arguments"


class ReceiverAccess(NamedTuple):
    """One access to an attribute of the receiver.

    Attributes:
        stage: the number of the call in the sequence, 0 for the receiver's making.
        defines: whether it is a definition.
        line: where.
        column: where in the line, from 0.
    """

    stage: int
    defines: bool
    attribute: str
    line: int
    column: int

    @property
    def place(self) -> tuple[int, int]:
        return (self.line, self.column)


class Spot(NamedTuple):
    """A definition or a use in the text."""

    method: str
    line: int
    column: int

    @property
    def place(self) -> tuple[int, int]:
        return (self.line, self.column)


@dataclass(frozen=True)
class AttributePair:
    """A definition and a use of one attribute.

    Attributes:
        number: from 1, in the order of the table.
        define: where it is defined.
        use: where it is used.
        feasible: False where the text alone proves that no path leads from the one to the other.
        why: in that case, why.
        unseen: no code of the module makes the definition: a default of the class, a field of a dataclass.
        word: the public method or setter that makes it, as sequences name it; "" for constructors, helpers.
        doubt: why a search can prove nothing of it, whatever it has seen; "" where it can.
    """

    number: int
    attribute: str
    define: Spot
    use: Spot
    feasible: bool = True
    why: str = ""
    unseen: bool = False
    word: str = ""
    doubt: str = ""

    @property
    def label(self) -> str:
        """Return the entry of a case that executes it."""
        return f"pair:{self.number}"


@dataclass
class PairResult:
    """The fate of one pair, with the run that executes it, or why there is none."""

    pair: AttributePair
    fate: GoalFate = GoalFate.OPEN
    why: str = ""
    run: Run | None = None


def accesses_of(run: Run) -> tuple[ReceiverAccess, ...]:
    """The accesses that a run reports, in order; of a free receiver not those of its making."""
    first = 0 if run.request.free is None else 1
    return tuple(ReceiverAccess(*access) for access in run.flow if access[0] >= first)


def executed(run: Run, pairs: Iterable[AttributePair]) -> set[int]:
    """The numbers of the pairs that a run executes."""
    last: dict[str, tuple[int, int]] = {}
    seen: set[tuple[str, tuple[int, int] | None, tuple[int, int]]] = set()
    for access in accesses_of(run):
        if access.defines:
            last[access.attribute] = access.place
            last.pop(f"{access.attribute}[]", None)
        else:
            seen.add((access.attribute, last.get(access.attribute), access.place))
    return {pair.number for pair in pairs if (pair.attribute, _made_at(pair), pair.use.place) in seen}


def _made_at(pair: AttributePair) -> tuple[int, int] | None:
    """The place of a definition as a run reports it, None for one that no code of the module makes."""
    return None if pair.unseen else pair.define.place


def definition_of(pair: AttributePair) -> Definition:
    """Which paths make a pair's definition last, and which leave the attribute alone."""

    def last(path: MethodPath) -> tuple[int, int] | None:
        places = [a.place for a in accesses_of(path.run) if a.defines and _redefines(a.attribute, pair)]
        return places[-1] if places else None

    def makes(path: MethodPath) -> bool:
        return last(path) == _made_at(pair) and (not pair.unseen or path.word == CONSTRUCTOR)

    return Definition(makes, lambda path: last(path) is None)


def _redefines(attribute: str, pair: AttributePair) -> bool:
    """Return whether a definition of one attribute is one of a pair's: a list brings its elements."""
    return attribute in (pair.attribute, pair.attribute.removesuffix("[]"))


def uses_first(path: MethodPath, pair: AttributePair) -> bool:
    """Return whether a path uses a pair's attribute, at its place, as the path found it."""
    for access in accesses_of(path.run):
        if access.defines and _redefines(access.attribute, pair):
            return False
        if access.attribute == pair.attribute and not access.defines and access.place == pair.use.place:
            return True
    return False


class PairSearch:
    """Looks for sequences that execute the pairs of one class.

    Attributes:
        results: by the number of the pair.
    """

    def __init__(
        self,
        pairs: Sequence[AttributePair],
        summaries: Mapping[str, Summaries],
        executor: Executor,
        budget: Budget,
    ) -> None:
        """Begin with the fates that the text alone decides."""
        self._pairs = tuple(pairs)
        self._summaries = summaries
        self._executor = executor
        self._budget = budget
        self.results = {
            pair.number: PairResult(pair)
            if pair.feasible
            else PairResult(pair, GoalFate.INFEASIBLE, f"proved by the text: {pair.why}")
            for pair in self._pairs
        }

    def note(self, run: Run) -> set[int]:
        """Take in a run of the class; the numbers of the pairs that it is the first to execute."""
        if not run.status.is_answer:
            return set()
        new = set()
        for number in executed(run, self._pairs):
            result = self.results[number]
            if result.fate is not GoalFate.COVERED:
                result.fate, result.why, result.run = GoalFate.COVERED, "", run
                new.add(number)
        return new

    def search(
        self, effort: Effort, only: Iterable[int] | None = None, *, again: bool = False
    ) -> Iterator[Run]:
        """Deduce sequences for pairs that are not covered; gives the runs that cover one.

        `again`: covered ones get a sequence of their own, too.
        """
        wanted = self.results if only is None else set(only)
        for number, result in self.results.items():
            covered = result.fate is GoalFate.COVERED and not again
            if number not in wanted or covered or not result.pair.feasible or self._budget.spent():
                continue
            run = self._cover(result, effort)
            if run is not None:
                self.note(run)
                result.run = run
                yield run

    def open_pairs(self, only: Iterable[int] | None = None) -> set[int]:
        """The numbers of the pairs without a fate."""
        wanted = self.results if only is None else set(only)
        return {number for number in wanted if self.results[number].fate is GoalFate.OPEN}

    def take(self, runs: Iterable[Run], only: Iterable[int] | None = None) -> Iterator[Run]:
        """Go through runs made otherwise while pairs are open; gives those that cover one."""
        wanted = list(self.results if only is None else only)
        if not self.open_pairs(wanted):
            return
        for run in runs:
            if self.note(run):
                yield run
            if not self.open_pairs(wanted):
                return

    def _cover(self, result: PairResult, effort: Effort) -> Run | None:
        uses = list(self._uses(result.pair))
        why = "" if uses else "no path that was found uses it"
        proved = bool(uses)  # nothing is proved of code that no run has shown
        for summaries, path in uses[: effort.paths]:
            search = self._search_behind(path, result.pair, summaries, effort.states)
            run = self._confirmed(summaries.target, search, result.pair)
            if run is not None:
                return run
            proved, why = proved and search.exhausted, why or search.why
        if proved and not self._is_seen(result.pair):
            proved, why = False, "no path that was found defines it"
        doubt = self._doubt(result.pair)
        if proved and doubt:
            proved, why = False, doubt
        if len(uses) > effort.paths:
            proved, why = False, why or f"more than {effort.paths} paths use it"
        for target, summaries in self._summaries.items():
            if not summaries.of_target().complete:
                proved, why = False, why or f"{target}: {summaries.of_target().why}"
        if result.fate is not GoalFate.COVERED:
            self._settle(result, proved=proved, why=why)
        return None

    def _doubt(self, pair: AttributePair) -> str:
        """Why a search that saw everything proves nothing all the same."""
        if pair.doubt:
            return pair.doubt
        for summaries in self._summaries.values():
            missing = {each.word for each in self._pairs} - {"", *summaries.words}
            if missing:
                return f"sequences do not call {min(missing)}"
            for word in (CONSTRUCTOR, *(word for word in summaries.words if word.endswith("="))):
                paths = summaries.of(word).paths
                if any(uses_first(p, pair) or pair.number in executed(p.run, (pair,)) for p in paths):
                    return f"{word or 'the constructor'} uses it, too"
        return ""

    def _is_seen(self, pair: AttributePair) -> bool:
        """Return whether some path makes the pair's definition."""
        if pair.unseen:
            return True
        place = (True, pair.attribute, pair.define.place)
        return any(
            place == (access.defines, access.attribute, access.place)
            for summaries in self._summaries.values()
            for word in (CONSTRUCTOR, *summaries.words)
            for path in summaries.of(word).paths
            for access in accesses_of(path.run)
        )

    def _uses(self, pair: AttributePair) -> Iterator[tuple[Summaries, MethodPath]]:
        """The paths that use the attribute as they found it, or execute the pair, plainest first."""
        found = [
            (summaries, path)
            for _, summaries in self._in_order(pair)
            for path in summaries.of_target().paths
            if not path.member and (uses_first(path, pair) or pair.number in executed(path.run, (pair,)))
        ]
        return iter(sorted(found, key=lambda use: (not use[1].returns, len(use[1].condition))))

    def _settle(self, result: PairResult, *, proved: bool, why: str) -> None:
        if proved and not self._budget.spent():
            result.fate, result.why = GoalFate.INFEASIBLE, PROVED
        else:
            result.why = f"no sequence found: {why or 'budget spent'}"

    def _in_order(self, pair: AttributePair) -> Iterator[tuple[str, Summaries]]:
        """The methods that may be called last, the one that the use stands in first."""
        name = pair.use.method.rpartition(".")[2]
        known = self._summaries.items()
        yield from sorted(known, key=lambda item: item[0].removesuffix(".setter").rpartition(".")[2] != name)

    def _search_behind(
        self, path: MethodPath, pair: AttributePair, summaries: Summaries, states: int
    ) -> SequenceSearch:
        """A search for what must come before a path that uses the attribute."""
        limits = SearchLimits(states=states, stop=self._budget.spent)
        within = not pair.unseen and pair.number in executed(path.run, (pair,))
        return SequenceSearch(summaries, path.condition, limits, None if within else definition_of(pair))

    def _confirmed(self, target: str, search: SequenceSearch, pair: AttributePair) -> Run | None:
        """The first run of what is deduced that executes the pair."""
        for number, found in enumerate(search):
            if number >= TRIES or self._budget.spent():
                break
            self._budget.take()
            run = self._executor.run(Request(target, found.prefix, found.assignment, flow=True))
            if run.status.is_answer and pair.number in executed(run, (pair,)):
                return run
        return None
