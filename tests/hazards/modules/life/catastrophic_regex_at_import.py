"""A pattern that needs longer than the world lasts, while being imported."""

# import: fails
# report: importing it hung: the import did not end within
# report: (line 
# alone: hangs import

import re

FOUND = re.match(r"(a+)+$", "a" * 60 + "!")


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
