"""Dependencies of a wheel: found installed, beside the wheel, or in folders of wheels.

Nothing is downloaded or installed. As an installer would, what is installed and fits is taken; else the
newest wheel that fits all who ask for it, this interpreter and this machine.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Final

from packaging.markers import Marker
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import sys_tags
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from tracetwin.support.data import dataclass
from tracetwin.target.wheels.metadata import Metadata, MetadataError, read_metadata


@dataclass(frozen=True)
class Missing:
    """A dependency that was not found.

    Attributes:
        name: canonical name of the distribution.
        sentence: which wheel needs it, why nothing fits, and what to do.
        short: the same for a place where the sentence was read before.
    """

    name: str
    sentence: str
    short: str


@dataclass
class Dependencies:
    """The dependencies of a wheel.

    Attributes:
        wheels: paths of the wheels to import from, in the order in which they were asked for.
        notes: what is wrong with a wheel's metadata, one sentence each.
    """

    wheels: list[Path] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def find_dependencies(wheel: Path, links: Sequence[Path] = ()) -> Dependencies:
    """All that a wheel needs, directly or through others."""
    try:
        own = read_metadata(wheel)
    except MetadataError as error:
        return Dependencies(notes=[f"{wheel.name}: {error}, so what it needs is not known"])
    search = _Search(wheel, own, Shelf([wheel.parent, *links]))
    if not own.python.contains(_HERE, prereleases=True):
        search.shelf.notes.append(f"{wheel.name}: it is for Python {own.python}, and this is {_HERE}")
    # Whoever is asked for more narrowly than before is chosen anew, and what he needs with him.
    while not search.settle():
        pass
    return search.found


@dataclass(frozen=True)
class _Choice:
    """A distribution that was chosen: an installed one has no wheel."""

    version: Version
    requires: tuple[Requirement, ...]
    wheel: Path | None = None


class _Search:
    """The work of `find_dependencies`: rounds over all that is needed, until none learns of a new limit."""

    def __init__(self, wheel: Path, own: Metadata, shelf: Shelf) -> None:
        self.wheel = wheel
        self.own = own
        self.shelf = shelf
        self.found = Dependencies()
        self._limits: dict[str, SpecifierSet] = {}

    def settle(self) -> bool:
        """One round; whether its choices fit all that was asked for."""
        self.found = Dependencies()
        chosen: dict[str, _Choice] = {self.own.name: _Choice(self.own.version, ())}
        waiting = [(self.wheel.name, need) for need in _needed(self.own.requires, frozenset())]
        asked: set[tuple[str, frozenset[str]]] = set()
        while waiting:
            by, need = waiting.pop(0)
            name = canonicalize_name(need.name)
            known = self._limits.get(name, SpecifierSet())
            self._limits[name] = known & need.specifier
            if name in chosen and not need.specifier.contains(chosen[name].version, prereleases=True):
                if name == self.own.name or self._limits[name] == known:
                    self._miss(by, need, name)
                    continue
                return False
            extras = frozenset(canonicalize_name(extra) for extra in need.extras)
            if (name, extras) in asked:
                continue
            asked.add((name, extras))
            if name not in chosen:
                choice = self._choose(name)
                if choice is None:
                    self._miss(by, need, name)
                    continue
                chosen[name] = choice
                if choice.wheel is not None:
                    self.found.wheels.append(choice.wheel)
            wheel = chosen[name].wheel
            who = wheel.name if wheel is not None else f"the installed {name}"
            waiting += [(who, other) for other in _needed(chosen[name].requires, extras)]
        self.found.notes = self.shelf.notes
        return True

    def _choose(self, name: str) -> _Choice | None:
        installed = _installed(name)
        limits = self._limits[name]
        if installed is not None and limits.contains(installed.version, prereleases=True):
            return installed
        return self.shelf.newest(name, limits)

    def _miss(self, by: str, need: Requirement, name: str) -> None:
        if any(missing.name == name for missing in self.found.missing):
            return
        installed, there = _installed(name), self.shelf.names(name)
        seen = [f"{installed.version} is installed"] if installed is not None else []
        if there:
            seen.append(f"{' and '.join(there[:3])} {'lies' if len(there) == 1 else 'lie'} there")
        why = f"{' and '.join(seen)}, but does not fit" if seen else _NOWHERE
        wanted = f"{need.name}{self._limits[name]}"
        sentence = f"{by} needs {wanted}: {why}; {_ADVICE}"
        short = f"{by} needs {wanted}, which was not found: install it or use --find-links DIR"
        self.found.missing.append(Missing(name, sentence, short))


_HERE: Final = ".".join(map(str, sys.version_info[:3]))
_NOWHERE: Final = "it is neither installed nor does a wheel of it lie beside"
_ADVICE: Final = "install it, or name a folder that holds its wheel with --find-links DIR"


class Shelf:
    """The wheels in some folders, by the name of their distribution.

    Attributes:
        notes: a sentence for each wheel that would have been chosen if its metadata were good.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        """Look at the names of all wheels; none is opened yet."""
        self.notes: list[str] = []
        self._fitting: dict[str, list[tuple[Version, int, Path]]] = {}
        self._others: dict[str, list[str]] = {}
        for folder in dict.fromkeys(folders):
            for path in sorted(folder.glob("*.whl")):
                self._put(path)
        for row in self._fitting.values():
            row.sort(key=lambda entry: (entry[0], -entry[1]), reverse=True)

    def _put(self, path: Path) -> None:
        try:
            name, version, _build, tags = parse_wheel_filename(path.name)
        except (InvalidWheelFilename, InvalidVersion):
            return  # what it is can't be told
        ranks = [_ranks()[tag] for tag in tags if tag in _ranks()]
        if ranks:
            self._fitting.setdefault(name, []).append((version, min(ranks), path))
        else:
            self._others.setdefault(name, []).append(path.name)

    def names(self, name: str) -> list[str]:
        """The file names of all wheels of a distribution, fitting or not."""
        return [path.name for _, _, path in self._fitting.get(name, ())] + self._others.get(name, [])

    def newest(self, name: str, limits: SpecifierSet) -> _Choice | None:
        """The newest wheel within the limits; one that is no final version only if there is no other."""
        row = self._fitting.get(name, [])
        # `filter` keeps what comes before a release only where nothing else is left.
        kept = set(limits.filter(version for version, _, _ in row))
        for version, _, path in row:
            if version not in kept:
                continue
            try:
                metadata = read_metadata(path)
            except MetadataError as error:
                self._note(f"{path.name} is not used: {error}")
                continue
            if metadata.python.contains(_HERE, prereleases=True):
                return _Choice(version, metadata.requires, path)
        return None

    def _note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)


def fits_here(wheel: Path) -> bool:
    """Return True if a wheel is for this interpreter and machine, as far as its name tells."""
    try:
        return any(tag in _ranks() for tag in parse_wheel_filename(wheel.name)[3])
    except (InvalidWheelFilename, InvalidVersion):
        return True


@cache
def _ranks() -> dict[object, int]:
    """The tags that this interpreter takes, the closest first."""
    return {tag: rank for rank, tag in enumerate(sys_tags())}


def _needed(requires: Iterable[Requirement], extras: frozenset[str]) -> list[Requirement]:
    """The requirements that hold for this interpreter and the wanted extras."""
    return [
        need
        for need in requires
        if need.marker is None or any(_holds(need.marker, extra) for extra in ["", *extras])
    ]


def _holds(marker: Marker, extra: str) -> bool:
    try:
        return marker.evaluate({"extra": extra})
    except (ValueError, RecursionError):  # it compares what can't be compared, or is nested without end
        return False


def _installed(name: str) -> _Choice | None:
    """Return the installed distribution; None where there is none, or its metadata can't be read."""
    try:
        found = importlib.metadata.distribution(name)
        return _Choice(Version(found.version), tuple(Requirement(line) for line in found.requires or ()))
    except (importlib.metadata.PackageNotFoundError, InvalidVersion, InvalidRequirement):
        return None
