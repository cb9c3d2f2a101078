"""Coverage as a data file of coverage.py, in which each test is a context."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

from coverage import CoverageData
from coverage.exceptions import CoverageException

from tracetwin.report.result import Module, Result

IMPORTING: Final = "importing"
"""The context of what runs while a module is imported."""


def write_contexts(result: Result, place: Path) -> None:
    """Write a data file by which `coverage html --show-contexts` names the tests of each line.

    Raises:
        OSError: it can't be written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    data = CoverageData(basename=str(place))
    try:
        for module in result.modules:
            for context, lines in _contexts(module):
                data.set_context(context)
                data.add_lines({module.file: sorted(lines)})
    except CoverageException as error:
        raise OSError(errno.EIO, str(error), str(place)) from None
    finally:
        data.close()


def _contexts(module: Module) -> list[tuple[str, frozenset[int]]]:
    """The lines by their context; lines without code are among those of the import, and do not count."""
    tests = Path(module.test_file).stem
    found = [(f"{tests}.{case.title}", case.lines) for case in module.cases]
    missed = {miss.line for miss in module.misses}
    others = missed.union(*(case.lines for case in module.cases))
    lines = range(1, len(module.source.split("\n")) + 1)
    return [*found, (IMPORTING, frozenset(lines) - others)]
