"""Objects of the module itself whose finalizers hang and exit when the interpreter ends."""

import os


class Hangs:
    def __del__(self, exit=os._exit) -> None:
        while True:
            pass


here = Hangs()
cycle = [Hangs()]
cycle.append(cycle)


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def drops(x: int) -> int:
    global here
    if x > 3:
        here = None
    return x
