"""Tries all hazards: ``python -m tests.hazards.run [NAME...] [-j N] [--table] [--proofs]``."""

# It is a command, which prints.
# ruff: noqa: T201

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from tests.hazards.alone import proofs
from tests.hazards.attempt import Outcome, attempt
from tests.hazards.hazard import Hazard, discover
from tests.hazards.project import has_compiler


def main(arguments: Sequence[str]) -> int:
    """Try them, tell how they went; 1 where one did not go as promised."""
    parser = argparse.ArgumentParser(prog="python -m tests.hazards.run", description=__doc__)
    parser.add_argument("names", nargs="*", help="hazards or rooms; all, if none is named")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--table", action="store_true", help="print the table of docs/results.md")
    parser.add_argument("--proofs", action="store_true", help="try each act without the tool, too")
    parser.add_argument("--show", action="store_true", help="show what the commands say and write")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="hazards-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        def one(hazard: Hazard) -> Outcome:
            return _try(hazard, Path(folder), proved=options.proofs)

        for outcome in pool.map(one, possible(discover(options.names))):
            outcomes.append(outcome)
            if not options.table:
                _tell(outcome, show=options.show)
    if options.table:
        _table(outcomes, proved=options.proofs)
    _sum_up(outcomes, time.monotonic() - began)
    return 0 if all(outcome.survived and all(outcome.proofs.values()) for outcome in outcomes) else 1


def possible(hazards: Sequence[Hazard]) -> list[Hazard]:
    """Those that can be tried on this machine; says which cannot."""
    without = [hazard for hazard in hazards if hazard.needs and not has_compiler()]
    for hazard in without:
        print(f"not tried: {hazard.name}, which needs a C compiler")
    return [hazard for hazard in hazards if hazard not in without]


def _try(hazard: Hazard, folder: Path, *, proved: bool) -> Outcome:
    outcome = attempt(hazard, folder, folder / "cache")
    return replace(outcome, proofs=proofs(hazard, folder)) if proved else outcome


def _tell(outcome: Outcome, *, show: bool) -> None:
    word = "ESCAPED" if outcome.escapes else "survived" if outcome.survived else "TROUBLE"
    name = f"{outcome.hazard.room}/{outcome.hazard.name}"
    print(f"{word:9} {name:40} {outcome.seconds:5.1f} s  {outcome.peak >> 10:4} MiB", flush=True)
    for line in (*outcome.escapes, *outcome.troubles):
        print(f"          - {line}")
    for act, proof in outcome.proofs.items():
        if not proof:
            print(f"          - hollow: without the tool {act} does nothing that is seen")
    if show:
        print(outcome.told)


def _table(outcomes: Sequence[Outcome], *, proved: bool) -> None:
    """The rooms, and all of them; with proofs also how many acts were seen to work without the tool."""
    columns: dict[str, Callable[[Outcome], int]] = {"hazards": lambda _: 1}
    columns["acts"] = lambda one: len(one.hazard.acts)
    if proved:
        columns["seen to work without the tool"] = lambda one: sum(map(bool, one.proofs.values()))
    columns["survived"] = lambda one: one.survived
    columns["escapes"] = lambda one: bool(one.escapes)
    print(f"| room | {' | '.join(columns)} |")
    print("|---|" + "---:|" * len(columns))
    rooms = sorted({outcome.hazard.room for outcome in outcomes})
    for room in [*rooms, ""]:
        some = [outcome for outcome in outcomes if room in (outcome.hazard.room, "")]
        cells = [sum(map(count, some)) for count in columns.values()]
        print(f"| {room or 'together'} | " + " | ".join(map(str, cells)) + " |")


def _sum_up(outcomes: Sequence[Outcome], seconds: float) -> None:
    survived = sum(outcome.survived for outcome in outcomes)
    escapes = sum(bool(outcome.escapes) for outcome in outcomes)
    peak = max((outcome.peak for outcome in outcomes), default=0) >> 10
    print()
    print(
        f"{len(outcomes)} hazards tried, {survived} survived, escapes {escapes}; "
        f"{seconds:.0f} s, no process of the command but workers took more than {peak} MiB"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
