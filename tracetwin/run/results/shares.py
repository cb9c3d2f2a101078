"""Shares of a budget: who used it up, where something got next to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LEAST: Final = 0.1
"""The part of a module's budget below which its functions got next to nothing."""

MOST: Final = 0.25
"""The part of it that one function alone has used up."""


def crowding(spent: Mapping[str, float], name: str) -> str:
    """Return what used up a budget of which something got next to nothing, "" where it got its share.

    Args:
        spent: what went into each function of a module: seconds, or runs where these were to end the work.
        name: the one that is asked for.
    """
    whole = sum(spent.values())
    if not whole or spent.get(name, 0) > LEAST * whole:
        return ""
    top = max(spent, key=lambda one: spent[one])
    return f"most of it went into {top}" if spent[top] > MOST * whole else f"{len(spent)} functions shared it"
