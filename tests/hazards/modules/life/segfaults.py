"""Crashes the interpreter: with code objects, frames, C code that trusts its arguments."""

# options: --max-runs 70
# within: 120
# report: killed by SIGSEGV in line 
# alone: dies crashes

import marshal
import sys
import types


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def crashes(x: int) -> object:
    if x > 3:
        code = fine.__code__.replace(co_code=b"\x00\x00" + b"\xff\xff" * 20, co_stacksize=0, co_consts=())
        return types.FunctionType(code, {})(x)
    return x


def crashes_by_marshal(x: int) -> object:
    if x > 3:
        return marshal.loads(b"(" * 1_000_000)
    return x


class Crasher:
    def __init__(self, x: int) -> None:
        self.x = x
        if x > 3:
            crashes(x)

    def value(self) -> int:
        return self.x


class Deep:
    def __init__(self, inner: object) -> None:
        self.inner = inner


def crashes_while_freeing(x: int) -> int:
    sys.setrecursionlimit(10**7)
    chain: object = None
    for _ in range(2_000_000 if x > 3 else 1):
        chain = Deep(chain)
    return x
