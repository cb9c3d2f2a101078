"""The states of a class and the calls between them: what a picture of the exploration shows."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from tracetwin.explore.states.canonical import SymbolicState
from tracetwin.support.data import dataclass

MOST_DRAWN: Final = 150
"""States that are kept one by one; more are not taken in."""


@dataclass(frozen=True)
class SeenState:
    """A state that was new.

    Attributes:
        number: in the order in which they were found, from 0.
        calls: the first sequence of calls, after the constructor's, that led to it.
        state: its heap and its condition.
    """

    number: int
    calls: tuple[str, ...]
    state: SymbolicState


@dataclass(frozen=True)
class Move:
    """A call that leads from a state to a state.

    Attributes:
        before: the number of the state that it is called on; -1: there was no object.
        after: the number of the state that it leads to, or of the one that subsumes that.
        call: the word of the method, "" for the constructor.
        new: whether that state was not known before.
    """

    before: int
    after: int
    call: str
    new: bool


@dataclass
class StateGraph:
    """The states that an exploration has found, and the calls between them.

    It refers to expressions: drop it when `runtime.expr.reset` is called.

    Attributes:
        states: those that were new, but for the last ones of many.
        moves: each once.
    """

    states: list[SeenState] = field(default_factory=list)
    moves: dict[Move, None] = field(default_factory=dict)

    def note(self, before: int, after: int, calls: tuple[str, ...], *, new: bool) -> None:
        """Take note of a call."""
        if max(before, after) < MOST_DRAWN:
            self.moves[Move(before, after, calls[-1] if calls else "", new)] = None

    def add(self, number: int, calls: tuple[str, ...], state: SymbolicState) -> None:
        """Take a new state in."""
        if number < MOST_DRAWN:
            self.states.append(SeenState(number, calls, state))

    def keep(self, numbers: set[int]) -> None:
        """Forget all states but some."""
        self.states = [state for state in self.states if state.number in numbers]
        self.moves = {move: None for move in self.moves if move.after in numbers}
