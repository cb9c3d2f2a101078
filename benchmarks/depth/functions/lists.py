"""Lists and tuples: indices, slices, loops over elements."""

from __future__ import annotations


def hidden_sum(numbers: list[int]) -> bool:
    """Four numbers with a given sum, each larger than the one before."""
    if len(numbers) == 4 and sum(numbers) == 1000:
        if all(a < b for a, b in zip(numbers, numbers[1:])):
            if numbers[0] > 100:
                return True  # reach
    return False


def indexed(table: list[int], place: int) -> int:
    """What stands at a place, counted from either end."""
    if len(table) < 3:
        return 0
    value = table[place]
    if value == 4242 and place < -1:
        return 1  # reach
    return value


def jump_game(jumps: list[int]) -> str:
    """Follow jumps until one leads to the goal."""
    place = 0
    for _ in range(6):
        if not 0 <= place < len(jumps):
            return "out"
        if jumps[place] == 99 and place == 3:
            return "goal"  # reach
        place += jumps[place]
    return "lost"


def slice_assign(queue: list[int]) -> bool:
    """Replace the middle of a list and compare."""
    if len(queue) != 5:
        return False
    queue[1:4] = [queue[3], queue[1]]
    if queue == [1, 2, 3, 4]:
        return True  # reach
    return False


def every_third(samples: list[int]) -> int:
    """Samples at a stride, from the end."""
    picked = samples[::-3]
    if len(picked) == 3 and picked == sorted(picked) and picked[0] > 50 and sum(picked) == 200:
        return 1  # reach
    return 0


def unique_positions(names: list[str]) -> bool:
    """A list in which one name stands twice, at given places."""
    if len(names) == 4 and names.index("bob") == 1 and names.count("bob") == 2 and names[-1] == "bob":
        return True  # reach
    return False


def magic_square(rows: list[list[int]]) -> bool:
    """Two rows of two numbers with equal sums, all of them different."""
    if len(rows) != 2 or any(len(row) != 2 for row in rows):
        return False
    (a, b), (c, d) = rows
    if a + b == c + d == a + c == 34 and a != b:
        return True  # reach
    return False


def unpack_record(record: tuple[str, int, float]) -> str:
    """A record with a name, an age and a score."""
    name, age, score = record
    if name == "ada" and age == 36 and score > 99.5:
        return "winner"  # reach
    return name


def star_unpacking(values: list[int]) -> int:
    """First, last and what lies between."""
    if len(values) < 4:
        return 0
    first, *middle, last = values
    if first == last == 7 and sum(middle) == -300 and min(middle) > -200:
        return 1  # reach
    return 2


def grow_and_shrink(stack: list[int]) -> int:
    """Insert, pop and extend, then look at what is where."""
    if len(stack) != 3:
        return 0
    stack.insert(1, stack.pop())
    stack.extend(stack[:1])
    stack.reverse()
    if stack == [5, 8, 6, 5]:
        return 1  # reach
    return 2


def pairs_by_zip(left: list[int], right: list[int]) -> bool:
    """The scalar product of two lists."""
    if len(left) != 3 or len(right) != 3:
        return False
    product = sum(a * b for a, b in zip(left, right, strict=True))
    if product == 385 and left == right and left[0] > left[1]:
        return True  # reach
    return False


def enumerate_gap(marks: list[int]) -> int:
    """The first place whose mark is its square plus one, from the fourth on."""
    for place, mark in enumerate(marks):
        if mark == place * place + 1:
            if place >= 3:
                return place  # reach
            return -place
    return -100


def mapped_lengths(words: list[str]) -> bool:
    """Words of given lengths."""
    if list(map(len, words)) == [3, 1, 4] and "".join(words).isdigit():
        return True  # reach
    return False


def filtered(numbers: list[int]) -> int:
    """What is left of a list after two filters."""
    kept = [n for n in numbers if n % 7 == 3]
    large = list(filter(lambda n: n > 500, kept))
    if len(large) == 2 and large[0] - large[1] == 21:
        return 1  # reach
    return len(kept)


def local_peak(heights: list[int]) -> int:
    """A peak of a given height between two valleys of the same depth."""
    for i in range(1, len(heights) - 1):
        if heights[i - 1] == heights[i + 1] == heights[i] - 150:
            return i  # reach
    return -1


def matrix_trace(matrix: list[list[int]]) -> int:
    """The sum of the diagonal of a square matrix that is not zero elsewhere."""
    size = len(matrix)
    if size != 3 or any(len(row) != size for row in matrix):
        return 0
    trace = sum(matrix[i][i] for i in range(size))
    if trace == 300 and matrix[0][2] == -matrix[2][0] != 0:
        return 1  # reach
    return trace


def shortest_first(words: list[str]) -> bool:
    """A list compared with another one, element by element."""
    if ["ab", "c"] < words < ["ab", "d"] and len(words) == 3:
        return True  # reach
    return False
