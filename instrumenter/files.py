"""Writing files so that a reader sees the old or the new one, never a part."""

from __future__ import annotations

import contextlib
import itertools
import os
from pathlib import Path

_counter = itertools.count()


def write_atomically(path: Path, content: bytes) -> None:
    """Replace or create a file; its folder is made when missing.

    Raises:
        OSError: the disk refuses; nothing is left behind then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Unlike `tempfile`'s, this file has the permissions the user's mask gives to new files.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{next(_counter)}.new")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
