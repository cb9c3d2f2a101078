"""Calls `sys.exit` while being imported."""

# import: fails
# report: sys.exit(not today)
# alone: dies import

import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


sys.exit("not today")
