"""Asks objects of the target for attributes, which proxies refuse before there is what they stand for."""

from __future__ import annotations

from typing import Any


def asked(thing: object, name: str) -> Any:
    """Return an attribute of a thing; None where it has none, or does not let itself be asked."""
    try:
        return getattr(thing, name, None)
    except Exception:  # noqa: BLE001 - code of the target
        return None
