"""Catches everything and goes on: bare excepts, finally that returns, context managers, generators."""

# options: --max-runs 70
# within: 180
# report: the target went on after it was told to stop in line 1
# alone: hangs swallows returns_in_finally suppressed

import contextlib


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def swallows(x: int) -> int:
    while x > 3:
        try:
            while True:
                pass
        except BaseException:
            continue
    return x


def returns_in_finally(x: int) -> int:
    while True:
        try:
            if x <= 3:
                return x
            while True:
                pass
        finally:
            if x > 3:
                continue


class Swallow:
    def __enter__(self) -> "Swallow":
        return self

    def __exit__(self, *_: object) -> bool:
        return True

    def work(self, x: int) -> int:
        while x > 3:
            with self:
                while True:
                    pass
        return x


def suppressed(x: int) -> int:
    while x > 3:
        with contextlib.suppress(BaseException):
            while True:
                pass
    return x


def generator(x: int):
    while x > 3:
        try:
            yield x
        except BaseException:
            pass
        finally:
            while x > 100:
                pass
    yield 0


def once(x: int) -> int:
    try:
        while x > 3:
            pass
    except BaseException:
        return -1
    return x


def counts_its_deaths(x: int) -> int:
    deaths = 0
    while x > 3 and deaths < 5:
        try:
            while True:
                pass
        except BaseException:
            deaths += 1
    return deaths
