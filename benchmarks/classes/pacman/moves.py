"""Moves: what happens when a guest goes to a neighbouring cell, and how it is taken back."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pacman.board import Cell, Guest
from pacman.guests import Food, Ghost, MovingGuest, Player


class Move(ABC):
    """A step of one guest to a cell, which is applied once and can be undone then.

    Whether it is possible is decided when it is made, from the guest in the cell.
    """

    def __init__(self, mover: MovingGuest, to: Cell | None) -> None:
        assert mover.location is not None, "who moves is on the board"
        self._mover = mover
        self._origin = mover.location
        self._to = to
        self._applied = False
        self._possible = self._decide()
        assert self._invariant()

    def _invariant(self) -> bool:
        return not self._applied or self._possible

    def _decide(self) -> bool:
        if self._to is None:
            return False
        if not self._origin.is_adjacent(self._to):
            return False
        target = self._to.guest
        if target is None:
            return True
        return self._meet(target)

    @abstractmethod
    def _meet(self, target: Guest) -> bool:
        """Ask the guest in the cell whether the move is possible."""

    @abstractmethod
    def _do(self) -> None:
        """Carry out what is special about the move."""

    @abstractmethod
    def _take_back(self) -> None:
        """Undo what is special about the move."""

    @property
    def mover(self) -> MovingGuest:
        """Who moves."""
        return self._mover

    def is_possible(self) -> bool:
        """Whether it can be applied."""
        return self._possible

    def is_applied(self) -> bool:
        """Whether it was applied and not undone."""
        return self._applied

    def apply(self) -> None:
        """Carry the move out."""
        assert self._possible, "not possible"
        assert not self._applied, "applied already"
        assert self._mover.location is self._origin, "the guest is elsewhere by now"
        self._applied = True
        self._do()
        assert self._invariant()

    def undo(self) -> None:
        """Take the move back."""
        assert self._applied, "was not applied"
        self._take_back()
        self._applied = False
        assert self._mover.location is self._origin
        assert self._invariant()

    def _step(self) -> None:
        self._mover.face(self._to.x - self._origin.x, self._to.y - self._origin.y)
        self._mover.deoccupy()
        self._mover.occupy(self._to)

    def _step_back(self) -> None:
        self._mover.deoccupy()
        self._mover.occupy(self._origin)


class PlayerMove(Move):
    """The player goes to a free cell, eats, or runs into a ghost."""

    def __init__(self, player: Player, to: Cell | None) -> None:
        self._player = player
        self._food: Food | None = None
        self._fatal = False
        super().__init__(player, to)

    def _invariant(self) -> bool:
        return super()._invariant() and not (self._fatal and self._food is not None)

    def find_food(self, food: Food) -> None:
        """There is food where the player goes."""
        assert self._food is None, "there is food already"
        self._food = food

    def run_into_ghost(self) -> None:
        """There is a ghost where the player goes."""
        assert self._food is None, "there is food"
        self._fatal = True

    @property
    def points(self) -> int:
        """What the move brings."""
        if self._food is None:
            return 0
        return self._food.points

    def is_fatal(self) -> bool:
        """Whether the player dies of it."""
        return self._fatal

    def _meet(self, target: Guest) -> bool:
        return target.meet_player(self)

    def _do(self) -> None:
        assert self._player.is_alive(), "the dead don't move"
        if self._fatal:
            self._player.die()
            return
        if self._food is not None:
            self._food.deoccupy()
            self._player.eat(self._food.points)
        self._step()

    def _take_back(self) -> None:
        if self._fatal:
            self._player.resurrect()
            return
        self._step_back()
        if self._food is not None:
            self._player.eat(-self._food.points)
            self._food.occupy(self._to)


class GhostMove(Move):
    """A ghost goes to a free cell or catches the player."""

    def __init__(self, ghost: Ghost, to: Cell | None) -> None:
        self._prey: Player | None = None
        super().__init__(ghost, to)

    def catch(self, player: Player) -> None:
        """The player is where the ghost goes."""
        assert self._prey is None, "caught already"
        self._prey = player

    def is_fatal(self) -> bool:
        """Whether the player dies of it."""
        return self._prey is not None

    def _meet(self, target: Guest) -> bool:
        return target.meet_ghost(self)

    def _do(self) -> None:
        if self._prey is None:
            self._step()
        else:
            self._prey.die()

    def _take_back(self) -> None:
        if self._prey is None:
            self._step_back()
        else:
            self._prey.resurrect()
