"""The table of the mock benchmarks, and the verdict against the goals of the work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness import Json
from tables import markdown
from targets import Target

SECONDS = 20.0  # for a module, all in all
SHARE = 0.95  # of the feasible branches of the clients

HEADER = (
    "module", "goals", "branches", "%", "infeasible", "lines", "tests", "failing", "mypy", "runs", "seconds",
    "CPU s",
)  # fmt: skip


def row(target: Target, result: Json) -> list[str]:
    """One line under HEADER."""
    if "branches" not in result:
        reason = str(result.get("error", "not measured")).replace("\n", " ").replace("|", "\\|")[-120:]
        return [f"`{target.file.stem}`", reason, *[""] * (len(HEADER) - 2)]
    return [
        f"`{target.file.stem}`",
        f"{result['goals_reached']}/{result['goals']}" if result["goals"] else "",
        f"{result['covered']}/{result['branches']}",
        _percent(result["covered"], result["branches"]),
        str(result["infeasible"] or ""),
        f"{result['covered_lines']}/{result['lines']}",
        str(result["tests"]),
        str(result["failing"]),
        str(len(result["mypy"])),
        str(result["runs"]),
        f"{result['seconds']:.1f}",
        f"{result['cpu']:.1f}",
    ]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}" if whole else ""


def _sum(results: Iterable[Json], figure: str) -> int:
    return sum(result.get(figure, 0) for result in results)


def _of(kind: str, targets: Sequence[Target], results: Json) -> list[Json]:
    return [results[target.key] for target in targets if target.kind == kind and target.key in results]


def table(targets: Sequence[Target], results: Json) -> str:
    """All modules, with a line for the clients together."""
    rows = [row(target, results.get(target.key, {})) for target in targets]
    clients = _of("clients", targets, results)
    if clients:
        covered, branches = _sum(clients, "covered"), _sum(clients, "branches")
        lines = f"{_sum(clients, 'covered_lines')}/{_sum(clients, 'lines')}"
        together = ["all clients", "", f"{covered}/{branches}", _percent(covered, branches)]
        together += [str(_sum(clients, "infeasible")), lines]
        together += [str(_sum(clients, figure)) for figure in ("tests", "failing")]
        together += [str(sum(len(result.get("mypy", ())) for result in clients))]
        rows.append([*together, str(_sum(clients, "runs")), "", ""])
    return markdown(HEADER, rows)


def misses(targets: Sequence[Target], results: Json) -> str:
    """What was not reached and what mypy said, for the terminal."""
    lines: list[str] = []
    for target in targets:
        result = results.get(target.key, {})
        missing = [f"goal in line {line}" for line in result.get("goals_missed", ())]
        missing += result.get("missing", ())
        if lines_missed := result.get("missing_lines", ()):
            missing.append(f"lines {' '.join(map(str, lines_missed))}")
        if missing:
            lines.append(f"{target.key}: {', '.join(missing)}")
        lines += [f"{target.key}: {said}" for said in result.get("mypy", ())]
    return "\n".join(lines)


def complaints(targets: Sequence[Target], results: Json) -> list[str]:
    """The goals that were missed, each as a short sentence."""
    found: list[str] = []
    for target in targets:
        found += [f"{target.key}: {said}" for said in _complaints(target, results.get(target.key, {}))]
    clients = _of("clients", targets, results)
    covered, branches = _sum(clients, "covered"), _sum(clients, "branches")
    if covered < SHARE * branches:
        found.append(f"clients: {covered} of {branches} branches")
    return found


def _complaints(target: Target, result: Json) -> Iterable[str]:
    if result.get("error") or "branches" not in result:
        yield str(result.get("error") or "not measured")
        return
    if result["goals_reached"] < target.goals:
        yield f"{result['goals_reached']} of {target.goals} goals"
    if result["failing"]:
        yield f"{result['failing']} tests fail"
    if result["mypy"]:
        yield f"{len(result['mypy'])} complaints by mypy"
    if result["seconds"] >= SECONDS:
        yield f"{result['seconds']:.0f} s"
