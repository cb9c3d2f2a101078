"""What the acts of a hazard do where there is no tool: a hazard that does nothing proves nothing.

Each act runs in a plain process beside a canary of its own.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.hazards.hazard import Hazard
from tests.hazards.project import Kept, project

DRIVER: Final = Path(__file__).with_name("driver.py")
_SECONDS: Final = 3.0


def proofs(hazard: Hazard, folder: Path, acts: Iterable[str] = ()) -> dict[str, str]:
    """For each act what was seen of it, "" where nothing was, though it should.

    Acts that are not to be tried are left out.

    Args:
        hazard: whose acts.
        folder: where it may be laid out.
        acts: only these; all of them, if none is named.
    """
    wanted = list(acts) or [act for act, way in hazard.ways.items() if way != "no"]
    return {act: _proof(hazard, act, folder) for act in wanted}


def _proof(hazard: Hazard, act: str, folder: Path) -> str:
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        project(hazard, Path(place), Path(place, "cache")) as beside,
    ):
        argv = [sys.executable, str(DRIVER), hazard.name, act]
        kept = beside.run(argv, beside.folder, seconds=_SECONDS)
        told = kept.stdout + kept.stderr
        if hazard.ways[act] != "harms":
            return _ending(hazard.ways[act], kept)
        if beside.canary.secret in told:
            return "the secret was told"
        if beside.canary.escaped in told:
            return "it said that it had escaped"
        damage = beside.canary.damage(patience=0.5)
        if not damage and kept.orphans:
            return f"it left {len(kept.orphans)} processes"
        return damage[0] if damage else ""


def _ending(way: str, kept: Kept) -> str:
    if way == "hangs":
        return "it did not end" if kept.status is None or kept.orphans else ""
    return f"it ended with {kept.status}" if kept.status else ""
