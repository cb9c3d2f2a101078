"""The table of released modules, and the verdict against the goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from harness import Json

HEADER = (
    "module", "tree", "branches", "lines", "mutants", "tests", "failing", "runs/s", "exploring", "seconds",
    "internal",
)  # fmt: skip

BRANCHES, MUTANTS, RATE, BUDGET = 85.0, 75.0, 500.0, 15.0


def percent(found: Json, part: str, whole: str) -> float | None:
    """Return a share in percent, None where there is nothing to count."""
    return 100 * found.get(part, 0) / found[whole] if found.get(whole) else None


def line(found: Json) -> str:
    """Return the figures of one measurement in a line."""
    return ", ".join(f"{name} {cell}" for name, cell in zip(HEADER[2:], _cells(found), strict=True) if cell)


def table(shown: Mapping[str, Mapping[str, Json]]) -> str:
    """Return a Markdown table of all modules by tree, and the sums of each tree.

    Args:
        shown: by file and tree.
    """
    rows = [
        (file, tree, *_cells(found))
        for file, by_tree in shown.items()
        for tree, found in by_tree.items()
    ]
    names = list(next(iter(shown.values()), {}))
    rows += [("all", name, *_sums([by_tree[name] for by_tree in shown.values()])) for name in names]
    rule = ["---", "---", *["---:"] * (len(HEADER) - 2)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (HEADER, rule, *rows))


def missed(found: Sequence[Json], seconds: float) -> list[str]:
    """Return the goals that a tree did not reach, each with its figure."""
    most = seconds + max(2.0, seconds / 10)
    branches, killed = _mean(found, "covered_branches", "branches"), _mean(found, "killed", "mutants")
    late = sum(one["wall"] > most for one in found)
    without = sum(not one["tests"] for one in found)
    wrong = {
        f"branches {branches:.1f} %": branches < BRANCHES,
        f"mutants {killed:.1f} %": killed < MUTANTS,
        f"runs per second {_rate(found):.0f}": _rate(found) < RATE,
        f"{_total(found, 'failing')} failing tests": _total(found, "failing") > 0,
        f"{_total(found, 'internal')} internal errors": _total(found, "internal") > 0,
        f"{without} modules without a suite": without > 0,
        f"{late} modules over {most:g} s": late > 0,
        f"{_budget(found):.0f} % of the uncovered lines: budget spent": _budget(found) > BUDGET,
    }
    return [goal for goal, is_missed in wrong.items() if is_missed]


def _cells(found: Json) -> tuple[str, ...]:
    if found.get("error") and not found.get("tests"):
        return (str(found["error"]).replace("|", "\\|").replace("\n", " ")[:80], *[""] * (len(HEADER) - 3))
    return (
        f"{found['covered_branches']}/{found['branches']}",
        f"{found['covered_lines']}/{found['lines']}",
        f"{found.get('killed', 0)}/{found.get('mutants', 0)}",
        str(found["tests"]),
        str(found["failing"]),
        f"{_rate([found]):.0f}",
        f"{found.get('exploring', 0.0):.1f}",
        f"{found['wall']:.1f}",
        str(found.get("internal", 0)),
    )


def _sums(found: Sequence[Json]) -> tuple[str, ...]:
    return (
        f"mean {_mean(found, 'covered_branches', 'branches'):.1f} %",
        f"mean {_mean(found, 'covered_lines', 'lines'):.1f} %",
        f"mean {_mean(found, 'killed', 'mutants'):.1f} %",
        str(_total(found, "tests")),
        str(_total(found, "failing")),
        f"median {_rate(found):.0f}",
        f"{sum(one.get('exploring', 0.0) for one in found):.0f}",
        f"{sum(one['wall'] for one in found):.0f}",
        str(_total(found, "internal")),
    )


def _mean(found: Sequence[Json], part: str, whole: str) -> float:
    """Return the mean of the shares; a module without a suite counts as nothing reached."""
    shares = [share for one in found if (share := percent(one, part, whole)) is not None]
    return sum(shares) / len(shares) if shares else 0.0


def _rate(found: Sequence[Json]) -> float:
    rates = [one["runs"] / one["exploring"] for one in found if one.get("exploring")]
    return median(rates) if rates else 0.0


def _total(found: Sequence[Json], figure: str) -> int:
    return sum(int(one.get(figure, 0)) for one in found)


def _budget(found: Sequence[Json]) -> float:
    return 100 * _total(found, "budget") / max(1, _total(found, "uncovered"))
