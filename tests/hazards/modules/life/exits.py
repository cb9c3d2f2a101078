"""Ends the program in all ways that Python has: in functions, constructors, generators and comparisons."""

# options: --max-runs 70
# within: 120
# report: exited with status 0
# report: exited with status 3
# report: exited with status 9
# tests: fine
# tests: leaves
# alone: dies leaves leaves_by_name interrupts raises_base

import os
import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def leaves(x: int) -> int:
    if x > 3:
        sys.exit(7)
    return x


def leaves_at_once(x: int) -> int:
    if x > 3:
        os._exit(0)
    return x


def leaves_by_name(x: int) -> int:
    if x > 3:
        exit("bye")
    return x


def interrupts(x: int) -> int:
    if x > 3:
        raise KeyboardInterrupt
    return x


def leaves_generator(x: int):
    yield x
    if x > 3:
        raise GeneratorExit
    os._exit(3)


def raises_base(x: int) -> int:
    if x > 3:
        raise BaseException("base")
    return x


class Leaving:
    def __init__(self, x: int) -> None:
        if x > 3:
            os._exit(9)
        if x < -3:
            raise SystemExit
        self.x = x

    def show(self) -> str:
        return f"{self.x}"

    def __repr__(self) -> str:
        os._exit(11)


def gives_one(x: int) -> Leaving:
    return Leaving(x)
