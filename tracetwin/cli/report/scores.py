"""The part of its goals that each criterion has covered, and thresholds for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tracetwin.model.goal import Goal, GoalFate
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Score:
    """The goals of one criterion.

    Attributes:
        feasible: how many there are but for those that are proved infeasible.
    """

    covered: int
    feasible: int

    @property
    def percent(self) -> float:
        """Covered ones of the feasible ones; 100 where there are none."""
        return 100.0 * self.covered / self.feasible if self.feasible else 100.0

    @property
    def text(self) -> str:
        """Both numbers and the percentage, rounded down."""
        return f"{self.covered}/{self.feasible} ({int(self.percent)} %)"


def scores(goals: Iterable[Goal]) -> dict[str, Score]:
    """Return the score of each criterion, in the order in which they were asked for."""
    fates: dict[str, list[GoalFate]] = {}
    for goal in goals:
        fates.setdefault(goal.criterion, []).append(goal.fate)
    return {
        name: Score(some.count(GoalFate.COVERED), len(some) - some.count(GoalFate.INFEASIBLE))
        for name, some in fates.items()
    }


def thresholds(text: str, criteria: Iterable[str]) -> dict[str, float]:
    """Read what `--fail-under` asks for, such as ``branch=90,mutation=80``.

    Raises:
        ValueError: it can't be read, or names something else.
    """
    names = list(criteria)
    found: dict[str, float] = {}
    for part in text.split(","):
        name, given, number = part.strip().rpartition("=")
        name = name.strip() if given else names[0]
        if name not in names:
            raise ValueError(f"{name!r} is no criterion of this run, which has {', '.join(names)}")
        try:
            found[name] = float(number)
        except ValueError:
            raise ValueError(f"{part.strip()!r} is no percentage; write branch=90,mutation=80") from None
        if not 0 <= found[name] <= 100:
            raise ValueError(f"{part.strip()!r} is no percentage from 0 to 100")
    return found


def missed(found: Mapping[str, Score], wanted: Mapping[str, float]) -> Iterator[str]:
    """Give a sentence for each criterion that does not come up to what is wanted."""
    for name, percent in wanted.items():
        score = found.get(name, Score(0, 0))
        if score.percent < percent:
            yield f"{name}: {score.text} is less than {percent:g} %"
