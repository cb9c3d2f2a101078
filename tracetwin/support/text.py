"""Words on a terminal: foreign text made harmless, counts, durations, columns."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

# Terminal sequences (CSI, OSC and other strings, single ones); then whatever controls a terminal by itself,
# and the marks that turn the direction of text. Names and messages of a target may hold any of them. A string
# without an end only loses its beginning, or it would take the rest of our own sentence with it.
_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,1000}(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]?"
)
_CONTROL: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


_EXCESS: Final = 20
"""How many times longer than what is shown a text is looked at, for what must go."""


def clean(text: object, limit: int = 500) -> str:
    """Foreign text as one line without anything that could steer a terminal."""
    spaced = re.sub(r"\s+", " ", _SEQUENCE.sub("", str(text)[: limit * _EXCESS]))
    line = _CONTROL.sub("", spaced).strip()
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]{5,}")


def without_addresses(text: str) -> str:
    """Return a text without where objects lie in memory, which differs in each run."""
    return _ADDRESS.sub("", text) if "0x" in text else text


def clean_excerpt(line: str) -> str:
    """A line of foreign text whose spaces have a meaning, such as one with a caret beneath another."""
    return _CONTROL.sub("", _SEQUENCE.sub("", line[: 500 * _EXCESS]))[:500]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that something has no such name: the most similar one, or ""."""
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"; did you mean '{clean(close[0], 80)}'?" if close else ""


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def call_at(name: str, line: int, module: str, here: str) -> str:
    """Return a call, with its place for a reader of the module `here`; line 0 makes an argument."""
    if not line:
        return f"{clean(name)} of an argument"
    return f"{clean(name)} (line {line}{'' if module in ('', here) else f' of {clean(module)}'})"


def is_a(name: str) -> str:
    """Return a sentence's end on something of that class: `is a str`, `is an int`."""
    return f"is {'an' if name[:1] in tuple('aeiouAEIOU') else 'a'} {name}"


def shown(path: str) -> str:
    """A path as a person would write it: relative where it lies beneath the current folder."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return path


def width(text: str) -> int:
    """Return the number of terminal columns that a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in ("W", "F") for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) != 0 for char in text)


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 test`, `1,204 runs`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def duration(seconds: float) -> str:
    """A time as people read it: `0.04 s`, `12.3 s`, `2:05`, `1:02:03`."""
    seconds = max(0.0, seconds)
    if seconds < 59.95:
        return f"{seconds:.2f} s" if seconds < 0.995 else f"{seconds:.1f} s"
    hours, rest = divmod(round(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def clock(seconds: float) -> str:
    """A time that runs down: `0:51`."""
    whole = max(0, round(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def columns(rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    """Rows as aligned lines: the first column to the left, the others to the right."""
    if not rows:
        return []
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [" " * (size - width(cell)) + cell for cell, size in zip(row[1:], widths[1:], strict=True)]
        lines.append(indent + "   ".join([row[0] + " " * (widths[0] - width(row[0])), *cells]))
    return lines
