"""Clocks: `time.time()` and its kin, which never go backwards and start at a fixed moment."""

from __future__ import annotations

from typing import Any, Final

from runtime.values import plain
from tracetwin.drawing.environment.sources import NOTHING, EnvironmentRead, Given, NotDrawn, reads
from tracetwin.model.recipes import Recipe, lit

MOMENT: Final = 1_704_067_200
"""2024-01-01 00:00:00 UTC."""

UPTIME: Final = 1_000
"""Seconds that clocks show which count from the start of the machine."""

LATEST: Final = 4_102_444_800
"""2100-01-01, beyond which no clock goes."""

PATIENCE: Final = 4
"""Reads of one clock after which it runs: a loop that waits for a deadline comes to its end."""

BILLION: Final = 10**9


@reads("time", "time:time")
def wall_clock(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """Seconds since 1970."""
    return _seconds(reading, float(MOMENT))


@reads("time", "time:monotonic", "time:perf_counter", "time:process_time", "time:thread_time")
def uptime(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """Seconds since some moment."""
    return _seconds(reading, float(UPTIME))


@reads("time", "time:time_ns")
def wall_clock_ns(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """Nanoseconds since 1970."""
    return _nanoseconds(reading, MOMENT * BILLION)


@reads("time", "time:monotonic_ns", "time:perf_counter_ns", "time:process_time_ns", "time:thread_time_ns")
def uptime_ns(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """Nanoseconds since some moment."""
    return _nanoseconds(reading, UPTIME * BILLION)


@reads("time", "time:sleep", tells=True)
def sleep(reading: EnvironmentRead, seconds: Any) -> Given:
    """Returns at once, while the clocks go on.

    What an input decides is not negative: the patch of a test refuses nothing, unlike the function.
    """
    if plain(seconds) is not seconds:
        reading.inputs.assume(seconds >= 0)
    elif seconds < 0:
        raise NotDrawn
    reading.memory["slept"] = reading.memory.get("slept", 0.0) + plain(seconds)
    return None, NOTHING


@reads("time", "asyncio:sleep", is_async=True, tells=True)
def sleep_on(reading: EnvironmentRead, delay: Any, result: Any = None) -> Given:
    """The same for coroutines, where nothing is to come back."""
    if result is not None:
        raise NotDrawn
    return sleep(reading, max(plain(delay), 0))


def _seconds(reading: EnvironmentRead, start: float) -> tuple[Any, Recipe]:
    inputs, before = reading.inputs, _last(reading)
    home = inputs.homes[reading.name] = float(_default(reading, start))
    value = inputs.floating(reading.name, home)
    inputs.assume(value >= (0 if before is None else before))
    inputs.assume(value <= LATEST)
    return _kept(reading, value)


def _nanoseconds(reading: EnvironmentRead, start: int) -> tuple[Any, Recipe]:
    inputs, before = reading.inputs, _last(reading)
    home = inputs.homes[reading.name] = int(_default(reading, start, BILLION))
    value = inputs.integer(reading.name, home)
    inputs.assume(value >= (0 if before is None else before))
    inputs.assume(value <= LATEST * BILLION)
    return _kept(reading, value)


def _clock(reading: EnvironmentRead) -> str:
    return reading.name.partition("(")[0]


def _last(reading: EnvironmentRead) -> Any:
    """The time that this clock showed last."""
    return reading.memory.get(_clock(reading), (None,))[0]


def _default(reading: EnvironmentRead, start: float, unit: int = 1) -> float:
    """The time that it shows unless the input says otherwise: the last one, and how long was slept since."""
    slept = reading.memory.get("slept", 0.0)
    last, then = reading.memory.get(_clock(reading), (start, 0.0))
    ticks = 2.0 ** (reading.number - PATIENCE) if reading.number > PATIENCE else 0.0
    return float(min(plain(last) + (slept - then + ticks) * unit, LATEST * unit))


def _kept(reading: EnvironmentRead, value: Any) -> tuple[Any, Recipe]:
    reading.memory[_clock(reading)] = (value, reading.memory.get("slept", 0.0))
    return value, lit(plain(value))
