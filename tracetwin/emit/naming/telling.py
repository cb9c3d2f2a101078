"""Names of tests, `test_clamp_returns_low_when_value_is_negative`, composed of what tells them apart.

A name is made of the function, how the call ended, and the plainest condition that holds for no other test of
its like: of the input, of the steps before the call, or one that the function itself decided. Numbers tell a
reader nothing, so that they come last, and no name ends with one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations
from typing import Final

from tracetwin.emit.naming.history import AFTER, ON
from tracetwin.emit.naming.values import article, slug, snake
from tracetwin.emit.source.identifiers import is_name
from tracetwin.support.counting import ORDINALS
from tracetwin.support.data import dataclass

LONGEST: Final = 80
READABLE: Final = 58
"""Letters of a name beyond which a shorter one that says a little less is better."""

LETTERS: Final = 6
"""Letters beyond it that weigh as much as one rank."""

SAYING: Final = "saying_"
WHILE: Final = "while_"
TO: Final = "@to_"
_KINDS: Final = (ON, TO, SAYING, WHILE, AFTER)
"""How words begin that tell more than what an argument is."""

EARLIER: Final = "earlier"
"""In the place of `small`, of dates."""

MOST_FEATURES: Final = {1: 60, 2: 24, 3: 12}
"""Conditions that are combined: many of them one by one, few of them three by three."""

CAUSE, ONLY_CAUSE = 2, 6
"""The worst ranks of a condition that is told though no other test ends so, of one argument among several and
of the only one: what says less is hardly the cause."""

ELSEWHERE, INCIDENTAL = 3, 4
"""How much less a condition says that also holds where a call ends otherwise, and one of an argument alone
that is hardly the cause, where all that differs can be told."""

VAGUE: Final = 5
"""How much less a name says that does not tell the result."""

WHOLE: Final = 3
"""The rank of all arguments that differ between tests."""

NUMBERED: Final = 4
"""How much less a condition says that ends with a number, and how much less where that alone differs."""

_DIGITS: Final = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Subject:
    """One test as the naming sees it.

    Attributes:
        features: what can be said of the input, with ranks: lower says more.
        void: whether no test of the function sees it return anything.
        family: how it ended, whichever number came out; "" where that is the ending itself.
        sizes: how large arguments are, with the words for small and large ones.
        several: whether there is more than one argument, mocks not counted.
        inputs: the arguments with all of their value in words, "" for those that no words say.
        speaks: whether how it ended speaks for itself.
    """

    function: str
    ending: str
    features: tuple[tuple[int, str], ...]
    void: bool = False
    family: str = ""
    sizes: Mapping[str, tuple[float, str, str]] = field(default_factory=dict)
    several: bool = False
    inputs: tuple[tuple[str, str], ...] = ()
    speaks: bool = False

    @property
    def kind(self) -> str:
        """How it ended, whichever number came out."""
        return self.family or self.ending

    def says(self, words: Sequence[str]) -> bool:
        """Return whether all of that holds for this test."""
        own = {word for _, word in self.features}
        return all(word in own for word in words)

    def may_cause(self, feature: tuple[int, str]) -> bool:
        """Return whether something that can be said of the input may well be why it ended so."""
        rank, word = feature
        return word.startswith(_KINDS) or rank <= (CAUSE if self.several else ONLY_CAUSE)


def name_all(subjects: Sequence[Subject], others: Iterable[str] = ()) -> list[str]:
    """A unique name for each test of one class, in their order."""
    telling = {subject.function for subject in subjects if _tells(subject.ending)}
    subjects = [replace(subject, void=subject.function not in telling) for subject in subjects]
    wanted = []
    for subject in subjects:
        rivals = [other for other in subjects if other is not subject and other.function == subject.function]
        wanted.append(_distinguished(subject, rivals))
    names = [""] * len(subjects)
    taken = set(others)
    for name in dict.fromkeys(wanted):
        alike = [place for place, one in enumerate(wanted) if one == name]
        for place, unique in zip(alike, _apart(name, [subjects[at] for at in alike], taken), strict=True):
            names[place] = unique
            taken.add(unique)
    return names


def with_owners(subjects: Sequence[Subject], groups: Sequence[tuple[str, str]]) -> list[Subject]:
    """The subjects with the class that a method belongs to in the words for the function."""
    return [
        replace(one, function=f"{snake(group.rpartition('.')[2])}_{one.function}")
        if kind == "class" and snake(group.rpartition(".")[2]) not in ("", one.function)
        else one
        for one, (group, kind) in zip(subjects, groups, strict=True)
    ]


def _tells(ending: str) -> bool:
    """Return whether something came back."""
    return ending.startswith(("returns_", "yields_")) and ending != "returns_none"


def shortened(name: str, longest: int) -> str:
    """Return as many of the words of a name as there is room for."""
    if len(name) <= longest:
        return name
    return name[: longest + 1].rpartition("_")[0] or name[:longest]


def _distinguished(subject: Subject, others: Sequence[Subject]) -> str:
    """The name with the plainest condition that no other test fulfils which ends like it.

    A condition that tests of other endings fulfil too is second choice. Where no other test ends so, only
    what may well be the cause is told.
    """
    base = shortened(_composed(subject, ()), LONGEST)
    rivals = [other for other in others if other.kind == subject.kind]
    vague = replace(subject, ending=subject.kind, family="")
    told = [(0, subject), (VAGUE, vague)] if subject.family else [(0, subject)]
    found = [(best[0] + less, *best[1:]) for less, one in told for best in _best(one, others, rivals)]
    if found:
        cost, name, _ = min(found)
        if rivals or (subject.ending[-1:].isdigit() and cost <= WHOLE + 3):
            return name
        caused = [(cost, name) for cost, name, cause in found if cause and (others or cost <= WHOLE + 1)]
        return min(caused)[1] if caused else base
    ranked = sorted(subject.features)
    said = next((_composed(subject, [word]) for _, word in ranked if word.startswith(AFTER)), base)
    return said if len(said) <= LONGEST else base


def _best(
    subject: Subject, others: Sequence[Subject], rivals: Sequence[Subject]
) -> list[tuple[int, str, bool]]:
    """The best name that is true of no rival: its cost, itself, and whether it may tell the cause."""
    differing = _differing(subject, others)
    all_said = bool(differing) and all(word for _, word in differing)
    rated: list[tuple[int, int, str, bool]] = []
    if all_said and not any(set(differing) <= set(rival.inputs) for rival in rivals):
        name = _composed(subject, ["_and_".join(f"{one}_{word}" for one, word in differing)])
        fits = not subject.several or not subject.speaks
        rated = [(WHOLE + _heaviness(name), -1, name, fits)] if len(name) <= LONGEST else []
    ranked = sorted(subject.features, key=lambda feature: feature[0] + _numbered(feature[1], rivals))
    for size, most in MOST_FEATURES.items():
        for chosen in combinations(ranked[:most], size):
            words = [word for _, word in chosen]
            name = _composed(subject, words)
            if len(name) <= LONGEST and not any(rival.says(words) for rival in rivals):
                cost = sum(rank + _numbered(word, rivals) for rank, word in chosen) + _heaviness(name)
                elsewhere = sum(other.says(words) for other in others)
                cause = all(map(subject.may_cause, chosen))
                cost += 2 * elsewhere + (ELSEWHERE if elsewhere else 0)
                cost += INCIDENTAL if len(differing) > 1 and all_said and not cause else 0
                rated.append((cost, len(rated), name, cause and not elsewhere))
        if rated:
            best = min(rated), min(rated, key=_causes_first)
            return [(cost, name, cause) for cost, _, name, cause in best]
    return []


def _causes_first(one: tuple[int, int, str, bool]) -> tuple[bool, int, int]:
    return not one[3], *one[:2]


def _differing(subject: Subject, others: Sequence[Subject]) -> list[tuple[str, str]]:
    """The arguments that other tests of the function give otherwise, or not at all."""
    given = [dict(other.inputs) for other in others] or [{}]
    return [(name, word) for name, word in subject.inputs if any(one.get(name) != word for one in given)]


def _numbered(word: str, rivals: Sequence[Subject]) -> int:
    """How much less a condition says because of a number in it."""
    if not _DIGITS.search(word):
        return 0
    plain = _DIGITS.sub("#", word)
    same = any(_DIGITS.sub("#", other) == plain for rival in rivals for _, other in rival.features)
    return NUMBERED * same + word[-1].isdigit()


def _heaviness(name: str) -> int:
    return max(0, len(name) - READABLE) // LETTERS


def _composed(subject: Subject, words: Sequence[str]) -> str:
    """The name that says all of that, in the order of a sentence."""
    parts: dict[str, list[str]] = {kind: [] for kind in (*_KINDS, "")}
    for word in words:
        parts[next(kind for kind in parts if word.startswith(kind))].append(word)
    # That nothing comes back from what never returns anything goes without saying.
    silent = subject.void and subject.ending == "returns_none" and (parts[ON] or parts[AFTER])
    ending = "" if silent else subject.ending
    when = ["when_" + "_and_".join(parts[""])] if parts[""] else []
    rest = [*parts[TO], *parts[SAYING], *parts[WHILE], *when, *parts[AFTER]]
    said = ["test", subject.function, *parts[ON], ending, *rest]
    name = "_".join(part.removeprefix("@") for part in said if part)
    return name if is_name(name) else slug(name)


# ---- tests that nothing tells apart


def _apart(name: str, subjects: Sequence[Subject], taken: set[str]) -> Iterator[str]:
    """Give names for tests that would have the same one: by an argument or its size, or one after another."""
    if len(subjects) > 1:
        start = f"{name}_{'and' if '_when_' in name else 'when'}"
        by_size = [[f"{start}_{phrase}" for phrase in phrases] for phrases in _by_size(subjects)]
        told = list(_by_argument(subjects))
        starts = (start, f"test_{subjects[0].function}_when")  # without how it ended, where there is no room
        by_argument = [[f"{one}_{phrase}" for phrase in phrases] for one in starts for phrases in told]
        for made in (*by_size, *by_argument):
            if taken.isdisjoint(made) and len(set(made)) == len(made) and max(map(len, made)) <= LONGEST:
                yield from made
                return
    known = set(taken)
    ways = _ways(name)
    for _ in subjects:
        unique = next(way for way in ways if way not in known)
        known.add(unique)
        yield unique


def _by_size(subjects: Sequence[Subject]) -> Iterator[list[str]]:
    """Give words for up to three sizes, by each argument that has another size in each test."""
    if len(subjects) > 3:
        return
    for argument in subjects[0].sizes:
        found = [one.sizes.get(argument) for one in subjects]
        sizes = sorted({one[0] for one in found if one is not None})
        if len(sizes) == len(subjects):
            _, small, large = subjects[0].sizes[argument]
            middle = "in_between" if small == EARLIER else "of_middle_size"
            words = [small, middle, large] if len(subjects) == 3 else [small, large]
            yield [f"{argument}_is_{words[sizes.index(one[0])]}" for one in found if one is not None]


def _by_argument(subjects: Sequence[Subject]) -> Iterator[list[str]]:
    """Give all of an argument in words, for each that is another one in each test."""
    for argument, _ in subjects[0].inputs:
        found = [dict(one.inputs).get(argument, "") for one in subjects]
        if len(set(found)) == len(found) and not any(not word or word[-1].isdigit() for word in found):
            yield [f"{argument}_{word}" for word in found]


def _ways(name: str) -> Iterator[str]:
    """Give names for the first test of its kind, and for those after it."""
    yield name
    for words in ("in_another_way", *(f"in_{article(ordinal)}_way" for ordinal in ORDINALS)):
        yield f"{shortened(name, LONGEST - len(words) - 1)}_{words}"
    number = len(ORDINALS) + 3
    while True:
        yield f"{shortened(name, LONGEST - 10)}_in_way_{number}"
        number += 1
