"""Compiling again what has been compiled: the warnings were given already."""

from __future__ import annotations

import _thread
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_FILTERS_ARE_OURS = _thread.RLock()  # `threading` would have to be imported
_IGNORE: Final[Any] = ("ignore", None, Warning, None, 0)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Ignore warnings in a block.

    Unlike `warnings.catch_warnings` this leaves the number of changes alone that stands in each
    `__warningregistry__`, where a target could see it.
    """
    # One at a time: threads that import at once would put back each other's filters.
    with _FILTERS_ARE_OURS:
        filters: Any = warnings.filters
        filters.insert(0, _IGNORE)
        try:
            yield
        finally:
            filters.remove(_IGNORE)
