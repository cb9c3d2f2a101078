"""Cases that stand before or behind others: calls that tell of a receiver, calls that change a module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tracetwin.emit.exhibit import Chosen
from tracetwin.emit.select.literal_places import has_receiver
from tracetwin.model.case import Case
from tracetwin.model.observation import Root
from tracetwin.model.recipe import NONE
from tracetwin.model.status import Outcome

MOST_TELLING: Final = 6
"""Methods that are called behind others, to see what these did."""


def tellers_of(chosen: Sequence[Chosen]) -> list[Case]:
    """Return cases whose calls may tell of their receiver: one of each method, the most talkative first."""
    found: dict[str, tuple[tuple[bool, int, int], Case]] = {}
    for case, seen in chosen:
        if seen.outcome is Outcome.RETURNED and has_receiver(case):
            silent = seen.value == NONE or seen.same is not None
            if not silent or not case.last.given:  # what returns None of a new object may tell more of others
                rank = (silent, -len(seen.own_lines), len(case.steps))
                found[case.target] = min(found.get(case.target, (rank, case)), (rank, case), key=_rank)
    return [case for _, case in sorted(found.values(), key=_rank)][:MOST_TELLING]


def movers_of(chosen: Sequence[Chosen]) -> list[Case]:
    """Return the plain calls that change what the module holds, one of each function."""
    found: dict[str, Case] = {}
    for case, seen in chosen:
        moves = any(path.root is Root.MODULE for path, _ in seen.changed)
        if moves and seen.outcome is Outcome.RETURNED and len(case.steps) == 1 and not case.patches:
            found.setdefault(case.target, case)
    return list(found.values())[:MOST_TELLING]


def _rank(one: tuple[tuple[bool, int, int], Case]) -> tuple[bool, int, int]:
    return one[0]
