"""Replaces builtins while it runs: by what hangs, lies, exits and raises."""

# options: --max-runs 70
# within: 180
# report: changed the interpreter: 
# report: it changes the interpreter: 
# alone: no

import builtins
import os
import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def lies(x: int) -> int:
    builtins.len = lambda _thing: 7
    builtins.isinstance = lambda *_: True
    builtins.type = lambda *_: int
    return x + 1 if x > 3 else x


def hangs(x: int) -> int:
    def hang(*_: object, **__: object) -> None:
        while True:
            pass

    for name in ("print", "repr", "str", "getattr", "hasattr", "sorted", "open", "__import__", "range", "iter"):
        setattr(builtins, name, hang)
    return x + 1 if x > 3 else x


def empties(x: int) -> int:
    vars(builtins).clear()
    return x


def empties_sys(x: int) -> int:
    sys.modules.clear()
    sys.path.clear()
    return x


def exits(x: int) -> int:
    builtins.repr = builtins.print = builtins.open = lambda *_, **__: os._exit(6)
    return x


def spoils_os(x: int) -> int:
    for name in ("write", "read", "_exit", "close", "getpid", "fork", "kill", "waitpid", "pipe", "dup"):
        setattr(os, name, lambda *_, **__: None)
    return x


def raises(x: int) -> int:
    class Never(BaseException):
        def __init__(self, *_: object) -> None:
            raise self

    builtins.Exception = builtins.BaseException = builtins.ValueError = Never
    return x
