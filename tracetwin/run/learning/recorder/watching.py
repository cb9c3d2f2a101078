"""Sees functions being entered: by `sys.monitoring` where there is one, else by a profile function.

Monitoring costs next to nothing, as code that is of no interest is left alone after its first call. A profile
function is told of every call in the process (two to nine times slower, where nothing but calls is done).
"""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tracetwin.run.learning.recorder.calls import CallRecorder

_TOOLS: Final = (4, 3)
"""Numbers that no kind of tool has claimed."""

_frame: Final = sys._getframe  # noqa: SLF001 - documented, and there is no other way


def start(calls: CallRecorder) -> None:
    """Look at all calls from now on, in all threads."""
    monitoring: Any = getattr(sys, "monitoring", None)
    tool = None
    if monitoring is not None:
        tool = next((number for number in _TOOLS if monitoring.get_tool(number) is None), None)
    if tool is None:
        profile = _profiler(calls)
        threading.setprofile(profile)
        sys.setprofile(profile)
        return

    def entered(code: CodeType, _offset: int) -> Any:
        return None if calls.entered(code, _frame(1)) else monitoring.DISABLE

    monitoring.use_tool_id(tool, "tracetwin")
    monitoring.register_callback(tool, monitoring.events.PY_START, entered)
    monitoring.set_events(tool, monitoring.events.PY_START)


def _profiler(calls: CallRecorder) -> Any:
    kinds, entered = calls.kinds, calls.entered

    def profile(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            if kinds.get(code.co_filename) != 0:
                entered(code, frame)

    return profile
