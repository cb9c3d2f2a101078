"""Results that were kept: a module of which nothing has changed is not explored again.

In the user's cache (or a folder of his choice), one file per module and output folder, written as a whole. It
holds the result, what decided it (`work_of`), and checksums of the tests and of the sources that the module
imports as twins. What is not what it was makes the file worthless, and the module is explored as ever.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.model.options import criteria_in
from tracetwin.run.journal.earlier import EarlierCases
from tracetwin.run.journal.module import NOT_OURS, loads
from tracetwin.run.journal.place import digest_of, folder_of
from tracetwin.run.journal.run import work_of
from tracetwin.run.module_facts import cache_folder
from tracetwin.support.atomic_files import write_bytes
from tracetwin.support.records import check_owner

if TYPE_CHECKING:
    from tracetwin.model.options import Options
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.target.selection import TargetModule

MOST_FILES: Final = 2_000
"""Results that are kept; the oldest go first."""

_KIND: Final = "kept"
_REFUSED: Final = "refused"


class ResultStore:
    """The kept results of modules."""

    def __init__(self, options: Options) -> None:
        folder = options.store or (Path(cache_folder()) / "results" if cache_folder() else None)
        learning = options.learn_from is not None  # what other tests do is not known before they run
        self._folder = None if learning or not options.journal else folder
        self._options = options
        self._digests: dict[str, str] = {}  # of files at the beginning of the run: modules import the same

    def known(self, module: TargetModule) -> ModuleResult | None:
        """Return the result of a module of which nothing has changed since; None where something has."""
        result: ModuleResult
        found = self._wanted(module)
        kept = None if self._options.accept else self._same_work(module, found, refused=True)
        if kept is not None and not _changed(kept["files"], self._digests):
            result = kept["result"]
            return result
        kept = self._same_work(module, found)
        if kept is None or _changed(kept["files"], self._digests):
            return None
        result = kept["result"]
        result.regressions = []  # they were accepted
        return result

    def earlier(self, module: TargetModule) -> EarlierCases:
        """Return the cases of the tests that an earlier run wrote, whatever has changed since."""
        kept = self._read(module)
        found = None if kept is None else kept.get("cases")
        return found if isinstance(found, EarlierCases) else EarlierCases()

    def were_finer(self, module: TargetModule) -> bool:
        """Return whether a criterion of those tests is not asked for any more."""
        kept = self._read(module)
        wanted = () if kept is None else criteria_in(kept["work"]["--criterion"])
        return not set(wanted) <= set(self._options.criteria)

    def unaffected(self, module: TargetModule) -> ModuleResult | None:
        """Return the result of an earlier run where nothing but sources in Python, and tests, have changed.

        What in it is of functions that the change can't affect holds still.
        """
        kept = self._same_work(module, self._wanted(module))
        if kept is None:
            return None
        result: ModuleResult = kept["result"]
        others = {file: was for file, was in kept["files"].items() if not file.endswith(".py")}
        return None if _changed(others, {}) else result

    def _wanted(self, module: TargetModule) -> dict[str, Any] | None:
        """Return what was kept of a module, where results are wanted."""
        theirs = self._options.complement  # what they meet is not known before they run
        return None if self._options.again or theirs else self._read(module)

    def _same_work(
        self, module: TargetModule, kept: dict[str, Any] | None, *, refused: bool = False
    ) -> dict[str, Any] | None:
        """Return what was kept of a module if it was made under the options of this run, and given the time.

        `refused`: of the run after that, whose regressions nobody has accepted yet.
        """
        kept = kept.get(_REFUSED) if kept is not None and refused else kept
        try:
            if kept is None or kept["work"] != work_of(module, self._options):
                return None
            budget = self._options.budget
            before = kept["seconds"] if budget is None else kept["budget"] or math.inf
            less = before < (budget or self._options.time_limit)
            return None if less or kept["trees"] < self._options.trees else kept  # more time may find more
        except NOT_OURS:
            return None

    def _read(self, module: TargetModule) -> dict[str, Any] | None:
        place = self._place(module)
        if place is None:
            return None
        try:
            check_owner(place.lstat())
            kind, kept = loads(place.read_bytes())
        except (OSError, *NOT_OURS):
            return None
        return kept if kind == _KIND and isinstance(kept, dict) else None

    def keep(
        self,
        module: TargetModule,
        files: Iterable[str],
        result: ModuleResult,
        seconds: float,
        cases: EarlierCases,
    ) -> None:
        """Remember a result; a place that can't be written costs the next run its time only."""
        place = self._place(module)
        wanted = result.test_file is not None and not result.failures and not result.error
        before = self._read(module) if result.regressions and not self._options.accept else {}
        if place is None or not wanted or before is None:
            return
        written = [str(file) for file in (result.test_file, result.suspicious_file) if file is not None]
        known = {file: digest_of(file) for file in {*files, module.file, *written}}
        kept: dict[str, Any] = {
            "work": work_of(module, self._options),
            "seconds": seconds,
            "budget": self._options.budget,
            "trees": self._options.trees,
            "files": known,
            "result": result,
            "cases": cases,
        }
        # The file of tests is that of the run before, and what it was made of is needed when it is renewed.
        kept = {**before, _REFUSED: kept} if before else kept
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_bytes(str(place), pickle.dumps((_KIND, kept)))
            _tidy(place.parent)

    def _place(self, module: TargetModule) -> Path | None:
        if self._folder is None:
            return None
        output = str(self._options.output.resolve())
        return folder_of(self._folder, output, module.name, os.path.abspath(module.file))  # noqa: PTH100


def _changed(files: Mapping[str, str], digests: dict[str, str]) -> bool:
    """Return whether some files are not what they were; `digests` holds those known, and takes others."""
    for file, was in files.items():
        if file not in digests:
            digests[file] = digest_of(file)
        if digests[file] != was:
            return True
    return False


def _tidy(folder: Path) -> None:
    """Remove the oldest files where there are too many; other runs may be doing the same."""
    files: list[tuple[float, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                if entry.is_file():
                    files.append((entry.stat().st_mtime, entry.path))
    for _, path in sorted(files)[: max(0, len(files) - MOST_FILES)]:
        Path(path).unlink(missing_ok=True)
