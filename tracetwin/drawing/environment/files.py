"""Files and console input: contents, and whether a file is there, are drawn when the program reads."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any, Final

from runtime.operations.membership import not_in
from runtime.operations.operators import add
from runtime.operations.subscripts import getitem
from runtime.values import plain, settle
from tracetwin.drawing.environment.clock import MOMENT
from tracetwin.drawing.environment.sources import EnvironmentRead, Given, NotDrawn, failure, reads
from tracetwin.model.patch import PatchedCall, Way
from tracetwin.model.recipe import tuple_of
from tracetwin.model.recipes import Recipe, call, lit
from tracetwin.support.stdlib_copies import os  # it is not the program that asks here

MOST_LINES: Final = 4
"""Lines of a file, one less than which are drawn at most."""

USUAL: Final = (FileNotFoundError, PermissionError, IsADirectoryError, OSError)
LARGEST: Final = 2**40
LATEST: Final = 2**33
_OF_KIND: Final = ("os.path.islink", "pathlib.Path.is_symlink", "os.access")
"""Questions to which a file that is there may answer no."""

_MODE: Final = 0o100644
_CHANGING: Final = frozenset("wax+")


class Content:
    """The content of one file: drawn as one text or as lines, by what the program asks for first."""

    def __init__(self, reading: EnvironmentRead, *, binary: bool) -> None:
        self._reading = reading
        self._lines: list[Any] | None = None
        self._whole: Any = None
        self.binary = binary

    @property
    def touched(self) -> bool:
        """True if anybody has looked."""
        return self._whole is not None or self._lines is not None

    def whole(self) -> Any:
        if self._whole is None:
            inputs, name = self._reading.inputs, f"{self._reading.name}.read()"
            if self._lines is None:
                self._whole = inputs.octets(name) if self.binary else inputs.text(name)
            else:
                self._whole = b"" if self.binary else ""
                for line in self._lines:
                    self._whole = add(self._whole, line)
        return self._whole

    def lines(self) -> list[Any]:
        """The same, line by line."""
        if self._lines is None:
            if self._whole is None:
                count = self._reading.inputs.choice(f"{self._reading.name}#", MOST_LINES, 1)
                self._lines = [self._line(number) for number in range(count)]
            else:
                self._lines = list(self._whole.splitlines(True))
        return self._lines

    def _line(self, number: int) -> Any:
        inputs, name = self._reading.inputs, f"{self._reading.name}[{number}]"
        value = inputs.octets(name) if self.binary else inputs.text(name)
        end: Any = b"\n" if self.binary else "\n"
        inputs.assume(not_in(end, value))
        return add(value, end)

    def recipe(self) -> Recipe:
        """The content that a test writes; nothing where the program never looked."""
        if not self.touched:
            return lit(b"" if self.binary else "")
        return lit(plain(self.whole()))


class FileHandle:
    """An open file, as far as `unittest.mock.mock_open` makes one."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._read = 0  # characters, or lines, of which some were read
        self._by_line = False

    def read(self, size: Any = -1, /) -> Any:
        """The next so many characters; all that are left for a negative number."""
        if self._by_line:
            left = self._rest()
            whole: Any = b"" if self._content.binary else ""
            for line in left:
                whole = add(whole, line)
            return whole
        whole, start = self._content.whole(), self._read
        number = -1 if size is None else settle(size)
        end = len(plain(whole)) if number < 0 else start + number
        self._read = end
        return whole if start == 0 and number < 0 else getitem(whole, slice(start, end))

    def readline(self, _size: int = -1, /) -> Any:
        """The next line, nothing at the end."""
        return next(self, b"" if self._content.binary else "")

    def readlines(self, _hint: int = -1, /) -> list[Any]:
        """All lines that are left."""
        return self._rest()

    def write(self, _data: Any, /) -> None:
        """Forgets it."""

    def writelines(self, _lines: Any, /) -> None:
        """Forgets them."""

    def isatty(self) -> bool:
        return False

    def flush(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def __enter__(self) -> FileHandle:  # noqa: PYI034 - `Self` came with Python 3.11
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing to close."""

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if not self._by_line and self._read:
            raise StopIteration  # all was read already
        lines = self._content.lines()
        self._by_line = True
        if self._read >= len(lines):
            raise StopIteration
        self._read += 1
        return lines[self._read - 1]

    def _rest(self) -> list[Any]:
        return list(self)


@reads("open", "builtins:open", "io:open", "codecs:open", "pathlib:Path.open")
def opened(reading: EnvironmentRead, file: Any, mode: Any = "r", *_positional: Any, **_others: Any) -> Given:
    """A file, with what it holds."""
    way = settle(mode)
    if not isinstance(way, str):
        raise NotDrawn
    path = path_of(reading, file, changes=not _CHANGING.isdisjoint(way))
    _be_there(reading, path, missing="r" in way)
    contents = reading.memory.setdefault("files", {})
    key = (path, "b" in way)
    if "r" not in way:
        return FileHandle(Content(reading, binary="b" in way)), PatchedCall(Way.SINK, lit(""))
    if key not in contents:
        contents[key] = Content(reading, binary="b" in way)
    content: Content = contents[key]
    return FileHandle(content), lambda: PatchedCall(Way.FILE, content.recipe())


@reads("open", "gzip:open", "bz2:open", "lzma:open")
def unpacked(
    reading: EnvironmentRead, file: Any, mode: Any = "rb", *_positional: Any, **_others: Any
) -> Given:
    """A compressed file, with what it holds when it is unpacked: bytes unless the mode speaks of text."""
    way = settle(mode)
    if not isinstance(way, str):
        raise NotDrawn
    return opened(reading, file, way if "t" in way or "b" in way else f"{way}b")


@reads("open", "pathlib:Path.read_text")
def text_of(reading: EnvironmentRead, file: Any, *_positional: Any, **_others: Any) -> tuple[Any, Recipe]:
    """The text of a file."""
    return _held(reading, file, binary=False)


@reads("open", "pathlib:Path.read_bytes")
def bytes_of(reading: EnvironmentRead, file: Any) -> tuple[Any, Recipe]:
    """The bytes of a file."""
    return _held(reading, file, binary=True)


@reads("open", "pathlib:Path.write_text", "pathlib:Path.write_bytes", tells=True)
def stored(
    reading: EnvironmentRead, file: Any, data: Any, *_positional: Any, **_others: Any
) -> tuple[Any, Recipe]:
    """Forgets it, and says how much it was."""
    _be_there(reading, path_of(reading, file, changes=True), missing=False)
    size = len(plain(data))
    return size, lit(size)


@reads(
    "open",
    *(f"pathlib:Path.{name}" for name in ("exists", "is_file", "is_dir")),
    *(f"os.path:{name}" for name in ("exists", "lexists", "isfile", "isdir", "islink")),
    "os:access",
    "pathlib:Path.is_symlink",
)
def is_there(reading: EnvironmentRead, file: Any, *_mode: Any, **_others: Any) -> tuple[Any, Recipe]:
    """True if there is something."""
    path = path_of(reading, file, descriptors=True)
    value = reading.inputs.flag(reading.name, True)
    if not plain(value) and reading.title not in _OF_KIND:
        reading.memory.setdefault("missing", set()).add(path)
    return value, lit(bool(plain(value)))


@reads("open", "os.path:getsize")
def size_of(reading: EnvironmentRead, file: Any) -> tuple[Any, Recipe]:
    """The size of a file in bytes."""
    _be_there(reading, path_of(reading, file, descriptors=True), missing=True)
    value = reading.inputs.integer(reading.name, 0, 0, LARGEST)
    return value, lit(plain(value))


@reads("open", *(f"os.path:{name}" for name in ("getmtime", "getatime", "getctime")))
def moment_of(reading: EnvironmentRead, file: Any) -> tuple[Any, Recipe]:
    """When a file was written, read or changed."""
    _be_there(reading, path_of(reading, file, descriptors=True), missing=True)
    value = reading.inputs.floating(reading.name, float(MOMENT), LATEST)
    return value, lit(plain(value))


@reads("open", "os:stat", "os:lstat", "pathlib:Path.stat", "pathlib:Path.lstat")
def facts_of(reading: EnvironmentRead, file: Any, **_others: Any) -> tuple[Any, Recipe]:
    """All that is known of a file: its mode, size and time are inputs, the owner is no one."""
    _be_there(reading, path_of(reading, file, descriptors=True), missing=True)
    inputs, name = reading.inputs, reading.name
    mode = inputs.integer(f"{name}.st_mode", _MODE, 0, 2**16 - 1)
    size = inputs.integer(f"{name}.st_size", 0, 0, LARGEST)
    moment = inputs.integer(f"{name}.st_mtime", MOMENT, 0, LATEST)
    fields = (mode, 1, 1, 1, 0, 0, size, MOMENT, moment, MOMENT)
    return os.stat_result(fields), call("os", "stat_result", tuple_of(*(lit(plain(one)) for one in fields)))


def _held(reading: EnvironmentRead, file: Any, *, binary: bool) -> tuple[Any, Recipe]:
    path = path_of(reading, file)
    _be_there(reading, path, missing=True)
    contents = reading.memory.setdefault("files", {})
    content = contents.setdefault((path, binary), Content(reading, binary=binary))
    value = content.whole()
    return value, lit(plain(value))


def _be_there(reading: EnvironmentRead, path: str, *, missing: bool) -> None:
    """Raise what a file that is not there, or not to be read, gives."""
    if missing and path in reading.memory.get("missing", ()):
        raise failure(FileNotFoundError)
    reading.may_raise(*(USUAL if missing else USUAL[1:]))


def path_of(
    reading: EnvironmentRead, file: Any, *, changes: bool = False, descriptors: bool = False
) -> str:
    """The path of a file, as it is: what is in the file does not depend on it.

    Raises:
        NotDrawn: it is none, or a descriptor where these don't count, or one of the files that come with the
            package, which is read, or in a temporary folder that the program has made.
    """
    known = plain(file) if descriptors else None
    try:
        path = f"/dev/fd/{known}" if type(known) is int else str(plain(os.fspath(file)))
    except TypeError:
        raise NotDrawn from None
    place = os.path.realpath(path)
    if _is_temporary(place) or any(f"{place}/".startswith(f"{one}/") for one in reading.writable):
        raise NotDrawn
    if reading.package and not changes and _comes_along(path, reading.package):
        raise NotDrawn
    return path


def _is_temporary(place: str) -> bool:
    """True if what is there of a path was made in the place for temporary files, and is not only that."""
    while not os.access(place, os.F_OK):
        place = os.path.dirname(place)
    inside = place.startswith(os.path.realpath(tempfile.gettempdir()) + os.sep)
    return inside and place != os.path.realpath(os.curdir)


def _comes_along(path: str, package: str) -> bool:
    """True if a path in a package's folder is there, or would be beside others of its kind."""
    place = os.path.realpath(path)
    if not os.path.join(place, "").startswith(os.path.join(os.path.realpath(package), "")):
        return False
    if os.access(place, os.F_OK):
        return True
    ending = os.path.splitext(place)[1]
    try:
        return bool(ending) and any(name.endswith(ending) for name in os.listdir(os.path.dirname(place)))
    except OSError:
        return False


@reads("input", "builtins:input", "getpass:getpass")
def typed(reading: EnvironmentRead, _prompt: Any = "", **_others: Any) -> tuple[Any, Recipe]:
    """A line of text."""
    reading.may_raise(EOFError, KeyboardInterrupt)
    value = reading.inputs.text(reading.name)
    return value, lit(plain(value))
