"""Makes the names of our own packages free again, for a target that has modules called the same."""

from __future__ import annotations

import site
import sys
import types
from collections.abc import Sequence
from pathlib import Path

from tracetwin.support.private_modules import Hider

OURS = ("tracetwin", "runtime", "instrumenter")


def our_root() -> str:
    """The folder that our packages are imported from."""
    return str(Path(__file__).absolute().parents[2])


def hide_ourselves() -> dict[str, types.ModuleType]:
    """Forget our modules and the folder they came from; what is loaded keeps working.

    Returns:
        The forgotten modules: they must be kept, as a module that is freed loses its globals.
    """
    forgotten = {}
    for name in list(sys.modules):
        if name.partition(".")[0] in OURS:
            forgotten[name] = sys.modules.pop(name)
    forgotten["__main__"] = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.meta_path.insert(0, Hider({name: str(Path(our_root(), name)) for name in OURS}))
    # Installed beside the packages that the target needs, our folder has to stay.
    if our_root() not in {str(Path(folder).absolute()) for folder in _site_folders()}:
        sys.path[:] = [entry for entry in sys.path if str(Path(entry).absolute()) != our_root()]
    return forgotten


def _site_folders() -> list[str]:
    folders = list(site.getsitepackages())
    user = site.getusersitepackages()
    return [*folders, user]


def target_first(root: str, search_path: Sequence[str]) -> None:
    """Put the import root of the target first and the working folder nowhere."""
    first = [root, *search_path]
    sys.path[:] = first + [entry for entry in sys.path if entry not in ("", *first)]
