"""Changes of files and folders: none happens, and a test asserts what was to be changed.

Temporary folders that a program makes for itself are real, and so is what it does in them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

from runtime.values import plain
from tracetwin.drawing.environment.files import path_of
from tracetwin.drawing.environment.sources import NOTHING, EnvironmentRead, Given, NotDrawn, failure, reads
from tracetwin.model.recipes import call, lit
from tracetwin.support.stdlib_copies import os  # it is not the program that asks here

USUAL: Final = (PermissionError, OSError)

_MAKING: Final = ("mkdir", "makedirs")
_REMOVING: Final = ("remove", "unlink", "rmdir", "removedirs")
_MOVING: Final = ("rename", "renames", "replace", "symlink", "link")
_COPYING: Final = ("copy", "copy2", "copyfile", "copytree", "move")
_OF_PATHS: Final = ("unlink", "rmdir", "touch", "chmod")


@reads("open", *(f"os:{name}" for name in _MAKING), "pathlib:Path.mkdir", tells=True)
def made(reading: EnvironmentRead, folder: Any, *_positional: Any, **_others: Any) -> Given:
    """A folder that is made: it may be there."""
    path = own_path(reading, folder)
    reading.may_raise(FileExistsError, *USUAL)
    reading.memory.setdefault("missing", set()).discard(path)
    return None, NOTHING


@reads("open", *(f"os:{name}" for name in (*_REMOVING, "chdir", "chmod", "utime", "truncate")), tells=True)
@reads("open", *(f"pathlib:Path.{name}" for name in _OF_PATHS), "shutil:rmtree", tells=True)
def changed(reading: EnvironmentRead, file: Any, *_positional: Any, **options: Any) -> Given:
    """A file that is changed or removed: it may not be there."""
    path = own_path(reading, file)
    if path in reading.memory.get("missing", ()) and not any(options.values()):
        raise failure(FileNotFoundError)
    reading.may_raise(FileNotFoundError, *USUAL)
    return None, NOTHING


@reads("open", *(f"os:{name}" for name in _MOVING), tells=True)
def moved(reading: EnvironmentRead, file: Any, other: Any, *_positional: Any, **_others: Any) -> Given:
    """A file that gets another name, or a further one."""
    own_path(reading, file), own_path(reading, other)
    reading.may_raise(FileNotFoundError, *USUAL)
    return None, NOTHING


@reads("open", "pathlib:Path.rename", "pathlib:Path.replace", tells=True)
def renamed(reading: EnvironmentRead, file: Any, target: Any) -> Given:
    """A file that gets another name; returns the path of that."""
    own_path(reading, file), own_path(reading, target)
    reading.may_raise(FileNotFoundError, *USUAL)
    path = Path(plain(target) if isinstance(target, str) else target)
    return path, call("pathlib", "Path", lit(str(path)))


@reads("open", *(f"shutil:{name}" for name in _COPYING), tells=True)
def copied(reading: EnvironmentRead, file: Any, other: Any, *_positional: Any, **_others: Any) -> Given:
    """A file that is copied; returns where to."""
    own_path(reading, file), own_path(reading, other)
    if not isinstance(plain(other), str):
        raise NotDrawn
    reading.may_raise(FileNotFoundError, *USUAL)
    return other, lit(plain(other))


def own_path(reading: EnvironmentRead, file: Any, *, changes: bool = True) -> str:
    """The path of a file.

    Raises:
        NotDrawn: the program has made it, or a temporary folder for it; or see `path_of`.
    """
    path = path_of(reading, file, changes=changes)
    if _is_temporary(os.path.realpath(path)):
        raise NotDrawn
    return path


def _is_temporary(place: str) -> bool:
    """True if what is there of a path was made in the place for temporary files, and is not only that."""
    while not os.access(place, os.F_OK):
        place = os.path.dirname(place)
    inside = place.startswith(os.path.realpath(tempfile.gettempdir()) + os.sep)
    return inside and place != os.path.realpath(os.curdir)
