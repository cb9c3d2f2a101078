"""Gives the modules of wheels what their wheels need; imported only where there are some: it takes long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tracetwin.target import roots
from tracetwin.target.module import Resolution
from tracetwin.target.wheels.dependencies import find_dependencies, fits_here
from tracetwin.target.wheels.metadata import MetadataError, check_record


def with_dependencies(found: Resolution, links: Sequence[Path]) -> None:
    """Let the modules of wheels be imported together with what their wheels need."""
    wheels = {module.root: Path(module.root) for module in found.modules if Path(module.root).is_file()}
    for root, wheel in wheels.items():
        needed = find_dependencies(wheel, [roots.absolute(link) for link in links])
        found.notes += [*_doubts(wheel), *needed.notes, *(missing.sentence for missing in needed.missing)]
        entries_after = tuple(str(other) for other in needed.wheels)
        missing = tuple((lost.name, lost.short) for lost in needed.missing)
        found.modules = [
            replace(module, search_path=(*module.search_path, *entries_after), missing=missing)
            if module.root == root
            else module
            for module in found.modules
        ]


def _doubts(wheel: Path) -> list[str]:
    """Return one sentence for each oddity of a wheel that can be read all the same."""
    said = []
    if not fits_here(wheel):
        said.append(f"{wheel.name}: it is for another Python or machine, and may not work here")
    try:
        check_record(wheel)
    except MetadataError as error:
        said.append(f"{wheel.name}: {error}, so it may be damaged")
    return said
