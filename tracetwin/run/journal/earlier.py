"""The cases of written tests, kept for the run that comes after the source has changed.

What a case shows names sites of the twin by their numbers, which change with every line that is put in. So
each number is kept with what stands at its site, and finds the site of the new twin at which that stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from tracetwin.analysis.change.dependencies import Entered
from tracetwin.model.case import Case
from tracetwin.model.mutant import KILLS
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from instrumenter.twin import Site

Sign: TypeAlias = tuple[str, str, str, int]
"""The scope and the kind of a site, its line of the source, and how many before it are equal in these."""


_LONG: Final = re.compile(r"(?<!\d)\d{9,}")
"""A site, or a side of one: their numbers are that long."""

_NUMBERED: Final = re.compile(r"\bpair:")
"""Begins what is counted through the whole module."""


@dataclass(frozen=True)
class EarlierCases:
    """The cases of written tests.

    Attributes:
        cases: each with what the list at the end of its file says of it.
        signs: what stands at each site of the module.
        source: the source that they are of.
        digests: what each of its names depended on, see `dependency_digests`.
        entered: what the explorations of its functions came into.
    """

    cases: Mapping[str, tuple[Case, ...]] = field(default_factory=dict)
    signs: Mapping[int, Sign] = field(default_factory=dict)
    source: bytes = b""
    digests: Mapping[str, str] = field(default_factory=dict)
    entered: Entered = Entered()

    def on(self, source: bytes, sites: Iterable[Site]) -> Iterator[tuple[str, Case]]:
        """Yield the cases with what they show of the module as it is now."""
        same = source == self.source
        places = _places(self.signs, signs_of(source, sites))
        for entry, case in ((entry, case) for entry, cases in self.cases.items() for case in cases):
            shows = (_moved(one, places, same=same) for one in case.shows)
            yield entry, replace(case, shows=tuple(one for one in shows if one is not None))


def signs_of(source: bytes, sites: Iterable[Site]) -> dict[int, Sign]:
    """Return what stands at each site of a module."""
    lines = source.splitlines()
    counts: Counter[tuple[str, str, str]] = Counter()
    found: dict[int, Sign] = {}
    for site in sites:
        line = lines[site.line - 1].strip() if 0 < site.line <= len(lines) else b""
        key = (site.scope, site.kind.value, line.decode("utf-8", "replace"))
        found[site.id] = (*key, counts[key])
        counts[key] += 1
    return found


def _places(then: Mapping[int, Sign], now: Mapping[int, Sign]) -> dict[int, int | None]:
    """Return where each site is now; None for one that is gone.

    In a scope that has as many sites of the same kinds as then, they are taken to be the same ones.
    """
    by_sign = {sign: number for number, sign in now.items()}
    found = {number: by_sign.get(sign) for number, sign in then.items()}
    old, new = _by_scope(then), _by_scope(now)
    for scope, numbers in old.items():
        others = new.get(scope, [])
        if [then[number][1] for number in numbers] == [now[number][1] for number in others]:
            found.update(zip(numbers, others, strict=True))
    return found


def _by_scope(signs: Mapping[int, Sign]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, (scope, *_) in sorted(signs.items()):
        found.setdefault(scope, []).append(number)
    return found


def _moved(shown: int | str, places: Mapping[int, int | None], *, same: bool) -> int | str | None:
    """Return what a case shows in a new twin; None where that is gone, or nothing is known of it."""
    if isinstance(shown, int):
        return _side(shown, places)
    if shown.startswith(KILLS) or (_NUMBERED.search(shown) and not same):
        return None
    numbers = [(int(text), text) for text in _LONG.findall(shown)]
    for number, text in numbers:
        there = places[number] if number in places else _side(number, places)
        if there is None:
            return None
        shown = shown.replace(text, str(there))
    return shown


def _side(side: int, places: Mapping[int, int | None]) -> int | None:
    site, way = divmod(side, 2)
    if site not in places:
        return side  # of another module
    there = places[site]
    return None if there is None else 2 * there + way
