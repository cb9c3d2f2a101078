"""Acts that the walls refused, in a sentence each, and the words for ``--allow`` that open them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any


def refusal_told(plain: Mapping[str, Any]) -> str:
    """Return one sentence on an act that was refused."""
    detail, runs = plain.get("detail"), plain.get("runs", 1)
    words = f"{plain.get('act') or plain['event']} ({plain['event']}{f': {detail}' if detail else ''})"
    where = f"by {plain['function']}" if plain.get("function") else "while it was imported"
    opened = f"; --allow {plain['opened_by']} lets it" if plain.get("opened_by") else ""
    return f"{words} {where}, in {runs} run{'s' * (runs != 1)}{opened}"


def openings(refusals: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """Return by function the words that open what was refused, with the event; a folder for several files."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for one in refusals:
        if one.get("opened_by"):
            place = one.get("function") or "", one["opened_by"], one["event"]
            places.setdefault(place, []).append(one.get("detail") or "")
    found: dict[str, dict[str, str]] = {}
    for (function, word, event), details in places.items():
        found.setdefault(function, {})[word.replace("PATH", _common(details))] = event
    return found


def _common(files: Sequence[str]) -> str:
    """The file, or a folder with most of several."""
    heads = Counter(Path(file).parts[:2] for file in files)
    fitting = [file for file in files if Path(file).parts[:2] == heads.most_common(1)[0][0]]
    if len(fitting) == 1 or not all(map(os.path.isabs, fitting)):
        return fitting[0]
    return os.path.commonpath(fitting)
