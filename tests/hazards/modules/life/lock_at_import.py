"""Waits for a lock that it holds, while being imported."""

# import: fails
# report: importing it hung: the import did not end within
# report: (line 
# alone: hangs import

import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
