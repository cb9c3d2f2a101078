"""All files of a target with their places beneath its import root: what a twin tree is made of.

Wider than what `generate` takes: of a package every file belongs to it, its tests, data and `__main__`
too; of any other folder the modules that `generate` would take, and what lies beside them.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError
from tracetwin.target import files, roots, source

_TAKEN: Final = frozenset({"runtime", "runtime.py"})
"""What every twin in a file imports."""


_METADATA: Final = (".dist-info", ".egg-info")
"""Ends of the names of folders by which `importlib.metadata` knows a library."""


@dataclass(frozen=True)
class TreeFile:
    """One file of a tree.

    Attributes:
        file: where it lies.
        place: where it belongs beneath the import root.
        module: dotted name of the module in it, "" for a file to be copied as it is.
    """

    file: Path
    place: PurePosixPath
    module: str = ""


@dataclass
class FoundTargets:
    """The files that a list of targets stands for, and the errors.

    Attributes:
        files: each place once.
        folders: the folders that were read.
        problems: one error for each target that can't be used.
        notes: what was left out or is copied only, one sentence each.
        unpacked: the wheels among the targets, by the private folders that they were unpacked into.
    """

    files: dict[PurePosixPath, TreeFile] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    problems: list[TargetError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unpacked: dict[str, str] = field(default_factory=dict)

    def in_users_words(self, sentence: str) -> str:
        """A path, or a sentence with some, that names wheels in the place of private folders."""
        for folder, wheel in self.unpacked.items():
            sentence = sentence.replace(folder, wheel)
        return sentence


@dataclass
class _Unit:
    """A package from its top, or one folder that is none: what has one import root.

    Attributes:
        above: the unit that the folder lies in.
        is_metadata: whether it is what an installer or a build says of a library, beside its modules.
    """

    top: Path
    above: _Unit | None = None
    modules: list[Path] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
    is_metadata: bool = False

    @cached_property
    def root(self) -> Path | None:
        """The highest folder that any of its modules is imported from, None where nothing is."""
        if self.is_metadata:
            return self.top.parent
        found = [_root_of(file) for file in self.modules]
        evidence = [root for root in found if root != self.top]
        if evidence:
            return min(evidence, key=lambda root: len(root.parts))
        inherited = self.above.root if self.above else None
        return inherited or next(iter(found), None)


def add(tree: FoundTargets, target: str, path: Path, root: Path | None) -> None:
    """A module, or everything beneath a folder that belongs to its modules.

    Raises:
        TargetError: it is no Python source, holds none, or does not lie beneath the root.
    """
    if not os.path.lexists(path):
        raise TargetError(target, "there is no such file")
    if path.is_dir():
        _add_folder(tree, target, roots.absolute(path), root)
    elif path.suffix == ".py":
        file = roots.absolute(path)
        source.read(target, str(file))
        _add(tree, target, file, root or _root_of(file), is_module=True)
    else:
        raise TargetError(target, "is not Python; a twin is made of a .py file, a package folder or a wheel")


def _add_folder(tree: FoundTargets, target: str, top: Path, root: Path | None) -> None:
    before = len(tree.files)
    tree.folders.append(top)
    units = list(_units(_Unit(top), tree.notes, (os.path.realpath(top),)))
    imported_from = {unit.root for unit in units if unit.modules}
    for unit in units:
        if root is None and unit.is_metadata and unit.root not in imported_from:
            continue  # it is about something else
        base = root or unit.root
        if base is not None:
            for file in unit.modules:
                _add(tree, target, file, base, is_module=True)
            for file in unit.others:
                _add(tree, target, file, base, is_module=False)
    if not any(file.module for file in list(tree.files.values())[before:]):
        raise TargetError(target, "there are no Python modules in it")


def _add(tree: FoundTargets, target: str, file: Path, root: Path, *, is_module: bool) -> None:
    try:
        place = PurePosixPath(file.relative_to(root).as_posix())
    except ValueError:
        raise TargetError(target, f"does not lie beneath the import root {root}") from None
    parts = place.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts) if is_module else ""
    known = tree.files.setdefault(place, TreeFile(file, place, name))
    if known.file != file:
        reason = f"belongs to {place} in the tree, as does {known.file}; give a --root above"
        tree.problems.append(TargetError(file, reason))


def _root_of(file: Path) -> Path:
    try:
        tree = source.parse(str(file), source.read(str(file), str(file)))
    except TargetError:
        tree = ast.Module([], [])
    return roots.find_root(file, tree)


def _units(unit: _Unit, notes: list[str], way: tuple[str, ...]) -> Iterator[_Unit]:
    """The unit of a folder and those beneath it."""
    if roots.is_package(unit.top):
        _fill(unit, unit.top, notes, way, inside=True)
        yield unit
        return
    folders = _sort(unit, unit.top, packaged=False)
    yield unit
    for folder in folders:
        real = os.path.realpath(folder)
        if folder.suffix in _METADATA:
            about = sorted(path for path in folder.rglob("*") if path.is_file())
            yield _Unit(folder, unit, others=about, is_metadata=True)
        elif real not in way and not files.is_left_out(folder, is_package=roots.is_package(folder)):
            yield from _units(_Unit(folder, unit), notes, (*way, real))


def _fill(unit: _Unit, folder: Path, notes: list[str], way: tuple[str, ...], *, inside: bool) -> None:
    """Take over a folder of a package with all beneath it."""
    modules = len(unit.modules)
    folders = _sort(unit, folder, packaged=True)
    if not inside and len(unit.modules) > modules:
        notes.append(f"{folder}: its Python files are copied as they are, for it has no __init__.py")
        unit.others += unit.modules[modules:]
        del unit.modules[modules:]
    for beneath in folders:
        real = os.path.realpath(beneath)
        if real not in way and not _is_rubbish(beneath):
            _fill(unit, beneath, notes, (*way, real), inside=inside and roots.is_package(beneath))


def _sort(unit: _Unit, folder: Path, *, packaged: bool) -> list[Path]:
    """Add the files of a folder to a unit; the folders in it."""
    folders = []
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            folders.append(path)
        elif not path.is_file() or (path.name.startswith(".") and not packaged):
            continue  # a broken link, a socket, what some tool keeps
        elif path.suffix != ".py":
            unit.others.append(path)
        elif packaged or path.name == "__main__.py" or files.is_module(path.name, regular=False):
            unit.modules.append(path)
    return folders


def _is_rubbish(folder: Path) -> bool:
    """Return True for folders that lie in a package without being part of it."""
    return folder.name == "__pycache__" or folder.name.startswith(".") or (folder / "pyvenv.cfg").is_file()


def refusal(tree: FoundTargets, output: Path) -> str:
    """Return why a tree can't be written to a folder, "" if it can."""
    real = Path(os.path.realpath(output))
    for folder in tree.folders:
        if real.is_relative_to(os.path.realpath(folder)):
            return f"{output} lies in {folder}, whose twins it is to hold; name a folder outside"
    for file in tree.files.values():
        written = output / file.place
        if written.exists() and written.samefile(file.file):
            name = tree.in_users_words(str(file.file))
            return f"in {output} the twin of {name} would replace the original; name another folder"
        if file.place.parts[0] in _TAKEN:
            name = tree.in_users_words(str(file.file))
            return (
                f"{name} is imported as 'runtime', as is what twins call; a tree with both can't run, "
                "but tracetwin generate can work on it"
            )
    return ""
