"""Deletes and writes when it is imported, and catches what stops it."""
# import: acts

import contextlib
import os

import canary

with contextlib.suppress(OSError):
    os.remove(canary.FILE)
with contextlib.suppress(OSError), open(canary.NEW, "w") as file:
    file.write("was here")


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
