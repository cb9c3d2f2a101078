"""The contract of a theory, which is a way to put a task to z3, and the registry of theories."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeVar

from runtime.expr import Node, Sort
from tracetwin.solving.smt.session import SolverSession
from tracetwin.solving.smt.terms import Terms
from tracetwin.solving.smt.translate import Translator
from tracetwin.solving.task import Task


class TheoryTurn(enum.Enum):
    """When a theory is asked: each turn is a stage of the chain, named by the value."""

    SPECIAL = "special z3"
    """Before all others, for tasks that the others are known to be bad at."""

    USUAL = "z3"

    LAST = "last z3"
    """After everything else has failed: slow, or good for little but proofs."""


class Theory(ABC):
    """A choice of encodings, and when it is worth asking z3 with them.

    Attributes:
        name: unique.
        turn: when it is asked.
        sorts: the sorts of the operands and results of operations that it is for.
        only: whether all of them must be of these sorts; else one of them.
        steady: whether one of its translators serves all values.
        guarded: whether values may be excluded because its numbers have no room for them.
    """

    name: ClassVar[str]
    turn: ClassVar[TheoryTurn] = TheoryTurn.USUAL
    sorts: ClassVar[frozenset[Sort]] = frozenset(Sort)
    only: ClassVar[bool] = False
    steady: ClassVar[bool] = True
    guarded: ClassVar[bool] = False

    def __init__(self, terms: Terms) -> None:
        """Take constructors of terms that the theories of a turn share; a theory may have its own instead."""
        self.terms = terms

    @abstractmethod
    def rank(self, task: Task) -> int | None:
        """Its place among the theories of its turn, the lowest first; None where it is of no use."""

    @abstractmethod
    def sessions(self, task: Task) -> Iterator[SolverSession]:
        """Solvers to ask one after the other."""

    @abstractmethod
    def translator(self, values: Mapping[str, object]) -> Translator:
        """A translator for which the variables may have these values: for those who test the theory."""

    def proves(self, session: SolverSession, task: Task, rlimit: int) -> bool:
        """Return whether the lack of models in a session of its own means that the task has no solution."""
        return session.refutes(rlimit)

    def is_for(self, node: Node) -> bool:
        """Return whether the theory is for an operation."""
        sorts = {node.sort, *(arg.sort for arg in node.args)}
        return sorts <= self.sorts if self.only else bool(sorts & self.sorts)


class DuplicateTheoryError(TypeError):
    """Two theories have one name."""


_T = TypeVar("_T", bound=type[Theory])
_registered: dict[str, type[Theory]] = {}


def theory(cls: _T) -> _T:
    """Register a theory; a class decorator."""
    known = _registered.setdefault(cls.name, cls)
    if known is not cls:
        raise DuplicateTheoryError(f"{cls.__module__}: there is a theory {cls.name!r} in {known.__module__}")
    return cls


def registered() -> tuple[type[Theory], ...]:
    """The theories registered so far."""
    return tuple(_registered.values())
