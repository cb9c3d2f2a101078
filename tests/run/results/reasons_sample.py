"""A module whose lines are not covered, and outcomes of its exploration, for tests of reasons."""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from dataclasses import dataclass

from instrumenter.twin import SiteKind
from tracetwin.explore.loop.budget import ExplorationStatistics
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.reasons import Reasons


@dataclass(frozen=True)
class Site:
    id: int
    line: int
    kind: SiteKind = SiteKind.IF


SOURCE = textwrap.dedent(
    """\
    def f(x, xs):
        if x > 1:
            a = 1
        elif x > 2:
            a = 2
        else:
            a = 3
        if x > 3:
            return 4
        while x > 5:
            x -= 1
        assert x > 6
        for y in xs:
            b = y
        try:
            c = int(x)
        except ValueError:
            c = 0
        with x:
            if x > 7:
                d = 1
        return a

    def g(x):
        return x
    """
)


TREE = ast.parse(SOURCE)


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SOURCE.splitlines(), 1) if text in line)


F = Invokable("f", "function", "", 1, line_of("return a"), typed=True, problem="")


SITES = [Site(10 + n, n) for n in range(1, 30)]


def reason(
    text: str,
    *,
    invokable: Invokable | None = F,
    outcome: ExplorationOutcome | None = None,
    explored: bool = True,
) -> str:
    told = [(invokable, outcome)] if invokable and outcome and explored else []
    return Reasons(TREE, SITES, told).explain(line_of(text), invokable, outcome).reason


def stopped(*stops: str, runs: int = 0) -> ExplorationStatistics:
    return ExplorationStatistics(runs=runs, stops=Counter(stops))


def outcome(*fates: tuple[str, int, Obstacle, str], **fields: object) -> ExplorationOutcome:
    known = {(10 + line_of(text), side): (fate, detail) for text, side, fate, detail in fates}
    return ExplorationOutcome("f", fates=known, **fields)  # type: ignore[arg-type]


ASKED = "condition did not depend on the arguments in any run (line {})"


def hangs(
    words: str, line: int, *, runs: str = "", way: str = "made the condition true", tried: str = ""
) -> str:
    """The reason of a condition that hangs on something, and nobody saw how."""
    told = f"no run {way}, and which value would is not known: line {line} hangs on {words}"
    return f"{told}{f'; tried were {tried}' if tried else ''}{f' ({runs})' if runs else ''}"
