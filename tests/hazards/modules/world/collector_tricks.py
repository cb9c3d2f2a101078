"""Looks for our objects by the garbage collector and by the tree of classes, and turns them."""

import gc
import os

import canary


def _all():
    gc.unfreeze()
    return gc.get_objects()


def _named(*names):
    return [thing for thing in _all() if type(thing).__name__ in names]


def guards(number: int) -> int:
    for guard in _named("Guard"):
        for name, value in list(vars(guard).items()):
            if isinstance(value, dict):
                value.clear()
            elif isinstance(value, tuple):
                setattr(guard, name, ("/",))
            elif isinstance(value, (bool, int)):
                setattr(guard, name, True)
    os.remove(canary.FILE)
    return number


def classes(number: int) -> int:
    for kind in object.__subclasses__():
        if kind.__name__ == "Guard":
            for name in ("_refuse", "_never", "_file", "_open", "_kill", "_fork"):
                setattr(kind, name, lambda *_: None)
    os.remove(canary.FILE)
    return number


def exceptions(number: int) -> int:
    """From our exception's class to the globals of its module."""
    for kind in PermissionError.__subclasses__():
        for thing in gc.get_referrers(kind):
            if isinstance(thing, dict) and "Guard" in thing:
                thing["_realpath"] = lambda *_: os.getcwd() + "/mine"
                thing["_fsdecode"] = lambda *_: os.devnull
    os.remove(canary.FILE)
    return number


def functions(number: int) -> int:
    """The hook's own function gets other code."""

    def nothing(event, args):
        return None

    for thing in _all():
        if type(thing) is type(nothing) and thing.__name__ == "hook":
            try:
                thing.__code__ = nothing.__code__
            except ValueError:  # it has variables from around it
                for cell in thing.__closure__ or ():
                    cell.cell_contents = lambda *_: None
    os.remove(canary.FILE)
    return number


def originals(number: int) -> int:
    """What our replacements stand for is kept somewhere."""
    for thing in _all():
        name = getattr(thing, "__name__", "")
        if type(name) is str and name in ("fork_exec", "pidfd_open", "mkfifo") and callable(thing):
            try:
                thing(canary.NEW)
            except TypeError:
                continue
    os.mkfifo(canary.NEW)
    return number


def rooms(number: int) -> int:
    """Our private table of modules."""
    for table in _all():
        if type(table) is dict and type(table.get("tracetwin.process.walls.sandbox")).__name__ == "module":
            sandbox = table["tracetwin.process.walls.sandbox"]
            sandbox.guard()._checks.clear()
    os.remove(canary.FILE)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
