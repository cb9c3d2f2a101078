"""A game: a level that is played, move by move."""

from __future__ import annotations

from pacman.board import Cell
from pacman.guests import Ghost, MovingGuest, Player
from pacman.level import Level
from pacman.moves import GhostMove, Move, PlayerMove
from pacman.undo import MoveStack

DEFAULT_MAP = ["P.G", ". #"]


class Game:
    """Player and ghosts move until the food is eaten or the player is dead."""

    def __init__(self, level: Level | None = None) -> None:
        self._level = Level(DEFAULT_MAP) if level is None else level
        self._moves = MoveStack()
        self._steps = 0
        assert self._invariant()

    def _invariant(self) -> bool:
        within = 0 <= self.player.points <= self._level.points
        return within and not (self.player_won() and self.player_died())

    @property
    def player(self) -> Player:
        """The player."""
        return self._level.player

    @property
    def steps(self) -> int:
        """How many moves were made and not undone."""
        return self._steps

    def ghost(self, number: int) -> Ghost:
        """Return one of the ghosts, counted from 0."""
        assert 0 <= number < len(self._level.ghosts), "no such ghost"
        return self._level.ghosts[number]

    def player_won(self) -> bool:
        """Whether all food is eaten."""
        return self.player.points == self._level.points

    def player_died(self) -> bool:
        """Whether a ghost met the player."""
        return not self.player.is_alive()

    def is_over(self) -> bool:
        """Whether nobody may move any more."""
        return self.player_won() or self.player_died()

    def move_player(self, dx: int, dy: int) -> bool:
        """Move the player to a neighbouring cell; returns whether that was possible."""
        assert not self.is_over(), "the game is over"
        assert abs(dx) + abs(dy) == 1, "not a direction"
        return self._make(PlayerMove(self.player, self._target(self.player, dx, dy)))

    def move_ghost(self, number: int, dx: int, dy: int) -> bool:
        """Move a ghost to a neighbouring cell; returns whether that was possible."""
        assert not self.is_over(), "the game is over"
        assert abs(dx) + abs(dy) == 1, "not a direction"
        ghost = self.ghost(number)
        return self._make(GhostMove(ghost, self._target(ghost, dx, dy)))

    def _target(self, guest: MovingGuest, dx: int, dy: int) -> Cell | None:
        assert guest.location is not None
        return guest.location.at_offset(dx, dy)

    def _make(self, move: Move) -> bool:
        if not move.is_possible():
            return False
        move.apply()
        self._moves.push(move)
        self._steps += 1
        assert self._invariant()
        return True

    def can_undo(self) -> bool:
        """Whether there is a move to undo."""
        return not self._moves.is_empty()

    def undo(self) -> Move | None:
        """Undo the latest move, if there is one."""
        if self._moves.is_empty():
            return None
        move = self._moves.undo()
        self._steps -= 1
        assert self._invariant()
        return move

    def rating(self) -> str:
        """Judge a finished game."""
        if not self.is_over():
            return "unfinished"
        if self.player_died():
            if self.player.points == 0:
                return "hungry ghost food"
            return "ghost food"
        if self._steps <= 3:
            return "perfect"
        return "won"

    def __str__(self) -> str:
        return str(self._level.board)
