"""Import hook: modules whose names match are loaded as twins.

Every worker imports this file: `importlib.abc`, whose base classes would add nothing, would cost it 15 ms.
"""

from __future__ import annotations

import builtins
import fnmatch
import sys
import warnings
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType, TracebackType
from typing import Any
from zipimport import zipimporter

from instrumenter.build import Built, InstrumenterWarning, build
from instrumenter.cache import Cache
from instrumenter.twin import Twin

__all__ = [
    "AlreadyImportedWarning",
    "Handle",
    "InstrumenterWarning",
    "TwinFinder",
    "TwinLoader",
    "install",
    "uninstall",
]


class AlreadyImportedWarning(UserWarning):
    """A module to be traced was imported before the hook was there: it stays as it is."""


class TwinFinder:
    """Asks the finders behind it, and replaces the loader of what is pure Python source.

    Attributes:
        twins: the twins loaded so far, by module name.
    """

    def __init__(self, patterns: Iterable[str], interface: ModuleType, cache: Cache | None) -> None:
        self.patterns = tuple(patterns)
        self.interface = interface
        self.cache = cache
        self.twins: dict[str, Twin] = {}

    def matches(self, name: str) -> bool:
        """Whether a dotted module name is to be traced."""
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.patterns)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec the next finder has, with a `TwinLoader` where there is source."""
        if not self.matches(fullname):
            return None
        behind = sys.meta_path[sys.meta_path.index(self) + 1 :] if self in sys.meta_path else sys.meta_path
        for finder in behind:
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(fullname, path, target) if find is not None else None
            if spec is not None:
                if spec.loader is not None and spec.origin and _has_source(spec.loader, spec.origin):
                    loader: Any = TwinLoader(spec.loader, self, spec.origin)
                    spec.loader = loader
                return spec
        return None

    def build(self, source: str | bytes, name: str, filename: str) -> Built:
        """A module's twin, through the cache if there is one."""
        if self.cache is not None:
            return self.cache.load(source, name=name, filename=filename)
        return build(source, name=name, filename=filename)


class TwinLoader:
    """Executes the twin; answers everything else (source, data, resources) as the original's loader."""

    def __init__(self, original: Any, finder: TwinFinder, filename: str) -> None:
        self._original = original
        self._finder = finder
        self._filename = filename

    def __getattr__(self, name: str) -> Any:
        if name == "load_module":
            # The way of old, around `exec_module`: it would bring in the original.
            raise AttributeError(name)
        return getattr(self._original, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the original's loader does."""
        module: ModuleType | None = self._original.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the twin's code in the module."""
        code = self.get_code(module.__name__)
        # As the import system does; `exec` would pass on our own builtins, which may be a private copy.
        module.__dict__.setdefault("__builtins__", vars(builtins))
        exec(code, module.__dict__)  # noqa: S102 - that is what a loader does

    def get_code(self, fullname: str) -> CodeType:
        """The twin's code, ready to run."""
        source = self._original.get_data(self._filename)
        built = self._finder.build(source, fullname, self._filename)
        self._finder.twins[fullname] = built.twin
        # In builtins, not in the module: `dir(module)` and `globals()` are as in the original.
        setattr(builtins, built.twin.prelude_name, self._finder.interface)
        return built.code

    def get_source(self, fullname: str) -> str | None:
        """The original's source: what tracebacks and `inspect` are to show."""
        source: str | None = self._original.get_source(fullname)
        return source


class Handle:
    """An installed hook; as a context manager it uninstalls itself."""

    def __init__(self, finder: TwinFinder) -> None:
        self.finder = finder

    @property
    def twins(self) -> dict[str, Twin]:
        """The twins loaded so far, by module name."""
        return self.finder.twins

    def uninstall(self) -> None:
        """Stop tracing what is imported from now on; loaded twins keep working. May be repeated."""
        if self.finder in sys.meta_path:
            sys.meta_path.remove(self.finder)

    def __enter__(self) -> Handle:  # noqa: PYI034 - `Self` is not in Python 3.10's typing
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.uninstall()


def install(patterns: Iterable[str], interface: ModuleType, cache: Cache | None = None) -> Handle:
    """Load modules whose dotted name matches a pattern as twins from now on.

    Args:
        patterns: like "pkg" (that module alone) or "pkg.*" (all beneath it), as in `fnmatch`.
        interface: the module a twin's operations call.
        cache: where twins are kept; None builds them anew each time.
    """
    finder = TwinFinder(patterns, interface, cache)
    early = sorted(name for name in list(sys.modules) if finder.matches(name))
    if early:
        warnings.warn(
            f"already imported, so not traced: {', '.join(early)}", AlreadyImportedWarning, stacklevel=2
        )
    sys.meta_path.insert(0, finder)
    return Handle(finder)


def uninstall() -> None:
    """Remove every installed hook."""
    for finder in [finder for finder in sys.meta_path if isinstance(finder, TwinFinder)]:
        sys.meta_path.remove(finder)


def _has_source(loader: Any, origin: str) -> bool:
    """Whether a loader reads Python source; not extensions, bytecode, builtins, or loaders unknown to us."""
    if isinstance(loader, zipimporter):
        return origin.endswith(".py")
    return isinstance(loader, SourceFileLoader)
