"""Runs inputs in a worker process; the bridge between plain messages and `Run`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from runtime.expr import Sort
from runtime.wire import Decoder
from tracetwin.explore.loop.budget import RefusalCounts
from tracetwin.explore.loop.heap import decoded, decoded_ref
from tracetwin.explore.loop.past import Asked, is_past
from tracetwin.explore.loop.replies import OutlinedWorker
from tracetwin.explore.loop.run import PathStep, Request, Run
from tracetwin.model.codec import receiver_of
from tracetwin.model.status import Status
from tracetwin.process.worker import ReplyNotPlain, RunnerDied, RunnerTimeout, Worker

_SORTS = {int(sort): sort for sort in Sort}


class WorkerExecutor:
    """Executes requests in a sandboxed worker; a runner that dies costs its input only.

    Attributes:
        refused: what the walls refused, by the target of the request.
        passed: the sites that were passed, by the target of the request; None among them where a run did not
            live to tell.
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._asked: Asked = OutlinedWorker(worker)
        self._decoders: dict[object, Decoder] = {}
        self._kinds: dict[str, dict[str, tuple[str, ...]]] = {}
        self.refused: dict[str, RefusalCounts] = {}
        self.passed: dict[str, set[int | None]] = {}

    def run(self, request: Request) -> Run:
        run = self._run(request)
        lost = run.status in (Status.DIED, Status.TIMEOUT) and not run.outcomes
        self.passed.setdefault(request.target, set()).update(
            {None} if lost else (side >> 1 for side in run.outcomes)
        )
        if run.refused:
            self.refused.setdefault(request.target, RefusalCounts()).note(run.blamed)
        return run

    def _run(self, request: Request) -> Run:
        try:
            reply = self._asked.request(request.message())
        except RunnerTimeout as error:
            return Run(request, Status.TIMEOUT, str(error), error.line)
        except RunnerDied as error:
            return Run(request, Status.DIED, str(error), error.line)
        except ReplyNotPlain as error:
            return Run(request, Status.DIED, str(error))
        try:
            return self._decoded(request, reply)
        except Exception as error:  # noqa: BLE001 - the target can write to our descriptors: all may be wrong
            self._worker.replace_runner()
            return Run(request, Status.DIED, f"broke the connection: its reply can't be read ({error!r:.80})")
    def forget(self) -> None:
        """Drop all expressions, and have the next run come from a runner that sends its own again."""
        self._decoders.clear()
        self._worker.replace_runner()

    def through(self, asked: Callable[[Asked], Asked]) -> None:
        """From now on, have requests answered by what is put before the worker."""
        self._asked = asked(OutlinedWorker(self._worker))

    def _decoder_of(self, epoch: object) -> Decoder:
        """Return the decoder of an epoch; of those that are no journal's, only the last is needed."""
        found = self._decoders.get(epoch)
        if found is None:
            for other in [e for e in self._decoders if not is_past(e)]:
                del self._decoders[other]
            found = self._decoders[epoch] = Decoder()
        return found

    def _decoded(self, request: Request, reply: dict[str, Any]) -> Run:
        decoder = self._decoder_of(reply["epoch"])
        decoder.decode(reply["nodes"])
        node = decoder.node
        variables = {name: (_SORTS[sort], value) for name, sort, value in reply["variables"]}
        path = [PathStep(node(ident), site, outcome, kind) for ident, site, outcome, kind in reply["path"]]
        kinds = self._kinds.setdefault(request.target, {})
        kinds.update((str(name), tuple(map(str, words))) for name, words in reply["kinds"])
        return Run(
            request,
            Status(reply["status"]),
            reply["detail"],
            reply["line"],
            # What an earlier run left in a library that nobody restores is a plain value in this one.
            tuple(step for step in path if step.node.names <= variables.keys()),
            variables,
            frozenset(reply["outcomes"]),
            tuple((str(name), int(line), str(module)) for name, line, module in reply["losses"]),
            dict(reply["places"]),
            tuple(reply["steps"]),
            bool(reply["truncated"]),
            frozenset(reply["structural"]),
            dict(reply["entailed"]),
            reply["result"],
            marks=dict(reply["marks"]),
            lines=frozenset(reply["lines"]),
            stages=tuple(reply["stages"]),
            latest=frozenset(reply["latest"]),
            remedies=_pairs(reply["remedies"]),
            made=tuple((str(maker), str(name)) for maker, name in reply["made"]),
            unmade=None if reply["unmade"] is None else (str(reply["unmade"][0]), str(reply["unmade"][1])),
            effects=frozenset(reply["effects"]),
            heap=None if reply["heap"] is None else decoded(reply["heap"], node),
            flow=tuple(tuple(access) for access in reply["flow"]),
            accesses=reply["accesses"],
            variable_pairs=_variable_pairs(reply["variable_pairs"]),
            plain_patches=tuple(reply["patches"]),
            receiver=receiver_of(reply["steps"][-1]) if reply["steps"] else None,
            homes=dict(reply["homes"]),
            refused=tuple((str(event), str(detail), bool(own)) for event, detail, own in reply["refused"]),
            kinds=kinds,
            said=reply["said"],
            is_stated=reply["is_stated"],
            value=None if reply["value"] is None else decoded_ref(reply["value"], node),
        )


def _variable_pairs(items: Iterable[Any]) -> frozenset[tuple[str, str, int, int]]:
    return frozenset((str(function), str(name), int(one), int(other)) for function, name, one, other in items)


def _pairs(items: Iterable[Any]) -> tuple[tuple[str, int], ...]:
    return tuple((str(name), int(line)) for name, line in items)
