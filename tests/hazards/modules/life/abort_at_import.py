"""Aborts while being imported."""

# import: fails
# report: importing it ended the process
# report: SIGABRT (line 
# alone: dies import

import os


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


os.abort()
