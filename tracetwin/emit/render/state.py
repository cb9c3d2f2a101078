"""Assertions about what a call returned and left behind: a few, the most telling first."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from tracetwin.emit.exhibit import Exhibit, Mark
from tracetwin.emit.mocks.calls import call_checks, only_asserted
from tracetwin.emit.mocks.write import TestMocks
from tracetwin.emit.source.checks import Check, Checker, CheckKind, is_emptying, part_of
from tracetwin.emit.source.layout import Atom, LaidOut, call
from tracetwin.emit.source.literals import is_plain
from tracetwin.emit.source.scribe import Scribe
from tracetwin.model.case import Act, Step
from tracetwin.model.observation import AGAIN, Consumption, Root, Shown, ValuePath
from tracetwin.model.recipe import NONE, Dictionary, Scalar, list_of
from tracetwin.model.snapshot import Iterated, Snapshot
from tracetwin.replay.stability import missing

MOST_STATE = 5
MOST_TOLD = 3
MOST_BESIDE = 2
"""Answers that are asserted beside attributes that changed."""

BESIDE = 8
"""By how much they rank below those."""

MOST_CHECKS = 8
MOST_STRICT = 24
"""Assertions of a strict test: of these only those are kept that nobody can do without."""


class StateChecks:
    """Makes the assertions of one test.

    Attributes:
        places: names of arguments that the call changes, or hands out.
        void: whether the call is declared to return nothing, and does: type checkers let nobody look at that.
    """

    void = False

    def __init__(self, seen: Exhibit, scribe: Scribe, mocks: TestMocks) -> None:
        self.mocks = mocks
        self.seen = seen
        self.scribe = scribe
        self.checker = Checker(scribe.writer)
        self.places: dict[ValuePath, str] = {}

    @property
    def most(self) -> int:
        """Return how many assertions a test may have."""
        return MOST_STRICT if self.seen.strict else MOST_CHECKS

    def marked(self, checks: Sequence[Check], *place: Hashable) -> list[Check]:
        """With marks, and without those that turned out not to hold in every run."""
        marked = [replace(check, mark=(*place, number)) for number, check in enumerate(checks)]
        return [check for check in marked if check.mark not in self.seen.silenced]

    def of_result(self, actual: LaidOut, last: Step) -> list[Check]:
        """Return what is asserted of the result."""
        if last.act is Act.SET or self.void:
            return []
        value = self.seen.value
        if isinstance(value, Iterated) and self.seen.how in (Consumption.ITERATE, Consumption.ASYNC_ITERATE):
            checks = self.checker.checks(actual, list_of(*value.items))
            counted = Check(CheckKind.EQUAL, call("len", [actual]), Atom(str(len(value.items))))
            return self.marked(checks or [counted], "result")
        known = self._known()
        if known is not None:
            return self.marked([Check(CheckKind.SAME, actual, known)], "result")
        checks = self.checker.checks(actual, value, self.most)
        if self.seen.ordered and isinstance(value, Dictionary) and is_plain(value):
            checks += self.checker.checks(call("list", [actual]), list_of(*(key for key, _ in value.pairs)))
        return self.marked(checks, "result")

    def of_apart(self, actual: LaidOut, again: LaidOut) -> list[Check]:
        """Return that parts of the result are copies, where that is told; `again` gives the next result."""
        found: list[Check] = []
        for name, path in self.seen.apart if self.seen.strict else ():
            other = again if path.attribute == AGAIN else self.place(path)
            part = part_of(actual.flat(), name) if name else actual
            if part is not None and other is not None:
                found += self.marked([Check(CheckKind.DISTINCT, part, other)], path, name)
        return found

    def _known(self) -> LaidOut | None:
        """The value of the case that was handed out, by its name."""
        return None if self.seen.same is None else self.place(self.seen.same)

    def of_state(self, last: Step, *, quiet: bool) -> list[Check]:
        """Return what the call left behind, and the calls of mocks that it made."""
        calls = self.marked(call_checks(self.mocks), "calls")
        return [*self._of_parts(last, quiet=quiet), *calls]

    def _of_parts(self, last: Step, *, quiet: bool) -> list[Check]:
        """Changed arguments and attributes, else what the receiver shows."""
        found: list[tuple[int, Check]] = []
        for path, snap in self.seen.left_behind:
            found += self._of(path, snap)
        told, plain = told_state(self.seen, last, quiet=quiet)
        if found:
            for path, snap in told[:MOST_BESIDE]:
                found += [(rank + BESIDE, check) for rank, check in self._of(path, snap)]
        else:
            for path, snap in (*told, *plain)[:MOST_STATE]:
                found += self._of(path, snap)
        found.sort(key=lambda pair: pair[0])
        checks = [check for _, check in found][: self.most]
        return sorted(checks, key=lambda check: _empties(check.mark))  # afterwards nothing is left to look at

    def _of(self, path: ValuePath, snap: Snapshot) -> list[tuple[int, Check]]:
        place = self.place(path)
        if place is None:
            return []
        ranked = self.checker.ranked(place, snap, whole=False)
        checks = self.marked([check for _, check in ranked], path)
        ranks: dict[Mark, int] = {(path, number): rank for number, (rank, _) in enumerate(ranked)}
        found = [(ranks[check.mark], check) for check in checks]
        return found[:1] if isinstance(snap, Scalar) else found

    def place(self, path: ValuePath) -> LaidOut | None:
        """Return the expression for a part of an argument or bound value; None where that has no name."""
        place = self.places.get(path.value)
        if place is None and path.root is Root.VAR:
            place = self.scribe.locals.get(str(path.key))
        if path.root is Root.MODULE:
            return self._of_module(path)
        if not place:
            return None
        return part_of(place, path.attribute) if path.attribute else Atom(place)  # "" is its plain value

    def _of_module(self, path: ValuePath) -> LaidOut | None:
        """Return the expression for what a global of the target, or one of its classes, holds now."""
        space, name = self.scribe.space, str(path.key)
        place = space.name(space.target, name) if "." in name else f"{space.module(space.target)}.{name}"
        return part_of(place, path.attribute) if path.attribute else Atom(place)


def told_state(seen: Exhibit, last: Step, *, quiet: bool) -> tuple[Shown, Shown]:
    """Return what a test may assert that the receiver tells when it is asked, and of its attributes.

    Args:
        seen: what the case did.
        last: the step that is looked at.
        quiet: whether it raised: attributes say nothing then.
    """
    touched = ValuePath(Root.VAR, last.place) in seen.touched
    known = [(path, snap) for path, snap in seen.state if not missing(snap)]
    told = [pair for pair in known if (pair[0].attribute or "").endswith(")")]
    kept = {path for path, _ in seen.kept}
    # Attributes that stayed as they were tell nothing of what happened, properties may.
    fresh = [pair for pair in known if pair not in told and pair[0] not in kept]
    if not told and not fresh and seen.value == NONE:
        fresh = known
    # Who sees all that is inside need not ask for much more.
    listed = [pair for pair in told if _is_whole(pair[0].attribute or "")]
    rest = [pair for pair in told if pair not in listed]
    asked = [*listed, *rest[: max(1, MOST_TOLD - len(listed) - 1)]]
    changes = not quiet and (touched or last.act is Act.SET)
    return tuple(asked if touched or seen.effective else ()), tuple(fresh if changes else ())


def asserted(seen: Exhibit, last: Step) -> Exhibit:
    """Return an exhibit with that only of calls and of the receiver which its test asserts, at most."""
    told, plain = told_state(seen, last, quiet=seen.raised is not None)
    kept = told[:MOST_BESIDE] if seen.changed or seen.held else (*told, *plain)[:MOST_STATE]
    return replace(only_asserted(seen), state=kept)


def _is_whole(name: str) -> bool:
    """Return whether the answer tells of all that is inside."""
    return name == "list()" or name.endswith("(*)") or is_emptying(name)


def _empties(mark: Mark) -> bool:
    """Return whether a check takes out what it asserts."""
    return any(isinstance(part, ValuePath) and is_emptying(part.attribute or "") for part in mark)
