"""`--learn-from`: the command is run, and each module gets what was learned of it.

Sentences about a test run that something was to be learned from.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracetwin.run.learning import command, recording
from tracetwin.run.learning.command import Ended
from tracetwin.run.learning.recording import Recording
from tracetwin.support.atomic_files import write_text

if TYPE_CHECKING:
    from tracetwin.model.options import Options
    from tracetwin.run.listener import Listener
    from tracetwin.target.module import TargetModule

_KEPT: Final = "learned.json"
_MARKS: Final = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".git")
"""What stands in the root folder of a project."""


@contextmanager
def learned(
    modules: Sequence[TargetModule], options: Options, listener: Listener, folders: Sequence[Path] = ()
) -> Iterator[Sequence[TargetModule]]:
    """The modules with what the project's own tests tell of them, where the user wants that.

    Whatever comes of the command, generation goes on; what there is to say of it, the listener is told.

    Args:
        modules: the targets.
        options: those of the run.
        listener: see above.
        folders: of each module, where what was learned is kept for a run that goes on with this one: the
            command is not run again where it is there.
    """
    if not options.learn_from or not modules:
        yield modules
        return
    files = [folder / _KEPT for folder in folders]
    if files and all(file.exists() for file in files):
        yield [_knowing(module, file) for module, file in zip(modules, files, strict=True)]
        return
    with tempfile.TemporaryDirectory(prefix="tracetwin-learning-", ignore_cleanup_errors=True) as folder:
        private = Path(folder)
        found = _run(modules, options, listener, private)
        if found is None:
            yield modules
            return
        files = files or [private / f"{module.name}.json" for module in modules]
        yield [_with(module, found, file) for module, file in zip(modules, files, strict=True)]


def _run(
    modules: Sequence[TargetModule], options: Options, listener: Listener, private: Path
) -> Recording | None:
    """Run the command; None where it can't be."""
    text = options.learn_from or ""
    folder = project_folder(modules)
    _write_settings(modules, folder, private)
    progress = _Progress(text, listener, private)
    try:
        words = command.words_of(text, folder)
        listener.message(f"running {text} to learn what its tests pass")
        ended = command.run(words, folder, private, options.learn_limit, progress)
    except command.NoCommand as problem:
        listener.message(f"warning: --learn-from {text!r}: {problem}; nothing was learned")
        return None
    finally:
        progress.end()
    found = recording.read(private)
    for sentence in sentences(text, ended, found, [module.name for module in modules], options.learn_limit):
        listener.message(sentence)
    return found


def _with(module: TargetModule, found: Recording, file: Path) -> TargetModule:
    """The module with the file that holds its part of the recording."""
    write_text(file, json.dumps(found.plain(module.name)))
    return _knowing(module, file)


def _knowing(module: TargetModule, file: Path) -> TargetModule:
    """The module with such a file, if there is anything in it."""
    if not json.loads(file.read_bytes()):
        return module
    return replace(module, rules={**module.rules, recording.FILE: str(file)})


def project_folder(modules: Sequence[TargetModule], current: Path | None = None) -> Path:
    """Where the command is run: the current folder if it is part of the project, else the project's root."""
    here = (current or Path.cwd()).resolve()
    file = Path(modules[0].file).resolve()
    root = next((above for above in file.parents if any((above / mark).exists() for mark in _MARKS)), None)
    if root is None or here in file.parents or root == here or root in here.parents:
        return here
    return root


def _write_settings(modules: Sequence[TargetModule], folder: Path, private: Path) -> None:
    """Write the settings of the recorder."""
    places: list[str | Path] = [folder, *(module.root for module in modules)]
    roots = dict.fromkeys(map(_real, places))
    unwanted = dict.fromkeys(_real(place) for place in (tempfile.gettempdir(), Path.home(), folder))
    settings = {
        "targets": {_real(module.file): module.name for module in modules},
        "roots": [root + os.sep for root in roots],
        "unwanted": [place for place in unwanted if len(place) > 1],
    }
    (private / "settings.json").write_text(json.dumps(settings), encoding="utf-8")


def _real(place: str | Path) -> str:
    return str(Path(place).resolve())


class _Progress:
    """Tells how far the command is."""

    EACH_SECONDS = 1.0

    def __init__(self, text: str, listener: Listener, private: Path) -> None:
        self._text = text
        self._listener = listener
        self._private = private
        self._counted = 0.0
        self._notes = 0

    def __call__(self, seconds: float) -> None:
        """Show the seconds, and how much was noted."""
        if time.monotonic() - self._counted >= self.EACH_SECONDS:
            self._counted = time.monotonic()
            files = list(self._private.glob("*.jsonl"))
            self._notes = sum(file.read_bytes().count(b'"call"') for file in files)
        self._listener.learning(self._text, seconds, self._notes)

    def end(self) -> None:
        """Show nothing more of it."""
        self._listener.learning("", 0.0, 0)


_NO_TEST: Final = re.compile(r"\bno tests ran\b|\bRan 0 tests\b|\bcollected 0 items\b|\bNO TESTS RAN\b")
_OF_PYTEST: Final = 5
"""Exit status of pytest, and from 3.12 on of unittest, when there was no test."""


def sentences(
    text: str, ended: Ended, found: Recording, names: Sequence[str], limit: float
) -> Iterator[str]:
    """How the run ended, and what was learned."""
    learned = _learned(found)
    if found.calls or found.functions:
        yield f"learned from {text}: {learned}"
    if ended.status is None:
        rest = "what it had shown until then is used" if found.functions else "nothing was learned"
        yield f"warning: {text} was stopped after {limit:g} seconds; {rest}; --learn-limit gives it longer"
    elif _ran_no_test(ended):
        yield f"warning: {text} ran no test, so nothing was learned; name the tests as you run them yourself"
        return
    elif ended.status:
        rest = "what it has shown is used all the same" if found.functions else "nothing was learned"
        last = f" ({ended.output[-1]:.120})" if ended.output else ""
        yield f"warning: {text} ended with exit status {ended.status}{last}; {rest}"
    if not found.functions and not (ended.status or ended.status is None):
        yield f"warning: {text} {_why_nothing(found, names)}; nothing was learned"
    if found.troubles:
        yield f"warning: the recorder gave up in a process of {text}: {found.troubles[0]:.200}"


def _learned(found: Recording) -> str:
    calls = f"{found.calls} distinct call{'s' * (found.calls != 1)}"
    return f"{calls} of {found.functions} function{'s' * (found.functions != 1)}"


def _ran_no_test(ended: Ended) -> bool:
    """Return whether a run says of itself that it had nothing to run."""
    return ended.status == _OF_PYTEST or any(_NO_TEST.search(line) for line in ended.output)


def _why_nothing(found: Recording, names: Sequence[str]) -> str:
    if not found.processes:
        return (
            "started no Python in which calls could be recorded: one with -I, -E or -S, or one that gets an"
            " environment of its own, as tox makes it, is out of reach"
        )
    shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    return f"called nothing that {shown} define{'s' * (len(names) == 1)}"
