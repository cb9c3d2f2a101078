"""The data flow of a class: which member may influence which (JTestCraft section 4.3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tracetwin.analysis.flow.analyse import facts_of
from tracetwin.analysis.flow.facts import InvokableFacts
from tracetwin.explore.loop.run import Accesses

ITSELF = "[]"
"""The attribute that stands in pictures for what a container's subclass holds."""


class ClassFlow:
    """The data flow between the members of one class, or between the functions of a module."""

    def __init__(self, source: bytes | str, module: str, owner: str) -> None:
        self._facts = facts_of(source, module)
        self._owner = owner
        self._relevant: dict[str, frozenset[str] | None] = {}
        self._confirmed: dict[str, set[tuple[bool, str, str]]] = {}
        known = self._facts.classes.get(owner)
        self._known = known is not None and not self._facts.problem
        self._words = dict(known.words) if known is not None else {}
        self._order = frozenset((owner, *known.order)) if known is not None else frozenset()

    def relevant(self, member: str) -> frozenset[str] | None:
        """The attributes whose values may matter to a member; None: any."""
        if member not in self._relevant:
            self._relevant[member] = self._found_relevant(member)
        return self._relevant[member]

    def _found_relevant(self, member: str) -> frozenset[str] | None:
        facts = self._of(member)
        if facts is None:
            return None
        found = self._facts.relevant_attributes(self._owner, [facts.qualname])
        if "*" in found:
            return None  # attributes whose names are not known matter
        return found | frozenset(self._attributes(facts.uses | facts.defines)) | {ITSELF}

    def effects(self, member: str) -> frozenset[str]:
        """The attributes that a member's own body may change."""
        facts = self._of(member)
        return frozenset() if facts is None else frozenset(self._attributes(facts.own_defines))

    def confirm(self, accesses: Accesses) -> None:
        """Add what a run really read and wrote."""
        new = {
            name: (reads, writes)
            for name, (reads, writes) in accesses.items()
            if not self._confirmed.setdefault(name, set()).issuperset(self._marks(reads, writes))
        }
        if not new:
            return
        for name, (reads, writes) in new.items():
            self._confirmed[name].update(self._marks(reads, writes))
        self._facts = self._facts.confirmed(new)
        self._relevant.clear()

    def _marks(
        self, reads: Iterable[tuple[str, str]], writes: Iterable[tuple[str, str]]
    ) -> set[tuple[bool, str, str]]:
        return {(False, *place) for place in reads} | {(True, *place) for place in writes}

    def definers(self, member: str, words: Sequence[str]) -> list[str]:
        """Those of the words that may define what the member uses, in their order."""
        relevant = self.relevant(member)
        if relevant is None:
            return list(words)
        definers = set(self._facts.definers(self._owner, relevant))
        return [word for word in words if self._may_define(word, relevant, definers)]

    def _may_define(self, word: str, relevant: frozenset[str], definers: set[str]) -> bool:
        if word in self._words:
            return self._words[word] in definers
        return not word.endswith("=") or word[:-1] in relevant

    def _of(self, member: str) -> InvokableFacts | None:
        """The facts of a member, None where nothing is known."""
        return self._facts.invokables.get(member) if self._known else None

    def _attributes(self, mask: int) -> Iterator[str]:
        for number, location in enumerate(self._facts.table.rows):
            if mask >> number & 1 and location.owner in self._order:
                yield location.attribute or ITSELF
