"""Programs on which the runtime is known to differ or to lose a decision, and what is the matter.

Whoever closes a gap takes its programs out of here.
"""

from __future__ import annotations

DIFFERS: dict[str, str] = {}
"""The twin does something else than the program."""

LOSES: dict[str, str] = {}
"""What the twin does depends on something that its path does not say."""
