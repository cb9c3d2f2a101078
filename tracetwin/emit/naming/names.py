"""Names of tests that say what is reached: `test_clamp_returns_low_when_value_is_negative`.

A name is made of the function, how the call ended, and the shortest description of the input that holds for
no other test of the function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tracetwin.emit.exhibit import Exhibit
from tracetwin.emit.naming.history import AFTER, ON, before_words
from tracetwin.emit.naming.leaving import ending_words, leaving
from tracetwin.emit.naming.mocks import asked, mock_words
from tracetwin.emit.naming.patches import patch_words
from tracetwin.emit.naming.stubs import wanted_name
from tracetwin.emit.naming.values import recipe_words, result_words, scalar_words, slug, snake
from tracetwin.emit.naming.variables import arguments
from tracetwin.emit.source.identifiers import is_name
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Consumption, Root, ValuePath, Written
from tracetwin.model.recipe import NONE, MockNumber, MockRecipe, Recipe, Scalar, walk
from tracetwin.model.snapshot import Iterated
from tracetwin.replay.branch_words import words_of
from tracetwin.replay.static import Coverable, Function

LONGEST = 80
LONGEST_MESSAGE = 40
SAYING = "saying_"
TO = "@to_"
_WRITING = ("write_text", "write_bytes")
# Conditions that are combined: many of them one by one, few of them three by three.
MOST_FEATURES = {1: 60, 2: 24, 3: 12}


@dataclass(frozen=True)
class Subject:
    """One test as the naming sees it.

    Attributes:
        function: what is called.
        ending: how it ended.
        features: what can be said of the input, with ranks: lower says more.
        void: whether no test of the function sees it return anything.
        ways: what its own conditions decided, for tests that nothing else tells apart.
    """

    function: str
    ending: str
    features: tuple[tuple[int, str], ...]
    void: bool = False
    ways: tuple[str, ...] = ()

    def says(self, words: Sequence[str]) -> bool:
        """Return whether all of that holds for this test."""
        own = {word for _, word in self.features}
        return all(word in own for word in words)


def name_all(subjects: Sequence[Subject], others: Iterable[str] = ()) -> list[str]:
    """A unique name for each test of one class, in their order.

    Args:
        subjects: the tests.
        others: names that the class has already.
    """
    names: list[str] = []
    taken = set(others)
    telling = {subject.function for subject in subjects if _tells(subject.ending)}
    subjects = [replace(subject, void=subject.function not in telling) for subject in subjects]
    for subject in subjects:
        rivals = [other for other in subjects if other is not subject and other.function == subject.function]
        name = _distinguished(subject, rivals)
        number, unique = 2, name
        while unique in taken:
            unique, number = f"{_shortened(name, LONGEST - 3)}_{number}", number + 1
        taken.add(unique)
        names.append(unique)
    return names


def with_owners(subjects: Sequence[Subject], groups: Sequence[tuple[str, str]]) -> list[Subject]:
    """The subjects with the class that a method belongs to in the words for the function.

    Args:
        subjects: those of one file, in which tests of several classes are not kept apart otherwise.
        groups: for each the function or class that it is about, and which of both that is.
    """
    return [
        replace(one, function=f"{snake(group.rpartition('.')[2])}_{one.function}")
        if kind == "class" and snake(group.rpartition(".")[2]) not in ("", one.function)
        else one
        for one, (group, kind) in zip(subjects, groups, strict=True)
    ]


def _tells(ending: str) -> bool:
    """Return whether something came back."""
    return ending.startswith(("returns_", "yields_")) and ending != "returns_none"


def _shortened(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    return name[: longest + 1].rpartition("_")[0] or name[:longest]


def _distinguished(subject: Subject, others: Sequence[Subject]) -> str:
    """The name with the plainest condition that no other test of the same ending fulfils.

    A condition that tests of other endings fulfil too is second choice.
    """
    base = _shortened(_composed(subject, ()), LONGEST)
    rivals = [other for other in others if other.ending == subject.ending]
    ranked = sorted(subject.features, key=lambda feature: feature[0])
    for size, most in MOST_FEATURES.items():
        rated: list[tuple[int, int, str]] = []
        for chosen in combinations(ranked[:most], size):
            words = [word for _, word in chosen]
            name = _composed(subject, words)
            if len(name) <= LONGEST and not any(rival.says(words) for rival in rivals):
                shared = sum(other.says(words) for other in others)
                rated.append((sum(rank for rank, _ in chosen) + 2 * shared, len(rated), name))
        if rated:
            cost, _, name = min(rated)
            return name if others or cost <= 3 else base
    for way in subject.ways:
        name = _composed(subject, [way])
        if len(name) <= LONGEST and not any(way in rival.ways for rival in rivals):
            return name
    said = next((_composed(subject, [word]) for _, word in ranked if word.startswith(AFTER)), base)
    return said if len(said) <= LONGEST else base


def _composed(subject: Subject, words: Sequence[str]) -> str:
    """The name that says all of that, in the order of a sentence."""
    parts: dict[str, list[str]] = {kind: [] for kind in (ON, TO, SAYING, AFTER, "")}
    for word in words:
        parts[next(kind for kind in parts if word.startswith(kind))].append(word)
    # That nothing comes back from what never returns anything goes without saying.
    silent = subject.void and subject.ending == "returns_none" and (parts[ON] or parts[AFTER])
    ending = "" if silent else subject.ending
    when = ["when_" + "_and_".join(parts[""])] if parts[""] else []
    said = ["test", subject.function, *parts[ON], ending, *parts[TO], *parts[SAYING], *when, *parts[AFTER]]
    name = "_".join(part.removeprefix("@") for part in said if part)
    return name if is_name(name) else slug(name)


def subject(case: Case, seen: Exhibit, coverable: Coverable) -> Subject:
    """Return what can be said of a case and how it ended."""
    last = case.last
    leaves = leaving(case, seen) is not None  # then what it is given says nothing more
    given = [] if leaves else arguments(last, coverable, case)
    named = [(name, asked(part, seen.unused)) for name, part in given]
    function = coverable.function(case.target)
    features = before_words(case, seen, coverable)
    # What was done before says more of a method than what it was given.
    later = 1 if any(word.startswith(AFTER) for _, word in features) else 0
    features += [
        (rank + later, word) for rank, word in _argument_features(named) + _relations(named, function)
    ]
    features += patch_words(case)
    features += [] if leaves else _left_out(last, named, function)
    message = _message_words(seen, coverable)
    if message:
        features.append((2, message))
    ending = _ending(case, seen, named)
    if ending.startswith("changes_"):
        features += _new_value(seen)
    unique = {word: rank for rank, word in sorted(features, reverse=True) if word}
    ordered = tuple(
        (unique[word], word) for word in dict.fromkeys(word for _, word in features) if word in unique
    )
    return Subject(function_words(case), ending, ordered, ways=_ways(case, seen, coverable))


def _new_value(seen: Exhibit) -> list[tuple[int, str]]:
    if not seen.changed:
        return []
    path, snap = seen.changed[0]
    if path.attribute is None or not isinstance(snap, Scalar):
        return []
    return [(1, f"{TO}{said.removeprefix('is_')}") for _, said in scalar_words(snap.value)[:1]]


def function_words(case: Case) -> str:
    """Return the name of the function or attribute that a case is about."""
    last = case.last
    own = case.target.rpartition(".")[2]
    if last.act is Act.METHOD and last.name in ("__exit__", "__call__") and last.name != own:
        return slug(own) or "context"  # what made the context or function is what the test is about
    if last.act is Act.CALL:
        return snake(last.name.rpartition(".")[2]) or "call"
    return ("set_" if last.act is Act.SET else "") + (slug(last.name) or "call")


def _argument_features(named: Sequence[tuple[str, Recipe]]) -> list[tuple[int, str]]:
    features = []
    for name, recipe in named:
        word = slug(name) or "value"
        if isinstance(recipe, MockRecipe):
            features += mock_words(recipe, recipe_words, snake, word)
        else:
            features += [(rank, f"{word}_{said}") for rank, said in recipe_words(recipe)]
    return features


def _left_out(
    step: Step, named: Sequence[tuple[str, Recipe]], function: Function | None
) -> list[tuple[int, str]]:
    """Parameters that are given by name, and those that are not given."""
    features = [(6, f"{slug(name)}_is_given_by_name") for name, _ in step.kwargs]
    given = {name for name, _ in named}
    if function is not None and step.act in (Act.CALL, Act.METHOD):
        features += [(4, f"{slug(name)}_is_left_out") for name in function.parameters if name not in given]
    return features


def _relations(named: Sequence[tuple[str, Recipe]], function: Function | None) -> list[tuple[int, str]]:
    """How numbers relate that the function compares."""
    numbers: list[tuple[str, Any]] = [
        (name, part.value) for name, part in named if isinstance(part, Scalar) and _is_number(part.value)
    ]
    features = []
    for (left, a), (right, b) in combinations(numbers, 2):
        relation = "is_below" if a < b else "is_above" if a > b else "equals" if a == b else ""
        if relation and function is not None and {left, right} in function.compared:
            features.append((2, f"{slug(left)}_{relation}_{slug(right)}"))
    return features


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _ending(case: Case, seen: Exhibit, named: Sequence[tuple[str, Recipe]]) -> str:
    if seen.raised is not None:
        return f"raises_{snake(seen.raised.qualname.rpartition('.')[2]) or 'error'}"
    left = ending_words(case, seen)
    if left:
        return left
    value = seen.value
    if case.kind == "constructor":
        return "is_created"
    if isinstance(value, Iterated) and seen.how in (Consumption.ITERATE, Consumption.ASYNC_ITERATE):
        count = len(value.items)
        return f"yields_{count}_item{'s' if count > 1 else ''}" if count else "yields_nothing"
    itself = _returns_itself(case, seen)
    if value == NONE or itself:
        done = _effect(case, seen, named)
        if done or itself:
            return done or "returns_itself"
    if isinstance(value, Scalar) and (same := _same_argument(value, named)) is not None:
        return f"returns_{slug(same) or 'argument'}"
    if isinstance(value, MockNumber):
        return f"returns_{_mock_name(case, value.number)}"
    return f"returns_{result_words(value)}"


def _same_argument(value: Scalar, named: Sequence[tuple[str, Recipe]]) -> str | None:
    """The only argument that a number or text is equal to, None where there is none or it says nothing."""
    plain = value.value
    if not plain or not (_is_number(plain) or isinstance(plain, (str, bytes))):
        return None
    equal = [
        name
        for name, part in named
        if isinstance(part, Scalar) and part.value == plain and type(part.value) is type(plain)
    ]
    return equal[0] if len(equal) == 1 else None


def _mock_name(case: Case, number: int) -> str:
    """Return the name of the mock of that number."""
    parts = (part for step in case.steps for recipe in step.given for part in walk(recipe))
    mocks = (part for part in parts if isinstance(part, MockRecipe))
    return next((wanted_name(mock) for mock in mocks if mock.number == number), "mock")


def _effect(case: Case, seen: Exhibit, named: Sequence[tuple[str, Recipe]]) -> str:
    """Return what a call did that returned nothing of its own."""
    changed = _changed_name(seen, named)
    if changed:
        return f"changes_{changed}"
    if any(path.root is Root.VAR for path in seen.touched):
        return f"changes_{snake(case.target.rpartition('.')[0].rpartition('.')[2]) or 'state'}"
    if any(isinstance(one, Written) or one.place.endswith(_WRITING) for one in seen.effects):
        return "writes_file"
    return "prints_text" if seen.stdout else ""


def _returns_itself(case: Case, seen: Exhibit) -> bool:
    return seen.same is not None and seen.same == ValuePath(Root.VAR, case.last.place)


def _message_words(seen: Exhibit, coverable: Coverable) -> str:
    """Return the target's own message when it raised, if short: it tells errors of one type apart."""
    if seen.raised is None or not coverable.raises_itself(seen.raised_at, seen.raised.place):
        return ""
    words = _shortened(slug(seen.raised.message or ""), LONGEST_MESSAGE)
    return f"{SAYING}{words}" if words else ""


def _ways(case: Case, seen: Exhibit, coverable: Coverable) -> tuple[str, ...]:
    """The decisions of the conditions that a call passed: the function's own first, then those of others."""
    function = coverable.function(case.target)
    arcs = frozenset(seen.own_arcs)
    own = arcs if function is None else arcs & function.arcs
    return tuple(dict.fromkeys([*words_of(own, coverable.conditions), *words_of(arcs, coverable.conditions)]))


def _changed_name(seen: Exhibit, named: Sequence[tuple[str, Recipe]]) -> str:
    for path, _ in seen.changed:
        if isinstance(path.key, int) and path.key < len(named):
            return slug(named[path.key][0])
        return slug(str(path.key if path.attribute is None else path.attribute))
    return ""


def class_name(group: str, kind: str, taken: set[str]) -> str:
    """The test class for a function or class of the target."""
    parts = [part for part in re.split(r"\W+|_", group) if part]
    camel = "".join(part[:1].upper() + part[1:] for part in parts)
    name = f"Test{camel}" if camel and is_name(f"Test{camel}") else "TestModule"
    if name in taken and kind == "function":
        name += "Function"
    number, unique = 2, name
    while unique in taken:
        unique, number = f"{name}{number}", number + 1
    taken.add(unique)
    return unique
