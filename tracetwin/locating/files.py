"""Targets given as paths: a file, or a folder with all modules beneath it."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tracetwin.errors import TargetError
from tracetwin.locating import roots, source
from tracetwin.locating.module import Resolution, TargetModule

TEST_FOLDERS: Final = frozenset({"test", "tests", "__pycache__", "node_modules"})
BUILD_FOLDERS: Final = frozenset({"build", "dist", "docs", "doc"})
"""Left out unless they are packages: `build` and `docs` are also names of real ones."""
PROJECT_SCRIPTS: Final = frozenset({"setup.py", "noxfile.py", "conftest.py"})


def resolve_file(target: str, file: Path, root: Path | None, qualname: str = "") -> TargetModule:
    """A single `.py` file, or one thing in it."""
    if file.suffix != ".py":
        advice = "a target is a .py file, a package folder, a .whl file or the name of a module"
        raise TargetError(target, f"is not Python; {advice}")
    tree = source.parse(target, source.read(target, str(file)))
    if qualname:
        source.check_selection(target, tree, qualname)
    elif not source.has_code(tree):
        raise TargetError(target, "defines no functions or classes, so there is nothing to test")
    return describe(target, file, root, tree, qualname)


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


def resolve_all(target: str, files: Iterable[Path], root: Path | None, notes: list[str]) -> Resolution:
    """The modules among some files that hold code.

    Raises:
        TargetError: there is none, and no file has a problem of its own.
    """
    found = Resolution(notes=notes)
    empty = 0
    for file in files:
        try:
            tree = source.parse(str(file), source.read(str(file), str(file)))
            if source.has_code(tree):
                found.modules.append(describe(str(file), file, root, tree))
            else:
                empty += 1
        except TargetError as problem:
            found.problems.append(problem)
    if not found.modules and not found.problems:
        why = "its modules define no functions or classes" if empty else "there are no Python modules in it"
        raise TargetError(target, f"nothing to test: {why}")
    return found


def modules_beneath(top: Path, notes: list[str]) -> list[Path]:
    """The source files beneath a folder that a user would call its modules."""
    found: list[Path] = []
    packaged = {top: (top / "__init__.py").is_file()}
    for path, folders, files in os.walk(top):
        here = Path(path)
        regular = packaged[here]
        kept = []
        for name in sorted(folders):
            beneath = here / name
            is_package = (beneath / "__init__.py").is_file()
            if not _is_left_out(beneath, is_package=is_package):
                if regular and not is_package:
                    _note_unpackaged(beneath, notes)
                else:
                    packaged[beneath] = is_package
                    kept.append(name)
        folders[:] = kept
        found += [here / name for name in files if is_module(name, regular=regular)]
    return sorted(found)


def _is_left_out(folder: Path, *, is_package: bool) -> bool:
    name = folder.name
    return (
        name in TEST_FOLDERS
        or name.startswith(".")
        or name.endswith(".egg-info")
        or (name in BUILD_FOLDERS and not is_package)
        or (folder / "pyvenv.cfg").is_file()
    )


def is_module(name: str, *, regular: bool) -> bool:
    """Whether a file is to be tested, rather than a test, a script that starts things, or something else."""
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
