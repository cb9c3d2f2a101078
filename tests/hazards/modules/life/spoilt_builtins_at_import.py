"""Replaces builtins while being imported, for good."""

# import: fails
# report: spoilt_builtins_at_import:
# alone: no

import builtins
import os
import sys
import time
import types


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def _nothing(*_: object, **__: object) -> None:
    return None


for _module, _names in (
    (builtins, ("print", "repr", "len", "isinstance", "sorted", "open", "setattr", "getattr", "iter")),
    (os, ("write", "read", "close", "_exit", "getpid", "fork", "kill", "waitpid", "pipe", "dup", "dup2")),
    (time, ("monotonic", "time", "sleep", "perf_counter")),
    (types, ("ModuleType", "FunctionType")),
    (sys, ("getrecursionlimit", "setrecursionlimit", "exc_info", "getrefcount")),
):
    for _name in _names:
        _module.__dict__[_name] = _nothing
