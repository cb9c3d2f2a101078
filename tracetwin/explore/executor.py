"""Runs inputs in a worker process; the bridge between plain messages and `Run`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.expr import Sort
from runtime.wire import Decoder
from tracetwin.explore.heap import decoded, decoded_ref
from tracetwin.explore.run import Request, Run, Step
from tracetwin.worker.process import ReplyNotPlain, RunnerDied, RunnerTimeout, Worker

_SORTS = {int(sort): sort for sort in Sort}


class WorkerExecutor:
    """Executes requests in a sandboxed worker; a runner that dies costs its input only."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._decoder = Decoder()
        self._epoch: object = None

    def run(self, request: Request) -> Run:
        """Execute one input."""
        try:
            reply = self._worker.request(request.message())
        except RunnerTimeout as error:
            return Run(request, "timeout", str(error))
        except (RunnerDied, ReplyNotPlain) as error:
            return Run(request, "died", str(error))
        return self._decoded(request, reply)

    def forget(self) -> None:
        """Drop all expressions, and have the next run come from a runner that sends its own again."""
        self._epoch = None
        self._worker.replace_runner()

    def _decoded(self, request: Request, reply: dict[str, Any]) -> Run:
        if reply["epoch"] != self._epoch:
            self._epoch = reply["epoch"]
            self._decoder = Decoder()
        self._decoder.decode(reply["nodes"])
        node = self._decoder.node
        return Run(
            request,
            reply["status"],
            reply["detail"],
            reply["line"],
            tuple(Step(node(ident), site, outcome, kind) for ident, site, outcome, kind in reply["path"]),
            {name: (_SORTS[sort], value) for name, sort, value in reply["variables"]},
            frozenset(reply["outcomes"]),
            _pairs(reply["losses"]),
            dict(reply["places"]),
            tuple(reply["steps"]),
            bool(reply["truncated"]),
            frozenset(reply["structural"]),
            frozenset(reply["entailed"]),
            reply["result"],
            marks=dict(reply["marks"]),
            lines=frozenset(reply["lines"]),
            stages=tuple(reply["stages"]),
            latest=frozenset(reply["latest"]),
            remedies=_pairs(reply["remedies"]),
            effects=frozenset(reply["effects"]),
            heap=None if reply["heap"] is None else decoded(reply["heap"], node),
            flow=tuple(tuple(access) for access in reply["flow"]),
            accesses=reply["accesses"],
            patches=tuple(reply["patches"]),
            homes=dict(reply["homes"]),
            value=None if reply["value"] is None else decoded_ref(reply["value"], node),
        )


def _pairs(items: Iterable[Any]) -> tuple[tuple[str, int], ...]:
    return tuple((str(name), int(line)) for name, line in items)
