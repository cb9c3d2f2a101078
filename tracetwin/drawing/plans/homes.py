"""Which function asks: of several kinds of dicts a mock answers with the one whose keys are wanted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from tracetwin.model import recipes

_DEEPEST: Final = 200
"""Frames that are looked at."""


def asked_here(plans: Sequence[Any]) -> int | None:
    """Return the place of the plan whose values the innermost function of the program asks for keys.

    None where no function that is running is known to look into any of them.
    """
    homes: dict[str, int] = {}
    for place, plan in enumerate(plans):
        for home in getattr(plan, "homes", ()):
            homes.setdefault(home.rpartition(".")[2], place)
    frame = sys._getframe() if homes else None  # noqa: SLF001 - as the module inspect does
    for _ in range(_DEEPEST):
        if frame is None:
            return None
        if frame.f_code.co_name in homes and recipes.is_traced(str(frame.f_globals.get("__name__"))):
            return homes[frame.f_code.co_name]
        frame = frame.f_back
    return None
