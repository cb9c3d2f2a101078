"""Recursion without an end: plain, in `repr`, in comparisons, in C code and with the limit lifted."""

# options: --max-runs 70
# within: 120
# report: RecursionError
# alone: no

import functools
import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def recurses(x: int) -> int:
    return recurses(x + 1) if x > 3 else x


def recurses_without_limit(x: int) -> int:
    sys.setrecursionlimit(2**31 - 1)
    return recurses(x)


class Nested:
    def __init__(self, x: int) -> None:
        self.x = x
        self.inner = self

    def __repr__(self) -> str:
        return f"Nested({self.inner!r})"

    def show(self) -> str:
        return repr(self)

    def bottomless(self) -> list:
        bottom: list = []
        for _ in range(200_000):
            bottom = [bottom]
        return bottom


def recurses_in_c(x: int) -> object:
    sys.setrecursionlimit(10**8)
    call = functools.partial(lambda call, n: call(call, n), n=x)
    return call(call) if x > 3 else None


class Fibre:
    def __getattr__(self, name: str) -> object:
        return getattr(self, name + "x")

    def pull(self, x: int) -> object:
        return self.missing if x > 3 else x
