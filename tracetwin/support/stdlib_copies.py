"""Copies of modules of the library: what a target puts into the originals does not reach those who use these.

For the code that has to work whatever the target did: the protocol, deadlines, the fork server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["leave", "os", "select", "time"]

if TYPE_CHECKING:
    import os
    import select
    import time
else:
    import importlib
    from types import ModuleType

    def _copy(name: str) -> ModuleType:
        copy = ModuleType(name)
        vars(copy).update(vars(importlib.import_module(name)))
        return copy

    os, select, time = map(_copy, ("os", "select", "time"))

leave = os._exit  # noqa: SLF001 - it is no private one
"""Ends the process at once."""
