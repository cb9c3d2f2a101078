"""Keeps twins on disk, keyed by everything they depend on; a warm load does not import libcst.

An entry is code that will run, so it is believed only when it was written by this user (or root), when
nobody else can write to it, and when its checksum holds for the key under which it was found.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import marshal
import os
import stat
import sys
import warnings
from pathlib import Path
from types import CodeType
from typing import Any, ClassVar, Final

from instrumenter.build import Built, InstrumenterWarning, build, warn_if_untouched
from instrumenter.cache_cleanup import tidy
from instrumenter.files import write_atomically
from instrumenter.twin import Site, SiteKind, Twin

_MAGIC: Final = b"tracetwin-twin-2\n"
_CHECKSUM: Final = hashlib.sha256().digest_size
# Neither follow a link that somebody laid there, nor wait for the other end of a pipe.
_OPEN: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_PRIVATE: Final = 0o600
_HOMELESS: Final = "there is no home folder; name a folder in TRACETWIN_CACHE"


def default_directory() -> Path | None:
    """Return `$TRACETWIN_CACHE`, else `tracetwin` in the user's cache folder; None where there is no home."""
    override = os.environ.get("TRACETWIN_CACHE")
    if override:
        return Path(override).absolute()  # our processes have other current folders
    base = os.environ.get("XDG_CACHE_HOME")
    if base and Path(base).is_absolute():
        return Path(base) / "tracetwin"
    try:
        return Path.home() / ".cache" / "tracetwin"
    except RuntimeError:
        return None


@functools.cache
def instrumenter_version() -> bytes:
    """Return a hash of the instrumenter's own sources and libcst's version: with others come other twins."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    libcst = importlib.util.find_spec("libcst")
    if libcst is not None and libcst.origin is not None:
        version = Path(libcst.origin).with_name("_version.py")
        digest.update(version.read_bytes() if version.is_file() else b"")
    return digest.digest()


class Cache:
    """A directory of twins.

    Entries that are broken, foreign or cut short are ignored and rewritten; a disk that can't be
    written costs one warning per process, not the run.

    Attributes:
        directory: where the twins are; None where there is no place for them.
        failure: why the last twin that was built could not be kept, or None.
    """

    _said: ClassVar[set[Path | None]] = set()

    def __init__(self, directory: str | os.PathLike[str] | None = None) -> None:
        place = default_directory() if directory is None else Path(directory)
        self.directory = None if place is None else place.absolute()
        self.failure: str | None = None

    def load(self, source: str | bytes, *, name: str, filename: str) -> Built:
        """Return the module's twin, from disk or newly built.

        Raises:
            SyntaxError: as CPython reports it for the original.
        """
        key = _key(source, name)
        built = None if self.directory is None else _read(_place(self.directory, key), key, filename)
        if built is not None:
            warn_if_untouched(built.twin, name, filename)
        else:
            built = build(source, name=name, filename=filename)
            self._write(key, built)
        return built

    def holds(self, source: str | bytes, *, name: str) -> bool:
        """Return whether a module's twin was built before."""
        return self.directory is not None and self.path(source, name).exists()

    def path(self, source: str | bytes, name: str) -> Path:
        """Return where a module's entry is kept, whether it exists or not.

        Raises:
            FileNotFoundError: there is no place for twins.
        """
        if self.directory is None:
            raise FileNotFoundError(_HOMELESS)
        return _place(self.directory, _key(source, name))

    def _write(self, key: bytes, built: Built) -> None:
        payload = marshal.dumps((_to_plain(built.twin), built.code))
        self.failure = None
        if self.directory is None:
            self._fail(_HOMELESS)
            return
        path = _place(self.directory, key)
        content = _MAGIC + _checksum(key, payload) + payload
        try:
            try:
                write_atomically(path, content, _PRIVATE)
            except IsADirectoryError:
                import shutil

                shutil.rmtree(path)
                write_atomically(path, content, _PRIVATE)
        except OSError as error:
            self._fail(f"{self.directory}: {error.strerror or error}")
        else:
            tidy(self.directory)

    def _fail(self, reason: str) -> None:
        self.failure = f"twins are not cached: {reason}"
        if self.directory not in self._said:
            self._said.add(self.directory)
            warnings.warn(self.failure, InstrumenterWarning, stacklevel=4)


def _key(source: str | bytes, name: str) -> bytes:
    """Return a hash of everything that a module's twin depends on."""
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
    return digest.digest()


def _place(directory: Path, key: bytes) -> Path:
    name = key.hex()
    return directory / "twins" / name[:2] / name[2:]


def _checksum(key: bytes, payload: bytes) -> bytes:
    """Return the checksum of an entry under its key: no other module's entry is taken for this one."""
    return hashlib.sha256(key + payload).digest()


def _read(path: Path, key: bytes, filename: str) -> Built | None:
    """Return the entry, None unless it is sound."""
    try:
        content = _trusted_content(path)
    except OSError:
        return None
    head, checksum, payload = _split(content)
    # marshal may crash on damaged data, so it only sees what the checksum vouches for.
    if head != _MAGIC or _checksum(key, payload) != checksum:
        return None
    try:
        plain, code = marshal.loads(payload)
        twin = _from_plain(plain)
    except (ValueError, TypeError, EOFError):
        return None
    if not isinstance(code, CodeType):
        return None
    return Built(twin, code if code.co_filename == filename else _renamed(code, filename))


def _split(content: bytes) -> tuple[bytes, bytes, bytes]:
    start = len(_MAGIC)
    return content[:start], content[start : start + _CHECKSUM], content[start + _CHECKSUM :]


def _trusted_content(path: Path) -> bytes:
    handle = os.open(path, _OPEN)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or _is_others(status):
            raise PermissionError(path)
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def _is_others(status: os.stat_result) -> bool:
    """Return whether another user wrote a file or could."""
    if not hasattr(os, "geteuid"):
        return False  # Windows: the folder's access list protects what is in it
    return status.st_uid not in (0, os.geteuid()) or bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _renamed(code: CodeType, filename: str) -> CodeType:
    """Return the code with another file name."""
    constants = tuple(
        _renamed(constant, filename) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_filename=filename, co_consts=constants)


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
