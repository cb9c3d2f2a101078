"""Changes of files and folders: none happens, and a test asserts what was to be changed.

Temporary folders that a program makes for itself are real, and so is what it does in them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from runtime.values import plain
from tracetwin.drawing.environment.files import path_of
from tracetwin.drawing.environment.sources import NOTHING, EnvironmentRead, Given, NotDrawn, failure, reads
from tracetwin.model.recipes import call, lit

USUAL: Final = (PermissionError, OSError)

_MAKING: Final = ("mkdir", "makedirs")
_REMOVING: Final = ("remove", "unlink", "rmdir", "removedirs")
_MOVING: Final = ("rename", "renames", "replace", "symlink", "link")
_COPYING: Final = ("copy", "copy2", "copyfile", "copytree", "move")
_OF_PATHS: Final = ("unlink", "rmdir", "touch", "chmod")


@reads("open", *(f"os:{name}" for name in _MAKING), "pathlib:Path.mkdir", tells=True)
def made(reading: EnvironmentRead, folder: Any, *_positional: Any, **_others: Any) -> Given:
    """A folder that is made: it may be there."""
    path = path_of(reading, folder, changes=True)
    reading.may_raise(FileExistsError, *USUAL)
    reading.memory.setdefault("missing", set()).discard(path)
    return None, NOTHING


@reads("open", *(f"os:{name}" for name in (*_REMOVING, "chdir", "chmod", "utime", "truncate")), tells=True)
@reads("open", *(f"pathlib:Path.{name}" for name in _OF_PATHS), "shutil:rmtree", tells=True)
def changed(reading: EnvironmentRead, file: Any, *_positional: Any, **options: Any) -> Given:
    """A file that is changed or removed: it may not be there."""
    path = path_of(reading, file, changes=True)
    if path in reading.memory.get("missing", ()) and not any(options.values()):
        raise failure(FileNotFoundError)
    reading.may_raise(FileNotFoundError, *USUAL)
    return None, NOTHING


@reads("open", *(f"os:{name}" for name in _MOVING), tells=True)
def moved(reading: EnvironmentRead, file: Any, other: Any, *_positional: Any, **_others: Any) -> Given:
    """A file that gets another name, or a further one."""
    path_of(reading, file, changes=True), path_of(reading, other, changes=True)
    reading.may_raise(FileNotFoundError, *USUAL)
    return None, NOTHING


@reads("open", "pathlib:Path.rename", "pathlib:Path.replace", tells=True)
def renamed(reading: EnvironmentRead, file: Any, target: Any) -> Given:
    """A file that gets another name; returns the path of that."""
    path_of(reading, file, changes=True), path_of(reading, target, changes=True)
    reading.may_raise(FileNotFoundError, *USUAL)
    path = Path(plain(target) if isinstance(target, str) else target)
    return path, call("pathlib", "Path", lit(str(path)))


@reads("open", *(f"shutil:{name}" for name in _COPYING), tells=True)
def copied(reading: EnvironmentRead, file: Any, other: Any, *_positional: Any, **_others: Any) -> Given:
    """A file that is copied; returns where to."""
    path_of(reading, file, changes=True), path_of(reading, other, changes=True)
    if not isinstance(plain(other), str):
        raise NotDrawn
    reading.may_raise(FileNotFoundError, *USUAL)
    return other, lit(plain(other))
