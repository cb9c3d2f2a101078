"""Replaces the standard streams while being imported, by what hangs at every word."""

import sys


class Hanging:
    def __getattr__(self, name: str) -> object:
        while True:
            pass

    def write(self, text: str) -> int:
        while True:
            pass

    flush = close = write


sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Hanging()


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def talks(x: int) -> int:
    print(x)
    return x
