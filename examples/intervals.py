"""Closed intervals of integers."""


def overlaps(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Tell whether two intervals have a number in common."""
    return first[0] <= second[1] and second[0] <= first[1]


def merge(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join the intervals that overlap; return them in ascending order."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(intervals):
        if end < start:
            raise ValueError("interval ends before it starts")
        if not merged or start > merged[-1][1]:
            merged.append((start, end))
        elif end > merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
    return merged


def first_gap(intervals: list[tuple[int, int]], size: int) -> int | None:
    """Find the first number after which `size` numbers lie between two neighbouring intervals."""
    if size <= 0:
        raise ValueError("size must be positive")
    merged = merge(intervals)
    for index in range(1, len(merged)):
        end_before = merged[index - 1][1]
        if merged[index][0] - end_before > size:
            return end_before + 1
    return None
