"""Calls `os._exit` while being imported."""

# import: fails
# report: importing it ended the process
# report: exited with status 0
# alone: no

import os


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


os._exit(0)
