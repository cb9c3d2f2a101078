"""The work behind `tracetwin explore`: a class's states, iteration by iteration, with figures.

The states of a class and the calls between them in words, as plain data.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.states.breadth import Breadth, IterationRow, Settings
from tracetwin.explore.states.graph import SeenState, StateGraph
from tracetwin.explore.summaries.places import ref_text
from tracetwin.explore.summaries.wording import condition_text, told_kinds
from tracetwin.run.module_facts import sites_of
from tracetwin.run.results.refusals import Refusal
from tracetwin.run.studies.coverage import Coverage, Missed, family, reachable
from tracetwin.run.studies.session import OpenedTwin
from tracetwin.run.twins import Twins, build_twin
from tracetwin.solving import patience
from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError, TracetwinError
from tracetwin.support.scratch import scratch

if TYPE_CHECKING:
    from tracetwin.model.invokable import Invokable
    from tracetwin.target.module import TargetModule

SCHEMA_VERSION: Final = 1
"""Raised whenever a field of the JSON changes its meaning or goes; new fields don't raise it."""


@dataclass(frozen=True)
class WantedClasses:
    """The classes and the options that the user asked for.

    Attributes:
        depth: calls after the constructor.
        methods: what is called, None for all public methods.
        time_limit: seconds in all.
        max_states: after how many states to end, None for no limit.
        subsumption: see `Settings`.
        concrete: see `Settings`.
        default_constructor: see `Settings.default_receiver`.
        seed: where the solver's pseudo-random choices start.
    """

    depth: int
    methods: tuple[str, ...] | None = None
    time_limit: float = 60.0
    max_states: int | None = None
    subsumption: bool = True
    concrete: bool = False
    default_constructor: bool = False
    seed: int = 0


@dataclass
class ClassExplored:
    """The figures of the explored classes.

    Attributes:
        target: ``module:Class``.
        rows: one per iteration, the constructor's first.
        missed: those that no run passed.
        endings: how calls ended, and how often.
        stopped: why it ended before its depth was reached, "" where it did not.
        diverged: runs that did not go where they were solved to go.
        unknown: sides for which the solver had no answer.
        lost: callables, with line and module, in which traced values were lost.
        unguarded: sentences about walls that this system does not have.
        graph: the states and the calls between them.
    """

    target: str
    methods: tuple[str, ...]
    rows: list[IterationRow] = field(default_factory=list)
    branches: int = 0
    missed: list[Missed] = field(default_factory=list)
    endings: dict[str, int] = field(default_factory=dict)
    stopped: str = ""
    seconds: float = 0.0
    diverged: int = 0
    unknown: int = 0
    lost: list[tuple[str, int, str]] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    unguarded: tuple[str, ...] = ()
    graph: StateGraph = field(default_factory=StateGraph)

    @property
    def complete(self) -> bool:
        """Return whether every path of every call was run, as far as is known."""
        return not (self.stopped or self.unknown or self.lost) and all(row.complete for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "schema": SCHEMA_VERSION,
            "target": self.target,
            "methods": list(self.methods),
            "complete": self.complete,
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
            "branches": self.branches,
            "diverged": self.diverged,
            "unknown": self.unknown,
            "lost": [{"name": name, "line": line, "module": module} for name, line, module in self.lost],
            "refusals": [refusal.to_plain() for refusal in self.refusals],
            "endings": dict(sorted(self.endings.items())),
            "rows": [{**asdict(row), "seconds": round(row.seconds, 3)} for row in self.rows],
            "uncovered": [asdict(missed) for missed in self.missed],
            **graph_data(self.graph),
        }


Listener = Callable[[Breadth, "ClassExplored"], None]


@scratch()
def explore(module: TargetModule, wanted: WantedClasses, tell: Listener) -> ClassExplored:
    """Explore the class that a target names.

    A KeyboardInterrupt ends it with what was found until then.

    Raises:
        TargetError: there is no such class, or nothing can be called on it.
        TracetwinError: the module can't be imported.
    """
    patience.install()
    with OpenedTwin(with_twins(module), seed=wanted.seed) as session:
        if session.failure:
            raise TracetwinError(session.failure)
        return explored_class(session, module, wanted, tell)


def explored_class(
    session: OpenedTwin, module: TargetModule, wanted: WantedClasses, tell: Listener
) -> ClassExplored:
    """Explore a class of a module that is open; the arguments are those of `explore`."""
    owner, target, methods = _class_in(session.invokables, module, wanted.methods)
    names = [name.removesuffix("=") for name in methods]
    coverage = Coverage(sites_of(module), reachable(session.tree, family(session.tree, owner), names))
    found = ClassExplored(f"{module.name}:{owner}", methods)
    breadth = Breadth(
        session.executor,
        session.solver,
        target,
        _settings(wanted, methods, f"{module.name}:{owner}"),
        wanted=coverage.counts,
        progress=lambda at_work: tell(at_work, found),
    )
    found.graph = breadth.graph
    started = time.monotonic()
    budget = Budget(None, started + wanted.time_limit)
    try:
        for row in breadth.explore(wanted.depth, budget):
            found.rows.append(row)
            tell(breadth, found)
        found.stopped = breadth.stopped
    except KeyboardInterrupt:
        found.stopped = "interrupted"
    found.seconds = time.monotonic() - started
    found.endings = dict(breadth.endings)
    found.diverged, found.unknown = breadth.expander.spent.diverged, breadth.expander.spent.unknown
    found.refusals, found.unguarded = session.refusals, session.unguarded
    found.lost = sorted(breadth.losses)
    found.branches, found.missed = coverage.result(breadth.outcomes)
    return found


def _settings(wanted: WantedClasses, methods: Sequence[str], owner: str) -> Settings:
    return Settings(
        methods,
        subsumption=wanted.subsumption,
        concrete=wanted.concrete,
        most_states=wanted.max_states,
        most_paths=MOST_PATHS,
        default_receiver=wanted.default_constructor,
        owner=owner,
    )


MOST_PATHS: Final = 1000
"""Paths of one call on one state; what goes on is a loop without an end."""


def guided(
    modules: list[TargetModule], file: Path | None, *, wanted: bool, allow: tuple[str, ...] = (),
    warn: Callable[[str], None] = lambda sentence: None,
) -> list[TargetModule]:
    """The targets with the rules that the configuration has for them.

    Args:
        modules: the targets.
        file: a configuration that the user named, None to look for it.
        wanted: whether to have one at all.
        allow: what targets may do to the world; where nothing is given, the configuration says it.
        warn: told what it wants and does not get.

    Raises:
        ConfigError: it is wrong.
    """
    from tracetwin.config import settle
    from tracetwin.model.options import Options

    config = settle.configuration(file, modules, wanted=wanted)
    for sentence in settle.warnings(config, {"output", "jobs", "learn_from", *(["allow"] if allow else ())}):
        warn(f"warning: {sentence}")
    chosen = settle.settled(config, {"output": Path(), "allow": allow or None})
    return settle.guided(modules, config, Options(Path(), allow=chosen.allow))


def with_twins(module: TargetModule) -> TargetModule:
    """The module once the twins that its import needs are built."""
    twins = Twins()
    while (task := twins.task(0, module)) is not None:
        twins.ended(task, build_twin(task))
    return replace(module, library=twins.library(module))


def _class_in(
    invokables: Sequence[Invokable], module: TargetModule, methods: tuple[str, ...] | None
) -> tuple[str, str, tuple[str, ...]]:
    """The class's name, a method of it, and what is to be called."""
    on_objects = [i for i in invokables if i.kind in ("method", "property") and not i.problem]
    callable_on = {i.owner: i for i in reversed(on_objects)}
    owner = _owner(callable_on, invokables, module)
    target = callable_on[owner]
    words = [word for word in target.methods if not word.startswith(":")]
    public = tuple(word for word in words if not word.endswith("="))
    unknown = [name for name in methods or () if name not in words]
    if unknown:
        there = ", ".join(public) or "none"
        raise TargetError(
            module.name, f"{owner} has no method '{unknown[0]}' that can be called; there are: {there}"
        )
    if not (methods or public):
        raise TargetError(module.name, f"{owner} has no public method that can be called")
    return owner, target.qualname, methods or public


def _owner(
    callable_on: dict[str, Invokable], invokables: Sequence[Invokable], module: TargetModule
) -> str:
    if len(module.selection) == 1:
        name = module.selection[0]
        if name in callable_on:
            return name
        if any(i.qualname == name and i.kind != "constructor" for i in invokables):
            raise TargetError(module.name, f"'{name}' is not a class; name one, as in {module.name}:Class")
        raise TargetError(module.name, f"there is no class '{name}' with methods of its own to call")
    names = list(dict.fromkeys(i.owner for i in invokables if i.owner in callable_on))
    if len(names) == 1 and not module.selection:
        return names[0]
    examples = ", ".join(f"{module.name}:{name}" for name in names[:5])
    raise TargetError(module.name, f"name one class{f', such as {examples}' if names else '; there is none'}")


LONGEST: Final = 400
"""Characters of one attribute, and of a condition."""


def graph_data(graph: StateGraph) -> dict[str, Any]:
    """Return a graph as plain data; docs/reference.md describes the fields."""
    return {
        "states": [_state(seen) for seen in graph.states],
        "moves": [asdict(move) for move in graph.moves],
    }


def _state(seen: SeenState) -> dict[str, Any]:
    return {
        "number": seen.number,
        "depth": len(seen.calls),
        "calls": list(seen.calls),
        "holds": _contents(seen.state.heap),
        "when": _short(condition_text(seen.state.conditions, told_kinds(seen.state.kinds))),
    }


def _contents(heap: Heap) -> dict[str, str]:
    """The attributes of an object, or all of it under "" where it has none."""
    if heap[0][0] != "object":
        return {"": _short(ref_text(heap, ("cell", 0)))}
    return {name: _short(ref_text(heap, ref)) for name, ref in heap[0][2]}


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
