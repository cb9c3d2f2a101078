"""Keeps twins on disk, keyed by everything they depend on; a warm load does not import libcst.

An entry is code that will run, so it is believed only when it was written by this user (or root), when
nobody else can write to it, and when its checksum holds for the key under which it was found.

Keeps the folder of the cache small: rarely, after a write, and without a lock.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import marshal
import os
import stat
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from instrumenter.build import BuiltTwin, InstrumenterWarning, build, warn_if_untouched
from instrumenter.files import UNFINISHED, write_atomically
from instrumenter.twin import Site, SiteKind, Twin

if TYPE_CHECKING:
    from instrumenter.elsewhere import ForeignInterpreter, Interpreter

_MAGIC: Final = b"tracetwin-twin-3\n"
_CHECKSUM: Final = hashlib.sha256().digest_size
# Neither follow a link that somebody laid there, nor wait for the other end of a pipe.
_OPEN: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_PRIVATE: Final = 0o600
NOT_BUILT: Final = "it was not rewritten beforehand, which this interpreter can't do itself"
MARSHAL_VERSION: Final = 4
"""Of what goes between interpreters: all of Python 3 since 3.4 knows it."""
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


class TwinCache:
    """A directory of twins.

    Entries that are broken, foreign or cut short are ignored and rewritten; a disk that can't be
    written costs one warning per process, not the run.

    Attributes:
        directory: where the twins are; None where there is no place for them.
        failure: why the last twin that was built could not be kept, or None.
        builds: whether a twin that is not there can be built here.
    """

    _said: ClassVar[set[Path | None]] = set()

    def __init__(
        self,
        directory: str | os.PathLike[str] | None = None,
        *,
        elsewhere: ForeignInterpreter | None = None,
        written_by: bytes = b"",
    ) -> None:
        """Nothing is read or written yet.

        `elsewhere` is the interpreter that will run the twins, `written_by` the version of the instrumenter
        that wrote them.
        """
        place = default_directory() if directory is None else Path(directory)
        self.directory = None if place is None else place.absolute()
        self.failure: str | None = None
        self.builds = not written_by
        self._elsewhere = elsewhere
        self._written_by = written_by

    def load(self, source: str | bytes, *, name: str, filename: str) -> BuiltTwin:
        """Return the module's twin, from disk or newly built.

        Raises:
            SyntaxError: as CPython reports it for the original.
        """
        key = self._key(source, name)
        built = _loaded(self._read(key), filename)
        if built is not None:
            warn_if_untouched(built.twin, name, filename)
        elif self.builds:
            built = build(source, name=name, filename=filename)
            self._write(key, built.twin, marshal.dumps(built.code))
        else:
            raise LookupError(NOT_BUILT)
        return built

    def twin(self, source: bytes, *, name: str, filename: str) -> Twin:
        """Return the module's twin without its code, which may be another interpreter's.

        Raises:
            SyntaxError: as that interpreter reports it for the original.
        """
        if self._elsewhere is None:
            return self.load(source, name=name, filename=filename).twin
        key = self._key(source, name)
        found = self._read(key)
        if found is not None:
            self.failure = None
            return found[0]
        from instrumenter.elsewhere import build_for

        twin, code = build_for(self._elsewhere, source, name=name, filename=filename)
        self._write(key, twin, code)
        return twin

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
        return _place(self.directory, self._key(source, name))

    def _key(self, source: str | bytes, name: str) -> bytes:
        there = None if self._elsewhere is None else self._elsewhere.interpreter
        return _key(source, name, self._written_by or instrumenter_version(), there)

    def _read(self, key: bytes) -> tuple[Twin, bytes] | None:
        return None if self.directory is None else _read(_place(self.directory, key), key)

    def _write(self, key: bytes, twin: Twin, code: bytes) -> None:
        payload = marshal.dumps((_to_plain(twin), code), MARSHAL_VERSION)
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


def _key(source: str | bytes, name: str, written_by: bytes, there: Interpreter | None) -> bytes:
    """Return a hash of everything that a module's twin depends on."""
    content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    digest = hashlib.sha256()
    for part in (
        b"text" if isinstance(source, str) else b"bytes",
        content,
        written_by,
        importlib.util.MAGIC_NUMBER if there is None else there.magic,
        (sys.implementation.name if there is None else there.implementation).encode(),
        str(sys.flags.optimize if there is None else 0).encode(),
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


def _read(path: Path, key: bytes) -> tuple[Twin, bytes] | None:
    """Return the entry, None unless it is sound; its code is marshalled."""
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
        return (_from_plain(plain), code) if isinstance(code, bytes) else None
    except (ValueError, TypeError, EOFError):
        return None


def _loaded(entry: tuple[Twin, bytes] | None, filename: str) -> BuiltTwin | None:
    """Return an entry of this interpreter's, None unless it is sound."""
    if entry is None:
        return None
    try:
        code = marshal.loads(entry[1])
    except (ValueError, TypeError, EOFError):
        return None
    if not isinstance(code, CodeType):
        return None
    return BuiltTwin(entry[0], code if code.co_filename == filename else _renamed(code, filename))


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


MOST_BYTES: Final = 512 << 20
"""Size that all entries may have together; those not read for longest go first."""

_PAUSE: Final = 24 * 3600.0
_ABANDONED: Final = 3600.0  # no writer takes an hour: this one was killed


class _File(NamedTuple):
    used: float  # most systems note at least the day of the last reading
    size: int
    path: str


def tidy(directory: Path, most_bytes: int = MOST_BYTES) -> None:
    """Remove what killed writers left, and the entries not used for longest when there are too many.

    At most once a day: the folder's own time of change says when it was done last. Whoever reads an
    entry that vanishes builds its twin anew.
    """
    now = time.time()
    try:
        if now - directory.stat().st_mtime < _PAUSE:
            return
        os.utime(directory)
    except OSError:
        return  # it is not ours to tidy
    kept = 0
    for file in sorted(_files(directory / "twins"), reverse=True):
        if file.path.endswith(UNFINISHED):
            superfluous = now - file.used > _ABANDONED
        else:
            kept += file.size
            superfluous = kept > most_bytes
        if superfluous:
            with contextlib.suppress(OSError):  # somebody else tidies as well
                os.unlink(file.path)  # noqa: PTH108 - there may be thousands


def _files(twins: Path) -> Iterator[_File]:
    """Yield the files in the folders of a folder."""
    for folder in _entries(twins):
        if folder.is_dir(follow_symlinks=False):
            for entry in _entries(folder):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    yield _File(max(status.st_atime, status.st_mtime), status.st_size, entry.path)


def _entries(folder: os.PathLike[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
