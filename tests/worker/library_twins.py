"""Twins of the standard library in this process, beside the modules that are there."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from instrumenter.cache import TwinCache
from runtime import trace, twin
from tracetwin.worker.library.hook import LibraryFinder
from tracetwin.worker.library.modules import with_companions


class Library:
    """Some modules of the library, by names with `_` for the dot.

    Attributes:
        modules: by their names.
    """

    def __init__(self, modules: dict[str, ModuleType]) -> None:
        self.modules = modules

    def __getattr__(self, name: str) -> Any:
        return self.modules[name.replace("_", ".")]

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Within this block they are what an import gives."""
        kept = {name: sys.modules.pop(name, None) for name in self.modules}
        sys.modules.update(self.modules)
        try:
            yield
        finally:
            for name, module in kept.items():
                if module is None:
                    sys.modules.pop(name, None)
                else:
                    sys.modules[name] = module


def natives(*names: str) -> Library:
    """The modules as they are."""
    return Library({name: importlib.import_module(name) for name in names})


def twins(*names: str) -> Library:
    """Twins of the modules and of what they import when they are used."""
    wanted = list(dict.fromkeys(with_companions(names)))
    finder: Any = LibraryFinder(wanted, twin, TwinCache())
    kept = {name: sys.modules.pop(name, None) for name in wanted}
    sys.meta_path.insert(0, finder)
    try:
        return Library({name: importlib.import_module(name) for name in wanted})
    finally:
        sys.meta_path.remove(finder)
        trace.LIBRARY.clear()
        for name, module in kept.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
