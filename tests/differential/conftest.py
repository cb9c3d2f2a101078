"""The table of what z3 reads exactly, printed on demand."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from tests.differential.solved import Verdict
from tests.differential.solving import Report


@pytest.fixture(scope="session")
def differential_report() -> Iterator[Report]:
    """Figures of every operator and theory; printed at the end with DIFFERENTIAL_TABLE=1."""
    report: Report = {}
    yield report
    if os.environ.get("DIFFERENTIAL_TABLE"):
        sys.stdout.write(table(report) + "\n")


def table(report: Report) -> str:
    """One line per operator and theory that was asked about it, then a line of sums per theory."""
    lines = ["", f"{'operator':28} {'theory':12}" + "".join(f"{verdict.value:>13}" for verdict in Verdict)]
    theories: dict[str, dict[str, int]] = {}
    for (op, theory), figures in sorted(report.items()):
        if figures:
            lines.append(
                f"{op:28} {theory:12}" + "".join(f"{figures.get(verdict, 0):13}" for verdict in Verdict)
            )
            kinds = theories.setdefault(theory, dict.fromkeys(("always", "partly", "never"), 0))
            asked = sum(figures.values()) - figures.get(Verdict.UNDEFINED, 0)
            exact = figures.get(Verdict.EXACT, 0)
            if asked:
                kinds["always" if exact == asked else "partly" if exact else "never"] += 1
    lines += [
        f"{theory}: " + ", ".join(f"{number} operators {kind} exact" for kind, number in kinds.items())
        for theory, kinds in sorted(theories.items())
    ]
    return "\n".join(lines)
