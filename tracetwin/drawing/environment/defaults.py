"""The functions patched by default: the explicit list of the files that register them."""

from __future__ import annotations

from typing import Final

from tracetwin.drawing.environment import (
    clock,
    dates,
    file_changes,
    files,
    folders,
    machine,
    processes,
    randomness,
)
from tracetwin.drawing.environment.sources import SOURCES
from tracetwin.drawing.rules.patch_selection import ALL
from tracetwin.model.patch import NEEDS

READERS: Final = (clock, dates, file_changes, files, folders, machine, processes, randomness)


def names() -> list[str]:
    """Every name by which a user can take some of them out: functions, their modules and classes, groups."""
    found: dict[str, None] = {ALL: None, "os.environ": None, "sys.argv": None, "sys.stdin": None}
    for title, group in (*((one.title, one.group) for one in SOURCES.values()), *NEEDS.items()):
        found[group] = None
        parts = title.split(".")
        found.update((".".join(parts[:length]), None) for length in range(1, len(parts) + 1))
    return list(found)
