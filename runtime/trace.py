"""The trace of one run: which conditions held, which sites were passed, which values were lost.

There is one current trace per process. Recording is idempotent: a condition that is already known on
this path is not recorded again, and one without variables is never recorded (it cannot be negated).
"""

from __future__ import annotations

import enum
import os
import sys
import zlib
from types import CodeType, FrameType
from typing import Final

from runtime.expr import Node, negate

MAX_CONDITIONS: Final = 2500
"""Conditions recorded per run; a longer path is explored only in its first part."""

MAX_STEPS: Final = 150_000
"""Branch decisions per run before it is given up as endless: a limit that does not depend on the clock."""


class Kind(enum.IntEnum):
    """Why a condition stands on the path."""

    BRANCH = 0  # a decision of the program: negate it to go the other way
    CHECK = 1  # an implicit check (index, key, division, conversion): negate it to find the exception
    INPUT = 2  # a choice made while the input was built (which alternative, which length)
    ASSUME = 3  # a precondition of the input: never negated
    PIN = 4  # a value that left for code we can't see, held at what it was; may be given up
    HINT = 5  # a choice inside one expression (the larger of two): worth taking both ways, binds nothing


class RunAborted(BaseException):
    """The run is given up; derives from BaseException so that the target's handlers let it pass."""


class StepLimit(RunAborted):
    """More than `MAX_STEPS` decisions."""


class Trace:
    """What one run leaves behind.

    Attributes:
        path: the conditions in the order in which they were met, each as it held.
        outcomes: for every explicit site passed, ``site * 2 + outcome``.
        losses: names of callables that took traced values where we can't follow, with the line.
        entailed: sides (``site * 2 + outcome``) whose condition was known on the path already.
        truncated: whether conditions were dropped because the path was too long.
    """

    __slots__ = ("entailed", "known", "losses", "outcomes", "path", "places", "steps", "truncated")

    def __init__(self) -> None:
        self.path: list[tuple[Node, int, int, int]] = []
        self.known: set[int] = set()
        self.outcomes: set[int] = set()
        self.entailed: set[int] = set()
        self.losses: dict[tuple[str, int], frozenset[str]] = {}
        self.steps = 0
        self.truncated = False
        self.places: dict[int, tuple[str, int]] = {}

    def record(self, node: Node, outcome: bool, site: int | None = None, kind: Kind = Kind.BRANCH) -> None:
        """Note that `node` evaluated to `outcome`; without a site, the calling line of the target is it."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise StepLimit
        held = node if outcome else negate(node)
        if held.op == "const":
            return
        if held.ident in self.known:
            if site is not None:
                self.entailed.add(site * 2 + outcome)
            return
        if kind != Kind.HINT:
            self.known.add(held.ident)
        if len(self.path) >= MAX_CONDITIONS:
            self.truncated = True
            return
        if site is None:
            site = self._site_of_caller()
        self.path.append((held, site, int(outcome), int(kind)))

    def lose(self, name: str, names: frozenset[str]) -> None:
        """Note that a value depending on the variables `names` went into the callable `name`."""
        frame = _target_frame()
        line = frame.f_lineno if frame is not None else 0
        key = (name, line)
        self.losses[key] = self.losses.get(key, frozenset()) | names

    def _site_of_caller(self) -> int:
        frame = _target_frame()
        if frame is None:
            return 0
        site, place = _site_at(frame)
        self.places[site] = place
        return site


_HERE: Final = os.path.dirname(os.path.abspath(__file__)) + os.sep
_sites: dict[tuple[CodeType, int], tuple[int, tuple[str, int]]] = {}


def _target_frame() -> FrameType | None:
    """The innermost frame that isn't ours."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - `inspect` alone would cost a worker's start
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return frame


def _site_at(frame: FrameType) -> tuple[int, tuple[str, int]]:
    """A stable negative number for the instruction that `frame` is at, and its module and line."""
    key = (frame.f_code, frame.f_lasti)
    found = _sites.get(key)
    if found is None:
        module = str(frame.f_globals.get("__name__", ""))
        text = f"{module}:{frame.f_code.co_name}:{frame.f_code.co_firstlineno}:{frame.f_lasti}"
        found = _sites[key] = (-1 - zlib.crc32(text.encode()), (module, frame.f_lineno))
    return found


current = Trace()
"""The trace being recorded. Read it as ``trace.current``: `start` rebinds it."""


def start() -> Trace:
    """Begin a new trace and make it the current one."""
    global current  # noqa: PLW0603 - one per process
    current = Trace()
    return current
