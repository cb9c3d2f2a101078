"""Import hook: modules whose names match are loaded as twins.

Every worker imports this file: `importlib.abc`, whose base classes would add nothing, would cost it 15 ms.
"""

from __future__ import annotations

import fnmatch
import math
import re
import sys
import time
import warnings
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType, TracebackType
from typing import Any

from instrumenter.build import BuiltTwin, InstrumenterWarning, build
from instrumenter.cache import TwinCache
from instrumenter.loader import TwinLoader, twin_loader, why_untouched
from instrumenter.twin import Twin

__all__ = [
    "AlreadyImportedWarning",
    "Handle",
    "InstrumenterWarning",
    "Patterns",
    "TwinFinder",
    "TwinLoader",
    "install",
    "load_rewriter",
    "uninstall",
]

# With the standard library, what libcst imports: to rewrite one of these takes all of them.
_REWRITER_NEEDS = ("instrumenter", "libcst", "typing_extensions", "yaml", *sorted(sys.stdlib_module_names))
_NAMED_AT_MOST = 20

LARGE = 40_000
"""Bytes from which on a module that defines no function is left as it is: rewriting it would take seconds."""

_DEFINING = re.compile(rb"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]|\blambda\b", re.MULTILINE)

ONE_MODULE = ".__init__"
"""Suffix of a package's name where its own file is meant, without its submodules."""


class Patterns:
    """Patterns of module names, as people write them.

    "pkg" is a module and, if it is a package, all beneath it; "pkg.__init__" the package's own file alone;
    what holds `*`, `?` or `[` is compared as `fnmatch` does, where "pkg.*" is all beneath `pkg`.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.written = tuple(patterns)

    def matches(self, name: str) -> bool:
        """Return whether a pattern matches a dotted module name."""
        return any(_matches(name, pattern) for pattern in self.written)

    def matched_by(self, pattern: str, names: Iterable[str]) -> list[str]:
        """Return those of `names` that one of the patterns matches, sorted."""
        return sorted(name for name in names if _matches(name, pattern))


class AlreadyImportedWarning(UserWarning):
    """Warns that a module to be traced was imported before the hook was there: it stays as it is."""


def holds_data_only(source: str | bytes) -> bool:
    """Return whether a module is a large table: no code of it runs but when it is imported."""
    if len(source) < LARGE:
        return False
    octets = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return _DEFINING.search(octets) is None


class TwinFinder:
    """Asks the finders behind it, and replaces the loader of what is pure Python source.

    Attributes:
        twins: the twins loaded so far, by module name.
        untouched: modules that were looked for and can't be twins: name, and why.
        early: modules that were imported before the hook was there, and could have been twins.
    """

    def __init__(self, patterns: Patterns, interface: ModuleType, cache: TwinCache | None) -> None:
        self.patterns = patterns
        self.interface = interface
        self.cache = cache
        self.twins: dict[str, Twin] = {}
        self.untouched: dict[str, str] = {}
        self.early = tuple(sorted(self._imported_already()))
        self._most_seconds = math.inf
        self._always = ""
        self._seconds = 0.0

    def limit(self, seconds: float, always: str) -> None:
        """From now on build twins of so many seconds, and of one module at any rate; others stay as they are.

        To rewrite all of a large package takes minutes, and few of its modules matter to one of them.
        """
        self._most_seconds, self._always, self._seconds = seconds, always, 0.0

    def close(self) -> None:
        """From now on make no twins: what is imported stays as it is."""
        self.patterns = Patterns(())

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec that the next finder has, with a `TwinLoader` where there is source."""
        if not self.patterns.matches(fullname):
            return None
        spec = self._ask_the_others(fullname, path, target)
        if spec is not None:
            self.adopt(spec)
        return spec

    def adopt(self, spec: ModuleSpec) -> None:
        """Replace the loader of a spec by that of the twin, where there is source."""
        if spec.loader is None or isinstance(spec.loader, TwinLoader):
            return
        reason = why_untouched(spec)
        if reason is None:
            spec.loader = twin_loader(spec, self)
        else:
            self.untouched[spec.name] = reason

    def build(self, source: str | bytes, name: str, filename: str) -> BuiltTwin:
        """Return a module's twin, through the cache if there is one."""
        if name != self._always and holds_data_only(source):
            self.untouched[name] = "it is large and defines no function"
            raise LookupError(self.untouched[name])
        late = name != self._always and self._seconds >= self._most_seconds
        if late and (self.cache is None or not self.cache.holds(source, name=name)):
            self.untouched[name] = "there was no time to rewrite it"
            raise TimeoutError(self.untouched[name])
        started = time.monotonic()
        try:
            if self.cache is not None:
                return self.cache.load(source, name=name, filename=filename)
            return build(source, name=name, filename=filename)
        except LookupError as error:
            self.untouched[name] = str(error)
            raise
        finally:
            self._seconds += time.monotonic() - started

    def _ask_the_others(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> ModuleSpec | None:
        finders: list[Any] = list(sys.meta_path)
        behind = finders[finders.index(self) + 1 :] if self in finders else finders
        for finder in behind:
            if isinstance(finder, TwinFinder):
                continue  # the hook that was installed last has the say
            find = getattr(finder, "find_spec", None)
            if find is None:
                if _found_the_old_way(finder, fullname, path):
                    return None  # the import system, which comes to it next, knows what to do with it
                continue
            spec: ModuleSpec | None = find(fullname, path, target)
            if spec is not None:
                return spec
        return None

    def _imported_already(self) -> Iterable[str]:
        modules: dict[str, Any] = dict(sys.modules)  # a copy, as other threads may import
        for name, module in modules.items():
            if self.patterns.matches(name) and name != "__main__":  # which nobody could import later
                spec: Any = getattr(module, "__spec__", None)
                loader = getattr(spec, "loader", None)
                if loader is not None and not isinstance(loader, TwinLoader) and why_untouched(spec) is None:
                    yield name


class Handle:
    """An installed hook; as a context manager it uninstalls itself."""

    def __init__(self, finder: TwinFinder) -> None:
        self.finder = finder

    @property
    def twins(self) -> dict[str, Twin]:
        """Return the twins loaded so far, by module name."""
        return self.finder.twins

    @property
    def untouched(self) -> dict[str, str]:
        """Modules that match and run as they are, with the reason: extensions, bytecode, ..."""
        unparsed = {name: twin.untouched for name, twin in list(self.twins.items()) if twin.untouched}
        return {**self.finder.untouched, **unparsed}

    @property
    def early(self) -> tuple[str, ...]:
        """Modules that match and were imported before: they run as they are."""
        return self.finder.early

    @property
    def shared(self) -> list[str]:
        """Modules that match and were loaded as twins by another hook."""
        found = [name for name in list(sys.modules) if self.finder.patterns.matches(name)]
        return sorted(name for name in found if name not in self.twins and _is_twin(sys.modules.get(name)))

    @property
    def met(self) -> set[str]:
        """All modules that match and were imported or looked for, by whichever hook."""
        return {*self.twins, *self.untouched, *self.early, *self.shared}

    def uninstall(self) -> None:
        """Stop tracing what is imported from now on; loaded twins keep working. May be repeated."""
        try:
            sys.meta_path.remove(self.finder)
        except ValueError:  # it is out already
            return

    def __enter__(self) -> Handle:  # noqa: PYI034 - `Self` is not in Python 3.10's typing
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.uninstall()


def install(
    patterns: Iterable[str], interface: ModuleType, cache: TwinCache | None = None, *, stacklevel: int = 2
) -> Handle:
    """Load modules whose dotted name matches a pattern as twins from now on.

    Args:
        patterns: such as "pkg" (with all beneath it), "pkg.__init__" (its own file alone) or "pkg.*", see
            `Patterns`.
        interface: the module a twin's operations call.
        cache: where twins are kept; None builds them anew each time.
        stacklevel: whose call a warning about modules that are there already points to.
    """
    chosen = Patterns(patterns)
    if cache is None or cache.builds:
        load_rewriter(chosen)
    finder = TwinFinder(chosen, interface, cache)
    if finder.early:
        named = ", ".join(finder.early[:_NAMED_AT_MOST])
        more = len(finder.early) - _NAMED_AT_MOST
        warnings.warn(
            f"already imported, so not traced: {named}{f' and {more} more' if more > 0 else ''}; install "
            "the hook before their first import, or import them anew in a `twinned` block",
            AlreadyImportedWarning,
            stacklevel=stacklevel,
        )
    sys.meta_path.insert(0, finder)
    return Handle(finder)


def uninstall() -> None:
    """Remove every installed hook."""
    for finder in list(sys.meta_path):
        if isinstance(finder, TwinFinder):
            Handle(finder).uninstall()


def _is_twin(module: ModuleType | None) -> bool:
    return isinstance(getattr(getattr(module, "__spec__", None), "loader", None), TwinLoader)


def _found_the_old_way(finder: Any, fullname: str, path: Sequence[str] | None) -> bool:
    """Return whether a finder without `find_spec` has the module; since Python 3.12 it is not asked."""
    find = getattr(finder, "find_module", None) if sys.version_info < (3, 12) else None
    return find is not None and bool(find(fullname, path))


def load_rewriter(patterns: Patterns) -> None:
    """Import the rewriter now if it stands on modules that are to be twins themselves.

    It can't be imported any more once such a module is half imported and waits for its twin.
    """
    if any(patterns.matches(name) for name in _REWRITER_NEEDS):
        from instrumenter import relocate, rewriter  # noqa: F401 - to have them imported is the point


def _matches(name: str, pattern: str) -> bool:
    if any(character in pattern for character in "*?["):
        return fnmatch.fnmatchcase(name, pattern)
    if pattern.endswith(ONE_MODULE):
        return name == pattern.removesuffix(ONE_MODULE)
    return name == pattern or name.startswith(f"{pattern}.")
