"""Rests Python's garbage collector while modules are imported: what they make stays."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def rest() -> Iterator[None]:
    """Within this block nothing is collected."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
