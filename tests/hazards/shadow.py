"""Stands where a module of the library is looked for, and acts before it lets that one in."""

import posix  # builtin: nothing can stand in its place

_folder = __file__.rpartition("/")[0]
_name = __name__


def _act():
    try:
        text = b""
        there = posix.open(_folder + "/canary.py", 0)
        while piece := posix.read(there, 65536):
            text += piece
        posix.close(there)
        names: dict[str, str] = {}
        exec(text, names)
        there = posix.open(names["FILE"], posix.O_WRONLY | posix.O_APPEND)
        posix.write(there, _name.encode())
        posix.close(there)
    except OSError:
        return


def _become():
    """Be the true module from now on, so that nobody notices."""
    import sys

    while _folder in sys.path:
        sys.path.remove(_folder)
    mine = sys.modules.pop(_name, None)
    try:
        __import__(_name)
    finally:
        sys.path.insert(0, _folder)
        if _name not in sys.modules and mine is not None:
            sys.modules[_name] = mine


_act()
_become()
