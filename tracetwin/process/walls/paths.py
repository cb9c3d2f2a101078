"""Resolves where a path really leads, by means that a target can't spoil.

`os.path.realpath` is Python: whoever replaces a function in `posixpath` decides what it answers. This one
calls only C functions that were taken before the target was there.
"""

from __future__ import annotations

import os
import sys
from typing import Final

MOST_LINKS: Final = 40

_readlink = os.readlink
_getcwd = os.getcwd
getpid = os.getpid
_ENCODING: Final = sys.getfilesystemencoding()
_ERRORS: Final = sys.getfilesystemencodeerrors()


def text_of(path: object) -> str | None:
    """A path as a plain text; None where it is none. Methods of subclasses are not called."""
    if isinstance(path, str):
        return str.__str__(path)
    if isinstance(path, bytes):
        return bytes.decode(path, _ENCODING, _ERRORS)
    return None


def real(path: str) -> str:
    """The path without links; what is not there counts as no link.

    Raises:
        OSError: there are too many links, or the current folder is gone.
    """
    rest = path.split("/")[::-1]
    done = "" if path.startswith("/") else _getcwd()
    done = "" if done == "/" else done
    links = 0
    while rest:
        name = rest.pop()
        if name in ("", "."):
            continue
        if name == "..":
            done = done[: done.rfind("/")] if done else ""
            continue
        step = f"{done}/{name}"
        try:
            link = _readlink(step)
        except (OSError, ValueError):
            done = step
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(f"too many links in {path}")
        if link.startswith("/"):
            done = ""
        rest.extend(link.split("/")[::-1])
    return done or "/"


def of_descriptor(fd: int) -> str | None:
    """The file behind a descriptor, where the system tells."""
    try:
        return _readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return None


def below(folder: object, path: object) -> str | None:
    """A path that may begin at an open folder; None where it is no text, or the folder is not known."""
    text = text_of(path)
    if text is None or text.startswith("/") or type(folder) is not int or folder < 0:
        return text
    start = of_descriptor(folder)
    return None if start is None else f"{start}/{text}"


def parent(path: str) -> str:
    """Its folder, as far as the text tells."""
    return path[: path.rfind("/") + 1] or "."


def path_of_address(address: str) -> str:
    """The path in ``file://machine/path?options``."""
    path = address.partition(":")[2].partition("?")[0].partition("#")[0]
    if path.startswith("//"):
        path = path[2:]
        path = path[path.find("/") :] if "/" in path else ""
    first, *rest = path.encode(_ENCODING, _ERRORS).split(b"%")
    decoded = first + b"".join(_unquoted(part) for part in rest)
    return decoded.decode(_ENCODING, _ERRORS)


def _unquoted(part: bytes) -> bytes:
    try:
        return bytes((int(part[:2], 16),)) + part[2:]
    except ValueError:
        return b"%" + part


def told(detail: object) -> object:
    """Never the repr of an object of the target: that would run its code."""
    if detail is None:
        return ""
    if type(detail) is int:
        return detail
    text = text_of(detail)
    return type(detail).__name__ if text is None else text
