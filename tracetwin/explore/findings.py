"""What runs have shown: which of them make cases."""

from __future__ import annotations

from tracetwin.explore.run import Run

MAX_CASES = 60
"""Ways of combining known sides of which a case is kept, besides those that show something new."""


class Findings:
    """What the runs of one invokable have shown, whichever explorer made them."""

    def __init__(self) -> None:
        self._endings: set[tuple[str, str, int]] = set()
        self._decisions: set[tuple[int, int]] = set()
        self._effects: set[str] = set()
        self._signatures: set[object] = set()

    @property
    def effects(self) -> frozenset[str]:
        """The attributes of receivers that were seen changing."""
        return frozenset(self._effects)

    def is_new(self, run: Run, covered: set[int]) -> bool:
        """Whether a run passes a side, takes a decision or ends in a way that none did before."""
        new = (
            run.ending not in self._endings
            or not run.outcomes <= covered
            or not run.decisions <= self._decisions
            or not run.effects <= self._effects
        )
        self._effects |= run.effects
        self._endings.add(run.ending)
        self._decisions |= run.decisions
        if new:
            self._signatures.add(_signature(run))
        return new

    def is_another(self, run: Run) -> bool:
        """Whether it is one of the first to combine what is known in its way."""
        signature = _signature(run)
        if signature in self._signatures or len(self._signatures) >= MAX_CASES:
            return False
        self._signatures.add(signature)
        return True


def _signature(run: Run) -> object:
    """What two runs have in common that do the same in their last call."""
    return (run.ending, run.latest, run.decisions, run.effects)
