"""Sorting, searching, heaps, and small algorithms."""

from __future__ import annotations

import bisect
import heapq


def sorted_scores(scores: list[int]) -> str:
    """The median of five scores."""
    if len(scores) != 5:
        return "five, please"
    ranked = sorted(scores)
    if ranked[2] == 73 and scores[0] == ranked[4] and ranked[0] > 60:
        return "first was best"  # reach
    return "ok"


def by_length(words: list[str]) -> bool:
    """Words sorted by length, then by what they are."""
    if len(words) != 3:
        return False
    ranked = sorted(words, key=lambda word: (-len(word), word))
    if ranked == ["four", "one", "two"] and words[0] == "two":
        return True  # reach
    return False


def already_descending(numbers: list[int]) -> bool:
    """Four numbers that were in descending order, strictly, and far apart."""
    before = list(numbers)
    numbers.sort(reverse=True)
    if len(before) == 4 and before == numbers and before[0] - before[3] == 1000 and len(set(before)) == 4:
        return True  # reach
    return False


def insertion_sort(numbers: list[int]) -> int:
    """Count the moves of an insertion sort; six moves for four numbers is the worst case."""
    if len(numbers) != 4:
        return -1
    moves = 0
    for i in range(1, 4):
        j = i
        while j > 0 and numbers[j - 1] > numbers[j]:
            numbers[j - 1], numbers[j] = numbers[j], numbers[j - 1]
            moves += 1
            j -= 1
    if moves == 6:
        return 1  # reach
    if moves > 6:
        return 2  # unreachable
    return 0


def grade(points: int) -> str:
    """A grade by bisection of constants."""
    place = bisect.bisect([50, 62, 74, 86, 98], points)
    if place == 4 and points % 11 == 0:
        return "B with honours"  # reach
    return "FEDCBA"[place]


def insert_point(table: list[int], value: int) -> int:
    """Where a value belongs in a sorted table."""
    if len(table) != 4 or table != sorted(table):
        return -1
    place = bisect.bisect_left(table, value)
    if place == 3 and table[3] == value and table[0] < value - 500:
        return 1  # reach
    return place


def smallest_two(costs: list[int]) -> int:
    """The two cheapest."""
    cheapest = heapq.nsmallest(2, costs)
    if len(costs) == 4 and cheapest == [17, 19] and costs[0] == 19:
        return 1  # reach
    return 0


def merge_costs(weights: list[int]) -> int:
    """Join the two lightest until one is left, as Huffman does."""
    if len(weights) != 3 or min(weights) < 1:
        return 0
    heap = list(weights)
    heapq.heapify(heap)
    total = 0
    while len(heap) > 1:
        joined = heapq.heappop(heap) + heapq.heappop(heap)
        total += joined
        heapq.heappush(heap, joined)
    if total == 100:
        return 1  # reach
    return total


def binary_search(table: list[int], wanted: int) -> int:
    """A search by halves that looks at three elements before it finds."""
    low, high, looks = 0, len(table) - 1, 0
    while low <= high:
        middle = (low + high) // 2
        looks += 1
        if table[middle] == wanted:
            if looks == 3:
                return middle  # reach
            return -looks
        if table[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -10


def greatest_divisor(a: int, b: int) -> int:
    """Euclid, with numbers that take him five steps."""
    if not 0 < b < a < 500:
        return 0
    steps = 0
    while b:
        a, b = b, a % b
        steps += 1
    if steps == 5 and a == 3:
        return -1  # reach
    return a


def edit_distance(word: str) -> int:
    """The distance of a word from a given one."""
    other = "kitten"
    if len(word) > 8:
        return -1
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    if row[-1] == 1 and len(word) == 6:
        return 1  # reach
    return row[-1]


def balanced(text: str) -> bool:
    """Brackets of three kinds, three levels deep."""
    pairs = {")": "(", "]": "[", "}": "{"}
    stack: list[str] = []
    deepest = 0
    for char in text:
        if char in "([{":
            stack.append(char)
            deepest = max(deepest, len(stack))
        elif char in pairs and (not stack or stack.pop() != pairs[char]):
            return False
    if not stack and deepest == 3 and "{" in text:
        return True  # reach
    return False


def topological(edges: list[tuple[int, int]]) -> str:
    """Whether tasks 0, 1 and 2 depend on each other in a circle."""
    waits = {0: set(), 1: set(), 2: set()}
    for before, after in edges:
        if before not in waits or after not in waits:
            return "unknown task"
        waits[after].add(before)
    done = 0
    while ready := [task for task, on in waits.items() if not on]:
        for task in ready:
            del waits[task]
            done += 1
        for on in waits.values():
            on.difference_update(ready)
    if done == 0:
        return "circle of all"  # reach
    return "fine"


def interval_gap(spans: list[tuple[int, int]]) -> int:
    """The first gap between sorted spans."""
    if len(spans) < 2 or any(a >= b for a, b in spans):
        return 0
    ordered = sorted(spans)
    for (_, end), (start, _) in zip(ordered, ordered[1:]):
        if start - end == 365:
            return start  # reach
    return -1


def best_window(gains: list[int]) -> int:
    """The best sum of neighbours (Kadane), when all of them together are a loss."""
    best = here = 0
    for gain in gains:
        here = max(0, here + gain)
        best = max(best, here)
    if best == 60 and sum(gains) < -10:
        return 1  # reach
    return best
