"""A process of its own that asks z3: a question that z3 does not stop at costs that question, nothing else.

Neither `rlimit` nor an interrupt reaches all that z3 does: building a large formula, a `push`, some tactics.
So z3 lives in a child that is forked when it is first needed, answers one question after the other, keeps
its solvers between them, and is killed when it goes on for too long; the next question gets a new one.
(KLEE forks its solver for the same reason: Cadar, Dunbar and Engler, OSDI 2008.)
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import marshal
import os
import resource
import signal
import time
import warnings
from dataclasses import field, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from runtime import wire
from runtime.expr import Node, Sort
from tracetwin.solving.answers import HURRIED, Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.figures import Slow, StageStatistics
from tracetwin.solving.task import AskingTheories, Task
from tracetwin.solving.vain import Vain
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.solving.smt.stage import Z3Stage
    from tracetwin.solving.smt.theory import TheoryTurn

PATIENCE: Final = 1.0
"""Processor seconds beyond its limit that a question may take before its process is killed."""

LEAST_SECONDS: Final = 0.3
"""For a question, however little time is left."""

PART: Final = 0.25
"""Of the time that is left, what one question may take."""

MOST_NODES: Final = 500_000
"""Nodes of conditions that one process is sent; then a new one begins without them."""

_TICK: Final = 0.1
_GRACE: Final = 5
_MOST_SECONDS: Final = 60.0
STOPPED: Final = "z3 did not stop and was ended"


@dataclass(frozen=True)
class Reply:
    """The reply of the process to a question.

    Attributes:
        figures: of the theories that were asked.
        near: assignments that nearly fit.
    """

    answer: Answer
    figures: dict[str, StageStatistics] = field(default_factory=dict)
    near: list[dict[str, object]] = field(default_factory=list)
    slow: list[Slow] = field(default_factory=list)


class Z3Process:
    """The process that asks z3 for the chains of one explorer.

    Attributes:
        until: a time of `time.monotonic` beyond which no question is to take long; None where only what a
            question costs counts, so that the same seed gives the same answers.
    """

    def __init__(self) -> None:
        self.until: float | None = None
        self._pid = 0
        self._connection: Connection | None = None
        self._encoder = wire.Encoder()
        self._sent = 0
        self._chains = 0

    def number(self) -> int:
        """A number for a chain, whose solvers are its own."""
        self._chains += 1
        return self._chains

    def stage(self, turn: TheoryTurn, rlimit: int, cpu_seconds: float) -> ApartStage:
        """A stage for a chain, with solvers of its own."""
        return ApartStage(self, turn, rlimit, cpu_seconds)

    def ask(
        self, chain: int, turn: TheoryTurn, task: Task, rlimit: int, seconds: float
    ) -> Reply:
        """Ask the theories of one turn.

        Returns:
            The answer, and what was seen meanwhile.
        """
        usual = seconds = seconds * max(0.5, task.effort)
        if self.until is not None:
            seconds = min(seconds, max(LEAST_SECONDS, PART * (self.until - time.monotonic())))
        started = time.monotonic()
        if self._sent > MOST_NODES:
            self.close()
        nodes = [*task.conditions, task.goal]
        records = self._encoder.encode(nodes)
        self._sent += len(records)
        question = (
            (chain, turn.value, rlimit, seconds, task.effort),
            records,
            [node.ident for node in nodes],
            dict(task.current),
            {name: int(sort) for name, sort in task.sorts.items()},
        )
        try:
            self._ready().send_bytes(marshal.dumps(question))
            reply = _read(self._reply(seconds))
        except (OSError, EOFError):
            self.close()
            spent = time.monotonic() - started
            reply = Reply(Unknown(STOPPED), slow=[Slow(spent, turn.value, "stopped", "")])
        answer = reply.answer
        if isinstance(answer, Unknown) and seconds < usual and time.monotonic() - started >= seconds:
            return replace(reply, answer=Unknown(f"{answer.reason}; {HURRIED}"))
        return reply

    def rest(self, chain: int, turn: TheoryTurn) -> None:
        """Drop what a chain's solvers keep."""
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.send_bytes(marshal.dumps((chain, turn.value)))

    def close(self) -> None:
        """End the process; the next question gets another one."""
        self._encoder, self._sent = wire.Encoder(), 0
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._pid, 0)

    def _ready(self) -> Connection:
        if self._connection is None:
            importlib.import_module("tracetwin.solving.smt.stage")  # once, not anew in each process

            ours, theirs = Pipe()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # threads stay behind: none of them has to do with z3
                self._pid = os.fork()
            if not self._pid:
                ours.close()
                _live(theirs)
            theirs.close()
            self._connection = ours
        return self._connection

    def _reply(self, seconds: float) -> Any:
        """The reply, or an `EOFError` where there is none in time."""
        assert self._connection is not None
        most = _processor_seconds(self._pid) + seconds + PATIENCE
        late = time.monotonic() + (_MOST_SECONDS if self.until is None else seconds + PATIENCE)
        while not self._connection.poll(_TICK):
            if _processor_seconds(self._pid) > most or time.monotonic() > late:
                raise EOFError(STOPPED)
        return marshal.loads(self._connection.recv_bytes())


class ApartStage(AskingTheories):
    """A stage of the chain that asks z3 in that process."""

    here = False

    def __init__(self, apart: Z3Process, turn: TheoryTurn, rlimit: int, cpu_seconds: float) -> None:
        """Take the limits; the arguments are those of `Z3Stage`."""
        super().__init__(turn.value)
        self._apart = apart
        self._number = apart.number()
        self._turn = turn
        self._rlimit = rlimit
        self._seconds = cpu_seconds

    def attempt(self, task: Task) -> Answer:
        """The first theory that finds or refutes decides."""
        reply = self._apart.ask(self._number, self._turn, task, self._rlimit, self._seconds)
        for name, found in reply.figures.items():
            self.theories.setdefault(name, StageStatistics()).add(found)
        for slow in reply.slow:
            self.slowest.take(replace(slow, goal=task.goal))
        task.near_misses += reply.near
        return reply.answer

    def rest(self) -> None:
        """Let the process drop what it keeps for this stage."""
        self._apart.rest(self._number, self._turn)

    def forget(self) -> None:
        """Drop everything that refers to nodes: their numbers begin anew."""
        self._apart.close()


def _processor_seconds(pid: int) -> float:
    """Processor time that a process has used until now, 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _read(reply: Any) -> Reply:
    kind, detail, theory, figures, near, slow = reply
    answer: Answer = Unsat() if kind == "unsat" else Unknown(detail)
    if kind == "sat":
        answer = Sat(detail, theory)
    told = {name: StageStatistics(*row) for name, row in figures.items()}
    return Reply(answer, told, near, [Slow(*one) for one in slow])


# -- the process


def _live(connection: Connection) -> NoReturn:
    """Answer until nobody asks any more."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.freeze()
        _Asked(connection).serve()
        status = 0
    except (EOFError, OSError):
        status = 0
    finally:
        os._exit(status)


class _Asked:
    """The other side."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._decoder = wire.Decoder()
        self._stages: dict[tuple[int, str], Z3Stage] = {}
        self._vain: dict[tuple[int, str], Vain] = {}

    def serve(self) -> None:
        while True:
            message = marshal.loads(self._connection.recv_bytes())
            if len(message) == 2:
                if (stage := self._stages.pop(message, None)) is not None:
                    self._vain[message] = stage.vain  # its next turn meets conditions of the same kind
                    stage = None
                    gc.collect()
                continue
            self._connection.send_bytes(marshal.dumps(self._answer(*message)))

    def _answer(
        self,
        how: tuple[int, str, int, float, float],
        records: list[wire.NodeRecord],
        idents: list[int],
        current: dict[str, object],
        sorts: dict[str, int],
    ) -> tuple[Any, ...]:
        from tracetwin.solving.smt.stage import Z3Stage
        from tracetwin.solving.smt.theory import TheoryTurn

        chain, turn, rlimit, seconds, effort = how
        self._decoder.decode(records)
        *conditions, goal = map(self._decoder.node, idents)
        task = Task(_problem(conditions, goal, current, sorts, effort))
        stage = self._stages.get((chain, turn))
        if stage is None:
            stage = self._stages[chain, turn] = Z3Stage(TheoryTurn(turn), rlimit, seconds)
            stage.vain = self._vain.get((chain, turn), stage.vain)
        stage.limit(seconds)
        _bound(seconds)
        stage.theories.clear()
        told = [*stage.slowest]  # others are shown only where they were slower
        answer = stage.attempt(task)
        figures = {name: tuple(vars(found).values()) for name, found in stage.theories.items()}
        new = [one for one in stage.slowest if one not in told]
        slow = [(one.seconds, one.theory, one.answer, one.smtlib) for one in new]
        match answer:
            case Sat():
                return "sat", dict(answer.model), answer.theory, figures, task.near_misses, slow
            case Unsat():
                return "unsat", "", "", figures, [], slow
            case Unknown():
                return "unknown", answer.reason, "", figures, task.near_misses, slow


def _bound(seconds: float) -> None:
    """Let the system end this process where a question goes on and whoever asked it is gone."""
    most = int(time.process_time() + seconds + PATIENCE) + _GRACE
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (most if hard < 0 else min(most, hard), hard))


def _problem(
    conditions: list[Node], goal: Node, current: dict[str, object], sorts: dict[str, int], effort: float
) -> Problem:
    return Problem(conditions, goal, current, {name: Sort(sort) for name, sort in sorts.items()}, effort)
