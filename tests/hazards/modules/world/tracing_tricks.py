"""Watches and changes our own functions by tracers, profilers and signal handlers."""

import os
import signal
import sys
import threading
import time

import canary


def _disarm(frame):
    while frame is not None:
        for thing in [*frame.f_locals.values(), *frame.f_globals.values()]:
            if type(thing).__name__ == "Guard":
                thing._checks.clear()
                thing.refusals.clear()
                thing.refused = 0
        frame = frame.f_back


def traced(number: int) -> int:
    def trace(frame, _event, _argument):
        _disarm(frame)
        return trace

    sys.settrace(trace)
    try:
        os.remove(canary.FILE)
    finally:
        sys.settrace(None)
    return number


def profiled(number: int) -> int:
    sys.setprofile(lambda frame, _event, _argument: _disarm(frame))
    try:
        os.remove(canary.FILE)
    finally:
        sys.setprofile(None)
    return number


def other_threads(number: int) -> int:
    threading.setprofile(lambda frame, _event, _argument: _disarm(frame))
    thread = threading.Thread(target=os.remove, args=(canary.FILE,))
    thread.start()
    thread.join()
    return number


def interrupted(number: int) -> int:
    """A handler that runs wherever the main thread is, also in our own code after this call."""

    def handle(_number, frame):
        _disarm(frame)
        os.remove(canary.FILE)

    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    until = time.monotonic() + 0.2
    while time.monotonic() < until:
        os.path.realpath(os.getcwd())
    return number


def interrupts_later(number: int) -> int:
    def handle(_number, frame):
        _disarm(frame)
        os.remove(canary.FILE)

    signal.signal(signal.SIGVTALRM, handle)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.001, 0.001)
    if "hazard" in sys.argv:
        return number
    sum(range(10**6))
    return number


def other_frames(number: int) -> int:
    for frame in sys._current_frames().values():
        _disarm(frame)
    os.remove(canary.FILE)
    return number


def own_hook(number: int) -> int:
    """A second hook, which sees the first one's calls."""
    inside = []

    def hook(_event, _args):
        if not inside:
            inside.append(1)
            _disarm(sys._getframe())
            inside.clear()

    sys.addaudithook(hook)
    os.remove(canary.FILE)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
