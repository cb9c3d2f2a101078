"""What tools that look at frames see of a program: its lines as they run, and its traceback."""

from __future__ import annotations

import builtins
import linecache
import sys
import traceback
from dataclasses import dataclass
from types import CodeType, FrameType, ModuleType
from typing import Any

from instrumenter.build import positioned
from instrumenter.transform import instrument
from runtime.trace import UNSEEN
from tests.instrumenter import native

FILENAME = "watched.py"
_OURS = {__file__, native.__file__}
if sys.version_info < (3, 11):
    _OURS.add(UNSEEN)  # Python 3.10 keeps an entry of the runtime's; see `runtime.frames.trim_traceback`


@dataclass(frozen=True)
class Seen:
    """One run of a program.

    Attributes:
        lines: name of the code object and line, for each line event.
        text: the traceback, or what was computed.
    """

    lines: tuple[tuple[str, int], ...]
    text: str


def twin_code(source: str, name: str = "watched") -> CodeType:
    """The twin's code with the original's positions; a mismatch is an error here."""
    twin = instrument(source, name=name, filename=FILENAME)
    assert twin.untouched is None
    return compile(positioned(twin, source), FILENAME, "exec", dont_inherit=True)


def watch(source: str, code: CodeType, interface: ModuleType | None = None) -> Seen:
    """Run a module under `sys.settrace`."""
    events: list[tuple[str, int]] = []

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            events.append((frame.f_code.co_name, frame.f_lineno))
        return local

    def tracer(frame: FrameType, event: str, argument: Any) -> Any:
        return local if frame.f_code.co_filename == FILENAME else None

    if interface is not None:
        setattr(builtins, "_tt", interface)  # noqa: B010 - mypy knows no such builtin
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(keepends=True), FILENAME)
    space: dict[str, Any] = {"__name__": "watched"}
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        exec(code, space)
    except BaseException as error:  # noqa: BLE001 - however a program ends is what is looked at
        sys.settrace(before)
        text = _without_helpers(traceback.TracebackException.from_exception(error))
    else:
        text = repr(space.get("result"))
    finally:
        sys.settrace(before)
    return Seen(tuple(events), text)


def _without_helpers(error: traceback.TracebackException | None) -> str:
    """A traceback's text, without ours: this file's and the native interface's."""
    seen = []
    while error is not None:
        for entry in reversed(error.stack):
            if entry.filename in _OURS:
                error.stack.remove(entry)
        seen.append("".join(error.format(chain=False)))
        error = error.__cause__ or error.__context__
    return "\n".join(seen)


def line_sets(code: CodeType, path: str = "") -> list[tuple[str, frozenset[int]]]:
    """Line numbers of a code object and all within it, in order of definition."""
    found = [(path + code.co_name, frozenset(line for *_, line in code.co_lines() if line))]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.extend(line_sets(constant, f"{path}{code.co_name}."))
    return found
