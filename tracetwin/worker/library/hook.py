"""Loads modules of the standard library from their pure-Python sources, as twins."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any, Final

from instrumenter.cache import TwinCache
from instrumenter.hook import Patterns, TwinFinder
from instrumenter.loader import twin_loader
from runtime import trace
from tracetwin.worker.library.corrections import corrected
from tracetwin.worker.library.modules import PARTS, source_of, usual_source, with_companions

C_INTERFACE: Final = "datetime_CAPI"
"""The name that extension modules ask of `datetime`: they know only the classes written in C."""


class LibraryFinder(TwinFinder):
    """Finds the modules of a given list before anybody else does.

    Attributes:
        refused: modules that must be loaded as they are, as C code asked for their inside.
    """

    def __init__(self, names: Iterable[str], interface: ModuleType, cache: TwinCache | None) -> None:
        self.names = {
            name: file for name in with_companions(filter(source_of, names)) if (file := source_of(name))
        }
        self.refused: set[str] = set()
        super().__init__(Patterns(()), interface, cache)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a listed module, unless another one of that name comes before the library."""
        file = self.names.get(fullname)
        if file is None:
            return None
        trace.LIBRARY.add(file)
        found = self._ask_the_others(fullname, path, target)
        if found is None or os.path.realpath(found.origin or "") != usual_source(fullname):
            return found
        spec = importlib.util.spec_from_file_location(
            fullname,
            file,
            loader=LibraryLoader(fullname, file, self),
            submodule_search_locations=found.submodule_search_locations,
        )
        if spec is not None and PARTS[fullname].traced:
            spec.loader = twin_loader(spec, self)
        return spec


class LibraryLoader(SourceFileLoader):
    """Runs a source with its accelerators out of sight."""

    def __init__(self, fullname: str, path: str, finder: LibraryFinder) -> None:
        super().__init__(fullname, path)
        self._library = finder

    def get_data(self, path: str) -> bytes:
        """The source as it is to be twinned."""
        data = super().get_data(path)
        return corrected(self.name, data) if path == self.path else data

    def exec_module(self, module: ModuleType) -> None:
        code: Any = self.get_code(self.name)  # where it has to be built, all of the library is needed
        vars(module)["__builtins__"] = vars(builtins)  # not the private ones of our own modules
        with hidden(PARTS[self.name].hidden):
            exec(code, vars(module))  # noqa: S102 - as every loader does
        if self.name == "datetime":
            vars(module)["__getattr__"] = self._asked

    def _asked(self, name: str) -> Any:
        if name == C_INTERFACE:
            self._library.refused.add(self.name)
            # Who asks may not look at the answer, and end the process before it can begin anew.
            with contextlib.suppress(ImportError, AttributeError):
                return getattr(importlib.import_module("_datetime"), name)
        raise AttributeError(f"module {self.name!r} has no attribute {name!r}")


@contextlib.contextmanager
def hidden(names: Collection[str]) -> Iterator[None]:
    """Within this block these modules can't be imported."""
    modules: dict[str, Any] = sys.modules
    kept = {name: modules[name] for name in names if name in modules}
    modules.update(dict.fromkeys(names))
    try:
        yield
    finally:
        for name in names:
            modules.pop(name, None)
        modules.update(kept)
