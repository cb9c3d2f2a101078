"""What a case does: its steps, and what is patched while they are performed."""

from __future__ import annotations

from typing import Any


def doing(case: dict[str, Any]) -> list[Any]:
    """What tells two cases with one target apart."""
    return [case["steps"], case.get("patches") or []]


def awake(case: dict[str, Any]) -> dict[str, Any]:
    """A case that is only an attempt, and fails where it would sleep: exploring it never did."""
    module = case["target"][0]
    still = [(place, "awake", module) for place in ("time.sleep", "asyncio.sleep")]
    return {**case, "patches": [*still, *(case.get("patches") or ())]}
