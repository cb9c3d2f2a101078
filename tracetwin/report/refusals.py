"""What the walls refused, in the words of the table: "3 functions tried to delete files: ..."."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tracetwin.refusals import Refusal
from tracetwin.report.text import clean, count, listed

MOST_NAMES: Final = 6
"""Functions that are named for one act."""

MOST_DETAILS: Final = 20
"""Refused acts of one module that are shown one by one."""


def refusal_lines(refusals: Iterable[Refusal]) -> Iterator[str]:
    """One sentence per act: who tried it, and which option would let it be done."""
    by_act: dict[str, list[Refusal]] = {}
    for refusal in refusals:
        by_act.setdefault(refusal.act, []).append(refusal)
    for act, found in by_act.items():
        opened_by = next((refusal.opened_by for refusal in found if refusal.opened_by), "")
        opening = f"; --allow {opened_by}" if opened_by else ""
        if any(not refusal.function for refusal in found):
            yield f"importing it tried to {act} (refused{opening})"
        calling = _names(refusal for refusal in found if refusal.function and not refusal.making)
        if len(calling) > 1:
            yield f"{count(len(calling), 'function')} tried to {act}: {_told(calling)} (refused{opening})"
        elif calling:
            yield f"{calling[0]} tried to {act} (refused{opening})"
        preparing = _names(refusal for refusal in found if refusal.making)
        if others := [name for name in preparing if name not in calling]:
            yield f"what is called before {_told(others)} tried to {act} (refused{opening})"


def detail_lines(refusals: Sequence[Refusal]) -> Iterator[str]:
    """Each refused act by itself, the first of them."""
    for refusal in refusals[:MOST_DETAILS]:
        who = clean(refusal.function, 60) or "the import"
        act = clean(f"{refusal.event}({refusal.detail})", 200)
        times = f", in {count(refusal.runs, 'run')}" if refusal.function else ""
        yield f"refused to {who}: {act}{times}"
    if len(refusals) > MOST_DETAILS:
        yield f"refused: {len(refusals) - MOST_DETAILS} more"


def _names(refusals: Iterable[Refusal]) -> list[str]:
    return list(dict.fromkeys(clean(refusal.function, 60) for refusal in refusals))


def _told(names: Sequence[str]) -> str:
    """The first names, and how many there are besides."""
    if len(names) <= MOST_NAMES:
        return listed(names)
    return listed([*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} more"])
