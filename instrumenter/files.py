"""Writes files atomically: a reader sees the old or the new one, never a part."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

UNFINISHED: Final = ".new"
"""Suffix of a file that is being written; one that stays was left by a writer who was killed."""


def write_atomically(path: Path, content: bytes, mode: int | None = None) -> None:
    """Replace or create a file; its folder is made when missing.

    `mode` None: the permissions that the user's mask gives; a link is replaced.

    Raises:
        OSError: the disk refuses; nothing is left behind then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Random, because a process's number is used again: later, or at the same time in a container.
    temporary = path.with_name(f".{path.name[:100]}.{os.urandom(8).hex()}{UNFINISHED}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(temporary, flags, 0o666 if mode is None else 0o600), "wb") as file:  # noqa: PTH123
            file.write(content)
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
