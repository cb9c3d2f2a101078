"""Programs on which the runtime is known to differ or to lose a decision, and what is the matter."""

from __future__ import annotations

DIFFERS: dict[str, str] = {}
LOSES: dict[str, str] = {}
