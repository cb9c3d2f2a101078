"""Which branch sides count for the exploration of a class, and which of them no run passed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final

from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from instrumenter.twin import Site

_TWO_SIDES: Final = ("if", "while", "assert", "guard")
_LOOPS: Final = ("for",)


@dataclass(frozen=True, order=True)
class Missed:
    """A branch side that no run passed.

    Attributes:
        line: where the condition stands.
        column: its column, from 0.
        scope: the function that it stands in.
        kind: ``if``, ``while``, ``for``, ``assert`` or ``guard``.
        side: whether it is the side where the condition is true, or the loop entered.
    """

    line: int
    column: int
    scope: str
    kind: str
    side: bool


class Coverage:
    """The branch sides of the functions that can be reached, and of those that were.

    So methods that were left out on purpose don't count, unless another one calls them.
    """

    def __init__(self, sites: Iterable[Site], reachable: Collection[str]) -> None:
        self._sites = [s for s in sites if s.scope and s.kind.value in (*_TWO_SIDES, *_LOOPS)]
        self._sides = {side for site in self._sites for side in _sides(site)}
        self._reachable = reachable

    def counts(self, side: int) -> bool:
        """Return whether a side may count."""
        return side in self._sides

    def result(self, passed: Collection[int]) -> tuple[int, list[Missed]]:
        """How many sides count, and those of them that were not passed."""
        entered = {site.scope for site in self._sites if any(side in passed for side in _sides(site))}
        counted = [site for site in self._sites if site.scope in entered or self._can_be_reached(site.scope)]
        missed = [
            Missed(site.line, site.column, site.scope, site.kind.value, bool(side & 1))
            for site in counted
            for side in _sides(site)
            if side not in passed
        ]
        return sum(len(_sides(site)) for site in counted), sorted(missed)

    def _can_be_reached(self, scope: str) -> bool:
        return scope.partition(".<locals>")[0] in self._reachable


def _sides(site: Site) -> tuple[int, ...]:
    """Return whether a native iterator ends can't be seen: of a loop, that it is entered."""
    return (site.id * 2 + 1,) if site.kind.value in _LOOPS else (site.id * 2, site.id * 2 + 1)
