"""Compiling again what has been compiled: the warnings were given already."""

from __future__ import annotations

import _thread
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_FILTERS_ARE_OURS = _thread.RLock()  # `threading` would have to be imported


@contextmanager
def without_warnings() -> Iterator[None]:
    """Ignore warnings in a block."""
    # The module named: the one in `sys.modules` may be a twin of it that is only now being built.
    # One at a time: threads that import at once would put back each other's filters.
    with _FILTERS_ARE_OURS, warnings.catch_warnings(module=warnings):
        warnings.simplefilter("ignore")
        yield
