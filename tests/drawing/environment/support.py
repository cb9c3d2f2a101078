"""Runs inputs on modules that read their environment."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from runtime import trace
from runtime.inputs import Inputs
from tracetwin.drawing.environment import defaults
from tracetwin.drawing.environment.environment import Environment
from tracetwin.drawing.environment.sources import SOURCES, NotDrawn, Thrown
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.run import Request, Run
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Worker
from tracetwin.run.explorer.process import TWIN
from tracetwin.run.module_facts import patterns_of
from tracetwin.target.module import TargetModule
from tracetwin.worker.library.modules import asked_for

assert defaults.READERS, "which register what is patched"


class Reads:
    """One run's reads without a program: as many as a test asks for."""

    def __init__(self, **assignment: Any) -> None:
        trace.start()
        self.inputs = Inputs(assignment.pop("given", assignment))
        self.environment = Environment(self.inputs)

    def __call__(
        self, title: str, *args: Any, handled: Sequence[type[BaseException]] = (), **kwargs: Any
    ) -> tuple[Any, Any]:
        """Value and recipe of the next read; the class of the exception where it fails."""
        source = SOURCES[title]
        try:
            return source.read(self.environment.reading(title, tuple(handled)), *args, **kwargs)
        except Thrown as thrown:
            return type(thrown.error), thrown.recipe

    def is_drawn(self, title: str, *args: Any, **kwargs: Any) -> bool:
        """Whether a read is an input at all."""
        try:
            self(title, *args, **kwargs)
        except NotDrawn:
            return False
        return True


@contextlib.contextmanager
def worker(folder: Path, files: Mapping[str, str], **rules: Any) -> Iterator[WorkerExecutor]:
    """A worker on the first of some files, which are modules."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    name = next(iter(files))
    module = TargetModule(name, str(folder / f"{name}.py"), str(folder))
    with Worker(
        module,
        Limits(),
        patterns=patterns_of(module),
        handler=TWIN,
        library=tuple(asked_for(Path(module.file).read_bytes())),
        options={"selection": [], "guide": rules},
    ) as made:
        yield WorkerExecutor(made)


def run(executor: WorkerExecutor, target: str, **assignment: Any) -> Run:
    """One run of a function."""
    return executor.run(Request(target, (), assignment.pop("given", assignment)))
