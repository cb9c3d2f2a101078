"""Explorer processes on a dask worker: it starts them, hands tasks to them and their answers back.

The functions here are called there, by name. An explorer is a process of its own, started as on the user's
machine; a call hands a task to it or waits for what it says, and never holds a thread for long.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import field
from importlib import metadata
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from tracetwin.process.launch import exit_words
from tracetwin.run.cluster import sources
from tracetwin.run.cluster.places import dumped, loaded
from tracetwin.run.tasks import ExploreTask, Found, Progress, Regained, Starting
from tracetwin.support.data import dataclass
from tracetwin.support.failures import failure_of
from tracetwin.support.version import __version__

STEP_SECONDS: Final = 0.5
"""How long a call waits for an explorer: so often news of it come."""

Unfinished = (Progress, Found, Regained, Starting)
"""An explorer's words while it goes on."""

_PROGRAM: Final = "import sys; from tracetwin.run.cluster.hosted import main; main(*map(int, sys.argv[1:]))"


@dataclass(frozen=True)
class HostedTask:
    """A task on its way, pickled.

    Attributes:
        files: what has to lie at some place before: names and contents.
    """

    task: Any
    files: tuple[tuple[Path, bytes], ...] = ()


@dataclass(frozen=True)
class News:
    """Return what an explorer has said since the last time.

    Attributes:
        answers: in order.
        journal: a journal of its, the place from which on it is new, and what stands there.
        ended: how its process ended, "" where it goes on.
    """

    answers: tuple[Any, ...] = ()
    journal: tuple[Path, int, bytes] | None = None
    ended: str = ""


def versions() -> tuple[str, ...]:
    """Return what has to be the same for the same result."""
    python = ".".join(map(str, sys.version_info[:2]))
    return f"tracetwin {__version__}", f"Python {python}", f"z3 {metadata.version('z3-solver')}"


# -- what is called by dask

_hosted: dict[str, Hosted] = {}


def prepare(run: str, folders: dict[int, str], manifests: dict[int, dict[str, str]], shared: bool) -> Any:
    """Look for the sources of a run; return where they are or will be, and the digests that are missing."""
    base = _base() / run
    places = {}
    missing: set[str] = set()
    for number, manifest in manifests.items():
        if shared and sources.is_here(folders[number], manifest):
            places[number] = folders[number]
            continue
        places[number] = str(base / f"source{number}")
        missing |= {digest for digest in manifest.values() if not (_base() / "blobs" / digest).exists()}
    return places, sorted(missing)


def begin(
    run: str,
    name: str,
    held: int,
    places: dict[int, str],
    manifests: dict[int, dict[str, str]],
    blobs: dict[str, bytes],
    journals: dict[int, str],
) -> None:
    """Start an explorer, behind the sources that it needs."""
    base = _base() / run
    sources.keep(_base() / "blobs", blobs)
    for number, place in places.items():
        if Path(place).is_relative_to(base):
            sources.unpack(Path(place), manifests[number], _base() / "blobs")
    # Of each explorer its own: what another one has written down comes with the task that goes on with it.
    own = {number: str(base / name / folder) for number, folder in journals.items()}
    for place in own.values():
        Path(place).mkdir(parents=True, exist_ok=True)
    _hosted[name] = Hosted.started(base / name, held, {**places, **own})


def work(name: str, data: bytes | None) -> bytes:
    """Hand a task to an explorer, where there is one, and wait a moment for what it says.

    Raises:
        LookupError: it is not there, since the worker was started anew.
    """
    hosted = _hosted[name]
    if data is not None:
        hosted.give(loaded(data, hosted.places))
    return dumped(hosted.news(), hosted.places)


def interrupt(name: str) -> None:
    """An explorer is to end its exploration now."""
    if name in _hosted:
        _hosted[name].process.send_signal(signal.SIGUSR1)


def stop(name: str) -> None:
    """End an explorer."""
    hosted = _hosted.pop(name, None)
    if hosted is not None:
        hosted.stop()


def end(run: str, dask_worker: Any) -> None:
    """Remove what a run has left, but for the contents of sources, which the next may need."""
    shutil.rmtree(_base(dask_worker) / run, ignore_errors=True)


def _base(worker: Any = None) -> Path:
    from distributed import get_worker

    return Path((worker or get_worker()).local_directory).absolute() / "tracetwin"


@dataclass
class Hosted:
    """An explorer process of this machine.

    Attributes:
        places: the folders that tasks and answers name, where they are here.
    """

    process: subprocess.Popen[bytes]
    connection: Connection[Any, Any]
    folder: Path
    places: dict[int, str]
    _journal: Path | None = None
    _known: dict[Path, int] = field(default_factory=dict)

    @classmethod
    def started(cls, folder: Path, held: int, places: dict[int, str]) -> Hosted:
        """Start it, in its folder."""
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(theirs.fileno()), str(held)],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            cwd=folder,
        )
        theirs.close()
        return cls(process, Connection(ours.detach()), folder, places)

    def give(self, work: HostedTask) -> None:
        for file, data in work.files:
            file.write_bytes(data)
            file.chmod(0o600)
        self._journal = work.task.journal if isinstance(work.task, ExploreTask) else None
        if work.files:
            self._known.pop(self._journal or Path(), None)
        try:
            self.connection.send(work.task)
        except ConnectionError:
            return  # its end is told with the news

    def news(self) -> News:
        """Wait for what it says: until it has done its task, for a moment at most."""
        answers: list[object] = []
        until = time.monotonic() + STEP_SECONDS
        while self.connection.poll(max(0.0, until - time.monotonic())):
            try:
                answers.append(self.connection.recv())
            except (EOFError, ConnectionError):
                return News(tuple(answers), self._written(answers), self._ending())
            except Exception as error:  # noqa: BLE001 - whatever unpickling raises
                answers.append(failure_of(error, "reading an answer"))
            if not isinstance(answers[-1], Unfinished):
                break
        return News(tuple(answers), self._written(answers))

    def _ending(self) -> str:
        try:
            return exit_words(self.process.wait(1.0))
        except subprocess.TimeoutExpired:
            return "ended"

    def _written(self, answers: list[object]) -> tuple[Path, int, bytes] | None:
        """Return what its journal has more than before.

        Before it has said anything it may still cut off what it found there.
        """
        if self._journal is None or not self._journal.exists():
            return None
        known = self._known.get(self._journal, 0)
        with self._journal.open("rb") as file:
            file.seek(known)
            data = file.read()
        if answers:
            self._known[self._journal] = known + len(data)
        return (self._journal, known, data) if data else None

    def stop(self) -> None:
        """End it and everything below it; that is not waited for, as dask's own loop would stand still."""
        self.process.terminate()
        threading.Thread(target=self._bury, daemon=True).start()

    def _bury(self) -> None:
        try:
            self.process.wait(2.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


# -- the process that it starts


def main(descriptor: int, held: int) -> None:
    """Be an explorer process."""
    from tracetwin.run.explorer.process import serve
    from tracetwin.support import own_modules
    from tracetwin.support.scratch import scratch

    own_modules.import_first()
    with scratch():
        serve(Connection(descriptor), [], os.getppid(), held)
