"""Unpacking wheels from which modules can't be imported as they lie; nothing is installed."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from tracetwin.support.errors import TargetError
from tracetwin.support.text import listed
from tracetwin.target import kinds
from tracetwin.target.module import TargetModule
from tracetwin.target.wheels.archive import UNREADABLE, opened

OPENS_FILES: Final = "it opens files beside it, which it can't inside a wheel"

MAX_UNPACKED: Final = 512 << 20
"""Bytes of all the files of a wheel that is unpacked."""


def entries(target: str, archive: zipfile.ZipFile) -> list[str]:
    """The names of the files in a wheel.

    Raises:
        TargetError: it is another kind of archive.
    """
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    if not any(name.endswith(".dist-info/WHEEL") for name in names):
        raise TargetError(target, "is not a wheel: it has no WHEEL file in a .dist-info folder")
    return names


def unpack(target: str, wheel: Path, folder: Path) -> None:
    """Write the files of a wheel into a folder that is not there yet; it appears whole or not at all.

    What its `.data` folder holds for the place of its modules is moved there, as an installer does.

    Raises:
        TargetError: an entry leads outside or is no regular file, it is too large, or it can't be read.
    """
    with opened(target, wheel) as archive:
        entries(target, archive)
        if sum(info.file_size for info in archive.infolist()) > MAX_UNPACKED:
            raise TargetError(target, "is too large to be unpacked")
        try:
            _extract(archive, folder)
        except UNREADABLE as error:
            if not folder.is_dir():  # somebody else may have been faster
                raise TargetError(target, f"can't be unpacked: {error}") from error


def _extract(archive: zipfile.ZipFile, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    begun = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        for info in archive.infolist():
            info.filename = kinds.installed_path(info.filename)
            archive.extract(info, begun)
        begun.rename(folder)
    finally:
        shutil.rmtree(begun, ignore_errors=True)


def wheels_of(module: TargetModule) -> list[str]:
    """The wheels that a module is imported from: its own, and those of what it needs."""
    paths = dict.fromkeys((module.root, *module.search_path))
    return [path for path in paths if os.path.isfile(path)]  # noqa: PTH113 - unlike Path's, it never raises


def unusable_in_place(module: TargetModule) -> dict[str, str]:
    """The wheels of a module from which the interpreter can't import as they lie, and why.

    Raises:
        TargetError: one of them can't be read.
    """
    reasons = {}
    for wheel in wheels_of(module):
        with opened(wheel, Path(wheel)) as archive:
            why = _hindrance(archive)
        if why:
            reasons[wheel] = why
    return reasons


def _hindrance(archive: zipfile.ZipFile) -> str:
    names = archive.namelist()
    modules = kinds.modules_of(names)
    if any(module.kind == kinds.EXTENSION for module in modules.values()):
        return "it holds C extensions, which can't be loaded from a wheel"
    if any(kinds.installed_path(name) != name for name in names):
        return "parts of it lie in its .data folder, from which nothing is imported"
    if sys.version_info < (3, 13) and _implied_namespaces(modules, names):
        return "it holds a namespace package, which Python before 3.13 does not find in a wheel"
    return ""


def _implied_namespaces(modules: dict[str, kinds.ModuleFile], names: Iterable[str]) -> bool:
    """Return True if a package without `__init__` has no entry of its own, as is usual in wheels."""
    folders = {name.rstrip("/").replace("/", ".") for name in names if name.endswith("/")}
    packages = {name.rpartition(".")[0] for name in modules} - {""}
    packages |= {name[:at] for name in packages for at, letter in enumerate(name) if letter == "."}
    return bool(packages - set(modules) - folders)


def unpacked_twice(
    module: TargetModule, folder: Path, wheels: Iterable[str] | None = None
) -> tuple[TargetModule, TargetModule]:
    """A module of a wheel as it is imported from two copies of unpacked wheels.

    Two, because no test may expect the place: what differs between them is not to be relied on.

    Raises:
        TargetError: as for `unpack`.
    """
    moves: list[dict[str, str]] = [{}, {}]
    for wheel in wheels_of(module) if wheels is None else wheels:
        name = hashlib.sha256(os.fsencode(wheel)).hexdigest()[:16]
        for move, copy in zip(moves, ("first", "second"), strict=True):
            place = folder / name / copy
            if not place.is_dir():
                unpack(wheel, Path(wheel), place)
            move[wheel] = str(place)
    first, second = moves
    return _moved(module, first), _moved(module, second)


def _moved(module: TargetModule, moves: dict[str, str]) -> TargetModule:
    search_path = tuple(moves.get(entry, entry) for entry in module.search_path)
    if module.root not in moves:
        return replace(module, search_path=search_path)
    root = moves[module.root]
    inside = kinds.installed_path(Path(module.file).relative_to(module.root).as_posix())
    return replace(module, file=str(Path(root, inside)), root=root, search_path=search_path)


def import_words(module: TargetModule, *, unpacked: bool) -> str:
    """Return where the tests of a wheel's module find it, as the end of a sentence; else ""."""
    wheels = wheels_of(module)
    if not wheels:
        return ""
    names = listed([Path(wheel).name for wheel in wheels])
    if unpacked:
        return f"where {names} {'is' if len(wheels) == 1 else 'are'} installed"
    return f"with {names} on the path (PYTHONPATH)"


def in_users_words(sentence: str, module: TargetModule, copy: TargetModule) -> str:
    """A sentence about an unpacked copy, with the paths that the user knows."""
    known = (module.root, *module.search_path)
    for path, private in zip(known, (copy.root, *copy.search_path), strict=True):
        sentence = sentence.replace(private, path)
    return sentence


def misses_files(module: TargetModule, sentence: str) -> bool:
    """Return True if an import failed since the module opens files beside it, which a wheel can't offer."""
    wheels = wheels_of(module)
    places = {os.path.join(root, "") for wheel in wheels for root in (wheel, os.path.realpath(wheel))}  # noqa: PTH118
    said = any(f"{error.__name__}: " in sentence for error in (NotADirectoryError, FileNotFoundError))
    return said and any(place in sentence for place in places)
