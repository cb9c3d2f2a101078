"""The results by category: for the eye with rich, for the page as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from harness import Json
from marks import Marked
from rich.console import Console
from rich.table import Table

HEADER = (
    "category", "lines", "reached", "%", "median s", "max s", "solver share", "queries", "cache, folding",
    "divergences", "CrossHair reached", "%", "median s",
)  # fmt: skip

CHEAP_STAGES = ("fold", "cache", "candidates")
"""Stages of the solver chain that answer without a solver."""


PROVED = "infeasible (proved)"


@dataclass(frozen=True)
class Row:
    """The sums of a category."""

    name: str
    lines: int
    reached: int
    times: Sequence[float]
    shares: Sequence[float]
    queries: int
    cheap: int
    divergences: int
    others: int
    other_lines: int
    other_times: Sequence[float]

    def cells(self) -> tuple[str, ...]:
        """Formatted under HEADER."""
        return (
            self.name,
            str(self.lines),
            str(self.reached),
            _percent(self.reached, self.lines),
            _median(self.times),
            f"{max(self.times):.1f}" if self.times else "",
            f"{100 * median(self.shares):.0f} %" if self.shares else "",
            str(self.queries),
            _percent(self.cheap, self.queries),
            str(self.divergences),
            f"{self.others}/{self.other_lines}" if self.other_lines else "",
            _percent(self.others, self.other_lines),
            _median(self.other_times),
        )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}" if whole else ""


def _median(values: Sequence[float]) -> str:
    return f"{median(values):.2f}" if values else ""


def rows(functions: Iterable[Marked], results: Json) -> list[Row]:
    """One row per category with results, and the total."""
    measured = [f for f in functions if f.key in results["tracetwin"] or f.key in results["crosshair"]]
    names = list(dict.fromkeys(f.category for f in measured))
    made = [_row(name, [f for f in measured if f.category == name], results) for name in names]
    return [*made, _row("all", measured, results)]


def _row(name: str, functions: Sequence[Marked], results: Json) -> Row:
    ours = [(f, results["tracetwin"][f.key]) for f in functions if f.key in results["tracetwin"]]
    theirs = [(f, results["crosshair"][f.key]) for f in functions if f.key in results["crosshair"]]
    return Row(
        name,
        sum(len(f.lines) for f, _ in ours),
        sum(len(_reached(f, got)) for f, got in ours),
        [got["after"][str(n)] for f, got in ours for n in _reached(f, got) if str(n) in got["after"]],
        [got["solving"] / got["wall"] for _, got in ours if got.get("solving") is not None and got["wall"]],
        sum(got.get("queries", 0) for _, got in ours),
        sum(_cheap(got) for _, got in ours),
        sum(got.get("divergences", 0) for _, got in ours),
        sum(len(_reached(f, got)) for f, got in theirs),
        sum(len(f.lines) for f, _ in theirs),
        [got["after"][str(n)] for f, got in theirs for n in _reached(f, got)],
    )


def _reached(function: Marked, got: Json) -> list[int]:
    return [line for line in function.lines if line in got["reached"]]


def _cheap(got: Json) -> int:
    """Queries that a cache, folding or a known value answered."""
    stages = got.get("stages", {})
    return sum(stages[name]["sat"] + stages[name]["unsat"] for name in CHEAP_STAGES if name in stages)


def show(functions: Sequence[Marked], results: Json) -> None:
    """Print the table, and every line that was not reached with its reason."""
    table = Table(*HEADER, title="Depth")
    for row in rows(functions, results):
        table.add_row(*row.cells())
    console = Console(width=160)
    console.print(table)
    for function in functions:
        got = results["tracetwin"].get(function.key)
        for line in function.lines if got else ():
            if line not in got["reached"]:
                why = got["error"] or got.get("reasons", {}).get(str(line), "")
                place = f"{function.category}.py:{function.first + line}"
                console.print(f"{place}: {function.name}: {why}", highlight=False, markup=False)
    console.print(impossible(functions, results), markup=False, highlight=False)
    for tool in ("tracetwin", "crosshair"):
        for key in wrong(functions, results[tool]):
            console.print(f"{key}: {tool} reached a line marked as unreachable", markup=False)


def impossible(functions: Iterable[Marked], results: Json) -> str:
    """What was said of the lines that no input reaches."""
    ours = results["tracetwin"]
    marked = [(f, line) for f in functions if f.key in ours for line in f.unreachable]
    said = [ours[f.key].get("reasons", {}).get(str(line), "") for f, line in marked]
    proved = sum(reason == PROVED for reason in said)
    reached = len(wrong(functions, ours))
    count = f"{len(marked)} lines that no input reaches"
    return f"{count}: {reached} reported as reached, {proved} proved infeasible"


def wrong(functions: Iterable[Marked], results: Json) -> list[str]:
    """Functions in which a line marked as unreachable was reached."""
    return [
        f.key for f in functions if f.key in results and set(f.unreachable) & set(results[f.key]["reached"])
    ]


def markdown(functions: Sequence[Marked], results: Json) -> str:
    """The table for the page."""
    rule = ["---", *["---:"] * (len(HEADER) - 1)]
    cells = [HEADER, rule, *(row.cells() for row in rows(functions, results))]
    table = "\n".join("| " + " | ".join(row) + " |" for row in cells)
    return f"{table}\n\n{impossible(functions, results)}."
