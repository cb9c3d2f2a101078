"""The footprint of a user's tests in a module: lines and branches, how calls end, sides of conditions.

Runs in processes of its own, started by `theirs`: in one of them the tests run under coverage.py, in one
under a tracer that sees how calls from outside the module end, and in one on the twin, which notes the sides
of every condition, and how operands decide it.
"""

from __future__ import annotations

import dis
import functools
import importlib
import inspect
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tracetwin.mutation.readers import Tell, Tried, serve, suite_of
from tracetwin.replay.arcs import ArcMeasure, FileMeasure

if TYPE_CHECKING:
    from tracetwin.support.own_modules import OwnModules

Ending: TypeAlias = tuple[int, str, str, str, int]
"""The first line of what was called, the outcome, module and name of an exception, the line it came from."""

Way: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
"""A condition's site, and the outcomes of its operands that were asked."""

_Pending: TypeAlias = tuple[type[BaseException], BaseException, "TracebackType | None"]

_LEAVING: Final = ("RETURN", "YIELD")
"""How the names of instructions begin that end a call by themselves."""


class Endings:
    """Sees how calls end that come into a file from outside; a function for `sys.settrace`."""

    def __init__(self, file: str) -> None:
        """Take the file whose functions are of interest."""
        self._file = file
        self._raised: dict[FrameType, _Pending] = {}
        self.seen: set[Ending] = set()

    def __call__(self, frame: FrameType, _event: str, _arg: Any) -> Callable[..., Any] | None:
        """Look at a call: whether it is one to watch."""
        if frame.f_code.co_filename != self._file or self._is_inside(frame.f_back):
            return None
        frame.f_trace_lines = False
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
        line, way = frame.f_code.co_firstlineno, _way_out(frame.f_code, frame.f_lasti)
        if way == "YIELD" and frame.f_code.co_flags & inspect.CO_COROUTINE:
            return  # it only waits
        if raised is None or way:
            self.seen.add((line, "returned", "", "", 0))
        else:
            kind, _, trace = raised
            self.seen.add((line, "raised", kind.__module__, kind.__qualname__, self._line(trace)))

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


def tell_endings(tests: Iterable[Tried], file: str, tell: Tell) -> None:
    """Run tests, and tell how calls of functions of a file end."""
    seen = Endings(file)
    sys.settrace(seen)
    threading.settrace(seen)
    found: set[Ending] = set()
    try:
        for test in tests:
            seen.seen = set()
            if not test.run():
                found |= seen.seen
    finally:
        sys.settrace(None)
        threading.settrace(None)
    tell({"kind": "endings", "endings": sorted(found)})


def tell_coverage(tests: Iterable[Tried], measuring: FileMeasure, tell: Tell) -> None:
    """Run tests, and tell the lines and arcs of those that pass, importing included, and which fail."""
    for test in tests:
        why = test.run()
        lines, arcs = measuring.take()
        if why:
            tell({"kind": "failing", "test": test.name, "why": why})
        else:
            tell({"kind": "passes", "test": test.name, "lines": lines, "arcs": arcs})


class Vectors:
    """Notes the sides of conditions, and the ways in which operands decide them.

    Attributes:
        sides: ``site * 2 + outcome``.
    """

    def __init__(self, operands: Mapping[int, Sequence[int]]) -> None:
        self._owner = {operand: site for site, some in operands.items() for operand in some}
        self._now: dict[int, int] = {}
        self._last = 0
        self.sides: set[int] = set()
        self.found: set[Way] = set()

    def note(self, site: int, outcome: int) -> None:
        self.sides.add(site * 2 + outcome)
        if site not in self._owner:
            return
        if self._now and (self._owner[site] != self._owner[self._last] or site <= self._last):
            self.end()
        self._now[site] = outcome
        self._last = site

    def end(self) -> None:
        """The evaluation of a condition is over."""
        if self._now:
            self.found.add((self._owner[self._last], tuple(self._now.items())))
            self._now = {}


def tell_sides(tests: Iterable[Tried], operands: Mapping[int, Sequence[int]], trace: Any, tell: Tell) -> None:
    """Run tests on the twin, and tell what it notes by the `trace` of its runtime."""
    sides: set[int] = set()
    ways: set[Way] = set()
    for test in tests:
        vectors = Vectors(operands)
        trace.note_true = functools.partial(vectors.note, outcome=1)
        trace.note_false = functools.partial(vectors.note, outcome=0)
        if not test.run():
            vectors.end()
            sides |= vectors.sides
            ways |= vectors.found
    tell({"kind": "sides", "sides": sorted(sides), "vectors": sorted(ways)})


def _install_twin(own: OwnModules, name: str, written_by: str) -> None:
    """Let imports of a module give its twin, or what was kept where it can't be built here."""
    hook: Any = own.load("instrumenter.hook")
    cache: Any = own.load("instrumenter.cache")
    patterns = hook.Patterns((name,))
    if not written_by:
        hook.load_rewriter(patterns)
    kept = cache.TwinCache(written_by=bytes.fromhex(written_by))
    hook.install(patterns.written, own.load("runtime.twin"), kept, stacklevel=1)


def _measuring(asked: dict[str, Any]) -> FileMeasure:
    if asked["written_by"]:
        return ArcMeasure(asked["file"])
    from tracetwin.replay.by_coverage import Measure

    return Measure(asked["file"])


def _work(own: OwnModules, asked: dict[str, Any], tell: Tell) -> str:
    name = asked["name"]
    match asked["about"]:
        case "coverage":
            measuring = _measuring(asked)
            measuring.start()
            importlib.import_module(name)
            lines, arcs = measuring.take()
            tell({"kind": "import", "lines": lines, "arcs": arcs})
            return suite_of(asked, tell).hold(lambda tests: tell_coverage(tests, measuring, tell))
        case "endings":
            importlib.import_module(name)
            return suite_of(asked, tell).hold(lambda tests: tell_endings(tests, asked["file"], tell))
        case _:
            _install_twin(own, name, asked["written_by"])
            importlib.import_module(name)
            operands = {int(site): some for site, some in asked["operands"].items()}
            trace = own.load("runtime.trace")
            return suite_of(asked, tell).hold(lambda tests: tell_sides(tests, operands, trace, tell))


def main(own: OwnModules, told_to: int) -> None:
    """Run what a parent has asked for."""
    serve(functools.partial(_work, own), told_to)
