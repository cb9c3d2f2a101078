"""Conditions that solvers do not answer in reasonable time."""

# options: --max-runs 70
# within: 180
# alone: no


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def factors(a: int, b: int) -> str:
    if a > 1 and b > 1 and a * b == 1000000016000000063:
        return "found"
    return "no"


def cubes(a: int, b: int, c: int) -> str:
    if a * a * a + b * b * b + c * c * c == 33 and a > 0:
        return "found"
    return "no"


def hashed(text: str) -> str:
    value = 5381
    for letter in text:
        value = (value * 33 + ord(letter)) % 4294967296
    return "found" if value == 123456789 else "no"


def long_path(items: list) -> int:
    total = 0
    for first in items:
        for second in items:
            if first * second > total * total:
                total += first ^ second
    return total


def powers(x: int, y: int) -> str:
    return "found" if x**y == 3**40 and x > 3 and y > 3 else "no"
