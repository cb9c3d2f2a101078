"""The modules of the standard library that are reasoned about: by twins of their pure-Python sources.

Only while exploring: in a worker these take the place of what is written in C. A test's expected values come
from the original, which runs on the library as it is. Both sides read this file: the driver to have the twins
built beforehand, the worker to load them; so it imports nothing but what every worker has.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple

from instrumenter.twin import site_base
from tracetwin.worker.library.corrections import fits

if TYPE_CHECKING:
    from runtime.trace import Trace


class LibraryPart(NamedTuple):
    """The way one module is loaded.

    Attributes:
        file: its source below the library's folder, where that is not by the module's name.
        hidden: accelerators written in C that it must not find, so that its own code is what runs.
        also: modules that it imports within functions, or by names that start with a dot.
        traced: whether it becomes a twin; else it only takes its own code instead of the accelerators.
    """

    file: str = ""
    hidden: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    traced: bool = True


_PURE: Final = LibraryPart()

PARTS: Final[dict[str, LibraryPart]] = {
    "datetime": LibraryPart("_pydatetime.py", ("_datetime",), ("_strptime", "zoneinfo")),
    "_strptime": _PURE,
    "calendar": _PURE,
    # Its class in C asks for dates written in C.
    "zoneinfo": LibraryPart(hidden=("_zoneinfo",), traced=False),
    "decimal": LibraryPart("_pydecimal.py", ("_decimal",)),
    "fractions": _PURE,
    "statistics": LibraryPart(hidden=("_statistics",)),
    "colorsys": _PURE,
    "json": LibraryPart(hidden=("_json",), also=("json.decoder", "json.encoder", "json.scanner")),
    "json.decoder": LibraryPart(hidden=("_json",)),
    "json.encoder": LibraryPart(hidden=("_json",)),
    "json.scanner": LibraryPart(hidden=("_json",)),
    "urllib.parse": _PURE,
    "ipaddress": _PURE,
    "uuid": _PURE,
    "shlex": _PURE,
    "textwrap": _PURE,
    "string": _PURE,
    "base64": _PURE,
    "html": _PURE,
    "fnmatch": _PURE,
    "graphlib": _PURE,
    "csv": _PURE,
    "argparse": _PURE,
    "optparse": _PURE,
    "getopt": _PURE,
}
"""Modules that can be loaded so.

Left out on purpose: what stands beneath the interpreter and our own side (`os.path`, `collections`, `enum`,
`functools`, `dataclasses`, `operator`, `copy`), and functions in C that have models (`heapq`, `bisect`): as
attributes of a class, Python functions would bind.
"""

BEYOND: Final = -(1 << 50)
"""Sites below this are decisions within the library: on the way, but nothing to reach or to show."""


class Numbering:
    """Numbers the sites of a path for the explorer, given which modules are twins of the library."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._bases = frozenset(map(site_base, self._names))

    def number(self, site: int, place: tuple[str, int] | None = None) -> int:
        """The number of a site."""
        if not self._names:
            return site
        if site > 0:
            return BEYOND - site if site >> 16 << 16 in self._bases else site
        return BEYOND + site if place is not None and place[0] in self._names else site

    def path(self, trace: Trace) -> list[tuple[int, int, int, int]]:
        """The conditions of a run by the numbers of their nodes and sites, with outcome and kind."""
        if not self._names:
            return [(node.ident, site, outcome, kind) for node, site, outcome, kind in trace.path]
        number, places = self.number, trace.places
        return [
            (node.ident, number(site, places.get(site)), outcome, kind)
            for node, site, outcome, kind in trace.path
        ]

    def own(self, sides: Iterable[int]) -> list[int]:
        """Those sides (``site * 2 + outcome``) that are not the library's."""
        return [side for side in sides if self.number(side >> 1) > 0] if self._names else list(sides)


FOLDER: Final = os.path.dirname(os.path.realpath(os.__file__))
"""The folder of the standard library's sources."""


class Library(NamedTuple):
    """A Python's standard library."""

    folder: str
    version: tuple[int, int]


HERE: Final = Library(FOLDER, (sys.version_info[0], sys.version_info[1]))


def source_of(name: str, library: Library = HERE) -> str:
    """The file that a module of the table is loaded from as a twin, "" where there is none.

    None is there, too, where a correction of it, or of what it imports, does not fit that Python's source.
    """
    file = python_source(name, library)
    parts = (name, *PARTS[name].also)
    fitting = file and all(fits(part, python_source(part, library), library.version) for part in parts)
    return file if fitting else ""


def python_source(name: str, library: Library = HERE) -> str:
    """The file that holds a module of the table written in Python, "" where there is none."""
    wanted = PARTS[name].file
    place = os.path.join(library.folder, wanted) if wanted else ""
    return place if place and os.path.isfile(place) else usual_source(name, library)


def notes_on(text: str) -> list[str]:
    """Sentences about modules that a program may import and whose source our corrections don't fit."""
    asked = _asked_for(text.encode(errors="replace"))
    left = [name for name in asked if python_source(name) and not source_of(name)]
    return [f"{name}: this Python has a source of it that is not known; it is left as it is" for name in left]


def usual_source(name: str, library: Library = HERE) -> str:
    """The file that a module is imported from as ever, "" where there is none."""
    stem = os.path.join(library.folder, *name.split("."))
    return next(filter(os.path.isfile, (f"{stem}.py", os.path.join(stem, "__init__.py"))), "")


def loaded(names: Iterable[str]) -> list[ModuleType]:
    """Those modules that are imported by now, with what they would else import in the middle of a run."""
    found = [name for name in names if isinstance(sys.modules.get(name), ModuleType)]
    for name in with_companions(found):
        if PARTS[name].traced:
            importlib.import_module(name)
    return [module for name in names if isinstance(module := sys.modules.get(name), ModuleType)]


_IMPORT: Final = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w. \t,]+))", re.MULTILINE
)


def asked_for(source: bytes, library: Library = HERE) -> list[str]:
    """The modules of the table that a source may import; what only looks like an import does no harm."""
    usable = [name for name in _asked_for(source) if source_of(name, library)]
    return [name for name in with_companions(usable) if PARTS[name].traced and source_of(name, library)]


def _asked_for(source: bytes) -> list[str]:
    found: dict[str, None] = {}
    for origin, names in _IMPORT.findall(source):
        if origin:
            base = origin.decode()
            found.update(dict.fromkeys(name for name in PARTS if f"{name}.".startswith(f"{base}.")))
        for name in names.split(b","):
            found.update(dict.fromkeys(_with_packages(name.split()[0].decode()) if name.split() else ()))
    return [name for name in found if name in PARTS]


def with_companions(names: Iterable[str]) -> Iterator[str]:
    """Modules, each followed by what it imports when it is used."""
    for name in names:
        yield name
        yield from PARTS[name].also


def _with_packages(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[: length + 1]) for length in range(len(parts)))


def tolerate_traced() -> None:
    """Have `sys.intern`, which `pathlib` calls for the parts of a path, leave traced texts as they are."""
    from runtime.values import SStr

    real: Callable[[str], str] = sys.intern

    def intern(string: str, /) -> str:
        return string if type(string) is SStr else real(string)

    sys.intern = intern
