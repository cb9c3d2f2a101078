"""What holds for every criterion, ours or another distribution's."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from instrumenter.transform import instrument
from tracetwin.explore.criteria.base import Criterion, ModuleText, Reached, SuiteCoverage
from tracetwin.explore.loop.shown import flow_entries
from tracetwin.model.goal import GoalFate

SOURCE = textwrap.dedent("""\
    def classify(n: int, names: list[str]) -> str:
        if n < 0 or n > 1000:
            raise ValueError(n)
        for name in names:
            if name == "last":
                break
        else:
            n += 1
        while n > 100:
            n -= 50
        assert n != 7
        return "small" if n < 10 else "large"
    """)
TEXT = ModuleText("sample", SOURCE.encode())
LINES = frozenset(range(2, 13)) - {7}
ARCS = frozenset({(2, 3), (2, 4), (4, 5), (4, 8), (5, 4), (5, 6), (9, 10), (9, 11), (11, 12), (11, -1)})
NOTHING = Reached(("sample", "classify"), (), (), (), (), (), ("returned", None, None))


def check(criterion: Criterion) -> None:
    """Fail where a criterion does not do what the others may rely on."""
    assert criterion.name == criterion.name.strip().lower()
    assert criterion.noun
    _check_sides(criterion)
    _check_selection(criterion)
    _check_report(criterion)


def _check_sides(criterion: Criterion) -> None:
    for site in instrument(SOURCE, name="sample", filename="sample.py").sites:
        wanted = criterion.sides(site, TEXT)
        assert wanted == criterion.sides(site, TEXT), "the same question, the same answer"
        assert {side >> 1 for side in (*wanted.main, *wanted.finer)} <= {site.id}
        assert not {*wanted.main} & {*wanted.finer}


def _check_selection(criterion: Criterion) -> None:
    full = replace(NOTHING, lines=LINES, arcs=ARCS, own_lines=LINES, own_arcs=ARCS, shown=("way:1",))
    assert set(criterion.select(full)), "nothing would ever be written"
    for goal in criterion.select(full):
        assert isinstance(goal, tuple)
        assert isinstance(goal[0], str)
        hash(goal)
    bare = set(criterion.select(replace(full, shown=())))
    assert not [goal for goal in bare if goal[0] == "shown"], "what only a twin sees"
    assert set(criterion.select(NOTHING)) <= bare <= set(criterion.select(full))


def _check_report(criterion: Criterion) -> None:
    covered = SuiteCoverage(
        TEXT, LINES, LINES, ARCS, ARCS, lambda line: "", lambda line, way: "", lambda line: "classify",
        shown=flow_entries(TEXT.source, TEXT.module),
    )  # fmt: skip
    missed = replace(
        covered, covered_lines=(), covered_branches=(), why_line=lambda line: "budget spent",
        why_side=lambda line, way: "budget spent", shown=(),
    )  # fmt: skip
    assert {goal.fate for goal in criterion.report(covered)} <= {GoalFate.COVERED}
    assert {goal.fate for goal in criterion.report(missed)} <= {GoalFate.OPEN, GoalFate.INFEASIBLE}
    for goal in (*criterion.report(covered), *criterion.report(missed)):
        assert criterion.name == goal.criterion
        assert bool(goal.reason) == (goal.fate is not GoalFate.COVERED), goal
        assert goal.name
        assert goal.line in LINES
    assert all(isinstance(line, str) for line in criterion.told(criterion.report(missed)))
