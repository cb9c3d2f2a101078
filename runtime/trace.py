"""Records one run: which conditions held, which sites were passed, which values were lost.

There is one current trace per process. Recording is idempotent: a condition that is already known on
this path is not recorded again, and one without variables is never recorded (it cannot be negated).
"""

from __future__ import annotations

import enum
import math
import opcode
import os
import sys
import zlib
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Final, TypeVar

from runtime.expr import Node, negate
from runtime.private_builtins import keep_builtins

keep_builtins(globals())

_R = TypeVar("_R")

MAX_CONDITIONS: Final = 2500
"""Conditions recorded per run; a longer path is explored only in its first part."""

MAX_STEPS: Final = 150_000
"""Branch decisions per run before it is given up as endless: a limit that does not depend on the clock."""


class Kind(enum.IntEnum):
    """The reasons for which a condition stands on the path."""

    BRANCH = 0  # a decision of the program: negate it to go the other way
    CHECK = 1  # an implicit check (index, key, division, conversion): negate it to find the exception
    INPUT = 2  # a choice made while the input was built (which alternative, which length)
    ASSUME = 3  # a precondition of the input: never negated
    PIN = 4  # a value that left for code we can't see, held at what it was; may be given up
    HINT = 5  # a choice inside one expression (the larger of two): worth taking both ways, binds nothing


MEMBERS: Final = range(-(1 << 40), -(1 << 40) - (1 << 32), -1)
"""The sites of members of tables, of which each is worth a run."""

MOST_LOOKED_UP: Final = 3
"""Times in a run that members of a table are noted at one place: loops look up again and again."""


class RunAborted(BaseException):
    """Ends a run; derives from BaseException so that the target's handlers let it pass."""


class StepLimit(RunAborted):
    """Raised after more decisions than a run may take."""


class Trace:
    """The record of one run.

    Attributes:
        path: the conditions in the order in which they were met, each as it held.
        held: the explicit sites at which the program's condition was true, or a loop entered.
        failed: those at which it was false, or a loop not entered.
        limit: how many decisions there may be.
        losses: names of callables that took traced values where we can't follow, with line and module.
        entailed: sides (``site * 2 + outcome``) whose condition was known on the path already, and where.
        tells_members: whether members of tables are noted, each of which a mutant leaves out.
        marks: how long the path was when a side (``site * 2 + outcome``) was first taken.
        hinted: conditions and sites of the hints of the call that is under way.
        earlier: sides taken before the call that is under way.
        asked: variables that decide of what class a value is, of which the program asked: what follows from
            them follows for the classes that are known.
        truncated: whether conditions were dropped because the path was too long.
    """

    __slots__ = (
        "_looked_up", "asked", "earlier", "entailed", "failed", "held", "hinted", "known", "limit", "losses",
        "marks", "path", "places", "steps", "tells_members", "truncated",
    )  # fmt: skip

    def __init__(self, limit: float = math.inf) -> None:
        self.limit = limit
        self.path: list[tuple[Node, int, int, int]] = []
        self.known: set[int] = set()
        self.held: set[int] = set()
        self.failed: set[int] = set()
        self.hinted: set[tuple[int, int]] = set()
        self.entailed: dict[int, int] = {}
        self.earlier: set[int] = set()
        self.asked: set[str] = set()
        self.losses: dict[tuple[str, int, str], frozenset[str]] = {}
        self.steps = 0
        self.truncated = False
        self.places: dict[int, tuple[str, int]] = {}
        self.tells_members = False
        self._looked_up: dict[int, int] = {}
        self.marks: dict[int, int] = {}

    def forget(self) -> None:
        """Begin the path anew; the count of steps goes on."""
        for part in (self.path, self.known, self.held, self.failed, self.entailed, self.earlier, self.marks):
            part.clear()
        self.hinted.clear()

    @property
    def is_of_run(self) -> bool:
        """Return whether a run is under way: there are no traced values in what is done between runs."""
        return self.limit < math.inf

    @property
    def outcomes(self) -> set[int]:
        """Return ``site * 2 + outcome`` of every explicit site passed."""
        return self.earlier | self.latest

    @property
    def latest(self) -> set[int]:
        """Return the outcomes of the call that is under way."""
        return {site * 2 + 1 for site in self.held} | {site * 2 for site in self.failed}

    def begin_call(self) -> int:
        """Begin another call of the sequence; return the length of the path until then."""
        self.earlier |= self.latest
        self.held.clear()
        self.failed.clear()
        self.hinted.clear()
        return len(self.path)

    def step(self) -> None:
        """Count a decision.

        Raises:
            StepLimit: there were too many.
        """
        self.steps += 1
        if self.steps > self.limit:
            raise StepLimit

    def record(self, node: Node, outcome: bool, site: int | None = None, kind: Kind = Kind.BRANCH) -> None:
        """Note that `node` evaluated to `outcome`; without a site, the calling line of the target is it."""
        self.step()
        held = node if outcome else negate(node)
        if held.op == "const":
            return
        if held.ident in self.known:
            if site is not None and not (self.asked and held.names & self.asked):
                self._note_entailed(site * 2 + outcome, held)
            return
        if kind != Kind.HINT:
            self.known.add(held.ident)
        if len(self.path) >= MAX_CONDITIONS:
            self.truncated = True
            return
        if site is None:
            site = self._site_of_caller()
        if kind == Kind.HINT:
            if (held.ident, site) in self.hinted:
                return  # the first one comes after fewer conditions
            self.hinted.add((held.ident, site))
        self.path.append((held, site, int(outcome), int(kind)))

    def _note_entailed(self, side: int, held: Node) -> None:
        """Note the side of a condition that was decided before, with its place on the path."""
        if side not in self.entailed:
            places = (place for place, entry in enumerate(self.path) if entry[0].ident == held.ident)
            self.entailed[side] = next(places, -1)

    def note_members(self, options: Callable[[], Iterable[tuple[object, Node, bool]]]) -> None:
        """Note for each member of a constant table whether it is what was looked up: each is worth a run.

        It binds nothing. A table of a library's, or one that is looked up all the time, is left alone.

        Args:
            options: gives each member with the condition that it is the one, and whether it holds.
        """
        frame = target_frame() if self.tells_members else None
        if frame is None or frame.f_code.co_filename in LIBRARY:
            return
        site, place = _site_at(frame)
        turns = self._looked_up[site] = self._looked_up.get(site, 0) + 1
        if turns > MOST_LOOKED_UP:
            return
        for member, node, holds in options():
            own = MEMBERS[zlib.crc32(f"{site}:{member!r}".encode())]
            self.places[own] = place
            self.record(node, holds, own, Kind.HINT)

    def lose(self, name: str, names: frozenset[str], place: tuple[int, str] | None = None) -> None:
        """Note that a value depending on the variables `names` went into the callable `name`."""
        key = (name, *(place or _place_in_program()))
        self.losses[key] = self.losses.get(key, frozenset()) | names

    def _site_of_caller(self) -> int:
        frame = target_frame()
        if frame is None:
            return 0
        site, place = _site_at(frame)
        self.places[site] = place
        return site


UNSEEN: Final = "<importlib._bootstrap of tracetwin>"
"""File name of frames that stand between a program's: `warnings` and `logging` pass over such names."""

_HERE: Final = os.path.dirname(os.path.abspath(__file__)) + os.sep
# Taken once, as a program may take it away or replace it. `inspect` alone would cost a worker's start.
_frame_above: Final = sys._getframe  # noqa: SLF001 - documented, and there is no other way
_sites: dict[tuple[CodeType, int], tuple[int, tuple[str, int]]] = {}

_STANDARD: Final = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_INSTALLED: Final = (_STANDARD + "site-packages" + os.sep, _STANDARD + "dist-packages" + os.sep)
LIBRARY: Final[set[str]] = set()
"""Files of the standard library that are loaded as twins: their code is run for the program's."""


def target_frame() -> FrameType | None:
    """Return the innermost frame that isn't ours."""
    frame: FrameType | None = _frame_above(1)
    while frame is not None and is_ours(frame.f_code):
        frame = frame.f_back
    return frame


def _place_in_program() -> tuple[int, str]:
    """Return line and module that are run, or those that called the standard library where that is running.

    It says more to the program's author. Of a program that is the standard library it is the innermost line.
    """
    innermost = frame = target_frame()
    while frame is not None and (_is_library(frame.f_code) or is_ours(frame.f_code)):
        frame = frame.f_back
    if frame is None or str(frame.f_globals.get("__name__", "")).startswith("tracetwin."):
        frame = innermost
    return (0, "") if frame is None else (frame.f_lineno, str(frame.f_globals.get("__name__", "")))


def _is_library(code: CodeType) -> bool:
    """Return whether code belongs to the standard library."""
    file = code.co_filename
    if file in LIBRARY or file.startswith("<frozen "):
        return True
    return file.startswith(_STANDARD) and not file.startswith(_INSTALLED)


def is_ours(code: CodeType) -> bool:
    """Return whether code belongs to the runtime."""
    return code.co_filename is UNSEEN or code.co_filename.startswith(_HERE)


def _site_at(frame: FrameType) -> tuple[int, tuple[str, int]]:
    """Return a stable negative number for the instruction that `frame` is at, and its module and line."""
    key = (frame.f_code, frame.f_lasti)
    found = _sites.get(key)
    if found is None:
        module = str(frame.f_globals.get("__name__", ""))
        code = frame.f_code
        text = f"{module}:{code.co_name}:{code.co_firstlineno}:{_instruction_at(*key)}"
        found = _sites[key] = (-1 - zlib.crc32(text.encode()), (module, frame.f_lineno))
    return found


def _instruction_at(code: CodeType, place: int) -> int:
    """Return where an instruction begins.

    Once it has run often, a frame may tell of the cache behind it, and of a call by what prepares it.
    """
    units = code.co_code
    while place > 0 and not units[place]:
        place -= 2
    return place + _CALL_AFTER if units[place] == _PRECALL else place


_PRECALL: Final = opcode.opmap.get("PRECALL", -1)
_CALL_AFTER: Final = 4
"""How far behind it the call follows, on Python 3.11."""


def _counting(trace: Trace, add: Callable[[int], None], outcome: int) -> Callable[[int], None]:
    """Return a function that notes a site passed, and counts it against the limit."""
    marks, path = trace.marks, trace.path

    def note(site: int) -> None:
        trace.step()
        add(site)
        side = site * 2 + outcome
        if side not in marks:
            marks[side] = len(path)

    return note


current = Trace()
"""The trace being recorded. Read it as ``trace.current``: `start` and `stop` rebind it."""

note_true: Callable[[int], None] = current.held.add
"""Note that the condition at a site was true. Read it as ``trace.note_true``, as it is rebound too."""

note_false: Callable[[int], None] = current.failed.add
"""Note that the condition at a site was false."""

traced_keys = False
"""True if a traced value was hashed since `start`: only then can a key of some dict or set be traced."""


def start(limit: int = MAX_STEPS) -> Trace:
    """Begin a run of at most so many decisions, and make its trace the current one."""
    global current, note_true, note_false, traced_keys  # noqa: PLW0603 - one per process
    current = Trace(limit)
    note_true, note_false = _counting(current, current.held.add, 1), _counting(current, current.failed.add, 0)
    traced_keys = False
    return current


def stop() -> None:
    """End a run: what comes now belongs to no run, and has no limit."""
    global current, note_true, note_false  # noqa: PLW0603 - as above
    current = Trace()
    note_true, note_false = current.held.add, current.failed.add


def unrecorded(function: Callable[..., _R], *args: object) -> _R:
    """Call code of the program that the program itself would not run here: nothing of it is recorded."""
    global current, note_true, note_false, traced_keys
    kept = (current, note_true, note_false, traced_keys)
    stop()
    try:
        return function(*args)
    finally:
        current, note_true, note_false, traced_keys = kept
