"""The journal of one module: the explorations that ended, how long it took, and its result."""

from __future__ import annotations

import io
import pickle
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.support.records import Journal

if TYPE_CHECKING:
    from tracetwin.emit.result import Suite
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.run.tasks import FunctionExplored

ELAPSED_SECONDS: Final = 1.0
"""How often the time is noted."""

_OURS: Final = ("tracetwin.", "runtime.", "instrumenter.")
_PLAIN: Final = {
    ("builtins", "set"), ("builtins", "frozenset"), ("builtins", "complex"), ("builtins", "bytearray"),
    ("collections", "Counter"), ("collections", "OrderedDict"), ("collections", "defaultdict"),
    ("collections", "deque"), ("pathlib", "Path"), ("pathlib", "PosixPath"), ("pathlib", "WindowsPath"),
    ("pathlib", "PurePosixPath"), ("pathlib._local", "PosixPath"), ("pathlib._local", "WindowsPath"),
}  # fmt: skip


NOT_OURS: Final = (
    pickle.UnpicklingError, AttributeError, ImportError, EOFError, LookupError, TypeError, ValueError
)  # fmt: skip


class ModuleJournal:
    """The journal of one module: read for what an earlier run did, and written for a later one.

    Attributes:
        rounds: how many rounds of explorations were begun.
        elapsed: seconds that were spent.
        parts: for functions whose shard is shared out among processes, which of its parts each is in.
        result: the result and the suite, where the module is finished.
    """

    def __init__(self, path: Path | None) -> None:
        """Open a journal, or do without one."""
        self.rounds = 0
        self.elapsed = 0.0
        self.parts: dict[str, int] = {}
        self.result: tuple[ModuleResult, Suite] | None = None
        self._explored: dict[str, list[FunctionExplored]] = defaultdict(list)
        self._journal = None if path is None else Journal(path)
        self._noted = time.monotonic()
        if self._journal is not None:
            self._read(self._journal)

    def _read(self, journal: Journal) -> None:
        try:
            for record in journal.records():
                self._take(*loads(record.payload))
        except NOT_OURS:
            journal.close()  # what stands there, and behind it, was not written by this very tool
            journal.failure = "it can't be understood"

    @property
    def failure(self) -> str:
        """Why nothing more is written down, "" where all is."""
        return "" if self._journal is None else self._journal.failure

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _take(self, kind: str, what: Any) -> None:
        match kind:
            case "round":
                self.rounds = what
            case "elapsed":
                self.elapsed = what
            case "part":
                self.parts.update([what])
            case "explored":
                self._explored[what.outcome.qualname].append(what)
            case _:
                self.result = what

    def explored(self, qualname: str, number: int) -> FunctionExplored | None:
        """Return the result of an exploration, None where it is not known."""
        known = self._explored.get(qualname, ())
        return known[number] if number < len(known) else None

    def note_explored(self, answer: FunctionExplored) -> None:
        self._add("explored", answer)

    def note_round(self, number: int) -> None:
        """A round of explorations begins."""
        if number > self.rounds:
            self._add("round", number)

    def note_part(self, qualname: str, part: int) -> None:
        """A function is explored apart from most of its shard."""
        self.parts[qualname] = part
        self._add("part", (qualname, part))

    def note_elapsed(self, seconds: float) -> None:
        now = time.monotonic()
        if now - self._noted >= ELAPSED_SECONDS:
            self._noted = now
            self._add("elapsed", seconds)

    def note_result(self, result: ModuleResult, suite: Suite) -> None:
        self._add("result", (result, suite))

    def _add(self, kind: str, what: object) -> None:
        if self._journal is not None:
            self._journal.add(pickle.dumps((kind, what)))


class _Unpickler(pickle.Unpickler):
    """Makes plain data and objects of our classes, and calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        found = super().find_class(module, name) if module.startswith(_OURS) else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} does not belong into a journal")
        return found


def loads(payload: bytes) -> tuple[str, Any]:
    """Return the kind and the content of a record; raises one of `NOT_OURS` for what is none."""
    kind, what = _Unpickler(io.BytesIO(payload)).load()
    return kind, what
