"""The engine: which requests are allowed when, as a machine of five states."""

from __future__ import annotations

from enum import Enum

from pacman.game import Game
from pacman.guests import Player
from pacman.level import Level


class State(Enum):
    """What the engine is doing."""

    STARTING = "starting"
    PLAYING = "playing"
    HALTED = "halted"
    PLAYER_WON = "player won"
    PLAYER_DIED = "player died"


class Engine:
    """Takes requests of the user and of the clock; those that do not fit the state are ignored."""

    def __init__(self, level: Level | None = None) -> None:
        self._level = level
        self._game = Game(level)
        self._state = State.STARTING
        self._undone = 0
        assert self._invariant()

    def _invariant(self) -> bool:
        won = self._state is State.PLAYER_WON
        died = self._state is State.PLAYER_DIED
        return won == self._game.player_won() and died == self._game.player_died()

    @property
    def state(self) -> State:
        """The state."""
        return self._state

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def player(self) -> Player:
        """The player of the game."""
        return self._game.player

    def start(self) -> None:
        """Start or continue playing."""
        assert self._invariant()
        if self._state is State.STARTING:
            self._state = State.PLAYING
        elif self._state is State.HALTED:
            self._state = State.PLAYING
            self._undone = 0
        assert self._invariant()

    def halt(self) -> None:
        """Suspend the game."""
        assert self._invariant()
        if self._state is State.PLAYING:
            self._state = State.HALTED
        assert self._invariant()

    def move_player(self, dx: int, dy: int) -> bool:
        """The user wants to move; returns whether the player did."""
        assert self._invariant()
        if self._state is not State.PLAYING:
            return False
        moved = self._game.move_player(dx, dy)
        self._update()
        assert self._invariant()
        return moved

    def move_ghost(self, number: int, dx: int, dy: int) -> bool:
        """The clock wants a ghost to move; returns whether it did."""
        assert self._invariant()
        if self._state is not State.PLAYING:
            return False
        moved = self._game.move_ghost(number, dx, dy)
        self._update()
        assert self._invariant()
        return moved

    def undo(self) -> bool:
        """Take the latest move back; the game is suspended then."""
        assert self._invariant()
        if self._state is State.STARTING:
            return False
        if self._game.undo() is None:
            return False
        self._undone += 1
        self._state = State.HALTED
        assert self._invariant()
        return True

    def restart(self) -> None:
        """Begin anew after the end of a game; only the standard level can be played twice."""
        assert self._level is None, "used up"
        if self._state in {State.PLAYER_WON, State.PLAYER_DIED}:
            self._game = Game()
            self._state = State.STARTING
            self._undone = 0
        assert self._invariant()

    def message(self) -> str:
        """Say what is going on."""
        if self._state is State.STARTING:
            return "press start"
        if self._state is State.PLAYING:
            if self._game.player.points > 0:
                return f"{self._game.player.points} points"
            return "eat!"
        if self._state is State.HALTED:
            if self._undone >= 2:
                return f"{self._undone} moves undone"
            return "halted"
        return self._game.rating()

    def _update(self) -> None:
        if self._game.player_died():
            self._state = State.PLAYER_DIED
        elif self._game.player_won():
            self._state = State.PLAYER_WON
