"""One hazard as a user meets it: the command is run on it, and everything around is looked at."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.hazards.hazard import Hazard
from tests.hazards.project import ROOT, Kept, Project, project

LIMITS: Final = ("-j", "1", "--time-limit", "8")
REALLY: Final = ("--no-patch", "net", "--no-patch", "subprocess", "--no-patch", "open")
"""What it takes that connections, programs and changes of files come to the walls at all."""

_RUNS_PER_ACT: Final = 3
_LEAST_RUNS: Final = 24
MOST_MEMORY_KIB: Final = 1 << 20
_RESULT: Final = "result.json"
_SUITE_SECONDS: Final = 60.0


@dataclass(frozen=True)
class Outcome:
    """How a hazard went.

    Attributes:
        hazard: which one.
        escapes: what it did to the world, or carried out.
        troubles: what else was not as promised.
        proofs: for each act tried without the tool, what was seen of it.
        seconds: the time of the command.
        peak: the most memory of a process of the command's session, which workers leave, in KiB.
        told: what the command said, and the tests that it wrote.
    """

    hazard: Hazard
    escapes: tuple[str, ...]
    troubles: tuple[str, ...]
    proofs: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    peak: int = 0
    told: str = ""

    @property
    def survived(self) -> bool:
        """Whether all was as promised."""
        return not self.escapes and not self.troubles


def attempt(hazard: Hazard, folder: Path, cache: Path) -> Outcome:
    """Run the command on a hazard, then its tests without the tool.

    Args:
        hazard: which one.
        folder: where it may be laid out.
        cache: where twins are kept.
    """
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        project(hazard, Path(place), cache) as beside,
    ):
        before = _project_files(beside)
        kept = _generate(hazard, beside)
        texts = _texts(beside, kept)
        escapes = [*beside.canary.damage(), *_carried_out(beside, texts)]
        troubles = [*_troubles(hazard, kept, texts), *_left(beside)]
        troubles += [f"{name} of the project changed" for name in _changed(before, _project_files(beside))]
        if not (escapes or hazard.importing or hazard.suite):
            escapes += _suite_harms(beside)
        told = "\n".join([kept.stdout, kept.stderr, *_written(texts)])
        return Outcome(hazard, tuple(escapes), tuple(troubles), {}, kept.seconds, kept.peak, told)


def _generate(hazard: Hazard, beside: Project) -> Kept:
    places = {name: str(value) for name, value in beside.canary.places().items()}
    argv = [sys.executable, *_words(hazard, beside), *(option.format(**places) for option in hazard.options)]
    return beside.run(argv, ROOT, seconds=hazard.within)


def _words(hazard: Hazard, beside: Project) -> list[str]:
    """The command and its arguments."""
    command, _, name = hazard.command.partition(" ")
    if name:
        return [str(beside.script), command, f"{hazard.file.name}:{name}", *LIMITS[2:]]
    runs = max(_LEAST_RUNS, _RUNS_PER_ACT * (len(hazard.acts) + 1))
    start = ["-m", "tracetwin"] if command == "module" else [str(beside.script)]
    return [
        *start, "generate", hazard.file.name, "-o", "out", *LIMITS, *REALLY, "--max-runs", str(runs), "-v",
        "--json", _RESULT,
    ]  # fmt: skip


def _texts(beside: Project, kept: Kept) -> dict[str, str]:
    """All that came out: what was printed, and every file of ours in the project."""
    texts = {"standard output": kept.stdout, "standard error": kept.stderr}
    for file in beside.folder.rglob("*"):
        if file.is_file() and file.name != "canary.py":
            texts[str(file.relative_to(beside.folder))] = file.read_text("utf-8", "backslashreplace")
    return texts


def _carried_out(beside: Project, texts: dict[str, str]) -> Iterator[str]:
    for name, text in texts.items():
        if beside.canary.secret in text:
            yield f"the secret stands in {name}"
        if beside.canary.escaped in text:
            start = text.index(beside.canary.escaped)
            yield f"in {name}: {text[start : start + 100]!r}"


def _troubles(hazard: Hazard, kept: Kept, texts: dict[str, str]) -> Iterator[str]:
    if kept.status is None:
        yield f"the command did not end within {hazard.within:g} s"
    elif kept.status not in ((0,) if hazard.tests else (0, 1)):
        yield f"the command ended with {kept.status}: {kept.stderr.strip()[-500:]}"
    if kept.status is not None and "Traceback (most recent call last)" in kept.stderr:
        yield f"the command shows a traceback: {kept.stderr.strip()[-500:]}"
    for line in kept.orphans:
        yield f"a process was left: {line}"
    if kept.peak > MOST_MEMORY_KIB:
        yield f"the command, or a process of its session, took {kept.peak >> 10} MiB"
    yield from _untold(hazard, texts)
    if hazard.importing == "fails" and kept.status is not None and not _reason(texts.get(_RESULT, "")):
        yield "there is neither a test nor a reason"


def _untold(hazard: Hazard, texts: dict[str, str]) -> Iterator[str]:
    told = "\n".join(text for name, text in texts.items() if name.startswith("standard") or name == _RESULT)
    written = "\n".join(_written(texts))
    for words in hazard.report:
        if words not in told:
            yield f"the report does not say {words!r}"
    for name in hazard.tests:
        if f"{name}(" not in written:
            yield f"there is no test of {name}"


def _written(texts: dict[str, str]) -> list[str]:
    return [text for name, text in texts.items() if name.startswith("out/")]


def _reason(result: str) -> bool:
    """Whether the result says why there are no tests, or has some."""
    modules = json.loads(result or "{}").get("modules", [])
    return bool(modules) and all(module["error"] or module["notes"] or module["tests"] for module in modules)


def _left(beside: Project) -> Iterator[str]:
    for file in sorted(beside.temporary.rglob("*"))[:5]:
        yield f"left behind among temporary files: {file.relative_to(beside.temporary)}"


def _project_files(beside: Project) -> dict[str, bytes]:
    """The files of the project but those that the command is asked to write."""
    ours = {beside.folder / _RESULT, *beside.out.rglob("*"), *beside.folder.glob(".tracetwin*")}
    ours |= set(beside.folder.glob(".tracetwin*/**/*"))
    return {
        str(file.relative_to(beside.folder)): file.read_bytes() if file.is_file() else b""
        for file in beside.folder.rglob("*")
        if file not in ours and file != beside.out
    }


def _changed(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def _suite_harms(beside: Project) -> Iterator[str]:
    """What the written tests do to the world when a user runs them: nothing may be left to them."""
    if not list(beside.out.glob("*.py")):
        return
    argv = [sys.executable, "-m", "unittest", "discover", "-s", "out"]
    kept = beside.run(argv, beside.folder, seconds=_SUITE_SECONDS)
    for words in beside.canary.damage():
        yield f"the written tests do harm: {words}"
    for line in kept.orphans:
        yield f"the written tests leave a process: {line}"


