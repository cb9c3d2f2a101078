"""Targets given as paths: a file, or a folder with all modules beneath it.

Modules that come as bytecode only: whether this interpreter can load them. Nothing in them is read.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import platform
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tracetwin.support.errors import TargetError
from tracetwin.target import kinds, roots, source
from tracetwin.target.module import Boundary, Resolution, TargetModule

TEST_FOLDERS: Final = frozenset({"test", "tests", "__pycache__", "node_modules"})
BUILD_FOLDERS: Final = frozenset({"build", "dist", "docs", "doc"})
"""Left out unless they are packages: `build` and `docs` are also names of real ones."""
PROJECT_SCRIPTS: Final = frozenset({"setup.py", "noxfile.py", "conftest.py"})


def resolve_one(
    target: str, place: str, file: Path, root: Path | None, qualname: str = ""
) -> Resolution:
    """A single file as a target.

    Args:
        target: what to call it in an error.
        place: the target without a name behind it.
        file: where it lies.
        root: import root; without it, derived from the path.
        qualname: one thing in it, "" for all.

    Raises:
        TargetError: it is no module.
    """
    _, kind = kinds.kind_of(file)
    if kind not in (kinds.EXTENSION, kinds.FOREIGN):
        module = resolve_file(target, file, root, qualname)
        boundaries = [Boundary(place, module.name, kind)] if kind == kinds.BYTECODE else []
        return Resolution([module], boundaries=boundaries)
    problem = TargetError(target, f"is a {kind}: it {kinds.AS_IT_IS}")
    return Resolution(problems=[problem], boundaries=_boundaries(place, [file], root))


def resolve_file(target: str, file: Path, root: Path | None, qualname: str = "") -> TargetModule:
    """A single file with a module that is no extension, or one thing in it."""
    _, kind = kinds.kind_of(file)
    if not kind:
        advice = "a target is a .py file, a package folder, a .whl file or the name of a module"
        where = "lies in __pycache__, from which nothing is imported by itself" if _is_cached(file) else ""
        raise TargetError(target, where or f"is not Python; {advice}")
    data = source.read(target, str(file))
    if kind == kinds.BYTECODE:
        return _without_source(target, file, root, data, qualname)
    tree = source.parse(target, data)
    if qualname:
        source.check_selection(target, tree, qualname)
    elif not source.has_code(tree):
        raise TargetError(target, "defines no functions or classes, so there is nothing to test")
    return describe(target, file, root, tree, qualname)


def _is_cached(file: Path) -> bool:
    return file.suffix == ".pyc" and file.parent.name == "__pycache__"


def _without_source(
    target: str, file: Path, root: Path | None, data: bytes, qualname: str = ""
) -> TargetModule:
    """A module that comes as bytecode only."""
    module = describe(target, file, root, ast.Module([], []), qualname)
    check(target, module.name, data)
    return replace(module, outside=kinds.NO_SOURCE)


def describe(
    target: str, file: Path, root: Path | None, tree: ast.Module, qualname: str = ""
) -> TargetModule:
    """A module whose source is known to be good."""
    path = roots.absolute(file)
    base = roots.find_root(path, tree) if root is None else roots.absolute(root)
    name = roots.import_name(target, path, base)
    return TargetModule(name, str(path), str(base), (qualname,) if qualname else ())


def resolve_folder(target: str, folder: Path, root: Path | None) -> Resolution:
    """All modules beneath a folder but its tests; a broken one is a problem of its own."""
    notes: list[str] = []
    return resolve_all(target, modules_beneath(folder, notes), root, notes)


def resolve_all(target: str, files: Sequence[Path], root: Path | None, notes: list[str]) -> Resolution:
    """The modules among some files that hold code.

    Raises:
        TargetError: there is none, no file has a problem of its own, and there are no extensions either.
    """
    found = Resolution(notes=notes, boundaries=_boundaries(target, files, root))
    empty = 0
    for file in files:
        try:
            module = _one_of_many(file, root)
        except TargetError as problem:
            found.problems.append(problem)
            continue
        if module is None:
            empty += kinds.kind_of(file)[1] == kinds.SOURCE
        else:
            found.modules.append(module)
    if found.modules or found.problems:
        return found
    what = "its modules define no functions or classes" if empty else "there are no Python modules in it"
    if not found.boundaries:
        raise TargetError(target, f"nothing to test: {what}")
    names = [boundary.name for boundary in found.boundaries]
    reason = f"nothing to test: {what}" if empty else kinds.only_extensions(names)
    found.problems.append(TargetError(target, reason))
    return found


def _one_of_many(file: Path, root: Path | None) -> TargetModule | None:
    """The module in a file, None where there is nothing in it to test."""
    kind = kinds.kind_of(file)[1]
    if kind in (kinds.EXTENSION, kinds.FOREIGN):
        return None
    data = source.read(str(file), str(file))
    if kind == kinds.BYTECODE:
        return _without_source(str(file), file, root, data)
    tree = source.parse(str(file), data)
    return describe(str(file), file, root, tree) if source.has_code(tree) else None


def _boundaries(target: str, files: Sequence[Path], root: Path | None) -> list[Boundary]:
    """The files that are not source, as modules."""
    found = []
    for file in files:
        name, kind = kinds.kind_of(file)
        if kind != kinds.SOURCE:
            path = roots.absolute(file)
            base = roots.find_root(path, ast.Module([], [])) if root is None else roots.absolute(root)
            parts = [*path.relative_to(base).parts[:-1], *([] if name == "__init__" else [name])]
            found.append(Boundary(target, ".".join(parts), kind))
    return found


def modules_beneath(top: Path, notes: list[str]) -> list[Path]:
    """The files beneath a folder that an import and a user would call its modules."""
    found: list[Path] = []
    packaged = {top: roots.is_package(top)}
    for path, folders, files in os.walk(top):
        here = Path(path)
        regular = packaged[here]
        kept = []
        for name in sorted(folders):
            beneath = here / name
            is_package = roots.is_package(beneath)
            if not is_left_out(beneath, is_package=is_package):
                if regular and not is_package:
                    _note_unpackaged(beneath, notes)
                else:
                    packaged[beneath] = is_package
                    kept.append(name)
        folders[:] = kept
        taken = kinds.preferred((here / name for name in files), kinds.OF_TARGETS)
        found += [file for name, file in taken.items() if is_module(f"{name}.py", regular=regular)]
    return sorted(found)


def is_left_out(folder: Path, *, is_package: bool) -> bool:
    """Return True if a folder holds tests or build products, or belongs to a tool."""
    name = folder.name
    return (
        name in TEST_FOLDERS
        or name.startswith(".")
        or name.endswith(".egg-info")
        or (name in BUILD_FOLDERS and not is_package)
        or (folder / "pyvenv.cfg").is_file()
    )


def is_module(name: str, *, regular: bool) -> bool:
    """Return True if a file is a module to test: no test, no script that starts things."""
    if not name.endswith(".py") or name in ("__main__.py", "conftest.py"):
        return False
    if name.startswith("test_") or name.endswith("_test.py"):
        return False
    return regular or name not in PROJECT_SCRIPTS


def _note_unpackaged(folder: Path, notes: list[str]) -> None:
    """Say so when a folder inside a package holds Python files that its importers would not call modules."""
    count = sum(1 for _ in folder.glob("*.py"))
    if count:
        files = "its Python file is" if count == 1 else f"its {count} Python files are"
        why = "for it has no __init__.py; name it as a target to include it"
        notes.append(f"{folder}: {files} left out, {why}")


HEADER_BYTES: Final = 16

# The last magic number of each version, as CPython's `importlib` lists them; within a version they only grow.
_LAST_NUMBERS: Final = (
    (3131, "3.0"), (3151, "3.1"), (3180, "3.2"), (3230, "3.3"), (3310, "3.4"), (3351, "3.5"), (3379, "3.6"),
    (3394, "3.7"), (3413, "3.8"), (3425, "3.9"), (3439, "3.10"), (3495, "3.11"), (3531, "3.12"),
    (3599, "3.13"), (3649, "3.14"),
)  # fmt: skip


def check(target: str, name: str, data: bytes) -> None:
    """Refuse bytecode that this interpreter would not load.

    Raises:
        TargetError: another Python made it, or it is no bytecode at all.
    """
    magic = data[:4]
    if magic == importlib.util.MAGIC_NUMBER and len(data) >= HEADER_BYTES:
        return
    if magic[2:] != b"\r\n" or len(data) < HEADER_BYTES:
        raise TargetError(target, f"module '{name}' is no bytecode of CPython, and there is no source of it")
    made_by = _version(int.from_bytes(magic[:2], "little"))
    reason = f"module '{name}' is bytecode of {made_by}, and this is Python {platform.python_version()}"
    raise TargetError(target, f"{reason}; run tracetwin with the Python that it was compiled by")


def _version(number: int) -> str:
    if 3000 <= number <= _LAST_NUMBERS[-1][0]:
        return "Python " + next(version for last, version in _LAST_NUMBERS if number <= last)
    return "Python 2" if number > 50_000 else f"another Python (magic number {number})"
