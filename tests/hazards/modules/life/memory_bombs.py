"""Memory without an end: at once, in steps, in texts, in numbers, in a constructor and held by the module."""

# options: --max-runs 70
# within: 180
# alone: no

kept: list = []


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def at_once(x: int) -> int:
    if x > 3:
        return len(bytearray(1 << 42))
    return x


def in_steps(x: int) -> int:
    blocks = []
    while x > 3 and len(blocks) < 4096:
        blocks.append(bytearray(1 << 20))
    return len(blocks)


def keeps(x: int) -> int:
    if x > 3:
        for _ in range(4096):
            kept.append(bytearray(1 << 20))
    return len(kept)


def swallows(x: int) -> int:
    blocks = []
    for _ in range(4096):
        try:
            blocks.append(bytearray(1 << 20))
        except MemoryError:
            return -1
    return x


def doubles(text: str) -> str:
    if text:
        for _ in range(40):
            text += text
    return text


def powers(x: int) -> int:
    return x ** x ** x ** x if x > 3 else x


def many_objects(x: int) -> int:
    return len([object() for _ in range(1 << 26)]) if x > 3 else x


class Heavy:
    def __init__(self, size: int) -> None:
        self.data = [0] * (size * 10**9) if size > 3 else []

    def length(self) -> int:
        return len(self.data)
