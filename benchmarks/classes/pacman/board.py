"""The board, its cells, and what all guests of a cell have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pacman.moves import GhostMove, PlayerMove


class Guest(ABC):
    """Somebody or something that can occupy a cell."""

    def __init__(self) -> None:
        self._location: Cell | None = None
        assert self._invariant()

    def _invariant(self) -> bool:
        return self._location is None or self._location.guest is self

    @property
    def location(self) -> Cell | None:
        """The cell that is occupied."""
        return self._location

    def occupy(self, cell: Cell) -> None:
        """Move into a free cell."""
        assert self._location is None, "occupies a cell already"
        assert not cell.is_occupied(), "the cell is occupied"
        self._location = cell
        cell.guest = self
        assert self._invariant()
        assert cell.is_occupied()

    def deoccupy(self) -> Cell:
        """Leave the cell and return it."""
        assert self._location is not None, "occupies no cell"
        cell = self._location
        cell.guest = None
        self._location = None
        assert self._invariant()
        assert not cell.is_occupied()
        return cell

    @abstractmethod
    def meet_player(self, move: PlayerMove) -> bool:
        """Tell a player's move what happens here; returns whether it is possible."""

    @abstractmethod
    def meet_ghost(self, move: GhostMove) -> bool:
        """Tell a ghost's move what happens here; returns whether it is possible."""

    @abstractmethod
    def code(self) -> str:
        """Return the letter for the guest on a map."""


class Cell:
    """A place on a board, free or with one guest."""

    def __init__(self, board: Board, x: int, y: int) -> None:
        assert board.within_borders(x, y), "outside of the board"
        self._board = board
        self._x = x
        self._y = y
        self.guest: Guest | None = None

    @property
    def x(self) -> int:
        """Column, from 0."""
        return self._x

    @property
    def y(self) -> int:
        """Row, from 0."""
        return self._y

    @property
    def board(self) -> Board:
        """The board that the cell belongs to."""
        return self._board

    def is_occupied(self) -> bool:
        """Whether a guest is here."""
        return self.guest is not None

    def at_offset(self, dx: int, dy: int) -> Cell | None:
        """Return the cell some columns and rows further; nothing beyond the border."""
        x = self._x + dx
        y = self._y + dy
        if not self._board.within_borders(x, y):
            return None
        return self._board.cell(x, y)

    def is_adjacent(self, other: Cell) -> bool:
        """Whether the other cell is above, below, left or right of this one."""
        if other.board is not self._board:
            return False
        dx = abs(self._x - other.x)
        dy = abs(self._y - other.y)
        return dx + dy == 1

    def __repr__(self) -> str:
        who = self.guest.code() if self.guest is not None else "free"
        return f"Cell({self._x}, {self._y}: {who})"


class Board:
    """A rectangle of cells."""

    MAX_SIZE = 30

    def __init__(self, width: int, height: int) -> None:
        assert 0 < width <= self.MAX_SIZE, "bad width"
        assert 0 < height <= self.MAX_SIZE, "bad height"
        self._width = width
        self._height = height
        self._cells = [[Cell(self, x, y) for x in range(width)] for y in range(height)]
        assert self._invariant()

    def _invariant(self) -> bool:
        rows = len(self._cells) == self._height
        return rows and all(len(row) == self._width for row in self._cells)

    @property
    def width(self) -> int:
        """Number of columns."""
        return self._width

    @property
    def height(self) -> int:
        """Number of rows."""
        return self._height

    def within_borders(self, x: int, y: int) -> bool:
        """Whether there is a cell at a place."""
        return 0 <= x < self._width and 0 <= y < self._height

    def cell(self, x: int, y: int) -> Cell:
        """Return the cell at a place."""
        assert self.within_borders(x, y), "outside of the board"
        return self._cells[y][x]

    def is_occupied(self, x: int, y: int) -> bool:
        """Whether somebody is at a place."""
        return self.cell(x, y).is_occupied()

    def code_at(self, x: int, y: int) -> str:
        """Return the letter of the guest at a place, a blank if there is none."""
        guest = self.cell(x, y).guest
        if guest is None:
            return " "
        return guest.code()

    def count(self, code: str) -> int:
        """Return how many guests have a letter."""
        assert len(code) == 1, "one letter"
        found = 0
        for y in range(self._height):
            for x in range(self._width):
                if self.code_at(x, y) == code:
                    found += 1
        return found

    def __str__(self) -> str:
        rows = ["".join(self.code_at(x, y) for x in range(self._width)) for y in range(self._height)]
        return "\n".join(rows)
