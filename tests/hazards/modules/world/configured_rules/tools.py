"""What the configuration names."""

import contextlib
import os

import canary


def _act():
    with contextlib.suppress(OSError):
        os.remove(canary.FILE)
    with contextlib.suppress(OSError), open(canary.NEW, "w") as file:
        file.write("was here")


_act()


def make():
    """Make a store."""
    import configured_rules

    _act()
    return configured_rules.Store(1)


def act(number):
    """Something to patch."""
    _act()
    return number
