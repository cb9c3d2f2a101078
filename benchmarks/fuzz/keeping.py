"""Inputs in folders: what is kept of a finding, and what is fed again."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from inputs import Input

NAME = "input.json"


def store(given: Input, place: Path, **more: Any) -> None:
    """Write an input into a folder, in the place of what is there.

    Args:
        given: what to keep.
        place: the folder; its `in` is the one to call the command in.
        more: what else is known, as plain data.
    """
    shutil.rmtree(place / "in", ignore_errors=True)
    (place / "in").mkdir(parents=True)
    given.write(place / "in")
    plain = {**given.to_plain(), **more}
    (place / NAME).write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


def load(place: Path) -> Input:
    """The input that is kept in a folder."""
    plain = json.loads((place / NAME).read_text(encoding="utf-8"))
    there = [name for name in plain["files"] if (place / "in" / name).is_file()]
    files = {name: (place / "in" / name).read_bytes() for name in there}
    argv, links, pipes = tuple(plain["argv"]), dict(plain["links"]), tuple(plain["pipes"])
    return Input(plain["kind"], files, argv, links, pipes, plain["encoding"])


def folder_of(signature: str) -> str:
    """The name of the folder of a finding."""
    return re.sub(r"\W+", "-", signature).strip("-")[:100] or "finding"


def known(place: Path) -> dict[str, Any]:
    """What is known of a kept input besides its files."""
    plain: dict[str, Any] = json.loads((place / NAME).read_text(encoding="utf-8"))
    return plain
