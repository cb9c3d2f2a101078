"""More cases for the mutants that no chosen one notices: others first, then variants of the chosen."""

from __future__ import annotations

import ast
import itertools
import math
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Final, TypeAlias

from tracetwin.emit.exhibit import Chosen
from tracetwin.emit.select.kept_results import givers, keeping
from tracetwin.emit.select.killing import HEAVY, Killing
from tracetwin.emit.select.plainer_mocks import trimmed
from tracetwin.emit.select.telling.cases import TellingCases, name_of, of_class
from tracetwin.emit.select.telling.companions import movers_of, tellers_of
from tracetwin.emit.select.telling.constants import ConstantsOfFunctions
from tracetwin.emit.select.telling.left_out import with_less
from tracetwin.emit.select.telling.plainest import plainest
from tracetwin.emit.select.telling.signatures import Signatures
from tracetwin.emit.select.variants import followed, made_otherwise, preceded, variants, without_call
from tracetwin.emit.select.years import in_our_time
from tracetwin.model.case import Act, Case
from tracetwin.model.observation import Observation, Root, ValuePath
from tracetwin.model.recipe import Scalar
from tracetwin.model.snapshot import within
from tracetwin.model.status import Outcome
from tracetwin.mutation.defaults import DEFAULT
from tracetwin.mutation.session import Verdict
from tracetwin.replay.static import lines_of

_Known: TypeAlias = tuple[frozenset[int], Case, Observation]
"""The numbers of the mutants that a case reaches, the case, and what was seen of it."""

MOST_VARIANTS: Final = 40
"""Variants of one case that are tried."""

OTHERS: Final = 0.2
"""Part of the time for looking at cases that were not chosen."""

MOST_OTHERS_IN_VAIN: Final = 60
"""Of these in a row that show nothing new, after which no more are looked at."""

SEARCHING: Final = 0.8
"""Part of the time for making new cases; the rest is for looking at those that were found once more."""

TELLING: Final = 0.65
"""Part of the time for making new cases in which they get telling values; the others are variants."""

DIFFERING: Final = 0.5
"""Part of the time that is left for running mutants and their original together."""

LEAST_DIFFERING: Final = 2.0
"""Seconds without which that is not begun."""

MOST_FRUITLESS: Final = 25
"""Variants of one case in a row that show nothing new, after which the next case has its turn."""

MOST_TELLING_CASES, MOST_FRUITLESS_TELLING = 600, 150
"""Cases with telling values of one target, and those in a row that show nothing new."""

TIMED: Final = 5
"""How many times as many there are where the time is limited."""

HEAVIER: Final = 3
"""How many times as many sites as another one of its target a case passes that no others are made of."""

MOST_READ, MOST_LETTERS = 100, 300
"""Parts of a result that a reader takes in, and letters in it."""

FRUITLESS: Final = 10
"""Cases with telling values in a row that show nothing new, after which more of a target cost twice."""

LEAST_COST: Final = 100
"""How many sites a run costs besides those that it passes."""

MOST_REFUSED: Final = 2
"""Calls before its own that a case is tried without where they raise."""

MOST_LOST: Final = 2
"""Cases of one target without an end, after which no more are made for it: each takes seconds."""

MOST_IN_VAIN: Final = 300
"""Variants of all cases in a row that show nothing new, after which no more are tried."""


def other_killers(
    killing: Killing, others: Sequence[tuple[int, Case, Observation]], most: int
) -> list[int | Case]:
    """Return the positions of cases that notice what no chosen one does, or the same cases in our time."""
    now = time.monotonic()
    until = now + OTHERS * (killing.until - now)
    by_line = killing.lines(killing.wanted)
    queue = sorted(others, key=lambda one: -len(by_line.keys() & set(one[2].lines)))
    found: list[int | Case] = []
    in_vain = 0
    gone: set[int] = set()
    slow: set[str] = set()
    for position, case, seen in queue:
        wanted = {n for line in by_line.keys() & set(seen.lines) for n in by_line[line]} - gone
        if time.monotonic() >= until or len(found) >= most or in_vain >= MOST_OTHERS_IN_VAIN:
            break
        if wanted and seen.outcome.is_answer and case.target not in slow:
            verdict = killing.judge(case, seen, wanted)
            killed = verdict.killed
            slow |= {case.target} if verdict.slow else set()
            gone |= killed
            in_vain = 0 if killed else in_vain + 1
            if killed:
                moved = in_our_time(case)
                same = moved is not None and killing.judge(moved, None, killed).killed >= killed
                found.append(moved if moved is not None and same else position)
    return found


def new_killers(
    killing: Killing,
    chosen: Sequence[Chosen],
    constants: ConstantsOfFunctions,
    most: int,
) -> list[Case]:
    """Return new cases, made of chosen ones, that notice what these do not.

    Args:
        killing: what is known of the mutants.
        chosen: the cases with what was seen of them.
        constants: gives those of a function.
        most: how many cases are returned, at most.
    """
    search = _Search(killing, most)
    tellers = tellers_of(chosen)
    makers = [case for case, seen in chosen if seen.outcome is Outcome.RETURNED]
    looked_at = [(killing.judge(case, seen, ()), case, seen) for case, seen in chosen if search.goes_on]
    least: dict[str, int] = {}
    for one, case, _ in looked_at:
        least[case.target] = min(one.steps, least.get(case.target, one.steps))
    light = [one for one in looked_at if one[0].steps <= max(HEAVY, HEAVIER * least[one[1].target])]
    reached = [(one.reached, case, seen) for one, case, seen in light if not one.slow]
    reached.sort(key=lambda one: -len(one[0] & search.alive))
    changing = {case.target for case, seen in chosen if ValuePath(Root.VAR, case.last.place) in seen.touched}
    search.givers = givers(chosen)
    search.try_all(case for _, case, _ in reached if keeping(case, search.givers) != case)
    search.try_left_out(constants, [case for _, case, _ in reached])
    numeric = [one for one in reached if _is_of_numbers(one[1])]
    search.try_variants(constants, numeric)
    search.begin_stage()
    search.try_telling(constants, [(case, sites) for sites, case, _ in reached], changing)
    movers, known = movers_of(chosen), [*search.told, *reached]
    known.sort(key=lambda one: -len(one[0] & search.alive))
    search.begin_stage()
    for sites, case, _ in known:
        if sites & search.alive:
            search.try_all(preceded(case, movers))
            search.try_all(followed(case, [other for other in tellers if other is not case]))
            search.try_all(made_otherwise(case, makers))
    search.try_variants(constants, [one for one in known if one not in numeric])
    called = {case.target for case, _ in chosen}
    alive = {number for number in search.alive if killing.session.mutants[number].function in called}
    return [*search.found, *_solved(killing, alive, most - len(search.found))]


def _solved(killing: Killing, alive: Collection[int], most: int) -> list[Case]:
    """Cases that the solver finds for mutants; those that it proves equivalent are remembered."""
    asked = sorted(set(alive) - killing.compared)
    left = DIFFERING * (killing.until - time.monotonic())
    if not asked or left < LEAST_DIFFERING:
        return []
    killing.compared.update(asked)
    found = killing.session.differ([killing.session.mutants[number] for number in asked], left)
    killing.equivalent |= found.equivalent
    search = _Search(killing, most)
    search.alive = set(alive) - found.equivalent
    search.try_all(found.cases)
    return search.found


def _is_of_numbers(case: Case) -> bool:
    """Return whether a case calls a function with nothing but numbers, of which some may be near others."""
    values = [one.value if isinstance(one, Scalar) else None for one in case.last.given]
    return len(case.steps) == 1 and not case.patches and all(type(one) in (int, float) for one in values)


class _Search:
    """Tries cases one after the other.

    Attributes:
        found: those that notice something new.
        told: the same with the sites that they reach and what was seen of them.
        alive: what nobody has noticed yet.
        givers: methods whose results are kept where they are called before a case's own call.
    """

    def __init__(self, killing: Killing, most: int) -> None:
        self.givers: frozenset[str] = frozenset()
        self.found: list[Case] = []
        self.told: list[_Known] = []
        self.alive = killing.wanted
        self._killing = killing
        self._most = most
        self._in_vain = 0
        self._lost: Counter[str] = Counter()
        now = time.monotonic()
        self._until = now + SEARCHING * (killing.until - now)

    @property
    def goes_on(self) -> bool:
        enough = len(self.found) >= self._most or self._in_vain >= MOST_IN_VAIN
        return not enough and time.monotonic() < self._until

    def try_all(
        self, cases: Iterable[Case], reached: frozenset[int] | None = None, like: Observation | None = None
    ) -> None:
        """Try cases, until too many in a row show nothing."""
        fruitless = 0
        for case in cases:
            wanted = self.alive if reached is None else self.alive & reached
            if not wanted or not self.goes_on or fruitless >= MOST_FRUITLESS:
                return
            if self._is_endless(case):
                continue
            _, kept, verdict = self._judged(case)
            fruitless += 1
            self._lost[case.target] += verdict.lost
            self._in_vain += 1
            if verdict.killed and (like is None or _makes_sense(like, verdict.seen)):
                self._take(kept, verdict)
                fruitless = self._in_vain = 0

    def _take(self, case: Case, verdict: Verdict) -> None:
        """Take a case that notices something new."""
        self.found.append(self._plain(case, verdict))
        self.alive -= verdict.killed
        if verdict.seen is not None:
            self.told.append((verdict.reached, self.found[-1], verdict.seen))

    def try_variants(self, constants: ConstantsOfFunctions, cases: Sequence[_Known]) -> None:
        """Try variants of cases that reach what nobody has noticed."""
        self.begin_stage()
        for sites, case, seen in cases:
            if sites & self.alive:
                self.try_all(variants(case, constants(case.target), MOST_VARIANTS), sites, seen)

    def begin_stage(self) -> None:
        """Forget what was in vain in another way."""
        self._in_vain = 0

    def try_left_out(self, constants: ConstantsOfFunctions, cases: Sequence[Case]) -> None:
        """Try cases without the arguments of which nobody has seen what they are where they are left out."""
        if not cases or not any(self._killing.session.mutants[n].operator == DEFAULT for n in self.alive):
            return
        signatures = Signatures(cases[0].module, constants.tree)
        for case in cases:
            mutants = [self._killing.session.mutants[number] for number in self.alive]
            owners = {mutant.function for mutant in mutants if mutant.operator == DEFAULT}
            called = {name_of(step, case.target) for step in case.steps}
            if owners & (called | {f"{name}.__init__" for name in called}):
                self.try_all(with_less(case, signatures))

    def try_telling(
        self,
        constants: ConstantsOfFunctions,
        models: Sequence[tuple[Case, frozenset[int]]],
        changing: Collection[str],
    ) -> None:
        """Try cases with telling values for each target, until too many of it show nothing.

        It is the turn of the one that has cost least until then, so that what is long does not take the
        time of what is short; what was in vain of late costs more.

        Args:
            constants: those of the module.
            models: cases, each with the mutants that it reaches.
            changing: targets that change their receiver.
        """
        by_target: dict[str, list[Case]] = {}
        reached: dict[str, set[int]] = {}
        for case, sites in models:
            by_target.setdefault(case.target, []).append(case)
            reached.setdefault(case.target, set()).update(sites)
        if not models:
            return
        maker = TellingCases(Signatures(models[0][0].module, constants.tree), constants)
        maker.look_at(case for case, _ in models)
        times = 1 if math.isinf(self._killing.ends) else TIMED
        passes = {id(case): sites for case, sites in models}  # the cases live as long as the lists

        def worth(case: Case) -> int:
            return len(passes.get(id(case), frozenset()) & self.alive)

        most = times * MOST_TELLING_CASES
        streams = {
            target: maker.of(target, some, of_class(target, by_target, changing), most, worth)
            for target, some in by_target.items()
        }
        refusing = set(lines_of(constants.tree, ast.Raise))  # what is refused tells of boundaries
        fruitless, cost = dict.fromkeys(streams, 0), dict.fromkeys(streams, 0)
        now = time.monotonic()
        until = now + TELLING * (self._until - now)
        while streams and self.goes_on and time.monotonic() < until:
            target = min(streams, key=lambda one: cost[one] * (1 + fruitless[one] / FRUITLESS))
            made = next(streams[target], None)
            done = fruitless[target] >= times * MOST_FRUITLESS_TELLING or not reached[target] & self.alive
            if made is None or done or self._lost[target] >= MOST_LOST:
                del streams[target]
                continue
            if self._is_endless(made):
                fruitless[target] += 1
                continue
            made, kept, verdict = self._judged(made)
            cost[target] += (LEAST_COST + verdict.steps) * (1 + len(verdict.tried))
            if _returns(verdict.seen) or not verdict.reached <= reached[target]:
                by_target[target].append(made)  # a step on the way
                passes[id(made)] = verdict.reached
            reached[target] |= verdict.reached
            fruitless[target] += 1
            self._lost[target] += verdict.lost
            refused = verdict.seen is not None and verdict.seen.raised_at in refusing
            if verdict.killed and (refused or _is_readable(verdict.seen)):
                self._take(kept, verdict)
                fruitless[target] = 0

    def _is_endless(self, case: Case) -> bool:
        """Return whether a case calls what had no end several times."""
        owner = case.target.rpartition(".")[0]
        names = (f"{owner}.{step.name}" for step in case.setup if step.act is Act.METHOD)
        return any(self._lost[name] >= MOST_LOST for name in (case.target, *names))

    def _judged(self, made: Case) -> tuple[Case, Case, Verdict]:
        """Return a case without calls that raise before its own, that with results kept, and its verdict."""
        for left in reversed(range(MOST_REFUSED + 1)):
            kept = keeping(made, self.givers)
            verdict = self._killing.judge(kept, None, self.alive)
            shorter = without_call(made, verdict.refused_at) if left else None
            if shorter is None:
                break
            made = shorter
        return made, kept, verdict

    def _plain(self, case: Case, verdict: Verdict) -> Case:
        """A case without what it does not need, in its mocks either."""
        plain = plainest(case, partial(self._still, verdict))
        seen = self._killing.judge(plain, None, ()).seen
        terse = plain if seen is None else trimmed(plain, seen)
        return terse if terse is plain or self._still(verdict, terse) else plain

    def _still(self, before: Verdict, case: Case) -> bool:
        """Return whether a case notices what another one did, and ends alike."""
        verdict = self._killing.judge(case, None, before.killed) if self.goes_on else Verdict()
        ends = [one.seen and one.seen.outcome for one in (before, verdict)]
        alike = ends[0] is ends[1] and before.seen is not None and _makes_sense(before.seen, verdict.seen)
        return alike and verdict.killed >= before.killed


def _returns(seen: Observation | None) -> bool:
    """Return whether a made-up case ends in a way that a reader would expect."""
    return seen is not None and seen.outcome is Outcome.RETURNED


def _is_readable(seen: Observation | None) -> bool:
    """Return whether a made-up case returns something that somebody may check by reading it."""
    if seen is None or not _returns(seen):
        return False
    parts = list(itertools.islice(within(seen.value), MOST_READ + 1))
    texts = (part.value for part in parts if isinstance(part, Scalar))
    letters = sum(len(text) for text in texts if isinstance(text, str))
    return len(parts) <= MOST_READ and letters <= MOST_LETTERS


def _makes_sense(before: Observation, after: Observation | None) -> bool:
    """Return whether a variant ends in a way that a reader would expect of its like."""
    if after is None or after.outcome is Outcome.RETURNED:
        return after is not None
    raised, again = before.raised, after.raised
    return raised is not None and again is not None and raised.place == again.place
