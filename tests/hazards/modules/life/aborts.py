"""Ends the process by signals: abort, a kill of itself, of its group, and stopping itself."""

# options: --max-runs 70
# within: 120
# report: killed by SIGABRT in line 
# report: killed by SIGSEGV in line 
# report: killed by SIGKILL
# report: killed by SIGTERM
# report: os.kill(0) is refused
# alone: dies aborts kills_itself raises_signal faults

import faulthandler
import os
import signal


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def aborts(x: int) -> int:
    if x > 3:
        os.abort()
    return x


def kills_itself(x: int) -> int:
    if x > 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def stops_itself(x: int) -> int:
    if x > 3:
        os.kill(os.getpid(), signal.SIGSTOP)
    return x


def raises_signal(x: int) -> int:
    if x > 3:
        signal.raise_signal(signal.SIGTERM)
    return x


def kills_the_group(x: int) -> int:
    if x > 3:
        os.kill(0, signal.SIGKILL)
    return x


def kills_the_parent(x: int) -> int:
    if x > 3:
        os.kill(os.getppid(), signal.SIGKILL)
    return x


def stops_the_parent(x: int) -> int:
    if x > 3:
        os.kill(os.getppid(), signal.SIGSTOP)
    return x


def faults(x: int) -> int:
    if x > 3:
        faulthandler._sigsegv()
    return x


def dumps_later(x: int) -> int:
    faulthandler.dump_traceback_later(0.05, exit=True)
    while x > 3:
        pass
    return x
