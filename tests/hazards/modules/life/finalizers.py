"""Objects whose finalizers hang, exit, raise, resurrect themselves, or eat memory."""

# options: --max-runs 70
# within: 180
# report: no answer after 3 s in line 
# report: exited with status 4
# alone: hangs in_a_cycle
# alone: dies drops

import gc
import os

graveyard: list = []


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


class Hangs:
    def __init__(self, x: int) -> None:
        self.x = x

    def value(self) -> int:
        return self.x + 1

    def __del__(self) -> None:
        while True:
            pass


class Exits:
    def __init__(self, x: int) -> None:
        self.x = x

    def value(self) -> int:
        return self.x + 1

    def __del__(self) -> None:
        os._exit(4)


class Raises:
    def __init__(self, x: int) -> None:
        self.x = x

    def value(self) -> int:
        return self.x + 1

    def __del__(self) -> None:
        raise BaseException("from a finalizer")


class Returns:
    def __init__(self, x: int) -> None:
        self.x = x

    def value(self) -> int:
        return self.x + 1

    def __del__(self) -> None:
        graveyard.append(self)
        graveyard.append(Returns(self.x))


def in_a_cycle(x: int) -> int:
    one = Hangs(x)
    one.me = one
    del one
    if x > 3:
        gc.collect()
    return x


def drops(x: int) -> int:
    Exits(x)
    return x
