"""Stops its own process while being imported, which then answers nobody."""

# import: fails
# report: importing it hung: the import did not end within
# alone: hangs import

import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
