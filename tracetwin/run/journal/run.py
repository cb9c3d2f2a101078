"""The journals of a run: one folder per module, opened for new work or for resuming."""

from __future__ import annotations

import enum
import hashlib
import json
import tempfile
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.run.journal import place
from tracetwin.run.journal.module import ModuleJournal
from tracetwin.run.journal.place import JournalFolder
from tracetwin.run.module_facts import cache_folder

if TYPE_CHECKING:
    from tracetwin.model.options import Options
    from tracetwin.run.listener import Listener
    from tracetwin.target.selection import TargetModule

_NO_MATTER: Final = frozenset(
    "output time_limit budget jobs learn_limit resume journal trees again store accept cluster".split()
)
"""Options that what was found does not depend on."""

_MODULE: Final = "module"


class RunJournal:
    """The journals of the modules of a run, each in a folder of its own.

    Attributes:
        modules: one journal for each, in their order.
        folders: for each, where what was learned and what explorers find is written.
        finished: whether the run has come to its end.
    """

    def __init__(
        self,
        modules: Sequence[TargetModule],
        options: Options,
        listener: Listener,
        left_out: Collection[int] = (),
    ) -> None:
        """Open the journals of modules, but for those, by position, for which nothing is to be done."""
        self._said: set[str] = set()
        self._listener = listener
        self._failure = ""
        self._places: list[JournalFolder | None] = []
        self.folders: list[Path] = []
        self.modules: list[ModuleJournal] = []
        self.finished = False
        root = Path(cache_folder() or tempfile.gettempdir()) / "journals"
        place.tidy(root)
        for position, module in enumerate(modules):
            if position in left_out:
                self._add(None, root)
            else:
                self._open(root, module, options)

    def _open(self, root: Path, module: TargetModule, options: Options) -> None:
        held = None
        try:
            if options.journal:
                output = str(options.output.resolve())
                held = JournalFolder(place.folder_of(root, output, module.name, module.file))
                self._say(module.name, held.begin(work_of(module, options), resume=options.resume))
        except OSError as error:
            self._warn(f"no journal is kept, so that --resume is not possible: {error.strerror or error}")
            if held is not None:
                held.release()
            held = None
        # Explorers that end of themselves are gone on with in any case.
        self._add(held, held.folder if held else Path(tempfile.mkdtemp(prefix="tracetwin-journal-")))

    def _add(self, held: JournalFolder | None, folder: Path) -> None:
        self.modules.append(ModuleJournal(held.folder / _MODULE if held else None))
        self._places.append(held)
        self.folders.append(folder)

    def _say(self, name: str, missing: str | None) -> None:
        if missing:
            self._listener.message(f"{name}: nothing to resume: {missing}; it is begun anew")
        elif missing == "":
            self._listener.message(f"{name}: going on with an interrupted run")

    def _warn(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._listener.message(f"warning: {sentence}")

    def note_sources(self, index: int, files: Iterable[str]) -> None:
        """Write down the files that the findings for a module depend on."""
        held = self._places[index]
        try:
            if held is not None:
                held.note_sources(files)
        except OSError as error:
            self._failure = error.strerror or str(error)

    @staticmethod
    def note_elapsed(explored: Iterable[tuple[ModuleJournal, float]]) -> None:
        """Write down how many seconds modules have been explored."""
        for journal, elapsed in explored:
            journal.note_elapsed(elapsed)

    def failure(self, elsewhere: str = "") -> str:
        """One sentence where something can't be written down any more, "" where all is."""
        failures = (elsewhere, self._failure, *(known.failure for known in self.modules))
        why = next(filter(None, failures), "")
        said = "the journal can't be written any more, and --resume will repeat what is found from now on"
        return why and f"{said}: {why}"

    def close(self) -> None:
        """The run ends: where it has finished, there is nothing to go on with."""
        for known, held in zip(self.modules, self._places, strict=True):
            known.close()
            if held is not None and self.finished:
                held.remove()
            elif held is not None:
                held.release()
        if not self.finished and any(self._places):
            self._listener.message("the same command with --resume goes on with this run")


def work_of(module: TargetModule, options: Options) -> dict[str, Any]:
    """Everything but sources that decides what is found, by the words that a message calls it."""
    chosen = {
        f"--{name.replace('_', '-')}": _plain(value)
        for name, value in sorted(vars(options).items())
        if name not in _NO_MATTER
    }
    told = [module.selection, module.search_path, dict(module.rules), module.python]
    configured = json.dumps(told, sort_keys=True, default=repr).encode(errors="replace")
    return {
        "version of tracetwin": place.tool_version(),
        "version of Python": place.python_version(),
        **chosen,
        "configuration": hashlib.sha256(configured).hexdigest(),
    }


def _plain(value: object) -> Any:
    """An option as it is written to a file."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return list(map(_plain, value))
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
