"""Symbolic states per depth (`tracetwin explore`), beside the figures of the papers."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import REPOSITORY, Json, command_line
from subjects import HERE
from tables import MEBIBYTE, MEMORY_LIMIT, markdown
from watching import run_watched

# The methods of the thesis' table 6.1.
METHODS = {
    "ub_stack": ("UBStack", "push,pop"),
    "int_stack": ("IntStack", "push,pop"),
    "bin_search_tree": ("BinSearchTree", "insert,remove"),
    "binomial_heap": ("BinomialHeap", "insert,extract_min,delete"),
    "linked_list": ("LinkedList", "add,remove,remove_last"),
    "tree_map": ("TreeMap", "put,remove"),
    "heap_array": ("HeapArray", "insert,extract_max"),
}

# Symstra's own report (2005): seconds, states, percent of branches at each N; its slides show these four.
SYMSTRA = {
    "bin_search_tree": {6: (29, 197, 100), 7: (137, 626, 100), 8: (318, 1458, 100)},
    "binomial_heap": {6: (3, 7, 84), 7: (4, 8, 90), 8: (9, 9, 91)},
    "linked_list": {6: (0.6, 7, 100), 7: (0.8, 8, 100), 8: (1, 9, 100)},
    "tree_map": {6: (8, 28, 83), 7: (19, 59, 84), 8: (63, 111, 84)},
}

# Branch coverage in percent by the thesis' table 6.2: JTestCraft, Rostra, Symstra.
THESIS = {
    "ub_stack": (90, 100, 100),
    "int_stack": (33, 67, 100),
    "bin_search_tree": (83, 100, 100),
    "binomial_heap": (79, 84, 91),
    "linked_list": (100, 100, 100),
    "tree_map": (15, 84, 84),
    "heap_array": (70, 76, 100),
}

SECONDS = 120.0
GOAL = ("bin_search_tree", 8, 60.0)
SHOWN = 5  # rows from here on


def measure(name: str, depth: int) -> Json:
    """Explore the states of a class up to a depth, from the object that the default constructor gives."""
    kind, methods = METHODS[name]
    file = HERE / "ports" / f"{name}.py"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "states.json"
        argv = [*command_line(), "explore", f"{file}:{kind}", "--depth", str(depth), "--methods", methods]
        argv += ["--default-constructor", "--time-limit", f"{SECONDS:g}", "--json", str(report), "-q"]
        done = run_watched(argv, REPOSITORY, 2 * SECONDS)
        result: Json = {"wall": done.seconds, "cpu": done.cpu, "peak": done.peak}
        if not report.exists():
            return {**result, "rows": [], "stopped": done.output[-300:]}
        told = json.loads(report.read_text(encoding="utf-8"))
    return {**result, **{key: told[key] for key in ("rows", "branches", "stopped", "complete")}}


def table(results: Json) -> str:
    """States, cumulative time and coverage per depth beside Symstra's, then the thesis' coverage."""
    header = ("class", "N", "states", "seconds", "branches %", "Symstra: states", "seconds", "branches %")
    rows = [row for name in METHODS if name in results for row in _rows(name, results[name])]
    peaks = (f"`{name}` {result['peak'] / MEBIBYTE:.0f}" for name, result in results.items())
    thesis = [[f"`{name}`", *map(str, figures)] for name, figures in THESIS.items()]
    papers = markdown(("branches %, thesis table 6.2", "JTestCraft", "Rostra", "Symstra"), thesis)
    return f"{markdown(header, rows)}\n\nMemory in MiB: {', '.join(peaks)}.\n\n{papers}"


def _rows(name: str, result: Json) -> Iterator[list[str]]:
    seconds = 0.0
    for row in result["rows"]:
        seconds += row["seconds"]
        if row["depth"] < SHOWN:
            continue
        theirs = SYMSTRA.get(name, {}).get(row["depth"])
        paper = [str(theirs[1]), f"{theirs[0]:g}", str(theirs[2])] if theirs else ["", "", ""]
        share = f"{100 * row['covered'] / result['branches']:.0f}"
        states = f"{row['states']}{'' if row['complete'] else '+'}"
        yield [f"`{name}`", str(row["depth"]), states, f"{seconds:.1f}", share, *paper]
    if result["stopped"]:
        reason = str(result["stopped"]).replace("\n", " ").replace("|", "\\|")
        yield [f"`{name}`: {reason}", *[""] * 7]


def complaints(results: Json) -> list[str]:
    """What of the goal for the states is missed."""
    name, number, seconds = GOAL
    if name not in results:
        return []
    result = results[name]
    large = [(other, r["peak"]) for other, r in results.items() if r["peak"] > MEMORY_LIMIT]
    found = [f"{other}: {peak / MEBIBYTE:.0f} MiB" for other, peak in large]
    reached = [row for row in result["rows"] if row["depth"] == number]
    if not reached or result["cpu"] > seconds:
        found.append(f"{name}: depth {number} not within {seconds:g} s ({result['cpu']:.0f} s)")
    return found
