"""Twins on disk, keyed by everything they depend on. A warm load does not import libcst."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import marshal
import os
import sys
import warnings
from pathlib import Path
from types import CodeType
from typing import Any

from instrumenter.build import Built, InstrumenterWarning, build, compile_twin
from instrumenter.files import write_atomically
from instrumenter.twin import Site, SiteKind, Twin

_MAGIC = b"tracetwin-twin-1\n"


def default_directory() -> Path:
    """`$TRACETWIN_CACHE`, else `tracetwin` in the user's cache directory."""
    override = os.environ.get("TRACETWIN_CACHE")
    if override:
        return Path(override)
    base = os.environ.get("XDG_CACHE_HOME")
    if base and Path(base).is_absolute():
        return Path(base) / "tracetwin"
    return Path.home() / ".cache" / "tracetwin"


@functools.cache
def instrumenter_version() -> bytes:
    """Hash of the instrumenter's own sources: another rewrite means other twins."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


class Cache:
    """A directory of twins.

    Entries that are broken, foreign or cut short are ignored and rewritten; a disk that can't be
    written costs one warning, not the run.
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None) -> None:
        self.directory = Path(directory) if directory is not None else default_directory()
        self._warned = False

    def load(self, source: str | bytes, *, name: str, filename: str) -> Built:
        """The module's twin, from disk or newly built.

        Raises:
            SyntaxError: as CPython reports it for the original.
        """
        path = self.path(source, name)
        built = _read(path, filename)
        if built is None:
            built = build(source, name=name, filename=filename)
            self._write(path, built, filename)
        return built

    def path(self, source: str | bytes, name: str) -> Path:
        """Where a module's entry is kept, whether it exists or not."""
        content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
        digest = hashlib.sha256()
        for part in (
            b"text" if isinstance(source, str) else b"bytes",
            content,
            instrumenter_version(),
            importlib.util.MAGIC_NUMBER,
            sys.implementation.name.encode(),
            str(sys.flags.optimize).encode(),
            name.encode(),
        ):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        key = digest.hexdigest()
        return self.directory / "twins" / key[:2] / key[2:]

    def _write(self, path: Path, built: Built, filename: str) -> None:
        payload = marshal.dumps((filename, _to_plain(built.twin), built.code))
        content = _MAGIC + hashlib.sha256(payload).digest() + payload
        try:
            write_atomically(path, content)
        except OSError as error:
            if not self._warned:
                self._warned = True
                warnings.warn(f"twins are not cached: {error}", InstrumenterWarning, stacklevel=3)


def _read(path: Path, filename: str) -> Built | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    head = len(_MAGIC)
    checksum, payload = content[head : head + 32], content[head + 32 :]
    # marshal may crash on damaged data, so it only sees what the checksum vouches for.
    if content[:head] != _MAGIC or hashlib.sha256(payload).digest() != checksum:
        return None
    try:
        compiled_as, plain, code = marshal.loads(payload)
        twin = _from_plain(plain)
    except (ValueError, TypeError, EOFError):
        return None
    if compiled_as != filename or not isinstance(code, CodeType):
        code = compile_twin(twin, filename)
    return Built(twin, code)


def _to_plain(twin: Twin) -> tuple[Any, ...]:
    sites = tuple((site.id, site.kind.value, site.line, site.column, site.scope) for site in twin.sites)
    return twin.source, sites, twin.prelude_name, twin.untouched


def _from_plain(plain: tuple[Any, ...]) -> Twin:
    source, sites, prelude, untouched = plain
    return Twin(
        source,
        tuple(
            Site(number, SiteKind(kind), line, column, scope) for number, kind, line, column, scope in sites
        ),
        prelude,
        untouched,
    )
