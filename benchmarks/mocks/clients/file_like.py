"""Reads a small container format from anything that reads like a file."""

from __future__ import annotations

from typing import BinaryIO, Protocol, TextIO

MAGIC = b"TT"


class FormatError(ValueError):
    pass


class Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


def read_exactly(stream: Readable, size: int) -> bytes:
    """Read `size` bytes, in as many pieces as the stream gives."""
    parts = b""
    while len(parts) < size:
        part = stream.read(size - len(parts))
        if not part:
            raise FormatError("ended early")
        parts += part
    return parts


def read_header(stream: BinaryIO) -> tuple[int, bool]:
    """Return version and whether the body is compressed."""
    if stream.read(2) != MAGIC:
        raise FormatError("no container")
    rest = stream.read(2)
    if len(rest) != 2:
        raise FormatError("ended early")
    version, flags = rest[0], rest[1]
    if version == 0 or version > 3:
        raise FormatError("version")
    if flags & 0x80 and version < 2:
        raise FormatError("not compressed before version 2")
    return version, bool(flags & 0x80)


def settings(source: TextIO) -> dict[str, str]:
    """Read lines like `name = value`; a backslash at the end continues a line."""
    result: dict[str, str] = {}
    pending = ""
    for line in source:
        text = pending + line.strip()
        if text.endswith("\\"):
            pending = text[:-1]
            continue
        pending = ""
        if not text or text.startswith("#"):
            continue
        name, found, value = text.partition("=")
        if not found:
            raise FormatError(text)
        result[name.strip()] = value.strip()
    if pending:
        raise FormatError("continued, but ended")
    return result


def copy(source, target, chunk=2):
    """Copy between two files, and say how the target is called."""
    copied = 0
    while True:
        data = source.read(chunk)
        if not data:
            break
        target.write(data)
        copied += len(data)
    if hasattr(target, "flush"):
        target.flush()
    return getattr(target, "name", "?"), copied
