"""A loop in C that never comes back to the interpreter, while the module is imported."""

# import: fails
# report: importing it hung: the import did not end within
# report: (line 
# alone: hangs import

import itertools

total = sum(itertools.repeat(1))


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
