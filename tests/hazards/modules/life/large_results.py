"""Hands out values that are far too large to be told: texts, lists, nests, numbers, wide objects."""

# options: --max-runs 70
# within: 180
# alone: no


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def long_text(x: int) -> str:
    return "ab" * (50_000_000 if x > 3 else 1)


def long_bytes(x: int) -> bytes:
    return b"\x00" * (200_000_000 if x > 3 else 1)


def long_list(x: int) -> list:
    return [x] * (5_000_000 if x > 3 else 1)


def nested(x: int) -> list:
    value: list = []
    for _ in range(100_000 if x > 3 else 1):
        value = [value]
    return value


def huge_number(x: int) -> int:
    return 10 ** (5_000_000 if x > 3 else 1)


def endless_iterator(x: int):
    while True:
        yield "y" * 1_000_000


def changes_its_argument(items: list) -> int:
    items.extend(range(3_000_000))
    return len(items)


def raises_a_long_message(x: int) -> None:
    raise ValueError("m" * 100_000_000)


def pyramid(x: int) -> list:
    value: list = [x]
    for _ in range(60):
        value = [value, value]
    return value
