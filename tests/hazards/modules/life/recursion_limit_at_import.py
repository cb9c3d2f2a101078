"""Lifts the recursion limit to the largest, or puts it low, while being imported and while running."""

import sys

sys.setrecursionlimit(2**31 - 1)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def lowers(x: int) -> int:
    sys.setrecursionlimit(60)
    return x + 1 if x > 3 else x


def deep(n: int) -> int:
    return 0 if n <= 0 else 1 + deep(n - 1)
