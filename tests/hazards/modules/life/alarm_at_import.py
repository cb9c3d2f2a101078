"""Leaves an alarm behind that strikes while others run, and ignores the tool's."""

import signal

signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)
signal.signal(signal.SIGALRM, lambda *_: None)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGTERM])


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
