"""One execution of a target as its explorer sees it, and where executions come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

from runtime.expr import Node, Sort
from runtime.trace import Kind

Assignment: TypeAlias = dict[str, object]
"""Exact Python values of input variables, by name; what is missing takes its default."""


class Step(NamedTuple):
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
    """What to run.

    Attributes:
        target: qualified name of the invokable.
        prefix: method names called on the receiver before the target.
        assignment: the input.
    """

    target: str
    prefix: tuple[str, ...]
    assignment: Mapping[str, object]


@dataclass(frozen=True)
class Run:
    """What an execution left behind.

    Attributes:
        status: ``returned``, ``raised``, ``setup`` (the receiver or an argument could not be made),
            ``unfit`` (an assumption of the input broke), ``endless``, ``died`` or ``timeout``.
        detail: exception type, or how the process ended.
        line: the line of the target that raised, 0 if none.
        path: the conditions, in order.
        variables: sort and value of every variable drawn.
        outcomes: ``site * 2 + outcome`` of every site passed.
        losses: (callable, line) pairs where traced values were lost.
        places: module and line of implicit sites first met in this run.
        steps: the recipe steps of the case.
        truncated: whether the path was cut.
        structural: the variables that decide the shape of the input.
        result: the type of what it returned, and whether that is empty.
        entailed: sides whose condition followed from the path: their other side can't be taken along it.
    """

    request: Request
    status: str
    detail: str = ""
    line: int = 0
    path: tuple[Step, ...] = ()
    variables: Mapping[str, tuple[Sort, object]] = field(default_factory=dict)
    outcomes: frozenset[int] = frozenset()
    losses: tuple[tuple[str, int], ...] = ()
    places: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    steps: tuple[Any, ...] = ()
    truncated: bool = False
    structural: frozenset[str] = frozenset()
    entailed: frozenset[int] = frozenset()
    result: str = ""

    @property
    def decisions(self) -> frozenset[tuple[int, int]]:
        """(site, outcome) of every decision on a traced value that no site of the twin stands for."""
        return frozenset(
            (s.site, s.outcome) for s in self.path if s.site < 0 and s.kind in (Kind.BRANCH, Kind.HINT)
        )

    @property
    def ending(self) -> tuple[str, str, int]:
        """How and where it ended, and with what kind of result."""
        return (self.status, self.detail or self.result, self.line)

    @property
    def values(self) -> Assignment:
        """The exact value of every variable."""
        return {name: value for name, (_, value) in self.variables.items()}


class Executor(Protocol):
    """Runs inputs; a run that kills its process is still answered."""

    def run(self, request: Request) -> Run:
        """Execute one input on the twin."""
        ...
