"""Targets inside a wheel, read where it lies: nothing is unpacked or installed."""

from __future__ import annotations

import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path, PurePosixPath
from typing import Final

from tracetwin.errors import TargetError
from tracetwin.locating import files, roots, source
from tracetwin.locating.module import Resolution, TargetModule

MAX_SOURCE: Final = 16 << 20
"""Bytes of one unpacked source; more is not a module that anybody wrote."""


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
