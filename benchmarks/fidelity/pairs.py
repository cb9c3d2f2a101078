"""Is what is said of definition-use pairs true? Random classes and calls against the table.

Usage: python benchmarks/fidelity/pairs.py [--classes 200] [--first 0] [--sequences 1000] [--search]
[--raising] [--only TEXT], with the repository on PYTHONPATH.

No pair that is marked infeasible may be executed, and every executed pair must be in the table.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tracetwin.worker.dataflow.flow import FlowPair

sys.path.insert(0, str(Path(__file__).resolve().parent))

from calls import Executed, fuzz
from random_classes import simple_source_of, source_of

CLASSES: Final = Path(__file__).resolve().parent.parent / "classes"
RUNS: Final = 2_500
"""Executions that a search has for one class."""

_SECONDS: Final = 60.0


@dataclass
class Verdict:
    """One class.

    Attributes:
        name: where it comes from.
        text: pairs marked by the text alone.
        search: pairs marked by search.
        listed: pairs of the table.
        executed: pairs that sequences executed.
        wrong: marked, but executed.
        missing: executed, but not in the table.
        cut: sequences ended by the clock.
    """

    name: str
    listed: int = 0
    text: int = 0
    search: int = 0
    executed: int = 0
    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    cut: int = 0


def subjects(classes: int, first: int, only: str) -> Iterator[tuple[str, str, list[str]]]:
    """Name, text and classes of each module that is tried."""
    for seed in range(first, first + classes):
        if only in f"random {seed}":
            simple = seed % 4 == 0
            yield f"random {seed}", simple_source_of(seed) if simple else source_of(seed), ["Thing"]
    for file in sorted([*(CLASSES / "ports").glob("*.py"), *(CLASSES / "deep").glob("*.py")]):
        if only in file.stem:
            text = file.read_text(encoding="utf-8")
            yield (
                file.stem,
                text,
                [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)],
            )


def judged(name: str, source: str, class_: str, found: Executed, searched: Mapping[int, Any]) -> Verdict:
    """Compare the table of a class with what was executed.

    Args:
        name: for the verdict.
        source: the module's text.
        class_: name of the class.
        found: what sequences executed.
        searched: fates by the pair's number, empty if nothing was searched.
    """
    from tracetwin.analysis.flow.analyse import facts_of

    table = facts_of(source, "fuzzed").pairs.get(class_, ())
    bodies = _class_lines(source)
    verdict = Verdict(f"{name} {class_}", len(table), executed=len(found.pairs), cut=found.cut)
    keys = {}
    for pair in table:
        made = (0, 0) if pair.define.line in bodies else (pair.define.line, pair.define.column)
        marked = "" if pair.feasible else f"text: {pair.why}"
        if pair.feasible and str(searched.get(pair.number, "")) == "infeasible":
            marked = "search"
        verdict.text += marked.startswith("text")
        verdict.search += marked == "search"
        keys[FlowPair(pair.attribute, *made, pair.use.line, pair.use.column, "", 0)] = (pair.number, marked)
    for executed, told in found.pairs.items():
        number, marked = keys.get(executed, (0, ""))
        if _is_doubtful(executed):
            continue
        what = f"{executed.attribute} {executed[1:5]}"
        if marked:
            verdict.wrong.append(f"{number}: {what} ({marked}): {told}")
        elif not number and executed.define_line:  # what nobody defines has no row of its own
            verdict.missing.append(f"{what}: {told}")
    return verdict


def _is_doubtful(pair: FlowPair) -> bool:
    """`a.append(len(a))`: the observer notes the definition where `a` is loaded, before the argument."""
    same = pair.define_line == pair.use_line and pair.define_column < pair.use_column
    return same and pair.attribute.endswith("[]")


def _class_lines(source: str) -> frozenset[int]:
    bodies = [node.body for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    items = [item for body in bodies for item in body]
    return frozenset(item.lineno for item in items if isinstance(item, (ast.Assign, ast.AnnAssign)))


def searched_fates(source: str, class_: str, runs: int = RUNS) -> dict[int, str]:
    """The fates that the search of `tracetwin summary` gives to the pairs of a class."""
    from tracetwin.explore.loop.budget import Budget
    from tracetwin.explore.summaries.study import Studies
    from tracetwin.run.studies.session import OpenedTwin
    from tracetwin.run.studies.summary import pair_data
    from tracetwin.target.selection import resolve

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fuzzed.py"
        file.write_text(source, encoding="utf-8")
        module = resolve(str(file))[0]
        with OpenedTwin(module) as session:
            if session.failure:
                return {}
            budget = Budget(runs, time.monotonic() + _SECONDS)
            studies = Studies(module.name, session.executor, session.solver, budget)
            study = studies.of(class_, session.invokables)
            return {row["number"]: row["status"] for row in pair_data(study, session, budget)}


def _is_searched(name: str, *, wanted: bool) -> bool:
    """Of random modules the simple ones, of which something can be proved; of the others all, if any."""
    number = name.removeprefix("random ")
    return wanted and (not number.isdigit() or int(number) % 4 == 0)


def main() -> int:
    """Try all; the exit status says whether anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--sequences", type=int, default=1000)
    parser.add_argument("--search", action="store_true", help="try proofs by search as well")
    parser.add_argument("--raising", action="store_true", help="go on after calls that raised")
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    total = Verdict("all")
    wrong = missing = 0
    for number, (name, source, names) in enumerate(subjects(chosen.classes, chosen.first, chosen.only)):
        for class_ in names:
            found = fuzz(source, class_, chosen.sequences, number, raising=chosen.raising)
            fates = searched_fates(source, class_) if _is_searched(name, wanted=chosen.search) else {}
            verdict = judged(name, source, class_, found, fates)
            shown = (("WRONG", verdict.wrong), ("MISSING", [] if chosen.raising else verdict.missing))
            for what, rows in shown:
                for row in rows:
                    print(f"{verdict.name}: {what} {row}", flush=True)
            total.listed += verdict.listed
            total.text += verdict.text
            total.search += verdict.search
            total.executed += verdict.executed
            total.cut += verdict.cut
            wrong += len(verdict.wrong)
            missing += 0 if chosen.raising else len(verdict.missing)  # what an error leaves is not listed
    print(
        f"{total.listed} pairs, {total.executed} executed; "
        f"{total.text} marked by the text, {total.search} by search: "
        f"{wrong} of them executed; {missing} executed pairs not in the table; "
        f"{total.cut} sequences cut short"
    )
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
