"""Sleeps for days while being imported."""

# import: fails
# report: importing it hung: the import did not end within
# report: (line 
# alone: hangs import

import time

time.sleep(10**6)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
