"""A library that is no twin: it calls back, warns, logs and looks at its caller."""

import sys
import warnings


def frames(function):
    return function()


call = make = frames


def warn(level):
    warnings.warn(f"library {level}", UserWarning, stacklevel=level)


def log(logger):
    logger.info("from the library")


def made():
    return type("Made", (), {})


def caller_locals():
    return list(sys._getframe(1).f_locals)


class Deprecated:
    def __init__(self, n):
        warnings.warn(f"deprecated {n}", DeprecationWarning, stacklevel=2)

    @property
    def old(self):
        warnings.warn("old", DeprecationWarning, stacklevel=2)

    def __str__(self):
        warnings.warn("str", DeprecationWarning, stacklevel=2)
        return "s"

    def __add__(self, other):
        warnings.warn("add", DeprecationWarning, stacklevel=2)
        return self

    def __lt__(self, other):
        warnings.warn("lt", DeprecationWarning, stacklevel=2)
        return True

    def __getitem__(self, key):
        warnings.warn("getitem", DeprecationWarning, stacklevel=2)
