"""Puts the recursion limit so low at its import that hardly anything works any more."""

# import: fails
# report: depends on the order of tests
# alone: no

import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


sys.setrecursionlimit(sum(1 for _ in iter(lambda f=[sys._getframe()]: f.append(f.pop().f_back) or f[0], None)) + 6)
