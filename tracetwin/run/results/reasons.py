"""Words for why a line is infeasible or not covered, by the nearest way in that no run goes.

Such ways (`tracetwin.analysis.entries`) begin at a line that is run: at a condition, whose fate is the
reason; before a handler; or at a statement that runs do not get past (`tracetwin.run.results.endings`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final, Protocol

from instrumenter.twin import SiteKind
from tracetwin.analysis.entries import Awaited, WayIn, ways_in
from tracetwin.analysis.guards import EXCEPTION, Guard
from tracetwin.analysis.misuse import MISUSE
from tracetwin.explore.criteria.base import Raising
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.goal import Uncovered
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.chains import UNCALLED
from tracetwin.run.results.endings import RunEnds, broken_off, cut_short, ended, refused
from tracetwin.run.results.losses import Losses
from tracetwin.run.results.making import Making
from tracetwin.run.results.passed import always_passed, values_tried
from tracetwin.run.results.places import Places, brackets
from tracetwin.run.results.shares import crowding
from tracetwin.run.results.untested import UNWRITTEN, Tried, Untested, stops_of
from tracetwin.support.text import count, listed

_MOST_UNANSWERED: Final = 2
"""Conditions without an answer that are named."""

FEW_RUNS: Final = 10
"""Runs after which it is no news that a condition did not depend on an input."""

_MOST_CALLS: Final = 3
"""Lines with calls of a function that are named."""


class SiteLike(Protocol):
    """The part of a site that reasons need."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def line(self) -> int:
        """Its line in the original source."""

    @property
    def kind(self) -> SiteKind:
        """The construct that it belongs to."""


_TESTING: Final = (SiteKind.IF, SiteKind.WHILE, SiteKind.ASSERT, SiteKind.OPERAND)
"""Decisions that are true or false, and no walk over something."""

_WITHIN: Final = (SiteKind.TERNARY, SiteKind.COMPREHENSION, SiteKind.COMPREHENSION_FOR)
"""Decisions within a statement, which decide about no line."""

class Reasons:
    """Explains the uncovered lines of one module."""

    def __init__(
        self,
        tree: ast.Module,
        sites: Iterable[SiteLike],
        explored: Iterable[tuple[Invokable, ExplorationOutcome]] = (),
        dropped: Mapping[str, Mapping[int, str]] | None = None,
        forbidden: Callable[[str], bool] = lambda qualname: False,
        covered: Collection[int] = (),
        module: str = "",
        raised: Iterable[Raising] = (),
        by_runs: bool = False,
        dropped_sides: Mapping[int, str] | None = None,
        replayed: Collection[int] = (),
    ) -> None:
        """Take in what is known.

        Args:
            tree: the module.
            sites: its conditions.
            explored: what was explored, and what came of it.
            dropped: per function, lines that only inputs reach of which no test could be made, and why.
            forbidden: whether the user does not let something be called, by its qualified name.
            covered: lines that tests run.
            module: its name.
            raised: the exceptions that were seen leaving calls.
            by_runs: whether executions were to end the work, and not time.
            dropped_sides: sides of conditions that such inputs show, and why.
            replayed: the lines that the code itself was seen to run, whatever became of the inputs.
        """
        self._places = Places(tree)
        self._making = Making(tree, self._places)
        self._losses = Losses(self._places, module)
        self._ends = RunEnds(self._places, raised)
        self._forbidden = forbidden
        self._covered = frozenset(covered)
        self._explored = list(explored)
        self._stops = stops_of(self._places, self._explored)
        used = ((i.qualname, o.statistics.runs if by_runs else o.seconds) for i, o in self._explored)
        self._used = dict(used)
        self._dropped = dropped or {}
        self._before: tuple[Mapping[int, Uncovered], Mapping[int, str]] = ({}, {})
        self._told: dict[tuple[WayIn, tuple[str, ...]], str] = {}
        self._sites: dict[int, list[int]] = {}
        self._lines: dict[int, int] = {}
        self._kinds: dict[int, SiteKind] = {}
        inside = brackets(tree)
        for site in sorted(sites, key=lambda site: site.kind is SiteKind.OPERAND):
            self._lines[site.id] = site.line
            self._kinds[site.id] = site.kind
            for line in () if site.kind in _WITHIN else {site.line, inside.get(site.line, site.line)}:
                self._sites.setdefault(line, []).append(site.id)
        self._lost = Untested(
            self._places, self._lines, self._explored, self._dropped, dropped_sides or {}, replayed
        )

    def take_over(self, lines: Mapping[int, Uncovered], sides: Mapping[int, str]) -> None:
        """Take in reasons for lines, and for branches by lines, of functions that were not explored now."""
        self._before = lines, sides

    def explain(
        self, line: int, invokable: Invokable | None, outcome: ExplorationOutcome | None
    ) -> Uncovered:
        """Return why `line`, which belongs to `invokable`, was not covered, in a few words."""
        helper = "" if invokable else self.function(line)
        if invokable is None and (not helper or self._places.unmade(line, self._covered)):
            program = self._places.program(line)
            return Uncovered(line, _PROGRAM.format(program) if program else _IMPORTING)
        if invokable is not None and invokable.problem:
            return Uncovered(line, invokable.problem)
        if invokable is not None and outcome is None:
            why = self._dropped.get(invokable.qualname, {}).get(line)
            told = Uncovered(line, UNWRITTEN.format(why)) if why else self._before[0].get(line)
            told = told or self._from(line, self._covered, self._explored)  # others may call it
            return told or Uncovered(line, self._spent(invokable.qualname))
        tried = self._tried(line, invokable, outcome)
        own = [i.qualname for i, _ in tried]
        dropped = {at: why for name in own for at, why in self._dropped.get(name, {}).items()}
        came = frozenset(at for _, one in tried for at in self._came(one))
        if line in dropped:
            return Uncovered(line, UNWRITTEN.format(dropped[line]), helper)
        if line in came:
            sides = [2 * site + way for site in self._sites.get(line, ()) for way in (0, 1)]
            return Uncovered(line, self._lost.why(line, sides, tried), helper)
        found = self._from(line, self._covered.union(dropped, came), tried)
        alone = [(invokable, outcome)] if invokable and outcome else tried
        found = found or Uncovered(line, self._uncalled(line, helper, alone))
        return replace(found, function=helper)

    def _tried(self, line: int, invokable: Invokable | None, outcome: ExplorationOutcome | None) -> Tried:
        """The runs that may have come to a line: those of its function, of others where none of these began.

        Others count, too, where tests of theirs run the function.
        """
        if invokable is None or outcome is None:
            return self._explored
        found = self._places.around(line) if ended(outcome) else None
        body = range(found[1].body[0].lineno, (found[1].end_lineno or 0) + 1) if found else ()
        return [(invokable, outcome)] if self._covered.isdisjoint(body) else self._explored

    def _uncalled(self, line: int, helper: str, tried: Tried) -> str:
        """The reason for a line of a function that no run comes into."""
        if not helper:
            outcome, inner = tried[0][1], self.function(line)
            within = self._called(inner) if self._places.outermost(inner) != inner else ""
            stop = "" if outcome.cases else stops_of(self._places, tried).most()
            return cut_short(outcome) or within or self._stopped(stop, line) or self._general(outcome)
        if self._forbidden(helper):
            return "the configuration does not let it be called"
        return self._called(helper) or "not reached by any public function or method that was explored"

    def _stopped(self, stop: str, line: int) -> str:
        return self._stops.told(stop, line) if stop else ""

    def _called(self, helper: str) -> str:
        """The reason of a function that only lines call which no test runs, "" for others."""
        calls = self._places.calling(helper)
        if calls and self._covered.isdisjoint(calls):
            more = ["others"] if len(calls) > _MOST_CALLS else []
            return UNCALLED.format("s" * (len(calls) > 1), listed([*map(str, calls[:_MOST_CALLS]), *more]))
        return ""

    def _came(self, outcome: ExplorationOutcome) -> frozenset[int]:
        """The lines of conditions that runs came to."""
        sites = [*(side >> 1 for side in outcome.covered), *(site for site, _ in outcome.fates)]
        return frozenset(self._lines.get(site, 0) for site in sites)

    def _from(self, line: int, passed: Collection[int], tried: Tried) -> Uncovered | None:
        """Why no run goes on to a line from others of its function, None where none of these is run."""
        found = self._places.around(line)
        ways = [] if found is None else [one for one in ways_in(found[1], line, passed) if one.after]
        names = tuple(invokable.qualname for invokable, _ in tried)
        for one in ways:
            if (one, names) not in self._told:
                self._told[one, names] = self._at(one, passed, tried)
        told = [(way, self._told[way, names]) for way in ways]
        way, reason = next((pair for pair in told if pair[1]), (next(iter(ways), None), ""))
        if way is None:
            return None
        reason = reason or (self._general(tried[0][1]) if len(tried) == 1 else self.rest(None))
        begins = way.guard.line if way.guard else way.after
        if begins not in self._covered and not reason.startswith(Obstacle.INFEASIBLE.value):
            reason = self._behind(begins, tried) or reason
        return Uncovered(line, reason, at=begins, way=way.guard.outcome if way.guard else None)

    def _behind(self, line: int, tried: Tried) -> str:
        """The reason of what comes after a line of which no test could be written, "" for others."""
        known = (self._dropped.get(invokable.qualname, {}).get(line, "") for invokable, _ in tried)
        why = next((one for one in known if one and not one.startswith(MISUSE)), "")
        return _BEHIND.format(line, why) if why else ""

    def _at(self, way: WayIn, passed: Collection[int], tried: Tried) -> str:
        """Return why no run goes a way in, "" where nothing is known."""
        cut = next((told for _, outcome in tried if (told := cut_short(outcome))), "")
        if way.guard is None:
            ends = self._ends.at(way, passed) or self._stops.at(way)
            return ends or self._lost.broken_off(way.after, tried) or cut
        if way.handler is not None:
            lines = range(way.handler.first, way.handler.last + 1)
            lost = (self._losses.within(lines, outcome) for _, outcome in tried)
            return cut or next(filter(None, lost), "") or _awaited(way.handler)
        sides = {site * 2 + way.guard.outcome for site in self._sites.get(way.guard.line, ())}
        taken = any(not sides.isdisjoint(outcome.covered) for _, outcome in tried)
        return (taken and self._ends.at(way, passed)) or self._not_passed(way.guard, tried)

    def _not_passed(self, guard: Guard, tried: Tried) -> str:
        """Why a condition never had an outcome, "" where nothing is known."""
        sides = {site * 2 + guard.outcome for site in self._sites.get(guard.line, ())}
        misused = [why for _, one in tried for side in sides if (why := one.misused.get(side))]
        if misused:
            return self._stops.told(misused[0], guard.line + 1)
        told = [reason for i, o in tried if (reason := self._blame(guard, i, o))]
        # Proved for one caller says nothing about the others.
        likely = min(told, key=lambda reason: reason == Obstacle.INFEASIBLE.value, default="")
        broken = "" if guard.line in self._covered else self._lost.broken_off(guard.line, tried)
        if broken and not likely.startswith(Obstacle.INFEASIBLE.value):
            return broken
        if likely:
            return likely
        if waits := self._places.waits_for_import(guard):
            return waits
        if self._places.is_fixed(guard.line):
            return f"{Obstacle.CONCRETE.value} (line {guard.line})"
        if all(sides.isdisjoint(outcome.covered) for _, outcome in tried):
            return ""
        return self._lost.why(guard.line, sides, tried)

    def explain_side(
        self, line: int, way: int, invokable: Invokable | None, outcome: ExplorationOutcome | None
    ) -> str:
        """The reason why the condition of a line never had an outcome, "" where nothing is known."""
        if outcome is None and line in self._before[1]:
            return self._before[1][line]
        tried = self._tried(line, invokable, outcome)
        return self._not_passed(Guard(line, way), tried)

    def rest(self, outcome: ExplorationOutcome | None) -> str:
        """Return the reason that is left where nothing is to blame: what was tried did not lead there.

        Without an outcome all of them count.
        """
        tried = [one for _, one in self._explored] if outcome is None else [outcome]
        if all(one.complete for one in tried):
            return Obstacle.NOT_FOUND.value
        return Obstacle.SPENT.value if outcome is None else self._spent(outcome.qualname)

    def _spent(self, name: str, outcome: ExplorationOutcome | None = None, line: int = 0) -> str:
        """The reason that the budget was spent, with what used it up where that was something else.

        With an outcome conditions are named to which the solver had no answer: that of a line if it is one,
        else those on which it hangs.
        """
        crowded = crowding(self._used, name)
        told = f"{Obstacle.SPENT.value}: {crowded}" if crowded else Obstacle.SPENT.value
        counts: Counter[int] = Counter()
        asked = outcome.unanswered if outcome is not None and line else {}
        before = self._places.deciding(line) if asked else ()
        for (site, _), times in asked.items():
            if self._lines.get(site, 0) in before:
                counts[self._lines[site]] += times
        lines = [line] if line in counts else sorted(at for at, _ in counts.most_common(_MOST_UNANSWERED))
        if not lines:
            return told
        where = f"line{'s' * (len(lines) > 1)} {listed([*map(str, lines)])}"
        return f"{told} (the solver had no answer to the condition{'s' * (len(lines) > 1)} in {where})"

    def function(self, line: int) -> str:
        """The qualified name of the function that a line belongs to, "" outside of all."""
        found = self._places.around(line)
        return found[0] if found is not None else ""

    def _blame(self, guard: Guard, invokable: Invokable, outcome: ExplorationOutcome) -> str:
        """Why a guard was not passed, or "" when it was."""
        if guard.outcome == EXCEPTION:
            return ""
        for site in self._sites.get(guard.line, []):
            if (site, guard.outcome) in outcome.fates:
                fate, _ = outcome.fates[site, guard.outcome]
                imported = "" if fate is Obstacle.INFEASIBLE else self._places.waits_for_import(guard)
                return imported or self._say(fate, guard, invokable, outcome)
        return ""

    def _say(self, fate: Obstacle, guard: Guard, invokable: Invokable, outcome: ExplorationOutcome) -> str:
        line = guard.line
        if fate in (Obstacle.SPENT, Obstacle.NOT_FOUND) and self._places.is_fixed(line):
            fate = Obstacle.CONCRETE  # no run to come can show anything else
        elif fate is Obstacle.CONCRETE and _is_early(outcome) and not self._places.is_fixed(line):
            fate = Obstacle.SPENT  # so few runs have shown nothing
        if fate is Obstacle.INFEASIBLE and not invokable.typed:
            return "infeasible for the argument types tried"
        broken = broken_off(outcome, self._places.before(line))
        if broken and fate in (Obstacle.REFUTED, Obstacle.NOT_FOUND):
            return broken
        state = fate is Obstacle.CONCRETE and self._places.asks_for_state(line)
        decides = self._making.deciding(line)
        if state and not (decides.made_with or decides.names):
            return _STATE.format(line)
        if fate is Obstacle.CONCRETE:
            if self._places.reads_command_line(line):
                return f"the command line (sys.argv) decides it, and no argument (line {line})"
            if self._places.asks_for_kinds(line):
                always = always_passed(self._places, line, invokable, outcome)
                return f"{_KINDS.format(line)}: {always}" if always else _KINDS.format(line)
            acts = "" if "returned" in outcome.endings else refused(outcome)
            lost = self._losses.before(line, outcome, abroad=not acts)
            return lost or acts or self._elsewhere(guard, invokable, outcome)
        if fate is Obstacle.SPENT or (fate is Obstacle.NOT_FOUND and not outcome.complete):
            return self._spent(outcome.qualname, outcome, line)
        return f"{fate.value} (line {line})" if fate is Obstacle.GAVE_UP else str(fate.value)

    def _elsewhere(self, guard: Guard, invokable: Invokable, outcome: ExplorationOutcome) -> str:
        """Return a reason for a condition that no argument showed in, and for which no call lost one.

        What its text shows it to hang on is told, as it is not true that no argument decides it.
        """
        line, decides = guard.line, self._making.deciding(guard.line)
        state = invokable.kind in ("method", "property") and self._places.looks_at_state(line)
        if state and outcome.complete and not decides.made_with:
            return Obstacle.NOT_FOUND.value  # what other methods lost may have come to it by the object
        runs = f", {count(outcome.statistics.runs, 'run')}" if outcome.statistics.runs else ""
        if not decides.words or self._places.is_fixed(line):
            return f"{Obstacle.CONCRETE.value} (line {line}{runs})"
        sites = [site for site in self._sites.get(line, ()) if self._kinds[site] in _TESTING]
        way = f"made the condition {'true' if guard.outcome else 'false'}" if sites else "went on this way"
        others = {2 * site + 1 - guard.outcome for site in self._sites.get(line, ())}
        values = values_tried(self._places, line, others, invokable, outcome)
        tried = f"; tried were {values}" if values else ""
        return f"{_HANGS.format(way, line, decides.words)}{tried}{runs.replace(', ', ' (')}{')' * bool(runs)}"

    def _general(self, outcome: ExplorationOutcome) -> str:
        """No guard is to blame: what else ended the runs before the line."""
        if cut := cut_short(outcome):
            return cut
        return "no path that was found leads here" if outcome.exhausted else self.rest(outcome)


def _is_early(outcome: ExplorationOutcome) -> bool:
    """Return whether a search was broken off after so few runs that nothing follows from them."""
    known = outcome.statistics
    return not outcome.complete and 0 < known.runs <= FEW_RUNS and not known.losses


def _awaited(handler: Awaited) -> str:
    """Return the reason of a handler that nothing came to."""
    lines = f"line {handler.first}"
    if handler.first != handler.last:
        lines = f"lines {handler.first} to {handler.last}"
    return f"no input was found that raises the exception handled here: {handler.kinds or 'any'} in {lines}"


_KINDS = "no value of another kind came to the condition in line {} in any run"
_IMPORTING = "runs only while the module is imported otherwise"
_PROGRAM = 'runs only as a program, below `if __name__ == "__main__":` (line {})'
_BEHIND = "comes after line {}, of which no test could be written: {}"
_STATE = "no sequence of calls that was tried brings the object into the state that line {} asks for"
_HANGS = "no run {}, and which value would is not known: line {} hangs on {}"
