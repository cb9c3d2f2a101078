"""Prints without an end: to the streams, below them, to files, in one piece and in many."""

# options: --max-runs 70
# within: 180
# report: no end after 2 s
# alone: hangs prints errors

import os
import sys
import warnings


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def prints(x: int) -> int:
    while x > 3:
        print("y" * 100_000)
    return x


def prints_once(x: int) -> int:
    print("y" * 300_000_000)
    return x


def prints_much_and_ends(x: int) -> int:
    for _ in range(3000):
        print("z" * 1_000_000)
    return x


def below(x: int) -> int:
    for _ in range(3000):
        os.write(1, bytes(1_000_000))
        os.write(2, bytes(1_000_000))
    return x


def original(x: int) -> int:
    for _ in range(1000):
        sys.__stdout__.write("y" * 1_000_000)
    return x


def errors(x: int) -> int:
    while x > 3:
        sys.stderr.write("\x1b[31m" * 100_000)
    return x


def warns(x: int) -> int:
    for number in range(10_000_000 if x > 3 else 1):
        warnings.warn(f"warning {number}" * 100, stacklevel=1)
    return x


def fills(x: int) -> int:
    with open("file", "wb") as file:
        for _ in range(10_000):
            file.write(bytes(1_000_000))
    return x
