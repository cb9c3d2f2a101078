"""Queens on a board: permutations made by a generator, sets in comprehensions, and a search with bits."""

from __future__ import annotations

SIZE, SMALL = 7, 4


def permutations(items):
    """All orders of the items, by swapping."""
    pool = list(items)
    count = len(pool)
    indices = list(range(count))
    cycles = list(range(count, 0, -1))
    yield tuple(pool)
    while count:
        for i in reversed(range(count)):
            cycles[i] -= 1
            if cycles[i] == 0:
                indices[i:] = indices[i + 1 :] + indices[i : i + 1]
                cycles[i] = count - i
            else:
                j = cycles[i]
                indices[i], indices[-j] = indices[-j], indices[i]
                yield tuple(pool[k] for k in indices)
                break
        else:
            return


def by_permutation(size):
    """Boards on which no two queens share a diagonal."""
    columns = range(size)
    for rows in permutations(columns):
        if size == len({rows[i] + i for i in columns}) == len({rows[i] - i for i in columns}):
            yield rows


def by_bits(size):
    """How many boards there are."""
    full = (1 << size) - 1

    def place(columns, left, right):
        if columns == full:
            return 1
        found = 0
        free = full & ~(columns | left | right)
        while free:
            bit = free & -free
            free ^= bit
            found += place(columns | bit, (left | bit) << 1, (right | bit) >> 1)
        return found

    return place(0, 0, 0)


def run(size):
    """The boards, and the numbers of boards up to two sizes more."""
    return list(by_permutation(size)), [by_bits(n) for n in range(1, size + 3)]
