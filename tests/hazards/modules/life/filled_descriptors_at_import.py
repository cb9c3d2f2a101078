"""Opens descriptors while being imported until there are no more."""

# import: fails
# report: filled_descriptors_at_import:
# alone: no

import os

kept = []
try:
    while True:
        kept.append(os.dup(0))
except OSError:
    pass


def fine(x: int) -> str:
    return "big" if x > 10 else "small"
