"""Discovery as a worker does it: told which methods change something."""

from __future__ import annotations

from types import ModuleType

from tracetwin.analysis.flow.analyse import facts_of
from tracetwin.analysis.sources import text_of
from tracetwin.drawing.discovery.discovery import Discovery
from tracetwin.drawing.discovery.invokables import PlannedInvokable


def changing_methods(module: ModuleType) -> dict[str, list[str]]:
    """For each class of a module the methods that may change something, as the driver tells a worker."""
    facts = facts_of(text_of(module), module.__name__).changing()
    return {f"{module.__name__}:{cls}": names for cls, names in facts.items()}


def discovered(module: ModuleType) -> list[PlannedInvokable]:
    """All that can be called."""
    return Discovery(module, changing=changing_methods(module)).run()
