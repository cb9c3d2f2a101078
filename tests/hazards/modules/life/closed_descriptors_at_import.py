"""Closes every descriptor while being imported, the tool's own among them."""

# import: fails
# report: closed file descriptors
# alone: no

import os

os.closerange(0, 4096)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
