"""Ask another solver what z3 gives up: does it win queries?

Explores targets and writes down, as SMT-LIB, each query for which z3 found no answer within its limits; then
asks cvc5, and z3 again, each in a process of its own with the same time. cvc5 has to be installed beside
tracetwin (`pip install cvc5`). Usage: python benchmarks/second_solver.py TARGET ... [--seconds S] [--most N]
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tracetwin.api import generate_tests
from tracetwin.solving.smt.session import SolverSession

CVC5 = """
import sys, cvc5
manager = cvc5.TermManager() if hasattr(cvc5, "TermManager") else None
solver = cvc5.Solver(manager) if manager else cvc5.Solver()
for name, value in (("strings-exp", "true"), ("produce-models", "false"), ("tlimit-per", sys.argv[2])):
    solver.setOption(name, value)
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
symbols = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    said = str(command.invoke(solver, symbols)).strip()
    if said:
        print(said)
"""

Z3 = """
import sys, z3
solver = z3.Solver()
solver.set("timeout", int(sys.argv[2]))
solver.from_file(sys.argv[1])
print(solver.check())
"""


CHARACTER = re.compile(r"\(seq\.unit \(_ Char (\d+)\)\)")
"""A character as only z3 writes it."""


def write_down(folder: Path) -> None:
    """Have every session of this process and those forked from it write the queries that it gives up."""
    check = SolverSession.check

    def checked(self: SolverSession, rlimit: int, *extra: Any) -> Any:
        outcome = check(self, rlimit, *extra)
        if isinstance(outcome, str):
            solver = self._own_solver() if self._alone else self._solver
            solver.push()
            solver.add(*extra)
            text = CHARACTER.sub(lambda found: f'"\\u{{{int(found[1]):x}}}"', solver.to_smt2())
            solver.pop()
            kind = self.theory.replace("+", "-")
            name = hashlib.sha256(text.encode()).hexdigest()[:16]
            (folder / f"{kind}.{name}.smt2").write_text(text, encoding="utf-8")
        return outcome

    SolverSession.check = checked  # type: ignore[method-assign]


def asked(code: str, query: Path, seconds: float) -> tuple[str, float]:
    """Return what a solver says of a query, and how long it took."""
    started = time.perf_counter()
    argv = [sys.executable, "-c", code, str(query), str(int(1000 * seconds))]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=2 * seconds + 5, check=False)
    except subprocess.TimeoutExpired:
        return "unknown", time.perf_counter() - started
    words = [word for word in done.stdout.split() if word in ("sat", "unsat", "unknown")]
    return (words[-1] if words else "error"), time.perf_counter() - started


def main() -> int:
    """Collect, ask, and show a table by theory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each query and solver")
    parser.add_argument("--time-limit", type=float, default=20.0, help="for exploring a module")
    parser.add_argument("--most", type=int, default=100, help="queries asked per theory")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_down(folder)
        generate_tests(*options.targets, output=folder / "out", time_limit=options.time_limit)
        queries: dict[str, list[Path]] = {}
        for path in sorted(folder.glob("*.smt2")):
            queries.setdefault(path.name.split(".")[0], []).append(path)
        print("| theory | given up | asked | z3 again | cvc5 | cvc5 alone | median cvc5 |")
        print("|---|---|---|---|---|---|---|")
        for kind, paths in sorted(queries.items()):
            print(row(kind, paths, options.most, options.seconds), flush=True)
    return 0


def row(kind: str, paths: list[Path], most: int, seconds: float) -> str:
    """One theory: how many of its queries each solver answers."""
    chosen = paths[:: max(1, len(paths) // most)][:most]
    again, other = Counter[str](), Counter[str]()
    alone = 0
    times = []
    for path in chosen:
        first, _ = asked(Z3, path, seconds)
        second, took = asked(CVC5, path, seconds)
        again[first] += 1
        other[second] += 1
        if second in ("sat", "unsat"):
            times.append(took)
            alone += first not in ("sat", "unsat")
    median = f"{sorted(times)[len(times) // 2]:.2f} s" if times else "-"
    return f"| {kind} | {len(paths)} | {len(chosen)} | {said(again)} | {said(other)} | {alone} | {median} |"


def said(answers: Counter[str]) -> str:
    """`3 sat, 1 unknown`."""
    return ", ".join(f"{number} {word}" for word, number in sorted(answers.items()))


if __name__ == "__main__":
    sys.exit(main())
