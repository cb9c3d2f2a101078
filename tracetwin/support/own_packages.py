"""Our packages `runtime` and `instrumenter`, found whatever `sys.path` says.

A program may have top-level modules of these names. Where twins are to be run in its own process, ours are
kept out of its sight, as in a worker; where only the driver runs, they are imported before anything else.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from tracetwin.support.errors import TargetError

if TYPE_CHECKING:
    from tracetwin.support.private_modules import Rooms

NAMES = ("runtime", "instrumenter")
_HOME = Path(__file__).resolve().parents[2]


def load(name: str) -> ModuleType:
    """One of our modules, for use in a program's own process.

    It does not stand in `sys.modules`, where the program finds its own namesake instead, unless ours are
    there already: then somebody has imported them by name, and gets the same ones here.
    """
    loader = _private_loader()
    return importlib.import_module(name) if loader is None else loader.load(name)


def import_first() -> None:
    """Import ours by their names from beside this package, for a process that runs nothing of the program's.

    Raises:
        TargetError: the process has imported other modules of these names.
    """
    home = str(_HOME)
    sys.path.insert(0, home)
    try:
        for name in NAMES:
            importlib.import_module(name)
            if not _is_ours(name):
                raise TargetError(name, "a module of this name is imported already; use a new process")
    finally:
        sys.path.remove(home)


@functools.cache
def _private_loader() -> Rooms | None:
    """Once per process: hooks of one process know each other by their class."""
    present = [name for name in NAMES if name in sys.modules]
    if present and all(map(_is_ours, present)):
        import_first()
        return None
    from tracetwin.support.private_modules import Rooms

    return Rooms({name: str(folder(name)) for name in NAMES})


def folder(name: str) -> Path:
    """Where one of our packages lies, whichever way it is installed.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    beside = _HOME / name
    if beside.is_dir():
        return beside
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"our package {name} is not installed beside tracetwin")
    return Path(next(iter(spec.submodule_search_locations)))


def _is_ours(name: str) -> bool:
    """Whether the imported module of this name is ours."""
    places = getattr(sys.modules[name], "__path__", ())
    return any(Path(place).resolve() == folder(name).resolve() for place in places)
