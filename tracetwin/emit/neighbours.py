"""Names the modules that a test may import besides the target, and says how import sorters see the target."""

from __future__ import annotations

import os
import re
import site
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracetwin.config.rules import makers

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule


def importable_beside(module: TargetModule) -> tuple[str, ...]:
    """Top-level modules that lie beside the target: a test may import their names as it may the target's."""
    made_by = makers(module.rules)
    folder = Path(module.root)
    if not folder.is_dir() or str(folder) in {*site.getsitepackages(), site.getusersitepackages()}:
        return tuple(sorted(made_by | _imported(module)))
    names = made_by | _imported(module) | {
        entry.stem for entry in folder.iterdir() if entry.suffix == ".py" or (entry / "__init__.py").is_file()
    }
    return tuple(
        sorted(name for name in names if name.isidentifier() and name not in sys.stdlib_module_names)
    )


_IMPORT: Final = re.compile(r"^[ \t]*(?:import|from)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)


def _imported(module: TargetModule) -> set[str]:
    """The installed top-level modules that the target imports: a test needs them anyway."""
    try:
        text = Path(module.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return set()
    return {name for name in _IMPORT.findall(text) if name not in sys.stdlib_module_names}


def is_first_party(root: str) -> bool:
    """Return whether import sorters take modules of that folder for parts of the project."""
    return os.path.realpath(root) in {os.path.realpath("."), os.path.realpath("src")}
