"""The released packages to be measured, pinned."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wheel:
    """A pinned release, and the modules of it to generate tests for."""

    project: str
    version: str
    modules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Releases:
    """Releases that are shown in one table.

    Attributes:
        section: the name of the table in docs/results.md.
        title: its heading.
        wheels: the releases.
        needs: what must be installed beside both tools for some of them to be imported.
    """

    section: str
    title: str
    wheels: tuple[Wheel, ...]
    needs: tuple[str, ...] = ()


CLASSES = Releases(
    "wheels",
    "Classes of released packages",
    (
        Wheel("sortedcontainers", "2.4.0", ("sortedcontainers.sortedlist", "sortedcontainers.sorteddict")),
        Wheel("toolz", "1.2.0", ("toolz.itertoolz", "toolz.dicttoolz")),
        Wheel("cachetools", "8.0.1", ("cachetools",)),
        Wheel("toposort", "1.10", ("toposort",)),
        Wheel("tomli", "2.5.0", ("tomli._parser",)),
        Wheel("jmespath", "1.1.0", ("jmespath.lexer",)),
        Wheel("intervaltree", "3.2.1", ("intervaltree.intervaltree",)),
        Wheel("heapdict", "1.0.1", ("heapdict",)),
        Wheel("boltons", "26.2.0", ("boltons.queueutils", "boltons.cacheutils")),
    ),
)

INTERFACES = Releases(
    "interface-wheels",
    "Released packages of code against interfaces",
    (
        Wheel("cachecontrol", "0.14.4", ("cachecontrol.controller", "cachecontrol.heuristics")),
        Wheel("tenacity", "9.2.1", ("tenacity.retry", "tenacity.wait")),
        Wheel("pluggy", "1.7.0", ("pluggy._manager", "pluggy._execution")),
        Wheel("blinker", "1.9.0", ("blinker.base", "blinker._utilities")),
    ),
    needs=("requests", "msgpack"),
)

SETS = {"classes": CLASSES, "interfaces": INTERFACES}
