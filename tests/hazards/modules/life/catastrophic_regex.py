"""Patterns that need longer than the world lasts, on texts of their own and of the caller."""

# options: --max-runs 70
# within: 120
# report: no end after 2 s in line 
# alone: hangs own_text text_of_the_caller

import re

EVIL = re.compile(r"(a+)+$")


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def own_text(x: int) -> bool:
    return EVIL.match("a" * (60 if x > 3 else 3) + "!") is not None


def text_of_the_caller(text: str) -> bool:
    return EVIL.match("a" * 50 + text) is not None


def pattern_of_the_caller(pattern: str) -> bool:
    return re.match(pattern, "a" * 40 + "!") is not None


class Matcher:
    def __init__(self, text: str) -> None:
        self.found = re.search(r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 40 + text)

    def matched(self) -> bool:
        return self.found is not None
