"""Long loops: counters, sums and searches of hundreds of steps."""


def count_down(start: int) -> int:
    """A loop whose end depends on its length."""
    steps = 0
    while start > 0:
        start -= 3
        steps += 1
    if steps == 120 and start == -1:
        return 1  # reach
    return steps


def collatz(number: int) -> int:
    """A number that takes 25 steps to one."""
    if not 1 < number < 3000:
        return 0
    steps = 0
    while number != 1 and steps < 60:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps += 1
    if steps == 25:
        return 1  # reach
    return steps


def compound(rate: int) -> int:
    """Capital after 30 years at a rate in percent, in whole cents."""
    if not 0 < rate < 50:
        return 0
    capital = 10_000
    for _ in range(30):
        capital += capital * rate // 100
    if 74_000 < capital < 78_000:
        return 1  # reach
    return capital


def digit_sum_walk(number: int) -> int:
    """A walk of a hundred steps through digit sums."""
    if number < 0:
        return -1
    for _ in range(100):
        number += number % 9
    if number == 5_000:
        return 1  # reach
    return number


def linear_generator(seed: int) -> int:
    """The twentieth number of a generator of pseudo-random numbers."""
    if not 0 <= seed < 1024:
        return -1
    for _ in range(20):
        seed = (seed * 5 + 3) % 1024
    if seed == 77:
        return 1  # reach
    return seed


def checksum_of_long_text(text: str) -> int:
    """A long enough text with a given sum."""
    total = 0
    for char in text:
        total = (total * 3 + ord(char)) % 1009
    if len(text) >= 12 and total == 500:
        return 1  # reach
    return 0


def thousand_steps(limit: int) -> int:
    """A thousand comparisons of one number with a counter."""
    passed = 0
    for step in range(1000):
        if limit > step:
            passed += 1
    if passed == 871:
        return 1  # reach
    return passed


def balance_of_year(daily: int, fee: int) -> str:
    """A year of deposits and a fee each 30 days."""
    balance = 0
    for day in range(1, 366):
        balance += daily
        if day % 30 == 0:
            balance -= fee
    if balance == 10_000 and daily > 20:
        return "round"  # reach
    return "not round"


def search_in_haystack(needle: str) -> int:
    """A name among generated ones."""
    for number in range(300):
        if needle == f"user{number * 7}":
            if number == 271:
                return number  # reach
            return 0
    return -1


def prime_gap(start: int) -> int:
    """A number below 1,000 after which no prime comes for a while."""
    if not 3 < start < 1000:
        return 0
    for candidate in range(start, start + 13):
        if all(candidate % divisor for divisor in range(2, 32) if divisor < candidate):
            return candidate - start
    return -1  # reach
