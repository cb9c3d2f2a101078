"""The work behind `tracetwin summary`: the classes of some modules, their summaries and pairs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.criteria.def_use import all_ways, row_of
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Run
from tracetwin.explore.summaries.pairs import PairSearch
from tracetwin.explore.summaries.places import ref_text
from tracetwin.explore.summaries.shapes import kinds_of
from tracetwin.explore.summaries.static_pairs import pairs_of
from tracetwin.explore.summaries.study import ClassStudy, Studies, classes_of
from tracetwin.explore.summaries.summary import CONSTRUCTOR, MethodPath, MethodSummary
from tracetwin.explore.summaries.wording import condition_text, text, told_kinds
from tracetwin.run.module_facts import text_of
from tracetwin.run.results.refusals import refusal_lines
from tracetwin.run.studies.session import OpenedTwin
from tracetwin.support.data import dataclass
from tracetwin.support.failures import Failure, failure_of
from tracetwin.support.scratch import scratch

SCHEMA: Final = 1
"""Raised whenever a field of the JSON changes its meaning or goes."""


def class_data(study: ClassStudy, pairs: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """One class as plain data; docs/reference.md describes the fields."""
    methods: list[dict[str, Any]] = []
    kinds: Mapping[str, tuple[str, ...]] = {}
    for name, summaries in study.summaries.items():
        kinds = kinds_of(summaries.shape.shape)
        if not methods:
            methods.append(_method(study.name, summaries.of(CONSTRUCTOR), kinds))
        methods.append(_method(name.removeprefix(f"{study.name}."), summaries.of_target(), kinds))
    opaque = next((summaries.opaque for summaries in study.summaries.values()), ())
    return {
        "name": study.name,
        "problem": study.problem,
        "opaque": [name.removeprefix("self.") for name in opaque],
        "methods": methods,
        "pairs": list(pairs),
    }


def _method(name: str, summary: MethodSummary, kinds: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    for path in summary.paths:
        kinds = {**told_kinds(path.run.kinds), **kinds}
    return {
        "name": name,
        "constructor": summary.word == CONSTRUCTOR,
        "complete": summary.complete,
        "why": summary.why,
        "paths": [_path(path, kinds, summary.word) for path in summary.paths if not path.member],
    }


def _path(path: MethodPath, kinds: Mapping[str, tuple[str, ...]], method: str) -> dict[str, Any]:
    returned = returned_text(path.run) if path.returns else ""
    if method == "__hash__" and returned.lstrip("-").isdigit():
        returned = "a hash"  # of a text it differs from process to process
    return {
        "when": condition_text(path.condition, kinds),
        "defines": list(path.changed),
        "then": _then(path),
        "raises": path.run.detail if not path.returns else "",
        "returns": returned,
        "exact": path.exact,
    }


def _then(path: MethodPath) -> dict[str, str]:
    heap = path.run.heap
    if heap is None or heap[0][0] != "object":
        return {}
    inside = dict(heap[0][2])
    found = {}
    for name in path.changed:
        length = path.after.get(f"self.{name}#")
        if path.general and length is not None and length.op != "const":
            found[name] = f"a list of {condition_text([length])}"
        elif path.general and f"self.{name}" in path.after:
            found[name] = text(path.after[f"self.{name}"])
        else:
            found[name] = ref_text(heap, inside[name])
    return found


def returned_text(run: Run) -> str:
    """Return a call's result as an expression where it is simple, else its kind; "" for None."""
    value = run.value
    if value is not None:
        shown = ref_text(run.heap or (), value)
        return "" if shown == "None" else shown
    return "" if run.result in ("NoneType", "") else f"a {run.result}"


if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule


@dataclass
class Summarised:
    """The summaries of some modules.

    Attributes:
        modules: plain data, one entry per module.
        errors: sentences on modules that could not be summarised.
        notes: what else is worth knowing.
        failures: errors that are not the target's.
        unguarded: sentences about walls that this system does not have, as keys.
    """

    modules: list[dict[str, Any]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    unguarded: dict[str, None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        errors = [*self.errors, *(failure.sentence for failure in self.failures)]
        return {"schema": SCHEMA, "modules": self.modules, "errors": errors, "notes": self.notes}


@scratch()
def summarise(
    modules: Sequence[TargetModule], *, seed: int = 0, time_limit: float = 60.0, max_runs: int | None = None
) -> Summarised:
    """Summarise the classes of some modules, one module after the other; an interruption ends it."""
    found = Summarised()
    try:
        for module in modules:
            budget = Budget(max_runs, time.monotonic() + time_limit)
            try:
                with OpenedTwin(module, seed=seed, seconds=time_limit) as session:
                    _summarise(module, session, budget, found)
            except Exception as error:  # noqa: BLE001 - the others go on
                found.failures.append(failure_of(error, f"summarising {module.name}"))
    except KeyboardInterrupt:
        found.notes.append("interrupted: what was found until then")
    return found


def _summarise(module: TargetModule, session: OpenedTwin, budget: Budget, found: Summarised) -> None:
    """Add one module; a class at a time, so that an interruption loses only the one at hand."""
    if session.failure:
        found.errors.append(session.failure)
        return
    names = classes_of(session.invokables, module.selection)
    if not names:
        found.notes.append(f"{module.name}: there is no class with methods in it")
    classes: list[dict[str, Any]] = []
    found.modules.append({"name": module.name, "file": module.file, "classes": classes})
    studies = Studies(module.name, session.executor, session.solver, budget)
    found.unguarded.update(dict.fromkeys(session.unguarded))
    for name in names:
        study = studies.of(name, session.invokables)
        classes.append(class_data(study, pair_data(study, session, budget)))
    found.modules[-1]["refusals"] = [refusal.to_plain() for refusal in session.refusals]
    found.notes += [f"{module.name}: {line}" for line in refusal_lines(session.refusals)]
    if budget.spent():
        found.notes.append(f"{module.name}: the budget was spent before everything was explored")


def pair_data(study: ClassStudy, session: OpenedTwin, budget: Budget) -> list[dict[str, Any]]:
    """Search a sequence for every pair of a class; return the pair table (Buy, Orso, Pezze, table 1)."""
    pairs = pairs_of(text_of(session.module).source, session.module.name, study.name)
    search = PairSearch(pairs, study.summaries, session.executor, budget)
    for _ in all_ways(search, study, session.executor, session.solver, budget, again=True):
        pass
    return [row_of(result) for result in search.results.values()]
