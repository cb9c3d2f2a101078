"""Where journals lie, whose turn it is to write one, and whether one is of the same work.

In the user's cache, one folder per module and output folder. It goes when the run has ended by itself; what
is left of runs that did not, and that nobody went on with, goes after a month.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from tracetwin.support import locks, own_modules
from tracetwin.support.atomic_files import write_text
from tracetwin.support.records import check_owner
from tracetwin.support.version import __version__

FORGOTTEN_SECONDS: Final = 30 * 24 * 3600.0
"""Age at which the journals of broken-off runs are removed."""

LOCK_SECONDS: Final = 5.0
"""The processes of a killed run need a moment to end."""

HEADER: Final = "work.json"
_SOURCES: Final = "sources.json"
_LOCK: Final = "lock"


class JournalFolder:
    """The folder of one module's journals, held by this process.

    Attributes:
        folder: where they lie.
    """

    def __init__(self, folder: Path) -> None:
        """Make the folder and take hold of it.

        Raises:
            Busy: another run has.
            OSError: it can't be written.
        """
        self.folder = folder
        _make_private(folder)
        self._lock = locks.hold(folder / _LOCK, LOCK_SECONDS)

    def begin(self, work: Mapping[str, Any], *, resume: bool) -> str | None:
        """Get ready for some work; what is there of other work is removed.

        Returns:
            Why there is nothing to go on with, "" where there is, and None where nobody asked.
        """
        header = self.folder / HEADER
        known = _read(header)
        missing = _difference(known, work) or self._changed()
        if resume and not missing:
            return ""
        for entry in self.folder.iterdir():
            if entry.name != _LOCK:
                entry.unlink()
        write_text(header, json.dumps(work))
        return missing if resume else None

    def note_sources(self, files: Iterable[str]) -> None:
        """Write down the files that the findings depend on.

        Raises:
            OSError: it can't be written down.
        """
        text = json.dumps({file: digest_of(file) for file in sorted(set(files))})
        if not _read(self.folder / _SOURCES):
            write_text(self.folder / _SOURCES, text)

    def _changed(self) -> str:
        """Which of these files has changed, in words."""
        known = _read(self.folder / _SOURCES)
        changed = (file for file, was in known.items() if digest_of(file) != was)
        return next((f"{file} has changed since" for file in changed), "")

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()

    def release(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _make_private(folder: Path) -> None:
    """Make a folder that only this user can write to."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    check_owner(folder.lstat())


def _read(header: Path) -> dict[str, Any]:
    try:
        known = json.loads(header.read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _difference(known: Mapping[str, Any], work: Mapping[str, Any]) -> str:
    """Why something known does not belong to some work, "" where it does."""
    if not known:
        return "there is no journal of an interrupted run"
    for name in dict.fromkeys([*work, *known]):
        if known.get(name) != work.get(name):
            return f"the journal is of a run with another {name}"
    return ""


def digest_of(file: str) -> str:
    """Return a digest of a file, or of the wheel that it lies in; "" where there is none."""
    place = next((above for above in (Path(file), *Path(file).parents) if above.is_file()), None)
    try:
        return "" if place is None else hashlib.sha256(place.read_bytes()).hexdigest()
    except OSError:
        return ""


@functools.cache
def tool_version() -> str:
    """This tool, by size and time of its very files, and what it reasons with."""
    digest = hashlib.sha256()
    for top in [str(Path(__file__).parents[2]), *(own_modules.folder(name) for name in own_modules.NAMES)]:
        for folder, _, files in sorted(os.walk(top)):
            for name in sorted(name for name in files if name.endswith(".py")):
                found = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 - there are hundreds
                digest.update(f"{folder} {name} {found.st_size} {found.st_mtime_ns}\0".encode())
    return f"{__version__} {digest.hexdigest()[:16]}, z3 {metadata.version('z3-solver')}"


def python_version() -> str:
    """The interpreter."""
    return f"{sys.implementation.name} {sys.version}"


def folder_of(root: Path, *parts: str) -> Path:
    """The folder for the journals of some work, by what it is named."""
    return root / hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:32]


def tidy(root: Path, now: float | None = None) -> None:
    """Remove what nobody went on with."""
    limit = (time.time() if now is None else now) - FORGOTTEN_SECONDS
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(root)):
            if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime < limit:
                shutil.rmtree(entry.path, ignore_errors=True)
