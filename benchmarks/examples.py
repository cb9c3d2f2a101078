"""Generate suites for examples/ with the full budget and write the table to docs/results.md.

Exit status 1 when a suite fails, an input diverges or a module takes too long.
Usage: python benchmarks/examples.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from harness import (
    REPOSITORY,
    failed_row,
    gate,
    generate,
    markdown_table,
    measure,
    row,
    run_suite,
    surroundings,
    write_section,
)

EXAMPLES = REPOSITORY / "examples"
SECONDS_PER_MODULE = 20.0


def targets() -> list[Path]:
    """List the example modules; those in `own_runtime` have that folder as their import root."""
    return sorted(EXAMPLES.glob("*.py")) + sorted((EXAMPLES / "own_runtime").glob("*.py"))


def main() -> int:
    """Measure every example, write the table and check the gates."""
    rows: list[tuple[str, ...]] = []
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        for target in targets():
            (module,) = generate([str(target)], out, "--seed", "0")
            name = str(module["name"])
            if not module["test_file"]:
                rows.append(failed_row(name, module["error"] or "no tests"))
                complaints.append(f"{name} has no suite")
                continue
            suite = out / Path(module["test_file"]).name
            run = run_suite(suite, target.parent)
            rows.append(row(module, measure(suite, target, Path(folder), target.parent), run))
            print("  ".join(rows[-1]), flush=True)
            if run.failing:
                complaints.append(f"{name} has failing tests")
            if module["divergences"]:
                complaints.append(f"{name} diverges")
            if module["seconds"] > SECONDS_PER_MODULE:
                complaints.append(f"{name} takes more than {SECONDS_PER_MODULE:.0f} s")
    note = f"Command: `python benchmarks/examples.py` ({surroundings()}).\n"
    note += "Lines and branches are what coverage.py counts while the emitted suite runs in a fresh process."
    write_section("examples", "Examples", f"{note}\n\n{markdown_table(rows)}")
    return gate(not complaints, "; ".join(complaints) or f"{len(rows)} examples")


if __name__ == "__main__":
    sys.exit(main())
