"""Functions whose variables have several definitions, for tests of what is listed, executed and covered."""

from __future__ import annotations

from tracetwin.analysis.flow.facts import ModuleFacts


def influences(found: ModuleFacts, first: str, second: str) -> bool:
    """True if one invokable may define what another uses."""
    return bool(found.invokables[first].defines & found.invokables[second].uses)


SCALE = """\
def scale(a: int, b: int) -> int:
    x = a
    if a > 10:
        x = b
    if b > 5:
        return x + 1
    return x - 1
"""

TOTAL = """\
def total(items: list[int]) -> int:
    best = 0
    for item in items:
        if item > best:
            best = item
        elif item < 0:
            best += item
    return best
"""

SAFE = """\
def safe(a: int, b: int) -> float:
    result = 0.0
    try:
        result = a / b
    except ZeroDivisionError:
        pass
    return result
"""
