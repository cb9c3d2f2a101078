"""A process that stands beside a hazard and notes what is done to it: ``neighbour.py FILE``."""

from __future__ import annotations

import os
import signal
import sys
import time


def main(notes: str) -> None:
    """Write each signal that arrives into `notes`; end with the parent."""
    descriptor = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(number: int, _frame: object) -> None:
        os.write(descriptor, f"signal {number}\n".encode())

    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        signal.signal(number, note)
    os.write(descriptor, b"ready\n")
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.2)


if __name__ == "__main__":
    main(sys.argv[1])
