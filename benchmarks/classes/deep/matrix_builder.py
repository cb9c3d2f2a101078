"""Builds a matrix row by row, within a `with` block."""

from __future__ import annotations

from types import TracebackType


class MatrixBuilder:
    """Rows of one length; finished when the block ends."""

    def __init__(self, width: int) -> None:
        if width < 1:
            raise ValueError("no columns")
        self._width = width
        self._rows: list[list[int]] = []
        self._active = False
        self._finished = False

    def __enter__(self) -> MatrixBuilder:
        if self._finished:
            raise RuntimeError("already built")  # goal
        self._active = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._active = False
        if kind is None:
            self._finished = True

    def row(self, values: list[int]) -> None:
        """Add a row."""
        if not self._active:
            raise RuntimeError("not within a block")
        if len(values) != self._width:
            raise ValueError("wrong length")
        self._rows.append(values)  # goal

    def trace(self) -> int:
        """Return the sum of the diagonal of a finished square matrix."""
        if not self._finished:
            raise RuntimeError("not finished")
        if len(self._rows) != self._width:
            raise ValueError("not square")
        total = 0
        for index in range(self._width):
            total += self._rows[index][index]
        if total > 10 and self._width == 2:
            return total  # goal
        return total
