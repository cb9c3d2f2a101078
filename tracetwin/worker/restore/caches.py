"""Clears functions under `functools.lru_cache` outside of the guarded modules of what a run taught them.

They may be reached by code that is not traced, and hand values of one run to the next, in which nobody knows
the arguments that these depend on.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Iterator
from types import ModuleType
from typing import Any, Final

_LruWrapper: Final = type(functools.lru_cache(maxsize=1)(len))
_OWN: Final = frozenset(("tracetwin", "runtime", "instrumenter"))


class Caches:
    """The caches of the modules loaded until now."""

    def __init__(self, traced: Collection[str] = ()) -> None:
        self._traced = frozenset(traced)
        self._looked_at: set[str] = set()
        self._caches = [(cache, cache.cache_info().misses) for cache in self._new()]

    def forget(self) -> None:
        """Clear those that have learnt something."""
        if len(sys.modules) != len(self._looked_at):
            self._caches += [(cache, -1) for cache in self._new()]  # they have learnt in this run only
        for place, (cache, misses) in enumerate(self._caches):
            if cache.cache_info().misses != misses:
                cache.cache_clear()
                self._caches[place] = cache, 0

    def _new(self) -> list[Any]:
        """The caches of modules that were not looked at yet."""
        loaded: list[tuple[str, object]] = list(sys.modules.items())
        new = [(name, module) for name, module in loaded if name not in self._looked_at]
        self._looked_at = {name for name, _ in loaded}
        return [thing for name, module in new if self._is_meant(name) for thing in _surface(module)]

    def _is_meant(self, module: str) -> bool:
        top = module.partition(".")[0]
        return module in self._traced or not (top in sys.stdlib_module_names or top in _OWN)


def _surface(module: object) -> Iterator[Any]:
    """Yield the caches among the names of a module and of its classes."""
    if isinstance(module, ModuleType):
        for thing in list(vars(module).values()):
            if type(thing) is _LruWrapper:
                yield thing
            elif type(thing) is type and thing.__module__ == module.__name__:
                yield from (part for part in list(vars(thing).values()) if type(part) is _LruWrapper)
