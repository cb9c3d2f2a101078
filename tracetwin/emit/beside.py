"""Puts a test file in its place, or beside it, where somebody else's work is in that place."""

from __future__ import annotations

import codecs
import stat
from itertools import count
from pathlib import Path

from tracetwin.emit.stamp import is_generated, is_untouched, stamped, subject, without_stamp
from tracetwin.support.atomic_files import write_text
from tracetwin.support.data import dataclass
from tracetwin.support.text import clean, shown


@dataclass(frozen=True)
class WriteResult:
    """Where a test file went.

    Attributes:
        message: why it is not the one that was asked for, as a sentence; "" where it is.
    """

    path: Path
    message: str = ""


def write_tests(place: Path, text: str, why: str = "", over: str = "") -> WriteResult:
    """Write a generated file where nothing but an older one is lost by it.

    Everything else that has its name is kept, and the new file goes beside it: `test_x.py.new`, or the first
    of `test_x.py.new2`, `test_x.py.new3`, ... that nobody edited.

    Args:
        place: the file; missing folders are made.
        text: its content; the line that says that it is generated is put in where it is missing.
        over: the content of the file that it takes in whatever somebody wrote there, "" for none.
        why: a reason to keep what is there, as the end of a sentence; "" where none is known.

    Raises:
        OSError: it can't be written.
    """
    new = text if is_generated(text) else stamped(text)
    names = (place.with_name(f"{place.name}.new{number if number > 1 else ''}") for number in count(1))
    why = why or _worth_keeping(place, new, over)
    if not why:
        if generated_tests(place) != new:
            write_text(place, _laid_out_as(place, new) if over else new)
        remove_tests(place.with_name(f"{place.name}.new"))  # what was beside it is in it now
        return WriteResult(place)
    new = stamped(without_stamp(text))  # whatever it has taken in: what it is a copy of is still there
    beside = next(name for name in names if not _worth_keeping(name, new))
    write_text(beside, new)
    kept, put = (clean(shown(str(path))) for path in (place, beside))
    return WriteResult(beside, f"{kept} {why}: it is kept, and the new tests are in {put}")


def _laid_out_as(place: Path, text: str) -> str:
    """Return a text with the line ends of a file, and the mark at its beginning."""
    old = place.read_bytes()
    mark = "\ufeff" if old.startswith(codecs.BOM_UTF8) else ""
    return mark + (text.replace("\n", "\r\n") if b"\r\n" in old else text)


def remove_tests(place: Path) -> None:
    """Remove a generated file that nobody has edited."""
    if earlier_tests(place):
        place.unlink(missing_ok=True)


def earlier_tests(place: Path) -> str:
    """Return the text of generated tests that nobody has edited, "" where there are none."""
    old = generated_tests(place)
    return old if is_untouched(old) else ""


def generated_tests(place: Path) -> str:
    """Return the text of generated tests, whatever was done to them afterwards; "" where there are none."""
    try:
        old = place.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""
    return old if is_generated(old) else ""


def _worth_keeping(place: Path, text: str, over: str = "") -> str:
    """Why a file is not to be replaced by that text, as the end of a sentence; "" where it may be."""
    try:
        place.lstat()
    except FileNotFoundError:
        return ""
    try:
        known = place.stat()
        if not stat.S_ISREG(known.st_mode):
            return "is no regular file"
        if not known.st_mode & 0o222:
            return "is read-only"
        old = place.read_text(encoding="utf-8-sig")
    except OSError as error:
        return f"can't be read ({error.strerror})"
    except UnicodeDecodeError:
        return "was not generated"
    return "" if over and old == over else _difference(old, text)


def _difference(old: str, new: str) -> str:
    if not old.strip():
        return ""
    if not is_untouched(old):
        return "was edited since it was generated" if is_generated(old) else "was not generated"
    return "" if subject(old) == subject(new) else "holds the tests of another module"
