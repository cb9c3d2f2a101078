"""Starts replaying processes and collects their answers."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tracetwin.model.case import Case
from tracetwin.model.codec.cases import encode_case
from tracetwin.model.observation import Observation, ended
from tracetwin.model.status import Outcome
from tracetwin.process import strays, wire
from tracetwin.process.launch import passed_on
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay import received
from tracetwin.replay.conditions import perturbations as drift
from tracetwin.replay.conditions.conditions import HERE, Conditions
from tracetwin.support import hiding

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

CASE_SECONDS = 5.0
GRACE = 3.0


@dataclass(frozen=True)
class Replay:
    """What one fresh process, or two that were merged, saw on the original.

    Attributes:
        observations: one per case, in the order of the cases.
        import_lines: lines of the file that importing it executes.
        import_arcs: arcs likewise.
        error: why the module could not be imported; then there are no observations.
        outline: what a module without source holds, as plain data.
        reasons: for each case, what was left out of its observation and why.
    """

    observations: list[Observation] = field(default_factory=list)
    import_lines: frozenset[int] = frozenset()
    import_arcs: frozenset[tuple[int, int]] = frozenset()
    error: str | None = None
    reasons: list[list[str]] = field(default_factory=list)
    outline: tuple[Any, ...] | None = None


def environment(conditions: Conditions, paths: Sequence[str] = ()) -> dict[str, str]:
    """The environment of a process that runs code of a target, which is to find files at those paths."""
    kept = passed_on()
    path = [hiding.our_root(), *kept.get("PYTHONPATH", "").split(os.pathsep)]
    kept["PYTHONPATH"] = os.pathsep.join(entry for entry in path if entry)
    return {**kept, **drift.variables(conditions, kept, paths)}


def replay(
    module: TargetModule,
    cases: Sequence[Case],
    *,
    timeout_per_case: float = CASE_SECONDS,
    limits: Limits | None = None,
    conditions: Conditions = HERE,
) -> Replay:
    """Run the cases on the original module in one fresh process.

    Args:
        module: the module to import.
        cases: what to run; each starts from the freshly imported module.
        timeout_per_case: seconds of wall time that one case may take.
        limits: the sandbox's limits; None for its defaults.
        conditions: what surrounds the process.
    """
    job = job_of(module, cases, timeout_per_case, limits, conditions=conditions)
    scratch = tempfile.mkdtemp(prefix="tracetwin-replay-")
    with drift.addresses(fixed=conditions.fixed):
        process = begin(scratch, environment(conditions, [scratch, module.file, *module.search_path]))
    try:
        return _converse(process, job)
    finally:
        end(process)
        shutil.rmtree(scratch, ignore_errors=True)


def job_of(
    module: TargetModule,
    cases: Sequence[Case],
    timeout_per_case: float,
    limits: Limits | None,
    *,
    conditions: Conditions = HERE,
    more: bool = False,
) -> dict[str, Any]:
    """The first message to a replaying process; with `more`, batches of cases may follow it.

    Those may be of our own making, and must keep the user's preconditions.
    """
    return {
        "name": module.name,
        "file": module.file,
        "root": module.root,
        "search_path": list(module.search_path),
        "rules": dict(module.rules),
        "cases": list(map(encode_case, cases)),
        "seconds": float(timeout_per_case),
        "limits": (limits or Limits()).to_plain(),
        "conditions": conditions.to_plain(),
        "more": more,
        "assume": [list(rule) for rule in module.rules.get("assume", ())] if more else [],
    }


def begin(
    folder: str, variables: dict[str, str], program: str = "tracetwin.replay"
) -> subprocess.Popen[bytes]:
    """A replaying process that waits for its job, in a group of its own."""
    return strays.start(
        [sys.executable, "-m", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=variables,
        start_new_session=True,
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of a process and its children behind."""
    with contextlib.suppress(ProcessLookupError):  # the whole group is gone already
        os.killpg(process.pid, signal.SIGKILL)
    strays.ended(process)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):  # it ended before it had read everything
                stream.close()


def _converse(process: subprocess.Popen[bytes], job: dict[str, Any]) -> Replay:
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process needs pipes")
    out = process.stdout.fileno()
    seconds = job["limits"]["import_seconds"]
    count = len(job["cases"])
    try:
        wire.write_all(process.stdin.fileno(), wire.pack(job))
        answer = received.imported(wire.read(out, time.monotonic() + seconds + GRACE))
    except wire.TooLate:
        return Replay(error=f"importing {job['name']} took more than {seconds:g} seconds")
    except (wire.Closed, BrokenPipeError):
        return Replay(error=f"the process that imports {job['name']} ended: {process.poll()}")
    if "error" in answer:
        return Replay(error=f"importing {job['name']} raised {answer['error']}")
    seen: list[Observation] = []
    try:
        while len(seen) < count:
            body = wire.read_body(out, time.monotonic() + job["seconds"] + GRACE)
            seen.append(received.observation(body))
    except (wire.TooLate, wire.Closed):
        seen += [ended(Outcome.DIED, "the replaying process ended") for _ in range(count - len(seen))]
    return Replay(
        seen, frozenset(answer["lines"]), frozenset(map(tuple, answer["arcs"])), None,
        [[] for _ in seen], answer["outline"],
    )  # fmt: skip
