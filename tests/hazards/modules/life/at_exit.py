"""Registers what runs at the end: that hangs, prints, exits, and registers itself again."""

# options: --max-runs 70
# within: 180
# report: no answer after 3 s in line 
# report: exited with status 3
# tests:
# alone: no

import atexit
import os
import threading
import time
import weakref


def _hang() -> None:
    while True:
        time.sleep(1)


def _again() -> None:
    atexit.register(_again)
    os._exit(3)


atexit.register(_hang)
atexit.register(_again)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def registers(x: int) -> int:
    atexit.register(_hang)
    return x + 1 if x > 3 else x


def registers_in_threading(x: int) -> int:
    threading._register_atexit(_hang)
    return x


class Owner:
    def __init__(self, x: int) -> None:
        self.x = x
        weakref.finalize(self, _hang)

    def value(self) -> int:
        return self.x + 1 if self.x > 3 else self.x


def runs_them(x: int) -> int:
    if x > 3:
        atexit._run_exitfuncs()
    return x
