"""The spectral norm of an infinite matrix: int and float arithmetic in nested loops and small functions."""

from __future__ import annotations

SIZE, SMALL = 40, 4


def element(i, j):
    """An element of the matrix."""
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def times(u):
    """The matrix times a vector."""
    result = []
    for i in range(len(u)):
        total = 0
        for j, value in enumerate(u):
            total += element(i, j) * value
        result.append(total)
    return result


def transposed_times(u):
    """The transposed matrix times a vector."""
    return [sum(element(j, i) * value for j, value in enumerate(u)) for i in range(len(u))]


def run(size):
    """The norm."""
    u = [1] * size
    v = u
    for _ in range(10):
        v = transposed_times(times(u))
        u = transposed_times(times(v))
    upper = lower = 0
    for left, right in zip(u, v):
        upper += left * right
        lower += right * right
    return (upper / lower) ** 0.5
