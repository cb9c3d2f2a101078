"""The members of a class as its object space sees them: what is wanted of each, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Final

from tracetwin.explore.loop.findings import Findings
from tracetwin.explore.loop.goals import GoalLedger, Goals
from tracetwin.explore.loop.mutate import Makings
from tracetwin.model.invokable import Sequenced
from tracetwin.support.data import dataclass

MOST_WAYS: Final = 8
"""Ways through a member's body that are worth a test each."""


@dataclass
class Member:
    """A method, property or operator of the class.

    Attributes:
        qualname: its name as a target.
        word: what a prefix calls it, "" where a prefix can't.
        goals: what is wanted of it.
        findings: what its runs have shown.
        uses: sequences that examples show before they call it.
        ledger: what became of each side.
    """

    qualname: str
    word: str
    kind: str
    goals: Goals
    findings: Findings = field(default_factory=Findings)
    uses: Sequence[Sequenced] = ()

    def __post_init__(self) -> None:
        self.ledger = GoalLedger(self.goals.operands)
        self._ways: dict[tuple[int, ...], str] = {}

    def way(self, latest: frozenset[int]) -> str:
        """A name for the way that a call took through the member's own body, of the first ways; else ""."""
        way = tuple(sorted(latest & self.goals.own))
        if way not in self._ways and len(self._ways) < MOST_WAYS:
            self._ways[way] = f"way:{len(self._ways)}"
        return self._ways.get(way, "")


class Members:
    """All members of one class, by word and by name."""

    def __init__(self, members: Iterable[Member] = ()) -> None:
        self._by_name = {member.qualname: member for member in members}
        makings = Makings()
        for member in self._by_name.values():
            member.findings.makings = makings
        self._by_word = {member.word: member for member in self._by_name.values() if member.word}

    def named(self, qualname: str) -> Member:
        """The member of a name."""
        return self._by_name[qualname]

    def called(self, word: str) -> Member | None:
        """The member that a word calls, None for what is no target here."""
        return self._by_word.get(word)

    def note(self, outcomes: frozenset[int]) -> None:
        """Take in the sides that a run of any of them passed."""
        for member in self._by_name.values():
            member.goals.note(outcomes, frozenset())
