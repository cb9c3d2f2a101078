"""Waits that are skipped while mutants are judged, some of which wait for ever."""

from __future__ import annotations

import functools
import sys
import time
from typing import Any


def skip_sleep() -> None:
    """Make `time.sleep` return at once, also for who takes it over while the target is imported."""
    real = time.sleep

    @functools.wraps(real)
    def sleep(seconds: float) -> None:
        real(min(seconds, 0))  # what is no number, or negative, is refused as ever

    time.sleep = sleep  # type: ignore[assignment]


def skip_loop_sleep() -> None:
    """Make `asyncio.sleep` return at once, by whatever name it is called, if anybody has imported it."""
    loops = sys.modules.get("asyncio.base_events")
    tasks = sys.modules.get("asyncio.tasks")
    if loops is None or tasks is None:
        return
    real, asking = loops.BaseEventLoop.call_later, tasks.sleep.__code__

    def call_later(loop: Any, delay: float, *args: Any, **options: Any) -> Any:
        asleep = sys._getframe(1).f_code is asking  # noqa: SLF001 - documented, and there is no other way
        return real(loop, 0 if asleep else delay, *args, **options)

    loops.BaseEventLoop.call_later = call_later
