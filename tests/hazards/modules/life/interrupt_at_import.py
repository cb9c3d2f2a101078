"""Raises KeyboardInterrupt while being imported."""

# import: fails
# report: importing it raised KeyboardInterrupt
# alone: dies import


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


raise KeyboardInterrupt
