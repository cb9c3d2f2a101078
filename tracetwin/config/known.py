"""Looks up what a configuration names: modules, what they define, and where factories are imported from."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Final

from tracetwin.config.names import Index, index_of
from tracetwin.config.schema import Wrong
from tracetwin.support.errors import TargetError
from tracetwin.target import names, source
from tracetwin.target.module import TargetModule
from tracetwin.target.roots import absolute

_WILD: Final = frozenset("*?[")
_UNREAD: Final = Index(open={""})
"""Stands for a module without source: it may define anything."""


class Known:
    """The modules that names of a configuration may lie in; nothing is imported.

    A module is looked for beneath the import roots of the targets, the folder of the configuration and the
    current one, then as an import would.
    """

    def __init__(self, modules: Sequence[TargetModule], file: Path | None) -> None:
        self._targets = {module.name: module for module in modules}
        beside = [] if file is None else [file.parent]
        places: list[str | Path] = [*(module.root for module in modules), *beside, Path.cwd()]
        self._places = list(dict.fromkeys(absolute(place) for place in places))
        self._indexes: dict[str, Index | None] = {}

    def check_pattern(self, pattern: str) -> None:
        """Make sure that a pattern may match something to call.

        Raises:
            Wrong: it can't.
        """
        module, _, name = pattern.partition(":")
        if _WILD & set(module):
            # What it is about may not be among the targets of this run.
            matched = [known for known in self._targets if fnmatchcase(known, module)]
            indexes = [self.index(known) for known in matched]
        else:
            indexes = [self._required(module, f"'{pattern}' matches nothing")]
        if indexes and not any(index is None or index.matches(name) for index in indexes):
            meant = _meant(name, indexes)
            raise Wrong(f"'{pattern}' matches nothing that {module} defines{meant}")

    def check_type(self, dotted: str) -> None:
        """Make sure that a dotted name leads to a module and to something in it.

        Raises:
            Wrong: it doesn't.
        """
        parts = dotted.split(".")
        for length in range(len(parts) - 1, 0, -1):
            index = self.index(".".join(parts[:length]))
            if index is not None:
                name = ".".join(parts[length:])
                if not index.has(name):
                    raise Wrong(f"there is no {name} in {'.'.join(parts[:length])}{_meant(name, [index])}")
                return
        raise Wrong(f"there is no module that '{dotted}' could be in; {self._where()}")

    def place_of(self, maker: str) -> list[str]:
        """The folders to be added to the path, so that a callable can be imported.

        Raises:
            Wrong: it is not there.
        """
        module, _, name = maker.partition(":")
        index = self._required(module, f"'{maker}' can't be imported")
        if not index.has(name):
            raise Wrong(f"'{maker}' can't be imported: {module} defines no {name}{_meant(name, [index])}")
        top = module.partition(".")[0]
        found = [str(place) for place in self._places if PathFinder.find_spec(top, [str(place)]) is not None]
        return found[:1]

    def parameters(self, target: str) -> tuple[str, ...] | None:
        """The names that the precondition of a call may use; None where the source does not tell.

        Raises:
            Wrong: there is nothing of this name.
        """
        module, _, name = target.partition(":")
        index = self._required(module, f"there is no target '{target}'")
        for ending in (".__init__", ".__new__"):
            if name.endswith(ending):
                name = name.removesuffix(ending)
        if name not in index.entries and not index.matches(name):
            raise Wrong(f"there is no target '{target}': {module} defines no {name}{_meant(name, [index])}")
        return index.parameters(name)

    def _required(self, module: str, wrong: str) -> Index:
        index = self.index(module)
        if index is None:
            raise Wrong(f"{wrong}: there is no module {module}; {self._where()}")
        return index

    def _where(self) -> str:
        return f"it was looked for in {', '.join(map(str, self._places))} and where Python imports from"

    def index(self, module: str) -> Index | None:
        """Return the names that a module defines, None where there is no such module."""
        if module not in self._indexes:
            self._indexes[module] = self._read(module)
        return self._indexes[module]

    def _read(self, module: str) -> Index | None:
        target = self._targets.get(module)
        if target is not None:
            return _index(target.file)
        for place in self._places:
            spec = self._find(module, place)
            if spec is not None:
                return _index(spec.origin if spec.has_location and spec.origin else "")
        return None

    @staticmethod
    def _find(module: str, place: Path) -> ModuleSpec | None:
        try:
            return names.find(module, module, place)
        except TargetError:
            return None


def _index(file: str) -> Index:
    if not file.endswith(".py"):
        return _UNREAD
    try:
        return index_of(source.parse(file, source.read(file, file)))
    except TargetError:
        return _UNREAD  # where it is a target, that is said of it


def _meant(name: str, indexes: Iterable[Index | None]) -> str:
    """The name that was meant, for the end of a sentence."""
    candidates = sorted({known for index in indexes if index is not None for known in index.entries})
    near = difflib.get_close_matches(name, candidates, n=1)
    return f"; did you mean {near[0]}?" if near else "; correct the name, or take it out"
