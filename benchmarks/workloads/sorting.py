"""Sorting algorithms written out: comparisons, swaps of list items, recursion, key functions."""

from __future__ import annotations

SIZE, SMALL = 2000, 20


def numbers(count):
    """Numbers that look random and are the same in every run."""
    state = 42
    result = []
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 4294967296
        result.append(state >> 12)
    return result


def insertion(items, low, high):
    """Sort a short range in place."""
    for i in range(low + 1, high + 1):
        item = items[i]
        j = i - 1
        while j >= low and items[j] > item:
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = item


def quick(items, low, high):
    """Sort a range in place by partition."""
    while high - low > 8:
        pivot = items[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while items[i] < pivot:
                i += 1
            while items[j] > pivot:
                j -= 1
            if i <= j:
                items[i], items[j] = items[j], items[i]
                i += 1
                j -= 1
        if j - low < high - i:
            quick(items, low, j)
            low = i
        else:
            quick(items, i, high)
            high = j
    insertion(items, low, high)


def merge(items):
    """A sorted copy, made by merging."""
    if len(items) < 2:
        return items[:]
    middle = len(items) // 2
    left, right = merge(items[:middle]), merge(items[middle:])
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    result.extend(left[i:])
    result.extend(right[j:])
    return result


def sift(heap, place, size):
    """Let an item sink to where it belongs."""
    while True:
        child = 2 * place + 1
        if child >= size:
            return
        if child + 1 < size and heap[child + 1] > heap[child]:
            child += 1
        if heap[place] >= heap[child]:
            return
        heap[place], heap[child] = heap[child], heap[place]
        place = child


def heap_sort(items):
    """Sort in place by way of a heap."""
    size = len(items)
    for place in range(size // 2 - 1, -1, -1):
        sift(items, place, size)
    for end in range(size - 1, 0, -1):
        items[0], items[end] = items[end], items[0]
        sift(items, 0, end)


class Record:
    """Something with an order of its own."""

    def __init__(self, number):
        self.group = number % 17
        self.number = number

    def __lt__(self, other):
        if self.group != other.group:
            return self.group < other.group
        return self.number < other.number


def run(size):
    """Every algorithm's result, and those of the built-in sort with keys and `__lt__`."""
    items = numbers(size)
    first, second = items[:], items[:]
    quick(first, 0, len(first) - 1)
    heap_sort(second)
    third = merge(items)
    fourth = sorted(items, key=lambda number: (number % 10, -number))
    fifth = [record.number for record in sorted(Record(number) for number in items)]
    return first == second == third == sorted(items), first, fourth, fifth
