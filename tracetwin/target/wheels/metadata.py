"""The metadata of a wheel: name, version, dependencies, interpreters."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable
from dataclasses import field
from email.parser import BytesParser
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError
from tracetwin.target.wheels.archive import content, opened

MOST_BYTES: Final = 4 << 20
"""Of a file that says something of the wheel."""


class MetadataError(ValueError):
    """The metadata of a wheel can't be used; the message is the rest of a sentence about the wheel."""


@dataclass(frozen=True)
class Metadata:
    """The parts of a wheel's METADATA that decide what is imported.

    Attributes:
        name: canonical name of the distribution.
        requires: its dependencies, whatever their markers say.
        python: the interpreters it is for.
    """

    name: str
    version: Version
    requires: tuple[Requirement, ...] = ()
    python: SpecifierSet = field(default_factory=SpecifierSet)


def read_metadata(wheel: Path) -> Metadata:
    """The metadata of a wheel.

    Raises:
        MetadataError: it is not there, or says something that can't be understood.
    """
    message = BytesParser().parsebytes(_member(wheel, "METADATA"), headersonly=True)
    name, version = message["Name"], message["Version"]
    if not name or not version:
        raise MetadataError(f"its METADATA has no {'Version' if name else 'Name'}")
    try:
        told = Metadata(
            canonicalize_name(str(name)),
            Version(str(version)),
            tuple(Requirement(str(line)) for line in message.get_all("Requires-Dist") or ()),
            SpecifierSet(str(message["Requires-Python"] or "")),
        )
        _check_limits([told.python, *(need.specifier for need in told.requires)])
    except (ValueError, RecursionError) as error:  # those of `packaging`, and of numbers too long to be read
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise MetadataError(f"its METADATA can't be understood: {first}") from error
    return told


def _check_limits(limits: Iterable[SpecifierSet]) -> None:
    """Ask for each limit once: what is wrong with some shows only then."""
    for one in itertools.chain.from_iterable(limits):
        one.contains("1", prereleases=True)


def check_record(wheel: Path) -> None:
    """Compare a wheel with its own list of files, as far as files are missing.

    Raises:
        MetadataError: the list can't be read, or names what is not there.
    """
    text = _member(wheel, "RECORD")
    try:
        rows = list(csv.reader(io.StringIO(text.decode("utf-8")), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise MetadataError(f"its RECORD can't be read: {error}") from error
    with opened(str(wheel), wheel) as archive:
        there = set(archive.namelist())
    lost = sorted(row[0] for row in rows if row and row[0] not in there)
    if lost:
        more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise MetadataError(f"its RECORD lists {lost[0]!r}{more}, which is not in it")


def _member(wheel: Path, name: str) -> bytes:
    """The content of a file in the `.dist-info` folder of a wheel."""
    try:
        with opened(str(wheel), wheel) as archive:
            ending = f".dist-info/{name}"
            found = [
                entry for entry in archive.namelist() if entry.endswith(ending) and entry.count("/") == 1
            ]
            if len(found) == 1:
                return content(str(wheel), archive, found[0], MOST_BYTES)
    except TargetError as error:
        raise MetadataError(f"its {name} can't be read: {error.reason}") from error
    how_many = "more than one" if found else "no"
    raise MetadataError(f"it has {how_many} {name} in a .dist-info folder")
