"""Evidence for the type of a value: sets of kinds, graded by likelihood, with one of six strengths.

A set is written as text: `"list > str tuple > dict >> bytes"` says that a list is likeliest, a str or a
tuple less so, a dict still less, and that bytes are possible but rare. A *closed* set (`must_be`) says that
the value can be nothing else, an open one (`may_be`) says nothing of other kinds. `combined` has the rule:

- A kind counts, for each set that has it, the strength of the set times the share of its place in the set.
- A kind loses `EXCLUDED` for each closed set that lacks it.
- What is said of values that are likely of the same type (`a + b`, `a < b`) counts at a discount, and what is
  said of theirs at a larger one (`DISCOUNTS`).
- A set that is said twice counts once: how often a value is indexed does not tell its type.

The kinds that reach `LEAST_SHARE` of the best one are worth a choice each, best first.
"""

from __future__ import annotations

import enum
import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from tracetwin.support.data import dataclass


class Strength(float, enum.Enum):
    """The weight of a piece of evidence."""

    HINT = 0.5
    """A truth value, a store, the name of a parameter: it decides between types that are close."""
    SUITS = 1.0
    """One of several types that the code could mean: a name alone, a `+` between unknown values."""
    USED = 2.0
    """An operation that some types support: it is iterated, indexed, compared with a number."""
    NEEDED = 3.0
    """An operation that means one type: a method of `str`, a shift, a parameter of a library function."""
    PASSED = 4.0
    """A value of the type is passed, tested for, or is the default."""
    DECLARED = 5.0
    """Documentation, a type comment or a stub names the type."""


_SHARES: Final = (1.0, 0.6, 0.4, 0.25)
"""By its place in a set, the share that a kind gets; places further down get the last one."""

_RARE: Final = 0.1
"""The share of kinds behind `>>`: a value may be one, but nothing speaks for it."""

EXCLUDED: Final = 1.5
DISCOUNTS: Final = (0.6, 0.3)
LEAST_SHARE: Final = 0.3


@dataclass(frozen=True)
class Evidence:
    """One set.

    Attributes:
        kinds: the set as text.
        closed: whether the value can be of no other kind.
    """

    kinds: str
    strength: Strength
    closed: bool = False

    def shares(self) -> Mapping[str, float]:
        """The share of each kind in the set."""
        return shares(self.kinds)


@functools.lru_cache(maxsize=1024)
def shares(kinds: str) -> Mapping[str, float]:
    """The share of each kind in a set that is written as text."""
    usual, _, rare = kinds.partition(">>")
    found: dict[str, float] = {}
    for place, group in enumerate(usual.split(">")):
        for kind in group.split():
            found.setdefault(kind, _SHARES[min(place, len(_SHARES) - 1)])
    for kind in rare.split():
        found.setdefault(kind, _RARE)
    return found


def combined(evidence: Iterable[tuple[Evidence, float]]) -> dict[str, float]:
    """The score of each kind, by the rule of this module."""
    rows = [(item, discount) for item, discount in evidence]
    scores: defaultdict[str, float] = defaultdict(float)
    for item, discount in rows:
        for kind, share in item.shares().items():
            scores[kind] += item.strength * share * discount
    for item, discount in rows:
        if item.closed:
            for kind in scores.keys() - item.shares().keys():
                scores[kind] -= EXCLUDED * discount
    return dict(scores)
