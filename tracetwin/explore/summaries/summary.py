"""Summaries of methods: precondition on attributes and arguments => what the attributes are afterwards.

Each word (a method, a store of an attribute, a function of the module) is run on a *free receiver*, whose
attributes are inputs, and all its paths are explored (Buy, Orso, Pezze, section 5). A path is then one line
of their table 2. The constructor is a word too, without a precondition on attributes.

In a path, variables are ``self.attr`` (`tracetwin.worker.symbolic_receiver`) and parameters of the word by
their plain names; those of the receiver's constructor are as in any other request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from runtime.expr import Node, Sort, negate, var
from runtime.trace import Kind
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.loop.run import Assignment, Executor, PathStep, Request, Run
from tracetwin.explore.summaries.families import generalised
from tracetwin.explore.summaries.logic import NEVER, Condition, Reasoner, Substitution
from tracetwin.explore.summaries.paths import MOST_PATHS, Paths, all_paths
from tracetwin.explore.summaries.places import After, after, is_unchanged
from tracetwin.explore.summaries.shapes import FreeShape
from tracetwin.model.status import Status
from tracetwin.solving import Solver
from tracetwin.support.data import dataclass


def without_choices(paths: Sequence[MethodPath]) -> list[MethodPath]:
    """The paths, those with a choice that does not matter marked as members, and general ones without it."""
    groups: dict[object, list[int]] = {}
    for place, path in enumerate(paths):
        groups.setdefault(_core(path), []).append(place)
    members: set[int] = set()
    found: dict[object, MethodPath] = {}
    for places in groups.values():
        group = [paths[place] for place in places]
        idle = _idle(group)
        for place in places:
            path = paths[place]
            if any(_choice(node) in idle for node in path.condition):
                members.add(place)
                general = _general(path, idle, group)
                found.setdefault((general.condition, _core(path)), general)
    marked = [replace(path, member=True) if i in members else path for i, path in enumerate(paths)]
    return [*marked, *found.values()]


def _choice(node: Node) -> str:
    """The name of the attribute whose kind a conjunct decides, "" where it does something else."""
    if node.op in ("eq", "ne") and node.args[0].op == "var" and node.args[1].op == "const":
        name = str(node.args[0].data)
        if name.startswith("self.") and name.endswith("?"):
            return name[:-1]
    return ""


def _core(path: MethodPath) -> object:
    """All of a path but the choices, and but the attributes that it leaves as they were."""
    others = tuple(node for node in path.condition if not _choice(node))
    changed = tuple(
        (name, value) for name, value in sorted(path.after.items()) if not _is_same(path, name, value)
    )
    run = path.run
    return (run.status, run.detail, run.result, repr(run.value), tuple(sorted(run.outcomes)), others, changed)


def _is_same(path: MethodPath, name: str, value: Node) -> bool:
    """Return whether a variable has the value afterwards that it had before."""
    if value.op == "var" and value.data == name:
        return True
    return name.endswith("?") and _decided(path.condition).get(name[:-1]) == value.data


def _decided(condition: Iterable[Node]) -> dict[str, object]:
    """Return the kinds of attributes that a condition decides."""
    return {name: node.args[1].data for node in condition if node.op == "eq" and (name := _choice(node))}


def _idle(group: Sequence[MethodPath]) -> frozenset[str]:
    """The attributes of which a group of paths has several kinds."""
    seen: dict[str, set[object]] = {}
    for path in group:
        for node in path.condition:
            name = _choice(node)
            if name:
                seen.setdefault(name, set()).add((node.op, node.args[1].data))
    others = (node for path in group for node in path.condition if not _choice(node))
    spoken_of = {name for node in others for name in node.names}
    return frozenset(
        name for name, kinds in seen.items()
        if len(kinds) > 1 and not any(_is_within(other, name) for other in spoken_of)
    )  # fmt: skip


def _is_within(name: str, attribute: str) -> bool:
    """Return whether a variable belongs to what an attribute holds."""
    return name == attribute or (name.startswith(attribute) and name[len(attribute)] in ".[|#?")


def _general(path: MethodPath, idle: frozenset[str], group: Sequence[MethodPath]) -> MethodPath:
    condition = tuple(node for node in path.condition if _choice(node) not in idle)
    same: dict[str, Node] = {}
    for other in group:
        for name, value in other.after.items():
            if _is_same(other, name, value) and any(_is_within(name, attribute) for attribute in idle):
                same[name] = var(name, Sort.INT if name.endswith("?") else value.sort)
    after: Mapping[str, Node] = {**path.after, **same}
    return replace(path, condition=condition, after=after, exact=False, general=True, member=False)


CONSTRUCTOR: Final = ""
"""The word of the receiver's constructor."""


@dataclass(frozen=True)
class MethodPath:
    """One path of a word.

    Attributes:
        word: see the module; `CONSTRUCTOR` for the receiver's making.
        condition: the precondition, canonical.
        after: for every variable of the shape, its value when the word has returned, over those before.
        changed: the receiver's attributes that hold something else afterwards.
        run: the execution that it was read from.
        exact: it says what happens for *all* values that meet the condition.
        general: it was concluded from several paths; the run is one of theirs.
        member: a general path says the same, but for the elements of lists.
    """

    word: str
    condition: Condition
    after: Mapping[str, Node]
    changed: tuple[str, ...]
    run: Run
    exact: bool = True
    general: bool = False
    member: bool = False

    @property
    def returns(self) -> bool:
        """Return whether the receiver can be used afterwards: nothing was raised."""
        return self.run.status is Status.RETURNED


@dataclass
class MethodSummary:
    """All that is known of a word.

    Attributes:
        paths: as far as they were found.
        beyond: where paths begin that take longer lists than a free receiver has: a run, and the place of the
            condition that is the other way round there.
        complete: these are all its paths, exactly.
        why: where it is not, the first reason.
    """

    word: str
    paths: list[MethodPath] = field(default_factory=list)
    beyond: list[tuple[Run, int]] = field(default_factory=list)
    complete: bool = True
    why: str = ""

    def usable(self) -> list[MethodPath]:
        """The paths after which a sequence can go on."""
        return [path for path in self.paths if path.returns]


class Summaries:
    """The summaries of one receiver's words; each is made when it is first asked for.

    Attributes:
        words: what may be done to the receiver before.
        receiver: the variable that the receiver has in sequences.
        opaque: names of attributes that the shape leaves as the constructor made them.
    """

    def __init__(
        self,
        executor: Executor,
        solver: Solver,
        target: str,
        words: Sequence[str],
        shape: FreeShape,
        budget: Budget,
        *,
        fixed: Mapping[str, object] | None = None,
        most_paths: int = MOST_PATHS,
        flow: bool = False,
        reasoner: Reasoner | None = None,
    ) -> None:
        """Begin with nothing summarised.

        `fixed` are values for the receiver's constructor; with `flow` runs note what they read and write,
        which makes them slow.
        """
        self.target = target
        self.words = tuple(words)
        self.shape = shape
        self.reasoner = reasoner or Reasoner(solver)
        self.receiver = ""
        self.opaque = shape.opaque
        self._executor = executor
        self._solver = solver
        self._budget = budget
        self._fixed: Assignment = dict(fixed or {})
        self._most = most_paths
        self._flow = flow
        self._known: dict[str | None, MethodSummary] = {}

    def of(self, word: str) -> MethodSummary:
        """The summary of a word, of the receiver's making for `CONSTRUCTOR`."""
        if word not in self._known:
            self._known[word] = self._summarised(word)
        return self._known[word]

    def of_target(self) -> MethodSummary:
        """The summary of the target's own call; its parameters have their plain names in requests too."""
        if None not in self._known:
            request = replace(self._request(), free=self.shape.shape)
            self._known[None] = self._read(self._paths(request), self.target.rpartition(".")[2], "")
        return self._known[None]

    def ways_to(self, side: int) -> list[list[Node]]:
        """The conditions under which the target takes a side (``site * 2 + outcome``), each once."""
        target = self.of_target()
        found: dict[Condition, list[Node]] = {}
        ways = [conditions_of_side(path.run, side) for path in target.paths]
        ways += [
            [*preconditions(run.path[:place]), negate(run.path[place].node)]
            for run, place in target.beyond
            if run.path[place].site * 2 + 1 - run.path[place].outcome == side
        ]
        for conditions in ways:
            if conditions is not None:
                found.setdefault(self.reasoner.canonical(conditions), conditions)
        return [conditions for key, conditions in found.items() if key != NEVER]

    @property
    def complete(self) -> bool:
        """Return whether all words are summarised completely, and no attribute is opaque."""
        return not self.opaque and all(self.of(word).complete for word in (CONSTRUCTOR, *self.words))

    def why_incomplete(self) -> str:
        """The first reason why nothing can be proved, "" where it can."""
        if self.opaque:
            return f"{self.opaque[0]} can't be made symbolic"
        for word in (CONSTRUCTOR, *self.words):
            if not self.of(word).complete:
                return f"{word or 'the constructor'}: {self.of(word).why}"
        return ""

    def heaps(self) -> list[Heap]:
        """The states after all paths that are known."""
        runs = [path.run for summary in self._known.values() for path in summary.paths]
        return [run.heap for run in runs if run.heap is not None]

    def _summarised(self, word: str) -> MethodSummary:
        if word == CONSTRUCTOR:
            request = Request(self.target, (), self._fixed, heap=True, flow=self._flow, bare=True)
            return self._read(self._paths(request), word, "")
        request = replace(self._request(), prefix=(word,), free=self.shape.shape, bare=True)
        return self._read(self._paths(request), word, f"1.{word}.")

    def _request(self) -> Request:
        """A call of the target, with values with which the receiver can be made at all."""
        made = self.of(CONSTRUCTOR).usable()
        start = {**self._fixed, **(made[0].run.values if made else {})}
        return Request(self.target, (), start, heap=True, flow=self._flow)

    def _paths(self, request: Request) -> Paths:
        steady = self.shape.steady if request.free is not None else frozenset()
        found = all_paths(self._executor, self._solver, request, self._budget, self._most, steady)
        for run in found.runs:
            if run.plain_steps and not self.receiver:
                self.receiver = run.steps[0].bind or ""
        return found

    def _read(self, found: Paths, word: str, prefix: str) -> MethodSummary:
        summary = MethodSummary(word, beyond=found.beyond, complete=found.complete, why=found.why)
        rename = Substitution(lambda name, node: var(name.removeprefix(prefix), node.sort))
        seen: set[tuple[object, ...]] = set()
        for run in found.runs:
            if word == CONSTRUCTOR and run.status is Status.SETUP:
                refusal = run.detail.rpartition(" raised ")[2].partition(":")[0]
                run = replace(run, status=Status.RAISED, detail=refusal)  # noqa: PLW2901 - a path like others
            if not run.status.is_answer or (run.status is Status.RETURNED and run.heap is None):
                why = f"{run.status}: {run.detail}".strip(": ")
                summary.complete, summary.why = False, summary.why or why
                continue
            path = self._path(run, word, rename)
            key = (path.condition, run.status, run.detail, tuple(path.after.items()))
            if path.condition != NEVER and key not in seen:
                seen.add(key)
                summary.paths.append(path)
        summary.paths = generalised(without_choices(summary.paths), self.reasoner.canonical)
        inexact = next((path for path in summary.paths if not (path.exact or path.general)), None)
        if inexact is not None and summary.complete:
            summary.complete, summary.why = False, "a value left for code that can't be followed"
        return summary

    def _path(self, run: Run, word: str, rename: Substitution) -> MethodPath:
        condition = self.reasoner.canonical(rename(node) for node in preconditions(run.path))
        exact = not run.losses and not any(step.kind == Kind.PIN for step in run.path)
        state = After() if run.heap is None else after(self.shape.shape, run.heap)
        values = {name: rename(node) for name, node in state.values.items()}
        changed = () if run.heap is None else self._changed(run.heap, word, run.values)
        return MethodPath(word, condition, values, changed, run, exact and not state.unlike)

    def _changed(self, heap: Heap, word: str, values: Mapping[str, object]) -> tuple[str, ...]:
        names = [name for name, _ in heap[0][2]] if heap[0][0] == "object" else []
        if word == CONSTRUCTOR:
            return tuple(names)
        shape = self.shape.shape
        free = [name for name in names if self._is_free(name)]
        return tuple(name for name in free if not is_unchanged(name, heap, shape, values))

    def _is_free(self, attribute: str) -> bool:
        return bool(dict(self.shape.shape[2]).get(attribute, ("kept",)) != ("kept",))


def preconditions(path: Iterable[PathStep]) -> list[Node]:
    """The conditions that inputs of a path must meet: no hints, no pins, no limits of ours on attributes."""
    return [
        step.node
        for step in path
        if step.kind not in (Kind.HINT, Kind.PIN)
        and not (step.kind == Kind.ASSUME and any(name.startswith("self.") for name in step.node.names))
    ]


def conditions_of_side(run: Run, side: int) -> list[Node] | None:
    """Return the conditions under which a run's path takes a side, None where it does not take it."""
    if side not in run.outcomes:
        return None
    own = run.first(lambda step: step.site * 2 + step.outcome == side and step.kind != Kind.HINT)
    end = own + 1 if own < len(run.path) else run.marks.get(side, len(run.path))
    return preconditions(run.path[:end])
