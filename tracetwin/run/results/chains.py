"""Chains of reasons: a line that is missed only because others are names why the first of these is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from tracetwin.explore.loop.goals import Obstacle
from tracetwin.model.goal import Uncovered

UNCALLED: Final = "called in line{} {}, which no test runs"
"""The reason of a line whose function is only called where no test comes."""

_UNCALLED: Final = re.compile(r"called in lines? ([\d, and]+).*, which no test runs")


def linked(misses: Iterable[Uncovered], known: Iterable[Uncovered]) -> list[Uncovered]:
    """Return missed lines, those of functions that are not called with why that is so."""
    reasons = {miss.line: miss.reason for miss in known}
    return [replace(miss, reason=_told(miss.reason, reasons)) for miss in misses]


def calls_missed(reason: str) -> list[int]:
    """Return the lines that call what a reason says is only called where no test comes, none for others."""
    found = _UNCALLED.match(reason)
    return [int(line) for line in re.findall(r"\d+", found[1])] if found else []


def _told(reason: str, reasons: dict[int, str]) -> str:
    seen: set[str] = set()
    root = reason
    while _UNCALLED.fullmatch(root) and root not in seen:
        seen.add(root)
        root = next((reasons[line] for line in calls_missed(root) if line in reasons), root)
    named = root not in seen and root != reason and not root.startswith(Obstacle.INFEASIBLE.value)
    return f"{reason}: {root}" if named else reason
