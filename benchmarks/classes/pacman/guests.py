"""The guests: player, ghosts, food and walls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pacman.board import Guest

if TYPE_CHECKING:
    from pacman.moves import GhostMove, PlayerMove


class MovingGuest(Guest):
    """A guest that changes its place; it remembers where it looks."""

    def __init__(self) -> None:
        super().__init__()
        self._dx = 0
        self._dy = 0

    def face(self, dx: int, dy: int) -> None:
        """Turn into a direction."""
        assert abs(dx) + abs(dy) <= 1, "not a direction"
        self._dx = dx
        self._dy = dy

    def heading(self) -> str:
        """Return the name of the direction."""
        if self._dx > 0:
            return "right"
        if self._dx < 0:
            return "left"
        if self._dy > 0:
            return "down"
        if self._dy < 0:
            return "up"
        return "nowhere"


class Player(MovingGuest):
    """Eats food; dies when a ghost is met."""

    def __init__(self) -> None:
        self._points = 0
        self._alive = True
        super().__init__()

    def _invariant(self) -> bool:
        return super()._invariant() and self._points >= 0

    @property
    def points(self) -> int:
        """What was eaten."""
        return self._points

    def is_alive(self) -> bool:
        """Whether no ghost was met."""
        return self._alive

    def eat(self, points: int) -> None:
        """Get points; a negative number gives them back."""
        assert self._alive, "the dead don't eat"
        assert self._points + points >= 0, "more than was eaten"
        self._points += points
        assert self._invariant()

    def die(self) -> None:
        """Meet a ghost."""
        assert self._alive, "dead already"
        self._alive = False
        assert self._invariant()

    def resurrect(self) -> None:
        """Come back to life: the fatal move is undone."""
        assert not self._alive, "not dead"
        self._alive = True
        assert self._invariant()

    def meet_player(self, move: PlayerMove) -> bool:
        return False

    def meet_ghost(self, move: GhostMove) -> bool:
        move.catch(self)
        return True

    def code(self) -> str:
        if self._alive:
            return "P"
        return "x"


class Ghost(MovingGuest):
    """Kills the player."""

    def meet_player(self, move: PlayerMove) -> bool:
        move.run_into_ghost()
        return True

    def meet_ghost(self, move: GhostMove) -> bool:
        return False

    def code(self) -> str:
        return "G"


class Food(Guest):
    """Is worth some points until it is eaten."""

    DEFAULT_POINTS = 10

    def __init__(self, points: int = DEFAULT_POINTS) -> None:
        assert points > 0, "food has a worth"
        super().__init__()
        self._points = points

    @property
    def points(self) -> int:
        """What the player gets for it."""
        return self._points

    def meet_player(self, move: PlayerMove) -> bool:
        move.find_food(self)
        return True

    def meet_ghost(self, move: GhostMove) -> bool:
        return False

    def code(self) -> str:
        if self._points > self.DEFAULT_POINTS:
            return "o"
        return "."


class Wall(Guest):
    """Nobody gets through."""

    def meet_player(self, move: PlayerMove) -> bool:
        return False

    def meet_ghost(self, move: GhostMove) -> bool:
        return False

    def code(self) -> str:
        return "#"
