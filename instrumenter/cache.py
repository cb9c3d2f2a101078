"""Keeps twins on disk, keyed by everything they depend on; a warm load does not import libcst."""

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
from typing import TYPE_CHECKING, Any, ClassVar, Final

from instrumenter.build import BuiltTwin, InstrumenterWarning, build, warn_if_untouched
from instrumenter.cache_folder import CacheFolder, digest_of, renamed
from instrumenter.twin import Site, SiteKind, Twin

if TYPE_CHECKING:
    from instrumenter.elsewhere import ForeignInterpreter, Interpreter

FOLDER: Final = "twins"
_MAGIC: Final = b"tracetwin-twin-3\n"
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
        self._entries = CacheFolder(self.directory, FOLDER, _MAGIC)
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
        return self._entries.place(self._key(source, name))

    def _key(self, source: str | bytes, name: str) -> bytes:
        there = None if self._elsewhere is None else self._elsewhere.interpreter
        return _key(source, name, self._written_by or instrumenter_version(), there)

    def _read(self, key: bytes) -> tuple[Twin, bytes] | None:
        payload = self._entries.read(key)
        if payload is None:
            return None
        try:
            plain, code = marshal.loads(payload)
            return (_from_plain(plain), code) if isinstance(code, bytes) else None
        except (ValueError, TypeError, EOFError):
            return None

    def _write(self, key: bytes, twin: Twin, code: bytes) -> None:
        payload = marshal.dumps((_to_plain(twin), code), MARSHAL_VERSION)
        self.failure = None
        if self.directory is None:
            self._fail(_HOMELESS)
            return
        try:
            self._entries.write(key, payload)
        except OSError as error:
            self._fail(f"{self.directory}: {error.strerror or error}")

    def _fail(self, reason: str) -> None:
        self.failure = f"twins are not cached: {reason}"
        if self.directory not in self._said:
            self._said.add(self.directory)
            warnings.warn(self.failure, InstrumenterWarning, stacklevel=4)


def _key(source: str | bytes, name: str, written_by: bytes, there: Interpreter | None) -> bytes:
    """Return a hash of everything that a module's twin depends on."""
    content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return digest_of(
        b"text" if isinstance(source, str) else b"bytes",
        content,
        written_by,
        importlib.util.MAGIC_NUMBER if there is None else there.magic,
        (sys.implementation.name if there is None else there.implementation).encode(),
        str(sys.flags.optimize if there is None else 0).encode(),
        name.encode(),
    )


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
    return BuiltTwin(entry[0], renamed(code, filename))


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
