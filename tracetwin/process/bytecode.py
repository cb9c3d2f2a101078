"""Keeps the bytecode of modules that a target imports, where the interpreter keeps none beside them.

Some ten processes of a run import a target and all that it needs, behind walls from which nothing can be
written. Without bytecode (a fresh checkout, an installation that compiles nothing) each of them would compile
every source. Here the first says which sources these were, the driver compiles them, and the others take it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import marshal
import sys
import types
import warnings
from collections.abc import Iterable, Iterator
from importlib.machinery import SOURCE_SUFFIXES, SourceFileLoader
from pathlib import Path
from typing import Any, Final

from instrumenter.cache_folder import CacheFolder, digest_of, renamed
from tracetwin.support import own_modules
from tracetwin.support.stdlib_copies import os, time

FOLDER: Final = "code"
_MAGIC: Final = b"tracetwin-code-1\n"
KEEPING_SECONDS: Final = 2.0
"""For compiling what one process told: what is left is compiled where it is imported, as without a cache."""

MOST_BYTES: Final = 4 << 20
"""Of one source: larger ones are compiled anew."""


def default_folder() -> str:
    """Return the folder of the cache, "" where there is no place for one."""
    cache: Any = own_modules.load("instrumenter.cache")
    return str(cache.default_directory() or "")


def place(folder: str) -> str:
    """Return what of a cache's folder a process has to read, "" for none."""
    return os.path.join(folder, FOLDER) if folder else ""


def _entries(folder: str) -> CacheFolder:
    return CacheFolder(Path(folder) if folder else None, FOLDER, _MAGIC)


def _key(source: bytes) -> bytes:
    return digest_of(source, importlib.util.MAGIC_NUMBER, sys.implementation.name.encode())


@contextlib.contextmanager
def kept_in(folder: str) -> Iterator[None]:
    """Within this block the bytecode kept in a folder is used for sources that have none beside them."""
    if not folder or sys.flags.optimize:
        yield
        return
    entries, compiled = _entries(folder), SourceFileLoader.source_to_code
    own = vars(SourceFileLoader).get("source_to_code")

    def source_to_code(loader: SourceFileLoader, data: Any, path: Any, **options: Any) -> types.CodeType:
        payload = entries.read(_key(data)) if type(data) is bytes else None
        code = marshal.loads(payload) if payload is not None else None
        if isinstance(code, types.CodeType):
            return renamed(code, os.fspath(path))
        return compiled(loader, data, path, **options)

    SourceFileLoader.source_to_code = source_to_code  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        if own is None:
            del SourceFileLoader.source_to_code  # it is its base's
        else:
            SourceFileLoader.source_to_code = own  # type: ignore[method-assign]


def sources_without() -> list[str]:
    """Return the files of the imported modules for which the interpreter keeps no bytecode."""
    modules = (vars(one) for one in list(sys.modules.values()) if type(one) is types.ModuleType)
    origins = (getattr(one.get("__spec__"), "origin", None) for one in modules)
    return list(lacking(one for one in origins if type(one) is str))


def lacking(files: Iterable[str]) -> Iterator[str]:
    """Give the sources among files beside which the interpreter keeps no bytecode."""
    for file in files:
        if file.endswith(tuple(SOURCE_SUFFIXES)) and os.path.isabs(file):
            with contextlib.suppress(NotImplementedError):  # an interpreter that keeps none at all
                if not os.path.exists(importlib.util.cache_from_source(file)):
                    yield file


def keep(folder: str, files: object, seconds: float = KEEPING_SECONDS) -> None:
    """Compile sources, for processes to come; what can't be read or compiled is their own business.

    Args:
        folder: of the cache; "" for none.
        files: a list, as a process with a target in it told it; it may have told anything.
        seconds: after which no further one is begun.
    """
    entries, until = _entries(folder), time.monotonic() + seconds
    for file in files if folder and isinstance(files, list) else ():
        if time.monotonic() >= until:
            return
        with contextlib.suppress(OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            source = _read(file)
            key = _key(source)
            if entries.read(key) is None:
                entries.write(key, marshal.dumps(_compiled(source, str(file))))


def _read(file: object) -> bytes:
    path = Path(str(file))
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        raise OSError(f"{path} is no source to compile")
    return path.read_bytes()


def _compiled(source: bytes, file: str) -> types.CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are told where the module is imported
        return compile(source, file, "exec", dont_inherit=True, optimize=0)
