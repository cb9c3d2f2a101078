"""The kind of a module by its file's name: source, an extension in C, or bytecode only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path, PurePath, PurePosixPath
from typing import Final

from tracetwin.support.data import dataclass
from tracetwin.support.text import count
from tracetwin.target import roots

SOURCE: Final = "source"
EXTENSION: Final = "C extension"
FOREIGN: Final = "C extension for another Python"
BYTECODE: Final = "bytecode only"

NO_SOURCE: Final = "it comes as bytecode only"
"""Why a module is explored from outside."""

AS_IT_IS: Final = "runs as it is, and gets neither tests nor a twin"
"""What is said of an extension."""

_SHARED_LIBRARIES: Final = (".so", ".pyd")
_ORDER: Final = (EXTENSION, SOURCE, BYTECODE, FOREIGN)
"""Of several files for one module, an import takes the first of these kinds."""

OF_TARGETS: Final = (SOURCE, EXTENSION, BYTECODE, FOREIGN)
"""As a target, the source is taken from which an extension was compiled: in that nothing can be followed."""

_SPREAD: Final = re.compile(r"^[^/]+\.data/(?:purelib|platlib)/")


@dataclass(frozen=True)
class ModuleFile:
    """A file that an import would take for a module.

    Attributes:
        path: where it lies, beneath a folder or in a wheel.
        kind: one of the constants above.
    """

    path: str
    kind: str


def kind_of(file: PurePath) -> tuple[str, str]:
    """The name of the module in a file, without its package, and its kind; both "" for any other file."""
    name = file.name
    if file.suffix in (".py", ".pyc") and file.parent.name != "__pycache__":
        return file.stem, SOURCE if file.suffix == ".py" else BYTECODE
    for suffix in EXTENSION_SUFFIXES:  # the longest first, and those of this interpreter only
        if name.endswith(suffix) and "." not in name.removesuffix(suffix):
            return name.removesuffix(suffix), EXTENSION
    return (name.partition(".")[0], FOREIGN) if file.suffix in _SHARED_LIBRARIES else ("", "")


def preferred(files: Iterable[Path], order: Sequence[str] = _ORDER) -> dict[str, Path]:
    """The file that an import takes for each module in one folder, by the last part of its name.

    Args:
        files: those in the folder.
        order: of several files for one module, the first of these kinds is taken.
    """
    chosen: dict[str, Path] = {}
    for file in files:
        name, kind = kind_of(file)
        if kind and (name not in chosen or _comes_before(kind, kind_of(chosen[name])[1], order)):
            chosen[name] = file
    return chosen


def _comes_before(kind: str, other: str, order: Sequence[str] = _ORDER) -> bool:
    return order.index(kind) < order.index(other)


def only_extensions(names: Sequence[str]) -> str:
    """Return why there is nothing to do for some modules, as the rest of a sentence."""
    some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    what = "is a C extension" if len(names) == 1 else f"are {count(len(names), 'C extension')}"
    return f"{some} {what}: such a module {AS_IT_IS}"


def installed_path(name: str) -> str:
    """Return the installed path of a wheel's entry: files in its `.data` folder move up."""
    return _SPREAD.sub("", name)


def modules_of(names: Iterable[str]) -> dict[str, ModuleFile]:
    """Dotted name to file for each module in a wheel; a package hides a module of its name."""
    modules: dict[str, ModuleFile] = {}
    packages: set[str] = set()
    for entry in names:
        path = PurePosixPath(installed_path(entry))
        last, kind = kind_of(path)
        parts = [*path.parts[:-1], *([] if last == "__init__" else [last])]
        if not kind or not parts or not all(roots.is_name(part) for part in parts):
            continue
        name = ".".join(parts)
        known, is_package = modules.get(name), last == "__init__" and kind != FOREIGN
        if is_package == (name in packages):
            chosen = known is None or _comes_before(kind, known.kind)
        else:
            chosen = is_package
        if chosen:
            modules[name] = ModuleFile(entry, kind)
        if is_package:
            packages.add(name)
    return modules
