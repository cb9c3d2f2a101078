"""Levels: which letter stands for which guest, and how a board is made of a map."""

from __future__ import annotations

from pacman.board import Board, Guest
from pacman.guests import Food, Ghost, Player, Wall


class LevelError(ValueError):
    """A map that no game can be played on."""


class Theme:
    """The letters of a map."""

    def __init__(self, player: str = "P", ghost: str = "G", food: str = ".", wall: str = "#") -> None:
        letters = [player, ghost, food, wall]
        if any(len(letter) != 1 for letter in letters):
            raise LevelError("one letter each")
        if len(set(letters)) < len(letters) or " " in letters:
            raise LevelError("letters must differ")
        self._player = player
        self._ghost = ghost
        self._food = food
        self._wall = wall

    def make(self, letter: str) -> Guest | None:
        """Make the guest for a letter; a blank is a free cell."""
        if letter == " ":
            return None
        if letter == self._player:
            return Player()
        if letter == self._ghost:
            return Ghost()
        if letter == self._food:
            return Food()
        if letter == self._wall:
            return Wall()
        if letter.isdigit() and letter != "0":
            return Food(10 * int(letter))
        raise LevelError(f"unknown letter {letter!r}")


class Level:
    """A board with guests, taken from the lines of a map."""

    def __init__(self, lines: list[str], theme: Theme | None = None) -> None:
        self._check(lines)
        self._theme = Theme() if theme is None else theme
        self.board = Board(len(lines[0]), len(lines))
        self.ghosts: list[Ghost] = []
        self.points = 0
        self._player: Player | None = None
        for y, line in enumerate(lines):
            for x, letter in enumerate(line):
                guest = self._theme.make(letter)
                if guest is not None:
                    self._place(guest, x, y)
        if self._player is None:
            raise LevelError("no player")
        if self.points == 0:
            raise LevelError("no food")

    @staticmethod
    def _check(lines: list[str]) -> None:
        if not lines or not lines[0]:
            raise LevelError("an empty map")
        for line in lines:
            if len(line) != len(lines[0]):
                raise LevelError("lines of different lengths")

    def _place(self, guest: Guest, x: int, y: int) -> None:
        if isinstance(guest, Player):
            if self._player is not None:
                raise LevelError("two players")
            self._player = guest
        elif isinstance(guest, Ghost):
            self.ghosts.append(guest)
        elif isinstance(guest, Food):
            self.points += guest.points
        guest.occupy(self.board.cell(x, y))

    @property
    def player(self) -> Player:
        """The one player."""
        assert self._player is not None
        return self._player
