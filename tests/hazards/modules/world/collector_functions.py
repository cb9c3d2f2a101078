"""Looks for functions of C that stand ready for our own use, and calls them past the hook."""
# suite: unchecked

import gc
import os

import canary


def _all():
    gc.unfreeze()
    return gc.get_objects()


def _named(*names):
    return [thing for thing in _all() if type(thing).__name__ in names]


def fine(number: int) -> str:
    return "big" if number > 10 else "small"


def c_library(number: int) -> int:
    """The C library that stands ready for our own use."""
    for kernel in _named("Kernel"):
        for value in vars(kernel).values():
            if callable(value):
                value(87, os.fsencode(canary.FILE))  # unlink, if it is syscall on x86-64
                value(263, -100, os.fsencode(canary.FILE), 0)
    os.remove(canary.FILE)
    return number


def c_functions(number: int) -> int:
    """Functions of C that are found in any object."""
    for thing in _all():
        if type(thing).__name__ in ("_FuncPtr", "CFunctionType"):
            continue
        if type(thing).__name__ in ("CDLL", "PyDLL"):
            try:
                thing.unlink(os.fsencode(canary.FILE))
            except (AttributeError, TypeError):
                continue
    os.remove(canary.FILE)
    return number


def memory(number: int) -> int:
    """ctypes writes memory by functions that it holds itself."""
    import ctypes

    for thing in _named("Guard"):
        address = id(thing.__dict__)
        ctypes.memmove(address, address, 8)
        ctypes.memset(id(thing._below), 0, 8)
    os.remove(canary.FILE)
    return number


def processes(number: int) -> int:
    """Signals, the network and daemons by the same way."""
    for kernel in _named("Kernel"):
        for value in vars(kernel).values():
            if callable(value):
                value(62, canary.NEIGHBOUR, 15)
                one = value(41, 2, 2, 0)
                address = b"\x02\0" + canary.UDP_PORT.to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
                value(44, one, b"here", 4, 0, address, 16)
                value(170, os.uname().nodename.encode(), len(os.uname().nodename))
                value(59, b"/bin/true\0", 0, 0)
    os.kill(canary.NEIGHBOUR, 10)
    return number
