"""What a case does: its steps, and what is patched while they are performed."""

from __future__ import annotations

from typing import Any


def doing(case: dict[str, Any]) -> list[Any]:
    """What tells two cases with one target apart."""
    return [case["steps"], case.get("patches") or []]
