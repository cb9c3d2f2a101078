"""Texts of a target as they can be shown: its names, messages and sources may hold anything."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tracetwin.report.result import Module
from tracetwin.support.text import without_addresses

LONGEST: Final = 2_000
"""Characters of one text that are shown."""

_PICTURES: Final = 0x2400
"""The first of the characters that stand for control characters."""

_DIRECTIONS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]")
"""Characters that turn the direction of what follows, or begin a line: a reader would see another text."""

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def visible(text: str, most: int = LONGEST) -> str:
    """Return `legible` words, without where objects lie in memory, which differs in each run."""
    return legible(without_addresses(text), most)


def legible(text: str, most: int = LONGEST) -> str:
    """Return a text without characters that hide or move others, and not longer than a reader bears."""
    shown = text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"
    return _DIRECTIONS.sub(_named, _CONTROL.sub(_pictured, shown))


def _pictured(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(_PICTURES + code) if code < 0x20 else "␡" if code == 0x7F else _named(found)


def _named(found: re.Match[str]) -> str:
    return f"⟨U+{ord(found[0]):04X}⟩"


class Hidden:
    """Takes the folders of a machine out of sentences.

    Args:
        folders: those that are not shown, such as the one that the user works in.
    """

    def __init__(self, folders: Iterable[str]) -> None:
        known = sorted({folder.rstrip("/\\") for folder in folders} - {""}, key=len, reverse=True)
        parts = "|".join(re.escape(folder) + r"(?:[/\\]|(?=\W|$))" for folder in known)
        self._pattern = re.compile(parts) if parts else None

    def __call__(self, text: str) -> str:
        """Return a text with names of files as they are below those folders."""
        return text if self._pattern is None else self._pattern.sub("", text)


def hidden_folders(modules: Iterable[Module]) -> list[str]:
    """Return the folders that a report does not show: those of modules, and those around folders of tests."""
    found = [str(Path.cwd()), str(Path.home())]
    for module in modules:
        found += [str(Path(module.file).parent)] if module.file else []
        found += [str(Path(module.test_file).absolute().parent.parent)] if module.test_file else []
    return found
