"""Definition-use pairs in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tracetwin.support.text import count


def pair_line(pairs: Sequence[Mapping[str, Any]]) -> str:
    """Return the number of covered pairs as one line."""
    covered = sum(pair["status"] == "covered" for pair in pairs)
    infeasible = sum(pair["status"] == "infeasible" for pair in pairs)
    text = f"{covered} of {count(len(pairs) - infeasible, 'feasible definition-use pair')} covered"
    return f"{text}, {infeasible} infeasible" if infeasible else text
