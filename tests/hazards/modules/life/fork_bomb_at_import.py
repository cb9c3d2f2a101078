"""Forks while being imported, and goes on in parent and child; bounded by itself."""

import os

for _ in range(5):
    try:
        os.fork()
    except OSError:
        break


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
