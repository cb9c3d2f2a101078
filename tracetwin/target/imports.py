"""The modules that importing a module asks for, read from its source.

What only running can tell is left out: names that are computed, and imports within functions.
"""

from __future__ import annotations

import ast
import functools
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tracetwin.support.errors import TargetError
from tracetwin.support.syntax import absolute
from tracetwin.target import kinds
from tracetwin.target.kinds import ModuleFile
from tracetwin.target.module import TargetModule
from tracetwin.target.wheels.archive import opened

_PACKAGES: Final = ("site-packages", "dist-packages")


def imported_with(module: TargetModule, data: bytes, *, later: bool = False) -> list[TargetModule]:
    """The modules that the import of one asks for, beneath its import root or the further entries.

    Args:
        module: the one that is imported.
        data: its source.
        later: also what its functions ask for when they run.

    Returns:
        Its packages and what its statements name, as far as these are Python source of its top-level package.
    """
    top = _top(module.name)
    return [known for known in _imported(module, data, later=later) if _top(known.name) == top]


def files_beside(module: TargetModule, data: bytes, *, later: bool = False) -> list[str]:
    """Files of other top-level packages in its import root that an import asks for, also by each other."""
    if os.path.isfile(module.root) or Path(module.root).name in _PACKAGES:  # noqa: PTH113 - as below
        return []
    alone = replace(module, search_path=())
    waiting = _others(alone.name, _imported(alone, data, later=later))
    found: dict[str, None] = {}
    while waiting:
        name, file = waiting.pop()
        if file not in found:
            found[file] = None
            waiting += _asked_by(name, file, module.root)
    return list(found)


@functools.lru_cache(maxsize=1024)  # asked for by every module of a package
def _asked_by(name: str, file: str, root: str) -> list[tuple[str, str]]:
    try:
        data = Path(file).read_bytes()
    except OSError:
        return []
    return _others("", _imported(TargetModule(name, file, root), data, later=True))


def _others(name: str, modules: Iterable[TargetModule]) -> list[tuple[str, str]]:
    """Names and files of those that are of another top-level package."""
    return [(known.name, known.file) for known in modules if _top(known.name) != _top(name)]


def _top(name: str) -> str:
    return name.partition(".")[0]


def _imported(module: TargetModule, data: bytes, *, later: bool) -> Iterator[TargetModule]:
    if _source_and_extension(Path(module.file))[1] is not None:  # as a target is imported that is compiled
        module = replace(module, sources_first=True)
    for name in dict.fromkeys(_names(module, _parsed(data), later)):
        file = _locate(name, module) if name != module.name else None
        if file is not None:
            yield replace(module, name=name, file=file, selection=(), missing=())


@functools.lru_cache(maxsize=1)  # asked for twice in a row
def _parsed(data: bytes) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the target's own invalid escapes and the like
            return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])  # whoever imports it will be told


def _names(module: TargetModule, tree: ast.Module, later: bool) -> Iterator[str]:
    """All that may be the name of a module; what is defined in one looks the same."""
    package = module.name if _is_package(module) else module.name.rpartition(".")[0]
    yield from _path_to(package)
    for node in _statements(tree.body, later):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _path_to(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, package)
            yield from _path_to(base)
            yield from (f"{base}.{alias.name}" for alias in node.names if base and alias.name != "*")


def _is_package(module: TargetModule) -> bool:
    return Path(module.file).name.startswith("__init__.")


def _path_to(name: str) -> Iterator[str]:
    """A dotted name behind all its packages; nothing for ""."""
    parts = name.split(".") if name else []
    return (".".join(parts[: length + 1]) for length in range(len(parts)))


def _statements(body: Iterable[ast.stmt], later: bool) -> Iterator[ast.AST]:
    """The statements that an import may run, those in classes included, and `later` those in functions."""
    waiting: list[ast.AST] = [*body]
    waiting.reverse()
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not later:
            continue
        if isinstance(node, ast.If) and _is_false(node.test):
            waiting += node.orelse[::-1]
            continue
        inner = list(ast.iter_child_nodes(node))[::-1]
        waiting += [n for n in inner if isinstance(n, (ast.stmt, ast.excepthandler, ast.match_case))]


def _is_false(test: ast.expr) -> bool:
    """Return True if a condition never holds during an import: `TYPE_CHECKING`, or being the program."""
    if isinstance(test, ast.Compare):
        return ast.unparse(test) == "__name__ == '__main__'"
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _locate(name: str, module: TargetModule) -> str | None:
    """The source that an import would take for a name, None where it would take something else or nothing."""
    sources_first = module.sources_first and _top(name) == _top(module.name)
    return _located(name, (module.root, *module.search_path), sources_first)


@functools.lru_cache(maxsize=8192)  # most names are asked for by many modules
def _located(name: str, entries: tuple[str, ...], sources_first: bool) -> str | None:
    for entry in dict.fromkeys(entries):
        if os.path.isfile(entry):  # noqa: PTH113 - unlike Path's, it never raises
            found = _in_archive(entry).get(name)
            path = None if found is None else Path(entry, found.path)
        else:
            path = _in_folder(Path(entry), name.split("."))
            if path is not None and sources_first:
                path = _source_and_extension(path)[0] or path
        if path is not None:
            return str(path) if kinds.kind_of(path)[1] == kinds.SOURCE else None
    return None


def _source_and_extension(path: Path) -> tuple[Path | None, Path | None]:
    """The source and the extension of the module that lies in a file, each None where there is none."""
    name, _ = kinds.kind_of(path)
    beside = _all_in(path.parent)
    found = {kind: file for file in beside for known, kind in (kinds.kind_of(file),) if known == name}
    return found.get(kinds.SOURCE), found.get(kinds.EXTENSION)


@functools.lru_cache(maxsize=64)  # asked for by every import of every module
def _in_archive(path: str) -> Mapping[str, ModuleFile]:
    try:
        with opened(path, Path(path)) as archive:
            return kinds.modules_of(archive.namelist())
    except TargetError:
        return {}


def _in_folder(root: Path, parts: list[str]) -> Path | None:
    folder = root.joinpath(*parts)
    return _files_in(folder).get("__init__") or _files_in(folder.parent).get(parts[-1])


@functools.lru_cache(maxsize=1024)
def _files_in(folder: Path) -> Mapping[str, Path]:
    """The modules right in a folder, none where there is no such folder."""
    return kinds.preferred(_all_in(folder))


@functools.lru_cache(maxsize=1024)
def _all_in(folder: Path) -> Sequence[Path]:
    """The files right in a folder, none where there is no such folder."""
    try:
        return sorted(path for path in folder.iterdir() if not path.is_dir())
    except OSError:
        return ()
