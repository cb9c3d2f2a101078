"""Loops without an end: in functions, a constructor, a property, a generator, a comparison and a finalizer."""

# options: --max-runs 70
# within: 120
# report: no end after 2 s in line 
# report: no answer after 3 s in line 
# alone: hangs loops loops_always

import itertools


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def loops(x: int) -> int:
    if x > 3:
        while True:
            pass
    return x


def loops_always() -> None:
    while True:
        pass


def loops_in_c(x: int) -> int:
    if x == 7:
        return sum(itertools.repeat(1))
    return x


class Loops:
    def __init__(self, size: int) -> None:
        self.size = size
        while size > 100:
            size += 1

    @property
    def area(self) -> int:
        while self.size == 50:
            pass
        return self.size * self.size

    def items(self):
        yield self.size
        while self.size > 5:
            pass

    def __eq__(self, other: object) -> bool:
        while True:
            pass

    def __hash__(self) -> int:
        return 0


class Unending:
    def __init__(self, x: int) -> None:
        self.x = x

    def value(self) -> int:
        return self.x + 1

    def __del__(self) -> None:
        while self.x > 3:
            pass
