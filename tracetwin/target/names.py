"""Targets given as names: found the way an import would find them, but without importing anything.

`importlib.util.find_spec("a.b")` imports `a`; here each part is looked up in the search path of the one
before it. A package that changes its own `__path__` when it is imported is seen as it lies on disk.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder
from pathlib import Path

from tracetwin.support.errors import TargetError
from tracetwin.support.text import did_you_mean
from tracetwin.target import files, kinds, roots, source
from tracetwin.target.module import Resolution


def resolve_name(
    target: str, name: str, root: Path | None, qualname: str = "", places: Sequence[str] = ()
) -> Resolution:
    """A module or package by its dotted name, or one thing in it; looked for in some places first."""
    origin, locations, base = lookup(target, name, root, places)
    if qualname or not locations:
        if origin is None:
            raise TargetError(target, "is a namespace package, which defines nothing itself")
        return files.resolve_one(target, name, Path(origin), base, qualname)
    notes: list[str] = []
    found = [file for folder in locations for file in files.modules_beneath(Path(folder), notes)]
    return files.resolve_all(target, found, base if len(locations) == 1 else None, notes)


def lookup(
    target: str, name: str, root: Path | None, places: Sequence[str] = ()
) -> tuple[str | None, list[str], Path | None]:
    """Return the file and folders of a module or package, and the folder its name is counted from.

    Raises:
        TargetError: it is not there, or is no Python.
    """
    spec = find(target, name, [str(roots.absolute(root or Path.cwd())), *places])
    origin = spec.origin if spec.has_location else None
    locations = list(spec.submodule_search_locations or ())
    suffix = next(filter((origin or "").endswith, EXTENSION_SUFFIXES), "")
    if origin is not None and suffix and Path(source_file := origin.removesuffix(suffix) + ".py").is_file():
        origin = source_file
    if origin is not None and not origin.endswith((".py", ".pyc")) and not locations:
        raise TargetError(target, _not_python(origin))
    if origin is None and not locations:
        raise TargetError(target, "is built into the interpreter; it has no Python source to trace")
    if origin is not None:
        _check_readable(target, origin)
    return origin, locations, _root(name, origin, locations)


def _check_readable(target: str, origin: str) -> None:
    if not Path(origin).is_file():
        source.read(target, origin)  # raises where it is nowhere at all
        raise TargetError(target, f"lies in an archive, {origin}; unpack it, or give the path of a wheel")


def _not_python(origin: str) -> str:
    if origin.endswith(tuple(EXTENSION_SUFFIXES)):
        return f"is compiled C code ({origin}): it {kinds.AS_IT_IS}"
    return f"is not Python, but {origin}"


def _root(name: str, origin: str | None, locations: Sequence[str]) -> Path | None:
    """The folder that the name is counted from; None where the layout on disk is another than the name's."""
    if origin is None:
        path = roots.absolute(locations[0])
    else:
        path = roots.absolute(origin)
        path = path.parent if path.name.startswith("__init__.") else path.with_suffix("")
    parts = name.split(".")
    if list(path.parts[-len(parts):]) != parts:
        return None
    return path.parents[len(parts) - 1]


def find(target: str, name: str, places: Sequence[str]) -> ModuleSpec:
    """The spec of a module, looked up part by part: in some places, then where we would import it from.

    Raises:
        TargetError: it is not there.
    """
    spec: ModuleSpec | None = None
    known = ""
    for part in name.split("."):
        path = None if spec is None else list(spec.submodule_search_locations or ())
        if spec is not None and not path:
            raise TargetError(target, _not_a_package(known, spec, name))
        full = f"{known}.{part}" if known else part
        spec = _lookup(target, full, path, [*places, *sys.path])
        if spec is None:
            missing = f"no file, folder or module is called '{part}'"
            missing = f"package '{known}' has no module '{part}'" if known else missing
            known_ones = _modules_in(path or [*places, *sys.path])
            raise TargetError(target, missing + did_you_mean(part, known_ones))
        known = full
    if spec is None:
        raise TargetError(target, "is not the name of a module")
    return spec


def _lookup(target: str, name: str, path: list[str] | None, places: list[str]) -> ModuleSpec | None:
    """Ask the finders in the order that prefers files: some of the standard library is frozen as well."""
    try:
        spec = PathFinder.find_spec(name, places if path is None else path)
        if spec is not None:
            return spec
        for finder in sys.meta_path:  # editable installs bring finders of their own
            spec = finder.find_spec(name, path)
            if spec is not None:
                return spec
    except Exception as error:  # finders are foreign code and may raise anything
        raise TargetError(target, f"can't be looked up: {type(error).__name__}: {error}") from error
    return None


def _modules_in(folders: Sequence[str]) -> list[str]:
    """Return the names of the modules in some folders."""
    return [module.name for module in pkgutil.iter_modules(folders)]


def _not_a_package(known: str, spec: ModuleSpec, name: str) -> str:
    rest = name.removeprefix(f"{known}.")
    reason = f"'{known}' is a module, not a package, so there is no '{name}'"
    if not (spec.origin or "").endswith(".py"):
        return reason
    return f"{reason}; for something in it write '{known}:{rest}'"
