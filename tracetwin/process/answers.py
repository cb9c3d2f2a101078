"""How the start of a worker went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ready:
    """The target is imported.

    Attributes:
        info: what the handler told about it.
        seconds: how long the start took.
    """

    info: dict[str, Any]
    seconds: float


@dataclass(frozen=True)
class Failed:
    """The target can't be imported.

    Attributes:
        kind: ``"import raised"``, ``"exited"``, ``"hung"``, ``"missing"``, ``"spent"`` or, for an error of
            ours, ``"internal"``.
        message: one sentence.
        refused: what the walls refused to it, as (event, detail).
    """

    kind: str
    message: str
    refused: tuple[tuple[str, str], ...] = ()
