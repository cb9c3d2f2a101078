"""One class under study: what its objects hold, and the summaries of its methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.loop.run import Executor, Request, Run
from tracetwin.explore.summaries.logic import Reasoner
from tracetwin.explore.summaries.paths import all_paths
from tracetwin.explore.summaries.refinement import refined
from tracetwin.explore.summaries.shapes import FreeShape
from tracetwin.explore.summaries.summary import Summaries
from tracetwin.model.invokable import Invokable
from tracetwin.solving import Solver
from tracetwin.support.data import dataclass

PATHS_PER_WORD: Final = 5
SECOND_WORDS: Final = 40
"""Pairs of words that are run."""


def reached(
    executor: Executor,
    solver: Solver,
    target: str,
    words: Sequence[str],
    budget: Budget,
    fixed: Mapping[str, object] | None = None,
) -> list[Heap]:
    """The states after the receiver's making, after each word, and after some pairs of words."""
    start = dict(fixed or {})

    def states(prefix: tuple[str, ...], assignment: Mapping[str, object], most: int) -> list[Run]:
        request = Request(target, prefix, {**start, **assignment}, heap=True, bare=True)
        runs = all_paths(executor, solver, request, budget, most).runs
        return [run for run in runs if run.heap is not None]

    found = states((), {}, PATHS_PER_WORD)
    firsts: list[Run] = []
    for word in words:
        if budget.spent():
            break
        firsts += states((word,), {}, PATHS_PER_WORD)
    found += firsts
    pairs = [(run, word) for word in words for run in firsts]
    step = max(1, len(pairs) // SECOND_WORDS)
    for run, word in pairs[::step]:
        if budget.spent():
            break
        found += states((*run.request.prefix, word), run.values, 2)
    return [run.heap for run in found if run.heap is not None]


@dataclass
class ClassStudy:
    """One class under study.

    Attributes:
        name: its qualified name in the module.
        members: its methods and properties that can be called.
        words: the methods that sequences consist of. Attributes are not stored from outside: as in the paper,
            they change by methods only.
        summaries: by the qualified name of a member, over one free receiver.
        problem: why there are none, "" where there are.
    """

    name: str
    members: Sequence[Invokable]
    words: tuple[str, ...]
    summaries: dict[str, Summaries] = field(default_factory=dict)
    problem: str = ""


class Studies:
    """Makes studies of the classes of a module.

    Attributes:
        solver: the chain that is asked.
        budget: what all of them may spend together.
    """

    def __init__(self, module: str, executor: Executor, solver: Solver, budget: Budget) -> None:
        self._module = module
        self.executor = executor
        self.solver = solver
        self.budget = budget

    def of(self, name: str, invokables: Iterable[Invokable]) -> ClassStudy:
        """The study of the class called `name`."""
        members = [i for i in invokables if i.owner == name and i.kind in ("method", "property")]
        callable_members = [member for member in members if not member.problem]
        if not callable_members:
            why = next((member.problem for member in members), "it has no methods that can be called")
            return ClassStudy(name, members, (), problem=why)
        words = words_of(callable_members)
        study = ClassStudy(name, callable_members, words)
        target = callable_members[0].qualname
        shape = self._shape(target, words)
        if shape is None:
            study.problem = "no object of it could be made, or objects of it have no attributes"
            return study
        reasoner = Reasoner(self.solver)
        for member in callable_members:
            study.summaries[member.qualname] = Summaries(
                self.executor, self.solver, member.qualname, words, shape, self.budget, flow=True,
                reasoner=reasoner,
            )  # fmt: skip
        return study

    def _shape(self, target: str, words: Sequence[str]) -> FreeShape | None:
        heaps = reached(self.executor, self.solver, target, words, self.budget)
        return refined(self.executor, self.solver, target, words, heaps, self._module, self.budget)


def words_of(members: Iterable[Invokable]) -> tuple[str, ...]:
    """The words that prepare a receiver of a class by methods and setters, in the order of the text."""
    known = list(members)
    setters = {f"{member.qualname.rpartition('.')[2]}=" for member in known if member.kind == "property"}
    found: dict[str, None] = {}
    for member in known:
        for word in member.methods:
            if word in setters or not (word.endswith("=") or word.startswith(":")):
                found[word] = None
    return tuple(found)


def classes_of(invokables: Iterable[Invokable], selection: Sequence[str] = ()) -> list[str]:
    """The classes that have methods, in the order of the text; of a selection those that it speaks of."""
    found: dict[str, None] = {}
    for invokable in invokables:
        owner = invokable.owner
        wanted = not selection or any(_speaks_of(name, owner) for name in selection)
        if invokable.kind in ("method", "property") and owner and wanted:
            found[owner] = None
    return list(found)


def _speaks_of(selected: str, owner: str) -> bool:
    return selected == owner or selected.startswith(f"{owner}.") or owner.startswith(f"{selected}.")
