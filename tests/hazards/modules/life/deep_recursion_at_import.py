"""Recursion in C without an end, with the limit lifted, while the module is imported."""

# import: fails
# report: importing it ended the process
# report: SIGSEGV
# alone: dies import

import sys

sys.setrecursionlimit(2**31 - 1)


class Fibre:
    def __getattr__(self, name: str) -> object:
        return getattr(self, name)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


Fibre().missing
