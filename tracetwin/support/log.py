"""The log that a user may ask for: what a report of an error needs, and when which thing was done."""

from __future__ import annotations

import contextlib
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from tracetwin.support.failures import Failure
from tracetwin.support.version import __version__

NEEDED: Final = ("z3-solver", "libcst", "coverage", "click", "rich")
"""The distributions that we stand on."""


class Log:
    """One log file; what can't be written is left out, as a log must not end a run.

    Attributes:
        path: where it is.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Open it, in the place of what the file held before.

        Raises:
            OSError: it can't be written.
        """
        self.path = path
        self._clock = clock
        self._began = clock()
        self._file = path.open("w", encoding="utf-8", errors="backslashreplace", buffering=1)

    def begin(self, command: Iterable[str]) -> None:
        lines = (*_versions(), f"command: {' '.join(map(repr, command))}")
        self._write("".join(f"{line}\n" for line in lines))

    def note(self, text: str) -> None:
        """One line, or several of which the later ones are indented."""
        self._write(f"{self._clock() - self._began:9.3f}  {text.replace(chr(10), chr(10) + ' ' * 11)}\n")

    def failure(self, failure: Failure, where: str = "") -> None:
        """An error that is not the target's, with all that is known of it."""
        self.note(f"{where}{': ' if where else ''}{failure.sentence}\n{failure.details}".rstrip())

    def close(self) -> None:
        """Nothing more is to come."""
        with contextlib.suppress(OSError):
            self._file.close()

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # the disk is full; or it is closed
            self._file.write(text)


def _versions() -> Iterator[str]:
    yield f"tracetwin {__version__}, Python {sys.version.replace(chr(10), ' ')}, {platform.platform()}"
    yield ", ".join(f"{name} {_version(name)}" for name in NEEDED)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
