"""The modules whose mutants are to be killed: those of our own, and some of released wheels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import REPOSITORY
from modules import Release

BENCHMARKS = REPOSITORY / "benchmarks"

OURS = {
    "examples": (REPOSITORY / "examples",),
    "depth": (BENCHMARKS / "depth" / "functions",),
    "classes": (BENCHMARKS / "classes" / "ports", BENCHMARKS / "classes" / "deep"),
    "mocks": (BENCHMARKS / "mocks" / "clients",),
}
"""The folders of each group; every module is imported from the folder that it lies in."""

SITE = REPOSITORY / "build" / "mutation"

RELEASES = (
    Release("aniso8601", "10.0.1", ("aniso8601/date.py",)),
    Release("boltons", "26.2.0", ("boltons/mathutils.py",)),
    Release("isodate", "0.7.2", ("isodate/isoduration.py",)),
    Release("mistune", "3.4.0", ("mistune/helpers.py",)),
    Release("python-dotenv", "1.2.4", ("dotenv/parser.py",)),
    Release("python-slugify", "9.2.0", ("slugify/slugify.py",)),
    Release("pytimeparse", "1.1.10", ("pytimeparse/timeparse.py",)),
    Release("rsa", "4.9.1", ("rsa/common.py",)),
    Release("schedule", "1.2.2", ("schedule/__init__.py",)),
    Release("textdistance", "4.6.3", ("textdistance/algorithms/phonetic.py",)),
    Release("treelib", "1.8.0", ("treelib/node.py",)),
    Release("urllib3", "2.8.0", ("urllib3/util/timeout.py", "urllib3/util/retry.py")),
    Release("validators", "0.36.0", ("validators/card.py",)),
    Release("Werkzeug", "3.1.9", ("werkzeug/datastructures/range.py",)),
)
"""None of them is in `released/modules.py` with the same file."""


@dataclass(frozen=True)
class Subject:
    """A module.

    Attributes:
        group: `examples`, `depth`, `classes`, `mocks` or `released`.
        site: the folder that it is imported from.
        file: its source, relative to that.
    """

    group: str
    site: Path
    file: str

    @property
    def name(self) -> str:
        """Its name in the table."""
        return f"{self.group}/{self.file}"


def subjects() -> Iterator[Subject]:
    """Yield all modules, those of our own first."""
    for group, folders in OURS.items():
        for folder in folders:
            for file in sorted(folder.glob("*.py")):
                if file.name != "__init__.py":
                    yield Subject(group, folder, file.name)
    for release in RELEASES:
        yield from (Subject("released", SITE, file) for file in release.files)
