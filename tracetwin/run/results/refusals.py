"""Refusals of the walls: who tried what, and which `--allow` opens it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.loop.run import PREPARING
from tracetwin.process.walls.acts import DELETE, FORK, NET, READ, RUN, WRITE, act_of
from tracetwin.process.walls.forbidden_events import ATTRIBUTES
from tracetwin.support.data import dataclass
from tracetwin.support.text import clean, count, listed

if TYPE_CHECKING:
    from tracetwin.explore.loop.budget import RefusalCounts
    from tracetwin.model.invokable import Invokable

OPENED_BY: Final = {
    DELETE: "write:PATH", WRITE: "write:PATH", READ: "read:PATH", NET: "net", RUN: "subprocess",
    FORK: "subprocess",
}  # fmt: skip
"""The word after `--allow` that opens an act; nothing opens the others."""


@dataclass(frozen=True)
class Refusal:
    """One act that was refused.

    Attributes:
        function: whose call it was, "" for the import.
        event: the audit event, or the function.
        detail: its first argument, as far as it can be told.
        making: whether it was not the call itself, but making its object or arguments, or a call before it.
    """

    function: str
    event: str
    detail: str
    runs: int = 1
    making: bool = False

    @property
    def act(self) -> str:
        """Return what was tried, such as ``delete files``."""
        return act_of(self.event)

    @property
    def opened_by(self) -> str:
        """Return the word for `--allow` that lets it be done, "" where nothing does."""
        return "" if self.event in ATTRIBUTES else OPENED_BY.get(self.act, "")

    def to_plain(self) -> dict[str, Any]:
        return {"act": self.act, **asdict(self), "opened_by": self.opened_by}


def of_import(refusals: Iterable[tuple[str, str]]) -> list[Refusal]:
    """Return the refusals to the import of a module, each once."""
    return [Refusal("", event, detail) for event, detail in dict.fromkeys(map(_pair, refusals))]


def of_functions(explored: Iterable[tuple[Invokable, RefusalCounts]]) -> list[Refusal]:
    """Return the refusals to the functions of a module, in their order.

    What was refused while something was prepared is blamed on the function whose own call it is, where that
    was explored; else it is told of the one that needs it.
    """
    runs = Counter[tuple[str, str, str, bool]]()
    for invokable, refused in explored:
        for (event, detail, word), times in sorted(refused.items()):
            runs[_culprit(invokable, word), event, detail, word == PREPARING] += times
    own = {event for _, event, _, making in runs if not making}
    return [
        Refusal(name, event, detail, times, making)
        for (name, event, detail, making), times in runs.items()
        if not making or event not in own
    ]


def _culprit(invokable: Invokable, word: str) -> str:
    """Whose call it was: a word of a prefix names a method, an attribute or, after a colon, a function."""
    if word in ("", PREPARING):
        return invokable.qualname
    return word[1:] if word.startswith(":") else f"{invokable.owner}.{word.removesuffix('=')}"


def _pair(refusal: Iterable[str]) -> tuple[str, str]:
    event, detail = refusal
    return str(event), str(detail)


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
