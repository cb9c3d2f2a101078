"""The adapters there are: one per file of this folder that defines `ADAPTER`, and those of other packages.

A package offers one under the entry point group `tracetwin.adapters`. The driver finds the file of
the entry point without importing it (`tracetwin.support.plugins`); the worker runs it as one of ours.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

from tracetwin.analysis.sources import Source
from tracetwin.drawing.adapters.interface import Adapter
from tracetwin.drawing.plans.plans import Plan

_INFRASTRUCTURE: Final = frozenset(("__init__", "interface", "making", "registry"))


class DuplicateAdapter(Exception):
    """Two adapters have one name."""


class Registry:
    """Adapters in the order in which they are asked."""

    def __init__(self) -> None:
        self._adapters: dict[str, Adapter] = {}

    def add(self, adapter: Adapter) -> None:
        """Ask one more, after all others.

        Raises:
            DuplicateAdapter: there is one of that name.
        """
        if adapter.name in self._adapters:
            raise DuplicateAdapter(f"there are two adapters called {adapter.name!r}")
        self._adapters[adapter.name] = adapter

    def all(self) -> tuple[Adapter, ...]:
        return tuple(self._adapters.values())

    def of(self, thing: Any) -> Adapter | None:
        """The adapter responsible for a class, or for a function that stands for one."""
        return next((adapter for adapter in self._adapters.values() if adapter.owns(thing)), None)

    def plan(self, thing: Any, args: Sequence[Any] = (), source: Source | None = None) -> Plan | None:
        """The plan of a value by the responsible adapter; None without one, or for what is constructed.

        `source`: the module that the value is for.

        Raises:
            Unbuildable: there are no values of it.
        """
        adapter = self.of(thing)
        if adapter is None or source is None:
            return None if adapter is None else adapter.plan(thing, args)
        return adapter.plan_for(source, thing, args)


def _own_adapters() -> Registry:
    """Those of this folder."""
    registry = Registry()
    for file in sorted(os.listdir(os.path.dirname(__file__))):
        name, extension = os.path.splitext(file)
        if extension == ".py" and name not in _INFRASTRUCTURE:
            registry.add(__import__(f"{__package__}.{name}", fromlist=["ADAPTER"]).ADAPTER)
    return registry


def add_files(files: Sequence[tuple[str, str, str]], load: Callable[[str, str], ModuleType]) -> list[str]:
    """Add the adapters of other packages.

    Returns:
        A sentence for each that can't be used.
    """
    known = {adapter.name for adapter in ADAPTERS.all()}
    notes = []
    for name, file, attribute in files:
        try:
            if not file:
                raise FileNotFoundError("it has no source file")
            adapter = getattr(load(f"tracetwin.drawing.adapters.plugin_{name}", file), attribute)
            if adapter.name not in known:
                ADAPTERS.add(adapter)
        except Exception as error:  # noqa: BLE001 - code of another package; a run goes on without it
            notes.append(f"the adapter {name} can't be used: {type(error).__name__}: {error}")
    return notes


ADAPTERS: Final = _own_adapters()
