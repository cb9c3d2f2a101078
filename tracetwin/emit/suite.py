"""From cases to a test file that was seen to pass: the one call that does it all."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tracetwin.emit.earlier_suite import EarlierSuite
from tracetwin.emit.maker import Maker
from tracetwin.emit.neighbours import importable_beside, is_first_party
from tracetwin.emit.processes import SuiteProcesses
from tracetwin.emit.result import Suite
from tracetwin.emit.select.choice import Choice
from tracetwin.emit.select.glance import glanced
from tracetwin.emit.select.improve import LEAST_SECONDS, improving_until
from tracetwin.emit.select.killing import seconds_kept
from tracetwin.emit.select.misuse import misuse_of
from tracetwin.emit.select.select import without_repetitions
from tracetwin.emit.select.suspicious import suspicions
from tracetwin.emit.timetable import Timetable
from tracetwin.emit.verify.verify import Page
from tracetwin.explore.criteria.base import Criterion
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.model.case import Case
from tracetwin.model.met import Met
from tracetwin.model.options import APART, AUTO, DROP, MINIMAL, NEVER, SHORT, MockStyle
from tracetwin.model.written_test import EarlierTests
from tracetwin.mutation.differences import Differ, no_differences
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.causes import import_explained
from tracetwin.replay.session import CASE_SECONDS, NO_TIME
from tracetwin.replay.static import coverable, outlined
from tracetwin.support.stopwatch import Stopwatch
from tracetwin.target.outline import from_plain

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

GLANCING: Final = 0.6
"""Part of the time for replaying all cases once; what is not replayed by then is not chosen."""


def build_suite(
    module: TargetModule,
    cases: Sequence[Case],
    *,
    style: str = "unittest",
    mock: MockStyle = MockStyle.AUTO,
    criteria: Sequence[Criterion] = (BRANCH,),
    limits: Limits | None = None,
    timeout_per_case: float = CASE_SECONDS,
    first_party: bool | None = None,
    elsewhere: TargetModule | None = None,
    place: str = "",
    seconds: float = math.inf,
    within: float = math.inf,
    before: EarlierTests | None = None,
    suspicious: str = APART,
    misuse: str = DROP,
    typed: Collection[str] | None = None,
    data: str = SHORT,
    met: Met | None = None,
    differ: Differ = no_differences,
    assertions: str = MINIMAL,
    group: str = NEVER,
    processes: SuiteProcesses | None = None,
) -> Suite:
    """Replay the cases, choose, replay twice, write, run what was written, and drop what did not pass.

    The same cases give the same text, where there is time enough.

    Args:
        module: the target.
        cases: what to call.
        style: the dialect.
        criteria: say what the suite has to keep.
        mock: how mocks are written.
        limits: those of the sandbox; None for its defaults.
        timeout_per_case: seconds for one case, and for one test.
        first_party: whether import sorters will know the target as part of the project; None: whether its
            root is the current folder or `src` in it.
        elsewhere: a copy of the target at another place, where the place is none to rely on.
        place: what the file says of where the target is imported from; "" for the usual words.
        seconds: how long it may take, about; cases that are not shortened by then are written as they are.
        within: seconds after which it is over: what was not replayed and verified by then is left out.
        before: the tests that are there: those that hold stay, those that don't are told.
        suspicious: where tests go that pin what looks like a fault, one of `SUSPICIONS`.
        misuse: what becomes of cases that only show that a guess at a type was wrong, one of `MISUSES`.
        typed: qualified names of what takes no guessed argument; None: what the text says.
        data: which values are written where several lead the same way, one of `DATA`.
        met: what the user's own tests meet: goals of the suite are the others.
        differ: looks for inputs that tell mutants from their original.
        assertions: which assertions tests get, one of `ASSERTIONS`.
        group: whether tests that differ in values only become rows of one, one of `GROUPS`.
        processes: those that have begun to import the module; None to start them now.
    """
    started = time.monotonic()
    watch, timetable = Stopwatch(), Timetable(started + within)
    earlier = EarlierSuite(module.name, style, before or EarlierTests())
    earlier.theirs, facts = met, None
    try:
        if not module.file.endswith(".pyc"):
            facts = coverable(module.file, module.python)
    except Exception as error:  # noqa: BLE001 - coverage.py has its own for syntax errors and missing files
        return Suite(error=str(error))
    with watch.phase("comparing"):
        earlier.run(Page("", module, style, limits, timeout_per_case), facts, criteria)
    cases = without_repetitions([*earlier.cases, *cases])
    wants_mutants = any(criterion.wants_mutants for criterion in criteria)
    made = processes or SuiteProcesses(
        module,
        wants_mutants=wants_mutants,
        timeout_per_case=timeout_per_case,
        limits=limits,
        elsewhere=elsewhere,
    )
    with made:
        sessions, mutants = made.sessions, made.mutants
        mutants.differ = differ
        sessions.until = timetable.ends
        with watch.phase("replaying"):
            timetable.starting = sessions.start()
            doubts, shown = suspicions(module.name, facts, cases, sessions.attempt)
            cases = without_repetitions([*cases, *shown])
            glancing = min(max(LEAST_SECONDS, GLANCING * seconds), timetable.glancing)
            begun = time.monotonic()
            replayed = glanced(sessions, cases, glancing)
        replayed_at = time.monotonic()
        seen = sum(one.why != NO_TIME for one in replayed.observations)
        timetable.case = (replayed_at - begun) / max(1, seen)
        until = improving_until(started, replayed_at, seconds)
        if replayed.outline is not None:
            facts = outlined(module.file, from_plain(replayed.outline))
        if replayed.error or facts is None:
            why = replayed.error and import_explained(module, replayed.error, limits)
            return Suite(error=why, coverable=facts)
        facts = earlier.counted(facts)
        maker = Maker(
            Choice(
                module,
                cases,
                replayed,
                facts,
                sessions,
                mutants,
                style=style,
                mock=mock,
                criteria=criteria,
                importable=importable_beside(module),
                seconds=timeout_per_case,
                limits=limits,
                until=until,
                timetable=timetable,
                watch=watch,
                first=[*range(len(earlier.cases)), *doubts.places(cases)],
                settled=earlier.settled,
                refuses=misuse_of(facts.speaking, typed) if misuse == DROP else None,
                data=data,
            ),
            earlier,
        )
        maker.place, maker.suspicious, maker.doubts = place, suspicious, doubts
        maker.terse, maker.in_tables = assertions == MINIMAL, group == AUTO
        maker.choice.killing.least = seconds_kept(seconds)
        maker.choice.killing.standing = dict(earlier.sole_tests()) if wants_mutants else {}
        maker.first_party = is_first_party(module.root) if first_party is None else first_party
        with watch.phase("choosing"):
            suite = maker.make()
        return replace(suite, phases=watch.seconds, regressions=earlier.lost, notes=earlier.notes)
