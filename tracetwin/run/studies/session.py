"""A module's twin opened in a worker of this process, for commands that look at it without writing tests."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tracetwin.explore.loop.budget import RefusalCounts
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.replies import outlined
from tracetwin.model.invokable import Invokable
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Failed, HandlerError, Worker
from tracetwin.run.module_facts import cache_folder, import_sentence, patterns_of, tree_of, why_untouched
from tracetwin.run.results.refusals import Refusal, of_functions, of_import
from tracetwin.run.worker_options import worker_options
from tracetwin.solving import Chain, build_chain

if TYPE_CHECKING:
    from typing_extensions import Self

from tracetwin.target.selection import TargetModule


class OpenedTwin:
    """One opened module; use it in a `with` block.

    Attributes:
        executor: runs requests on its twin.
        solver: a chain of its own.
        invokables: what can be called, in the order of the text; all of the module, whatever was selected.
        unguarded: sentences about walls that this system does not have.
        failure: why it can't be looked into, "" where it can.
    """

    def __init__(self, module: TargetModule, *, seed: int = 0, seconds: float | None = None) -> None:
        """Describe it; the module is imported where the `with` block begins."""
        self.module = module
        self.invokables: tuple[Invokable, ...] = ()
        self.failure = ""
        self.unguarded: tuple[str, ...] = ()
        self._refused: list[Refusal] = []
        self.solver: Chain = build_chain(seed=seed)
        limits = Limits()
        if seconds is not None:
            limits = replace(limits, import_seconds=min(limits.import_seconds, seconds))
        self._worker = Worker(
            module, limits, patterns=patterns_of(module), cache=cache_folder(), library=module.library,
            options=worker_options(module, (), module.rules),
        )  # fmt: skip
        self.executor = WorkerExecutor(self._worker)

    def __enter__(self) -> Self:
        """Import it.

        Raises:
            HandlerError: that broke code of ours.
        """
        untouched = self.module.outside or why_untouched(self.module)
        if untouched:
            self.failure = f"{self.module.name}: it can't be looked into: {untouched}"
            return self
        started = outlined(self._worker.start())
        if isinstance(started, Failed) and started.kind == "internal":
            self._worker.close()
            raise HandlerError(started.message)
        if isinstance(started, Failed):
            self.failure = import_sentence(self.module, started)
        else:
            self._refused = of_import(started.info["refusals"])
            self.unguarded = tuple(started.info["walls"].get("missing", ()))
            self.invokables = tuple(Invokable(**plain) for plain in started.info["invokables"])
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()

    @property
    def refusals(self) -> list[Refusal]:
        """Return the refusals of the walls until now."""
        refused = self.executor.refused
        asked = ((i, refused.get(i.qualname, RefusalCounts())) for i in self.invokables)
        return [*self._refused, *of_functions(asked)]

    @property
    def tree(self) -> ast.Module:
        """The syntax tree of the module's source."""
        return tree_of(self.module)
