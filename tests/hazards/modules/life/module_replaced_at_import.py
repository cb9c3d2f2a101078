"""Puts something else in its own place in `sys.modules`."""

# import: fails
# report: importing it raised KeyboardInterrupt
# alone: no

import sys


class Nothing:
    def __getattr__(self, name: str) -> object:
        raise KeyboardInterrupt(name)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


sys.modules[__name__] = Nothing()
