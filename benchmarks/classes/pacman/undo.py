"""The moves so far, of which the latest can be undone."""

from __future__ import annotations

from pacman.moves import Move


class MoveStack:
    """Applied moves, the latest on top; when there are too many the oldest is forgotten."""

    LIMIT = 100

    def __init__(self, limit: int = LIMIT) -> None:
        assert 0 < limit <= self.LIMIT, "bad limit"
        self._limit = limit
        self._moves: list[Move] = []
        self._forgotten = 0
        assert self._invariant()

    def _invariant(self) -> bool:
        return len(self._moves) <= self._limit and all(move.is_applied() for move in self._moves)

    def push(self, move: Move) -> None:
        """Remember a move that was just applied."""
        assert move.is_applied(), "not applied"
        assert move not in self._moves, "remembered already"
        if len(self._moves) == self._limit:
            del self._moves[0]
            self._forgotten += 1
        self._moves.append(move)
        assert self._invariant()

    def undo(self) -> Move:
        """Undo the latest move and return it."""
        assert self._moves, "nothing to undo"
        move = self._moves.pop()
        move.undo()
        assert self._invariant()
        return move

    def is_empty(self) -> bool:
        """Whether nothing can be undone."""
        return not self._moves

    def depth(self) -> int:
        """Return how many moves can be undone."""
        return len(self._moves)

    def describe(self) -> str:
        """Say what can be undone."""
        if not self._moves:
            return "nothing to undo"
        if self._forgotten:
            return f"{len(self._moves)} moves, {self._forgotten} forgotten"
        return f"{len(self._moves)} moves"
