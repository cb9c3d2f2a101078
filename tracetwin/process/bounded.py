"""Unpacks what a target may have written in our place: five bytes can promise more than there is memory."""

from __future__ import annotations

import contextlib
import marshal
import resource
import threading
from collections.abc import Iterator
from typing import Any, Final

from tracetwin.process.walls.sandbox import address_space

MOST_BYTES: Final = 512 << 20
"""Memory for the parts of one message."""

_lock = threading.Lock()


def loads(body: bytes, **options: Any) -> Any:
    """The content of a message, as `marshal.loads` gives it.

    For our own side: behind the walls the process has a limit already, and may not change it.

    Raises:
        MemoryError: it is larger than `MOST_BYTES`.
        ValueError, TypeError, EOFError: it is damaged.
    """
    with _limited():
        return marshal.loads(body, **options)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Meanwhile the process can't grow by more, where the system can see to that."""
    present = address_space()
    if not present:  # it is not known everywhere
        yield
        return
    with _lock:
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = present + MOST_BYTES
        if soft != resource.RLIM_INFINITY:
            most = min(most, soft)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
