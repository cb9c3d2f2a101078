"""Acts where somebody asks the module for names that it does not have."""
# alone: no
# tests:

import os

import canary


def __getattr__(name):
    os.remove(canary.FILE)
    raise AttributeError(name)


def __dir__():
    os.remove(canary.FILE)
    return []


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
