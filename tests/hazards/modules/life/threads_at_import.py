"""Starts threads while being imported that hold locks, compute, and end the process after a while."""

import os
import threading
import time

lock = threading.Lock()


def _spin() -> None:
    with lock:
        total = 0
        while True:
            total += 1


def _end() -> None:
    time.sleep(1.5)
    os._exit(5)


threading.Thread(target=_spin, daemon=True).start()
threading.Thread(target=_end, daemon=True).start()


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def locked(x: int) -> int:
    with lock:
        return x
