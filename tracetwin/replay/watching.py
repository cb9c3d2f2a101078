"""Watches a test in its process: the lines and branches of a file, and how calls from outside end."""

from __future__ import annotations

import dis
import inspect
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tracetwin.replay.arcs import FileMeasure, measure_for
from tracetwin.replay.sides import Vectors, Way, twin_installer
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.model.met import MetEnding
    from tracetwin.replay.static import Coverable
    from tracetwin.support.own_modules import OwnModules

Ending: TypeAlias = tuple[int, str, str, str, int]
"""The first line of what was called, the outcome, module and name of an exception, the line it came from."""

Shown: TypeAlias = "int | Way"
"""A side of a condition, ``site * 2 + outcome``, or how operands decided it."""

Doings: TypeAlias = tuple[list[int], list[tuple[int, int]], list[Ending], list[Shown]]
"""Lines, arcs, endings and sides, as one process tells them to another."""

COVERAGE: Final = "coverage"
ENDINGS: Final = "endings"
SIDES: Final = "sides"
"""What can be watched in one run: two take the interpreter's trace function, and one takes the twin."""

_Pending: TypeAlias = tuple[type[BaseException], BaseException, "TracebackType | None"]

CONSTRUCTORS: Final = ("__init__", "__new__")

_LEAVING: Final = ("RETURN", "YIELD")
"""How the names of instructions begin that end a call by themselves."""


@dataclass(frozen=True)
class Doing:
    """One test in a file: lines and arcs that it runs, how calls from outside end, sides that it takes."""

    lines: frozenset[int] = frozenset()
    arcs: frozenset[tuple[int, int]] = frozenset()
    endings: frozenset[Ending] = frozenset()
    shown: frozenset[Shown] = frozenset()

    def __or__(self, other: Doing) -> Doing:
        return Doing(
            self.lines | other.lines,
            self.arcs | other.arcs,
            self.endings | other.endings,
            self.shown | other.shown,
        )

    @classmethod
    def told(cls, lines: list[Any], arcs: list[Any], endings: list[Any], shown: list[Any]) -> Doing | None:
        """Return what a process tells, None where it is nothing of the kind: a target can write to it."""
        ending = (int, str, str, str, int)
        shapes = (((int,), [(line,) for line in lines]), ((int, int), arcs), (ending, endings))
        for shape, rows in shapes:
            if any(type(row) is not tuple or tuple(map(type, row)) != shape for row in rows):
                return None
        if not all(type(one) is int or _is_way(one) for one in shown):
            return None
        return cls(frozenset(lines), frozenset(arcs), frozenset(endings), frozenset(shown))


def watching(own: OwnModules, job: Mapping[str, Any]) -> Callable[[], Callable[[], Doings]]:
    """Get ready to watch what is done in the file of a module.

    Returns:
        What begins with that, and returns what tells it, each time from the last on.
    """
    match job["watches"]:
        case "coverage":
            return lambda: _covering(measure_for(job["name"], job["file"], elsewhere=job["elsewhere"]))
        case "endings":
            return lambda: _ending(Endings(job["file"]))
        case _:
            install = twin_installer(own, job["name"], job["written_by"], job["cache"])
            return lambda: _taking(job["operands"], install())


def _covering(measure: FileMeasure) -> Callable[[], Doings]:
    measure.start()
    return lambda: (*measure.take(), [], [])


def _ending(seen: Endings) -> Callable[[], Doings]:
    seen.start()
    return lambda: ([], [], sorted(seen.take()), [])


def _taking(operands: Mapping[int, Sequence[int]], trace: Any) -> Callable[[], Doings]:
    now = Vectors(operands)

    def take() -> Doings:
        nonlocal now
        before, now = now, Vectors(operands)
        trace.note_true = partial(now.note, outcome=1)
        trace.note_false = partial(now.note, outcome=0)
        before.end()
        return [], [], [], [*sorted(before.sides), *sorted(before.found)]

    take()
    return take


def _is_way(told: Any) -> bool:
    """Return whether something is of the shape of a `Way`."""
    if type(told) is not tuple or tuple(map(type, told)) != (int, tuple):
        return False
    return all(type(pair) is tuple and tuple(map(type, pair)) == (int, int) for pair in told[1])


def names_by_line(facts: Coverable, others: Mapping[str, int] | None = None) -> dict[int, list[str]]:
    """Return the names of the functions that begin in a line; a constructor is its class, too.

    `others`: further names, each with a line of the function: of methods that are inherited, or assigned.
    """
    names: dict[int, list[str]] = {}
    for function in facts.functions:
        owner, _, short = function.qualname.rpartition(".")
        names[function.first_line] = [function.qualname, *([owner] if short in CONSTRUCTORS else [])]
    for name, line in (others or {}).items():
        around = [one for one in facts.functions if one.first_line <= line <= one.last_line]
        if around:
            known = names[max(one.first_line for one in around)]
            known += [name] if name not in known else []
    return names


def met_endings(found: Iterable[Ending], names: Mapping[int, Sequence[str]]) -> Iterator[MetEnding]:
    """Yield endings with the names of the functions whose calls ended so."""
    for line, outcome, place, kind, at in found:
        raised = (place, kind) if kind else None
        yield from ((name, outcome, raised, at if kind else None) for name in names.get(line, ()))


class Endings:
    """Sees how calls end that come into a file from outside; a function for `sys.settrace`."""

    def __init__(self, file: str) -> None:
        """Take the file whose functions are of interest."""
        self._file = file
        self._raised: dict[FrameType, _Pending] = {}
        self._around: dict[FrameType, list[int]] = {}
        self.seen: set[Ending] = set()

    def start(self) -> None:
        """From here on calls are watched, in all threads."""
        sys.settrace(self)
        threading.settrace(self)

    def stop(self) -> None:
        """Calls are watched no more."""
        sys.settrace(None)
        threading.settrace(None)

    def take(self) -> set[Ending]:
        """Return how calls ended since this was last called."""
        seen, self.seen = self.seen, set()
        return seen

    def __call__(self, frame: FrameType, _event: str, _arg: Any) -> Callable[..., Any] | None:
        """Look at a call: whether it is one to watch."""
        if frame.f_code.co_filename != self._file or self._is_inside(frame.f_back):
            return None
        frame.f_trace_lines = False
        if frame.f_code.co_freevars:  # what a decorator gives in the place of a function calls that
            inner = (frame.f_locals.get(name) for name in frame.f_code.co_freevars)
            codes = (one.__code__ for one in inner if type(one) is FunctionType)
            self._around[frame] = [one.co_firstlineno for one in codes if one.co_filename == self._file]
        return self._watch

    def _is_inside(self, frame: FrameType | None) -> bool:
        while frame is not None:
            if frame.f_code.co_filename == self._file:
                return True
            frame = frame.f_back
        return False

    def _watch(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any]:
        if event == "exception":
            self._raised[frame] = arg
        elif event == "return":
            self._ended(frame, self._raised.pop(frame, None))
        return self._watch

    def _ended(self, frame: FrameType, raised: _Pending | None) -> None:
        lines = [frame.f_code.co_firstlineno, *self._around.pop(frame, ())]
        way = _way_out(frame.f_code, frame.f_lasti)
        if way == "YIELD" and frame.f_code.co_flags & inspect.CO_COROUTINE:
            return  # it only waits
        if raised is None or way:
            self.seen.update((line, "returned", "", "", 0) for line in lines)
        else:
            kind, _, trace = raised
            what = ("raised", str(kind.__module__), str(kind.__qualname__), self._line(trace))
            self.seen.update((line, *what) for line in lines)

    def _line(self, trace: TracebackType | None) -> int:
        """The last line of the file on the way of an exception."""
        line = 0
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self._file:
                line = trace.tb_lineno
            trace = trace.tb_next
        return line


def _way_out(code: CodeType, at: int) -> str:
    """Return RETURN or YIELD for an instruction that leaves a function with a value, "" for an exception."""
    name = dis.opname[code.co_code[at]].removeprefix("INSTRUMENTED_") if at >= 0 else ""
    return next((way for way in _LEAVING if name.startswith(way)), "")
