"""The result of instrumenting: the twin's text and its table of sites."""

from __future__ import annotations

import enum
import sys
import zlib
from dataclasses import dataclass
from typing import Final

SITES_PER_MODULE = 1 << 16

HERE: Final = (sys.version_info[0], sys.version_info[1])
"""The version of Python that runs this."""


class SiteKind(enum.Enum):
    """The constructs at which a program decides, or walks over something."""

    IF = "if"
    WHILE = "while"
    FOR = "for"
    ASSERT = "assert"
    TERNARY = "ternary"
    COMPREHENSION = "comprehension"  # the `if` of a comprehension
    COMPREHENSION_FOR = "comprehension for"
    GUARD = "guard"
    OPERAND = "operand"  # of and/or/not, or one link of a chained comparison, in a condition


@dataclass(frozen=True, slots=True)
class Site:
    """One place in the original where a decision is taken or an iterable is walked.

    Attributes:
        id: unique over modules, `site_base(module) | index`.
        kind: the construct the site belongs to.
        line: line in the original (and in the twin, as no line moves), from 1.
        column: column in the original in characters, from 0.
        scope: `__qualname__` of the innermost enclosing function or class, "" for the module.
    """

    id: int
    kind: SiteKind
    line: int
    column: int
    scope: str


@dataclass(frozen=True, slots=True)
class Twin:
    """A rewritten module.

    Attributes:
        source: the twin's text, with the original's line numbers.
        sites: its sites in order of index.
        prelude_name: the global name under which the twin looks for the interface.
        untouched: why the source was left as it is, or None when it was rewritten.
    """

    source: str
    sites: tuple[Site, ...]
    prelude_name: str
    untouched: str | None = None


def site_base(module: str) -> int:
    """Return the first site id of a module; the same in every process."""
    return zlib.crc32(module.encode()) << 16
