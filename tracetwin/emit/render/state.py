"""What a call returned and left behind, as assertions: a few, the most telling first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tracetwin.emit.mocks.calls import call_checks
from tracetwin.emit.mocks.write import TestMocks
from tracetwin.emit.source.checks import Check, Checker, Kind, Mark
from tracetwin.emit.source.layout import Atom, Node, call
from tracetwin.emit.source.parts import is_emptying, part_of
from tracetwin.emit.source.scribe import Scribe
from tracetwin.replay.stability import missing

MOST_STATE = 5
MOST_TOLD = 3
MOST_BESIDE = 2
"""Answers that are asserted beside attributes that changed."""

BESIDE = 8
"""By how much they rank below those."""

MOST_CHECKS = 8

Path = tuple[Any, ...]


class State:
    """Makes the assertions of one test.

    Args:
        seen: what two runs of the case had in common.
        scribe: where names come from.
        mocks: the mocks of the test.

    Attributes:
        places: names of arguments that the call changes, or hands out.
        void: whether the call is declared to return nothing, and does: type checkers let nobody look at that.
    """

    void = False

    def __init__(self, seen: dict[str, Any], scribe: Scribe, mocks: TestMocks) -> None:
        self.mocks = mocks
        self.seen = seen
        self.scribe = scribe
        self.checker = Checker(scribe.writer)
        self.held: list[tuple[Path, Any]] = seen.get("held", [])
        self.silenced: set[Mark] = seen.get("silenced", set())
        self.places: dict[Path, str] = {}

    def marked(self, checks: Sequence[Check], *place: Any) -> list[Check]:
        """With marks, and without those that turned out not to hold in every run."""
        marked = [replace(check, mark=(*place, number)) for number, check in enumerate(checks)]
        return [check for check in marked if check.mark not in self.silenced]

    def of_result(self, actual: Node, last: dict[str, Any]) -> list[Check]:
        """What is asserted of the result."""
        if last["do"][0] == "set" or self.void:
            return []
        value = self.seen["value"]
        if value[0] == "iter" and self.seen["how"] in ("iterate", "async_iterate"):
            checks = self.checker.checks(actual, ("list", value[2]))
            return self.marked(
                checks or [Check(Kind.EQUAL, call("len", [actual]), Atom(str(len(value[2]))))], "result"
            )
        known = self._known()
        if known is not None:
            return self.marked([Check(Kind.SAME, actual, known)], "result")
        return self.marked(self.checker.checks(actual, value), "result")

    def _known(self) -> Node | None:
        """The value of the case that was handed out, by its name."""
        same = self.seen["same"]
        if same is None:
            return None
        place = tuple(same)
        name = self.scribe.locals.get(place[1]) if place[0] == "var" else self.places.get(place)
        return Atom(name) if name else None

    def of_state(self, last: dict[str, Any], *, quiet: bool) -> list[Check]:
        """What the call left behind, and the calls of mocks that it made."""
        calls = self.marked(call_checks(self.mocks), "calls")
        return [*self._of_parts(last, quiet=quiet), *calls]

    def _of_parts(self, last: dict[str, Any], *, quiet: bool) -> list[Check]:
        """Changed arguments and attributes, else what the receiver shows."""
        found: list[tuple[int, Check]] = []
        for path, snap in (*self.seen["changed"], *self.held):
            found += self._of(tuple(path), snap)
        touched = ("var", last["do"][1]) in {tuple(path) for path in self.seen["touched"]}
        told, fresh = self._shown()
        if not touched and not self.seen.get("effective"):
            told = []
        if found:
            for path, snap in told[:MOST_BESIDE]:
                found += [(rank + BESIDE, check) for rank, check in self._of(path, snap)]
        else:
            plain = fresh if not quiet and (touched or last["do"][0] == "set") else []
            for path, snap in [*told, *plain][:MOST_STATE]:
                found += self._of(path, snap)
        found.sort(key=lambda pair: pair[0])
        checks = [check for _, check in found][:MOST_CHECKS]
        return sorted(checks, key=lambda check: _empties(check.mark))  # afterwards nothing is left to look at

    def _shown(self) -> tuple[list[tuple[Path, Any]], list[tuple[Path, Any]]]:
        """What the receiver tells when it is asked, and its attributes."""
        known = [(tuple(path), snap) for path, snap in self.seen["state"] if not missing(snap)]
        told = [pair for pair in known if len(pair[0]) > 2 and pair[0][2].endswith(")")]
        kept = {tuple(path) for path, _ in self.seen["kept"]}
        # Attributes that stayed as they were tell nothing of what happened, properties may.
        fresh = [pair for pair in known if pair not in told and pair[0] not in kept]
        if not told and not fresh and self.seen["value"] == ("lit", None):
            fresh = known
        # Who sees all that is inside need not ask for much more.
        listed = [pair for pair in told if _is_whole(pair[0][2])]
        rest = [pair for pair in told if pair not in listed]
        return [*listed, *rest[: max(1, MOST_TOLD - len(listed) - 1)]], fresh

    def _of(self, path: Path, snap: Any) -> list[tuple[int, Check]]:
        place = self.place(path)
        if place is None:
            return []
        ranked = self.checker.ranked(place, snap, whole=False)
        checks = self.marked([check for _, check in ranked], *path)
        ranks = {(*path, number): rank for number, (rank, _) in enumerate(ranked)}
        found = [(ranks[check.mark], check) for check in checks]
        return found[:1] if snap[0] == "lit" else found

    def place(self, path: Path) -> Node | None:
        """The expression for a part of an argument or bound value; None where that has no name."""
        place = self.places.get(path[:2])
        if place is None and path[0] == "var":
            place = self.scribe.locals.get(path[1])
        if not place:
            return None
        return part_of(place, path[2]) if path[2:] else Atom(place)


def _is_whole(name: str) -> bool:
    """Whether the answer tells of all that is inside."""
    return name == "list()" or name.endswith("(*)") or is_emptying(name)


def _empties(mark: Mark) -> bool:
    """Whether a check takes out what it asserts."""
    return any(isinstance(part, str) and is_emptying(part) for part in mark)
