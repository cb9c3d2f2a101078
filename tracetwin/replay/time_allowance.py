"""How long cases are waited for: less and less where many take too long, and of some targets none at all.

It depends on the order of the cases and on which of them take too long, on nothing else.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from tracetwin.model.case import Case

MOST_OF_ONE: Final = 3
"""Cases of one target that may take too long; the rest of its cases is not run."""

PARTS: Final = ((12, 0.2), (3, 0.4))
"""So many cases took too long: the part of the usual time that the others get."""


class Patience:
    """Counts the cases that took too long."""

    def __init__(self, seconds: float) -> None:
        """Begin with the usual time of a case."""
        self._seconds = seconds
        self._late: Counter[str] = Counter()

    def of(self, case: Case) -> float:
        """Seconds for a case; 0 where it is not to be run."""
        if self._late[case.target] >= MOST_OF_ONE:
            return 0.0
        late = self._late.total()
        return self._seconds * next((part for count, part in PARTS if late >= count), 1.0)

    def note(self, case: Case) -> None:
        """A case took too long."""
        self._late[case.target] += 1
