"""`--complement`: what the user's own suite meets of each module, so that tests are written for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.emit.beside import generated_tests
from tracetwin.emit.file_names import places_of, test_files
from tracetwin.explore.criteria.base import criteria_named
from tracetwin.explore.loop.shown import vector
from tracetwin.explore.wanted import operands_of
from tracetwin.model.met import Met
from tracetwin.model.mutant import MutantFate
from tracetwin.mutation import readers
from tracetwin.mutation.suites import judge_suite
from tracetwin.replay.static import Coverable, coverable
from tracetwin.replay.watching import met_endings, names_by_line
from tracetwin.run.module_facts import sites_of
from tracetwin.support.data import dataclass
from tracetwin.support.text import clean, count

if TYPE_CHECKING:
    from tracetwin.model.options import Options
    from tracetwin.mutation.suites import Judgement
    from tracetwin.run.listener import Listener
    from tracetwin.target.selection import TargetModule

_FOOTPRINT: Final = "tracetwin.run.learning.footprint"


@dataclass
class _Footprint:
    """Findings of a process about the tests."""

    passing: int = 0
    lines: set[int] = field(default_factory=set)
    arcs: set[tuple[int, int]] = field(default_factory=set)
    endings: list[Any] = field(default_factory=list)
    sides: set[int] = field(default_factory=set)
    vectors: list[Any] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    problem: str = ""

    def add(self, told: dict[str, Any]) -> None:
        self.lines.update(told["lines"])
        self.arcs.update((start, end) for start, end in told["arcs"])

    def take(self, told: dict[str, Any]) -> None:
        match told["kind"]:
            case "passes":
                self.passing += 1
                self.add(told)
            case "failing":
                self.failing.append(f"{told['test']} ({told['why']})")
            case "import":
                self.add(told)
            case "endings":
                self.endings = told["endings"]
            case "sides":
                self.sides, self.vectors = set(told["sides"]), told["vectors"]
            case _:
                self.problem = told["why"]


def complemented(modules: Sequence[TargetModule], options: Options, listener: Listener) -> list[Met | None]:
    """Return what the user's suite meets of each module; None where nothing is to be subtracted."""
    if not options.complement:
        return [None] * len(modules)
    written = test_files([module.name for module in modules], options.output)
    ours = {place.resolve() for one in written for place in places_of(one) if generated_tests(place)}
    tests = [file for file in readers.test_files(options.complement) if file.resolve() not in ours]
    if not tests:
        listener.message("warning: --complement: there is no test_*.py or *_test.py, so all is tested")
        return [None] * len(modules)
    found = []
    listener.message("running your own tests to learn what they meet")
    for module in modules:
        met, sentences = met_of(module, tests, options)
        found.append(met)
        for sentence in sentences:
            listener.message(f"{module.name}: {sentence}")
    return found


def met_of(module: TargetModule, tests: Sequence[Path], options: Options) -> tuple[Met | None, list[str]]:
    """Return what tests meet of a module, and what is to be said of that."""
    if module.outside or not module.file.endswith(".py") or not Path(module.file).is_file():
        return None, ["--complement: it has no source to measure, so all is tested"]
    found = _footprint(module, tests, "coverage")
    said = [f"warning: your test {clean(one)} fails and does not count" for one in found.failing]
    if found.problem or not found.passing:
        why = found.problem or "none of your tests passes"
        return None, [*said, f"warning: --complement: {clean(why)}; all is tested"]
    criteria = criteria_named(options.criteria)
    facts = coverable(module.file, module.python)
    lines, arcs = facts.covered(found.lines, found.arcs)
    endings = met_endings(_footprint(module, tests, "endings").endings, names_by_line(facts))
    met = Met(found.passing, lines, arcs, frozenset(endings))
    said.append(_of_coverage(met, facts))
    if any(criterion.wants_sides for criterion in criteria):
        met = replace(met, shown=frozenset(_shown(module, tests)))
    if any(criterion.wants_mutants for criterion in criteria):
        judged = judge_suite(module, tests, jobs=options.jobs, seconds=options.learn_limit)
        killed = frozenset(mutant.number for mutant, fate, _ in judged.fates if fate is MutantFate.KILLED)
        met = replace(met, killed=killed)
        said += _of_mutants(judged, options.learn_limit)
    return met, said


def _of_coverage(met: Met, facts: Coverable) -> str:
    branches = f" and {len(met.arcs)} of {count(len(facts.arcs), 'branch')}" if facts.arcs else ""
    lines = f"{len(met.lines)} of {count(len(facts.lines), 'line')}"
    return f"your {count(met.tests, 'test')} cover {lines}{branches}"


def _of_mutants(judged: Judgement, limit: float) -> Iterator[str]:
    yield f"they notice {judged.count(MutantFate.KILLED)} of {count(len(judged.fates), 'mutant')}"
    untried = judged.count(MutantFate.UNTRIED)
    if untried:
        yield f"{untried} mutants were not tried in {limit:g} seconds; --learn-limit gives it longer"


def _footprint(module: TargetModule, tests: Sequence[Path], about: str) -> _Footprint:
    found = _Footprint()
    operands = operands_of(sites_of(module)) if about == "sides" else {}
    for told in readers.started(_FOOTPRINT, module, tests, about=about, operands=operands):
        found.take(told)
    return found


def _shown(module: TargetModule, tests: Sequence[Path]) -> Iterator[int | str]:
    found = _footprint(module, tests, "sides")
    yield from found.sides
    operands = operands_of(sites_of(module))
    for site, outcomes in found.vectors:
        yield vector(site, dict(map(tuple, outcomes)), operands)
