"""Targets inside a wheel, read where it lies, or unpacked where that is not enough; nothing is installed."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from dataclasses import replace
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path, PurePosixPath
from typing import Final

from tracetwin.errors import TargetError
from tracetwin.locating import files, roots, source
from tracetwin.locating.module import Resolution, TargetModule

MAX_SOURCE: Final = 16 << 20
"""Bytes of one unpacked source; more is not a module that anybody wrote."""

UNPACKED_NOTE: Final = (
    "it opens files beside it, which it can't inside a wheel: the wheel was unpacked for this run, "
    "and to run the tests it has to be installed"
)

MAX_UNPACKED: Final = 512 << 20
"""Bytes of all the files of a wheel that is unpacked."""


def resolve_wheel(target: str, wheel: Path, inside: str = "") -> Resolution:
    """The modules of a wheel: all, those of one package, one module, or one thing in one.

    Args:
        target: what the user wrote.
        wheel: path of the `.whl` file.
        inside: dotted name of a module or package in it, or of something in a module; also `module:name`.
    """
    path = roots.absolute(wheel)
    try:
        with zipfile.ZipFile(path) as archive:
            names = _names(target, archive)
            modules = _modules(names)
            chosen, qualname = _choose(target, sorted(modules), inside)
            found = Resolution(notes=_boundaries(wheel, names))
            for name in chosen:
                _add(found, archive, path, modules[name], name, qualname)
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        if isinstance(error, TargetError):
            raise
        raise TargetError(target, f"is not a readable wheel: {error}") from error
    if not found.modules and not found.problems:
        raise TargetError(target, "nothing to test: it defines no functions or classes")
    return found


def _names(target: str, archive: zipfile.ZipFile) -> list[str]:
    """The names in an archive, every one of them beneath it."""
    names = []
    for info in archive.infolist():
        path = PurePosixPath(info.filename)
        odd = "\\" in info.filename or ":" in path.parts[0] if path.parts else True
        if odd or path.is_absolute() or ".." in path.parts:
            raise TargetError(target, f"refused: the name {info.filename!r} in it leads outside the wheel")
        if not info.is_dir():
            names.append(info.filename)
    if not any(name.endswith(".dist-info/WHEEL") for name in names):
        raise TargetError(target, "is not a wheel: it has no WHEEL file in a .dist-info folder")
    return names


def unpack(target: str, wheel: Path, folder: Path) -> None:
    """Write the files of a wheel into a folder that is not there yet; it appears whole or not at all.

    Raises:
        TargetError: an entry leads outside or is no regular file, it is too large, or it can't be read.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            _names(target, archive)
            for info in archive.infolist():
                if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise TargetError(
                        target, f"refused: {info.filename!r} in the wheel is a link or a device"
                    )
            if sum(info.file_size for info in archive.infolist()) > MAX_UNPACKED:
                raise TargetError(target, "is too large to be unpacked")
            folder.parent.mkdir(parents=True, exist_ok=True)
            begun = Path(tempfile.mkdtemp(dir=folder.parent))
            try:
                archive.extractall(begun)
                begun.rename(folder)
            finally:
                shutil.rmtree(begun, ignore_errors=True)
    except TargetError:
        raise
    except (OSError, RuntimeError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        if not folder.is_dir():  # somebody else may have been faster
            raise TargetError(target, f"can't be unpacked: {error}") from error


def unpacked_twice(module: TargetModule, folder: Path) -> tuple[TargetModule, TargetModule]:
    """A module of a wheel as it lies in two copies of the unpacked wheel.

    Two, because no test may expect the place: what differs between them is not to be relied on.

    Args:
        module: the module as it lies in the wheel.
        folder: where the copies are, or are to be made.

    Raises:
        TargetError: as for `unpack`.
    """
    name = hashlib.sha256(os.fsencode(module.root)).hexdigest()[:16]
    places = (folder / name / "first", folder / name / "second")
    for place in places:
        if not place.is_dir():
            unpack(module.root, Path(module.root), place)
    return _moved(module, places[0]), _moved(module, places[1])


def _moved(module: TargetModule, folder: Path) -> TargetModule:
    inside = Path(module.file).relative_to(module.root)
    search_path = tuple(str(folder) if entry == module.root else entry for entry in module.search_path)
    return replace(module, file=str(folder / inside), root=str(folder), search_path=search_path)


def misses_files(module: TargetModule, sentence: str) -> bool:
    """Whether an import failed because the module opens files beside it, which a wheel does not let it."""
    if not os.path.isfile(module.root):  # noqa: PTH113 - unlike Path's, it never raises
        return False
    places = {os.path.join(root, "") for root in (module.root, os.path.realpath(module.root))}  # noqa: PTH118
    said = any(f"{error.__name__}: " in sentence for error in (NotADirectoryError, FileNotFoundError))
    return said and any(place in sentence for place in places)


def _modules(names: list[str]) -> dict[str, str]:
    """Dotted name to path for each source that can be imported from the wheel as it lies."""
    modules = {}
    for name in names:
        path = PurePosixPath(name)
        parts = [*path.parts[:-1], path.stem]
        if parts[-1] == "__init__":
            parts.pop()
        if path.suffix == ".py" and parts and all(roots.is_name(part) for part in parts):
            modules[".".join(parts)] = name
    return modules


def _boundaries(wheel: Path, names: list[str]) -> list[str]:
    """A sentence on the compiled modules in a wheel."""
    compiled = sorted(name for name in names if name.endswith(tuple({*EXTENSION_SUFFIXES, ".so", ".pyd"})))
    if not compiled:
        return []
    listed = ", ".join(name.partition(".")[0].replace("/", ".") for name in compiled)
    return [f"{wheel}: compiled code can't be traced or loaded from a wheel, so {listed} is a boundary"]


def _choose(target: str, modules: list[str], inside: str) -> tuple[list[str], str]:
    """The modules that a name inside a wheel stands for, and what in them."""
    head, colon, tail = inside.partition(":")
    if not head:
        chosen = [name for name in modules if _is_wanted(name)]
        if not chosen:
            raise TargetError(target, "there are no Python modules in it")
        return chosen, ""
    parts = head.split(".")
    for length in range(len(parts), 0, -1):
        module, rest = ".".join(parts[:length]), ".".join(parts[length:])
        beneath = [name for name in modules if name.startswith(f"{module}.")]
        if module not in modules and not beneath:
            continue
        if colon and rest:
            break
        if rest or colon:
            if module in modules:
                return [module], rest or tail
            break
        package = [name for name in beneath if _is_wanted(name.removeprefix(f"{module}."))]
        return ([module] if module in modules else []) + package, ""
    tops = ", ".join(sorted({name.partition(".")[0] for name in modules})) or "nothing"
    raise TargetError(target, f"there is no module '{head}' in the wheel, which holds {tops}")


def _is_wanted(name: str) -> bool:
    """As for folders: no tests, and nothing that starts a program."""
    *folders, last = name.split(".")
    return not files.TEST_FOLDERS.intersection(folders) and files.is_module(f"{last}.py", regular=True)


def _add(
    found: Resolution, archive: zipfile.ZipFile, wheel: Path, member: str, name: str, qualname: str
) -> None:
    """Check one module and add it, or what is wrong with it."""
    file = str(wheel / member)
    try:
        roots.refuse_shadowing(file, name.partition(".")[0], wheel)
        if archive.getinfo(member).file_size > MAX_SOURCE:
            raise TargetError(file, "is too large to be a module")
        tree = source.parse(file, source.read(file, file))
        if qualname:
            source.check_selection(f"{file}:{qualname}", tree, qualname)
        elif not source.has_code(tree):
            return
        selection = (qualname,) if qualname else ()
        found.modules.append(TargetModule(name, file, str(wheel), selection, (str(wheel),)))
    except TargetError as problem:
        found.problems.append(problem)
