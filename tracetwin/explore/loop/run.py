"""One execution of a target as its explorer sees it, and where executions come from."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from runtime.expr import Node, Sort
from runtime.inputs import ASSUMED_SITE
from runtime.trace import MEMBERS, Kind
from tracetwin.explore.loop.heap import Heap, Ref, Shape
from tracetwin.model.case import Step
from tracetwin.model.codec import argument_types, decode_patch, decode_step
from tracetwin.model.field_types import Malformed, Plain
from tracetwin.model.patch import Patch
from tracetwin.model.status import Status
from tracetwin.support.data import dataclass
from tracetwin.worker.library.modules import BEYOND

Assignment: TypeAlias = dict[str, object]
"""Exact Python values of input variables, by name; what is missing takes its default."""

Accesses: TypeAlias = Mapping[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]]
"""What each function read and wrote, as pairs of class ("" for the module's variables) and attribute."""


PREPARING: Final = "?"
"""Stands for what is done before the call that a run is about."""


class PathStep(NamedTuple):
    """One condition of a path.

    Attributes:
        node: the condition, as it held.
        site: where: positive for a site of the twin, negative for an implicit check, 0 for the input.
        outcome: the outcome of the site, 0 or 1.
        kind: a `runtime.trace.Kind`.
    """

    node: Node
    site: int
    outcome: int
    kind: int


@dataclass(frozen=True)
class Request:
    """An input to be run.

    Attributes:
        target: qualified name of the invokable.
        prefix: words, performed in order before the target: ``name`` calls a method of the receiver,
            ``name=`` stores an attribute, ``:name`` calls a function of the module.
        watched: whether to note the lines that it runs.
        heap: whether to take a picture of the receiver afterwards.
        bare: the last word of the prefix, or without one the constructor, is what the run is about: the
            target only says whose receiver it is.
        free: the shape of a free receiver (`tracetwin.worker.symbolic_receiver`), None for a made one.
        flow: whether to note what it reads and writes of the receiver, and of variables; no lines then.
        hurried: whether it gets a part of the usual time only.
        halvings: how often the usual number of decisions is halved for it; below zero it is doubled.
        members: whether each member of a table that is looked up is worth a run.
    """

    target: str
    prefix: tuple[str, ...]
    assignment: Mapping[str, object]
    watched: bool = False
    heap: bool = False
    free: Shape | None = None
    bare: bool = False
    flow: bool = False
    hurried: bool = False
    halvings: int = 0
    members: bool = False

    def message(self) -> tuple[str, dict[str, Any]]:
        """The request as plain data for a worker."""
        return "run", {
            "target": self.target,
            "prefix": self.prefix,
            "assignment": dict(self.assignment),
            "watched": self.watched,
            "heap": self.heap,
            "free": self.free,
            "bare": self.bare,
            "flow": self.flow,
            "hurried": self.hurried,
            "halvings": self.halvings,
            "members": self.members,
        }


@dataclass(frozen=True)
class Run:
    """The observations of one execution.

    Attributes:
        detail: exception type, or how the process ended.
        said: the words of the exception, where there are some to be told.
        is_stated: a `raise` statement in another module of the target's package made the exception.
        line: the line of the target that raised, 0 if none.
        path: the conditions, in order.
        variables: sort and value of every variable drawn.
        outcomes: ``site * 2 + outcome`` of every site passed.
        losses: callables with the line and the module where traced values were lost in them.
        places: module and line of implicit sites first met in this run.
        plain_steps: the steps of the case as they came; most runs are no cases.
        truncated: whether the path was cut.
        structural: the variables that decide the shape of the input.
        result: the type of what it returned, and whether that is empty.
        found: where a case was made of it: seconds of the exploration until then.
        lines: those of the module that it ran, where it was watched.
        marks: how many conditions stood on the path when a side was first taken.
        stages: the path's length when each call began: the constructor's, the prefix's, the target's.
        latest: those of the sides that were passed in the last call.
        effects: the attributes of the receiver that the last call changed.
        heap: the state of the receiver after the call, where it was asked for and the call returned.
        value: there, what the call returned, if that is a scalar.
        flow: where it was asked for, the accesses to the receiver's attributes in order: the call's number,
            whether it defines, the attribute (``x[]`` for elements of what it holds), line and column.
        accesses: there, too: what each function read and wrote, as pairs of class and attribute.
        variable_pairs: there, too, the executed definition-use pairs of variables: function, variable, lines.
        remedies: choices by name, with their values, that could help where an object could not be built.
        made: what was called for each object that was built, and the name that its variables begin with.
        unmade: the same of the first that could not be built.
        entailed: sides whose condition followed from the path, and from which place in it: their other side
            can't be taken along it.
        plain_patches: what a test has to patch, as it came.
        receiver: the variable that the last step acts on, None for a call.
        refused: what the walls refused to it: event, detail, and whether that was in the last call.
        homes: values that read better than any simpler one, by the variables that start there.
        kinds: alternatives of choices of the target in words, by their variables, as far as they are known.
    """

    request: Request
    status: Status
    detail: str = ""
    line: int = 0
    path: tuple[PathStep, ...] = ()
    variables: Mapping[str, tuple[Sort, object]] = field(default_factory=dict)
    outcomes: frozenset[int] = frozenset()
    losses: tuple[tuple[str, int, str], ...] = ()
    places: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    plain_steps: tuple[Plain, ...] = ()
    truncated: bool = False
    structural: frozenset[str] = frozenset()
    entailed: Mapping[int, int] = field(default_factory=dict)
    result: str = ""
    found: float = 0.0
    marks: Mapping[int, int] = field(default_factory=dict)
    lines: frozenset[int] = frozenset()
    stages: tuple[int, ...] = ()
    remedies: tuple[tuple[str, int], ...] = ()
    made: tuple[tuple[str, str], ...] = ()
    unmade: tuple[str, str] | None = None
    latest: frozenset[int] = frozenset()
    effects: frozenset[str] = frozenset()
    heap: Heap | None = None
    value: Ref | None = None
    refused: tuple[tuple[str, str, bool], ...] = ()
    flow: tuple[tuple[int, bool, str, int, int], ...] = ()
    accesses: Accesses = field(default_factory=dict)
    variable_pairs: frozenset[tuple[str, str, int, int]] = frozenset()
    plain_patches: tuple[Plain, ...] = ()
    receiver: str | None = None
    homes: Mapping[str, object] = field(default_factory=dict)
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    said: str = ""
    is_stated: bool = False

    @property
    def decisions(self) -> frozenset[tuple[int, int]]:
        """(site, outcome) of every decision on a traced value that no site of the twin stands for."""
        return frozenset(
            (s.site, s.outcome)
            for s in self.path
            if BEYOND < s.site < 0 and s.kind in (Kind.BRANCH, Kind.HINT)
        )

    @property
    def shown_decisions(self) -> frozenset[tuple[int, int]]:
        """Return the decisions that a test is worth by itself; which member of a table it was is none."""
        return frozenset(one for one in self.decisions if one[0] not in MEMBERS)

    @property
    def checks(self) -> frozenset[tuple[int, int]]:
        """(site, outcome) of each implicit check (an index, a key, a divisor): its error may be handled."""
        return frozenset((s.site, s.outcome) for s in self.path if s.kind == Kind.CHECK and s.site)

    @property
    def ending(self) -> tuple[Status, str, int]:
        """How and where it ended, and with what kind of result."""
        return (self.status, self.detail or self.result, self.line)

    @property
    def stop(self) -> str:
        """Return the exception that ended it, with its place and its words, "" for none."""
        if self.status is not Status.RAISED:
            return ""
        place = f"{self.detail} in line {self.line}" if self.line else self.detail
        return f"{place}: {self.said}" if self.said else place

    @property
    def passed(self) -> Iterator[tuple[str, str]]:
        """Give for the arguments of the last call, by place or name, the type of each that says it itself."""
        return argument_types(self.plain_steps[-1]) if self.plain_steps else iter(())

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the case.

        Raises:
            Malformed: the target spoke in our place.
        """
        return tuple(map(decode_step, self.plain_steps))

    @cached_property
    def patches(self) -> tuple[Patch, ...]:
        """Return what a test has to patch.

        Raises:
            Malformed: the target spoke in our place.
        """
        return tuple(map(decode_patch, self.plain_patches))

    @property
    def is_readable(self) -> bool:
        """Return whether a case can be made of what came; not where the target spoke in our place."""
        try:
            return bool(self.steps) and self.patches is not None
        except Malformed:
            return False

    @property
    def blamed(self) -> Iterator[tuple[str, str, str]]:
        """Give the refusals of the walls: event, detail and whose call it was.

        That is "" for the target's own, a word where the prefix ends with what the run is about, and
        `PREPARING` for whatever came before, such as making arguments.
        """
        word = self.request.prefix[-1] if self.request.bare and self.request.prefix else ""
        for event, detail, own in self.refused:
            yield event, detail, word if own else PREPARING

    @cached_property
    def values(self) -> Mapping[str, object]:
        """The exact value of every variable."""
        return {name: value for name, (_, value) in self.variables.items()}

    @cached_property
    def depths(self) -> list[int]:
        """How many conditions come before each on the path, and in all; members of tables are none."""
        return [0, *itertools.accumulate(step.site not in MEMBERS for step in self.path)]

    @cached_property
    def sorts(self) -> Mapping[str, Sort]:
        """The sort of every variable."""
        return {name: sort for name, (sort, _) in self.variables.items()}

    def first(self, test: Callable[[PathStep], bool]) -> int:
        """The place of the first condition on the path that passes a test; the path's length if none does."""
        return next((index for index, step in enumerate(self.path) if test(step)), len(self.path))

    @cached_property
    def first_pin(self) -> int:
        """Where the first value was pinned."""
        return self.first(lambda step: step.kind == Kind.PIN)


def is_limit(step: PathStep) -> bool:
    """Return whether a condition is a limit of ours on generated inputs."""
    return step.kind == Kind.ASSUME and step.node.op in ("le", "lt") and not is_precondition(step)


def is_precondition(step: PathStep) -> bool:
    """Return whether a condition is one that the user wants to be kept."""
    return step.kind == Kind.ASSUME and step.site == ASSUMED_SITE


class Before:
    """The conditions of a run before a place, as they are asked for: most questions need none of them."""

    def __init__(self, run: Run, index: int, skipped: Callable[[PathStep], bool]) -> None:
        """Take the conditions of `run` before `index`, but hints and those `skipped`."""
        self._run, self._index, self._skipped = run, index, skipped

    def __iter__(self) -> Iterator[Node]:
        for step in self._run.path[: self._index]:
            if step.kind != Kind.HINT and not self._skipped(step):
                yield step.node


class Executor(Protocol):
    """Runs inputs; a run that kills its process is still answered."""

    def run(self, request: Request) -> Run:
        """Execute one input on the twin."""
        ...
