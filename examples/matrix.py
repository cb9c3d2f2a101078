"""Small matrices as lists of rows."""


def shape(matrix: list[list[int]]) -> tuple[int, int]:
    """Return the numbers of rows and columns; all rows must be equally long."""
    if not matrix:
        return 0, 0
    width = len(matrix[0])
    for row in matrix:
        if len(row) != width:
            raise ValueError("rows differ in length")
    return len(matrix), width


def transpose(matrix: list[list[int]]) -> list[list[int]]:
    """Turn rows into columns."""
    height, width = shape(matrix)
    return [[matrix[row][column] for row in range(height)] for column in range(width)]


def is_symmetric(matrix: list[list[int]]) -> bool:
    """Tell whether a square matrix equals its transpose."""
    height, width = shape(matrix)
    if height != width:
        return False
    for row in range(height):
        for column in range(row):
            if matrix[row][column] != matrix[column][row]:
                return False
    return True


def determinant(a: int, b: int, c: int, d: int) -> int:
    """Compute the determinant of the matrix with the rows (a, b) and (c, d)."""
    return a * d - b * c


def solve(matrix: tuple[int, int, int, int], right: tuple[int, int]) -> tuple[float, float]:
    """Solve two linear equations by Cramer's rule."""
    a, b, c, d = matrix
    divisor = determinant(a, b, c, d)
    if divisor == 0:
        raise ValueError("the equations are not independent")
    return determinant(right[0], b, right[1], d) / divisor, determinant(a, right[0], c, right[1]) / divisor
