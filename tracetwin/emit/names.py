"""Names of tests that say what is reached: `test_clamp_returns_low_when_value_is_negative`.

A name is made of the function, how the call ended, and the shortest description of the input that holds for
no other test of the function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tracetwin.emit.words import recipe_words, result_words, slug, snake
from tracetwin.replay.static import Coverable, Function

LONGEST = 80
LONGEST_MESSAGE = 40
SAYING = "saying_"
# Conditions that are combined: many of them one by one, few of them three by three.
MOST_FEATURES = {1: 60, 2: 24, 3: 12}


@dataclass(frozen=True)
class Subject:
    """One test as the naming sees it."""

    function: str
    ending: str
    features: tuple[tuple[int, str], ...]

    def says(self, words: Sequence[str]) -> bool:
        """Whether all of that holds for this test."""
        own = {word for _, word in self.features}
        return all(word in own for word in words)


def name_all(subjects: Sequence[Subject]) -> list[str]:
    """A unique name for each test of one class, in their order."""
    names: list[str] = []
    taken: set[str] = set()
    for subject in subjects:
        others = [other for other in subjects if other is not subject and other.function == subject.function]
        base = _shortened(f"test_{subject.function}_{subject.ending}", LONGEST)
        name = _distinguished(base, subject, others)
        number, unique = 2, name
        while unique in taken:
            unique, number = f"{_shortened(name, LONGEST - 3)}_{number}", number + 1
        taken.add(unique)
        names.append(unique)
    return names


def _shortened(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    return name[: longest + 1].rpartition("_")[0] or name[:longest]


def _distinguished(base: str, subject: Subject, others: Sequence[Subject]) -> str:
    """The base with the plainest condition that no other test of the same ending fulfils.

    A condition that tests of other endings fulfil too is second choice.
    """
    rivals = [other for other in others if other.ending == subject.ending]
    ranked = sorted(subject.features, key=lambda feature: feature[0])
    for size, most in MOST_FEATURES.items():
        rated: list[tuple[int, int, str]] = []
        for chosen in combinations(ranked[:most], size):
            words = [word for _, word in chosen]
            name = f"{base}_{_joined(words)}"
            if len(name) <= LONGEST and not any(rival.says(words) for rival in rivals):
                shared = sum(other.says(words) for other in others)
                rated.append((sum(rank for rank, _ in chosen) + 2 * shared, len(rated), name))
        if rated:
            cost, _, name = min(rated)
            return name if others or cost <= 3 else base
    return base


def _joined(words: Sequence[str]) -> str:
    after = [word for word in words if word.startswith("after_")]
    saying = [word for word in words if word.startswith(SAYING)]
    when = [word for word in words if word not in after and word not in saying]
    return "_".join([*saying, *(["when_" + "_and_".join(when)] if when else []), *after])


def subject(case: dict[str, Any], seen: dict[str, Any], coverable: Coverable) -> Subject:
    """What can be said of a case and how it ended."""
    *setup, last = case["steps"]
    named = arguments(last, coverable, case)
    features = _argument_features(named) + _relations(named, coverable.function(str(case["target"][1])))
    for step in setup:
        further = 1 if step["do"][0] == "call" else 3
        given = _argument_features(arguments(step, coverable, case))
        features += [(rank + further, word) for rank, word in given]
    features += _left_out(last, named, coverable.function(str(case["target"][1])))
    after = [slug(step["do"][2]) for step in setup if step["do"][0] in ("method", "set")]
    if after:
        times = f"_{len(after)}_times" if len(after) > 1 and len(set(after)) == 1 else ""
        features.append((1, f"after_{'_and_'.join(dict.fromkeys(after))}{times}"))
    message = _message_words(seen, coverable)
    if message:
        features.append((2, message))
    unique = {word: rank for rank, word in sorted(features, reverse=True) if word}
    ordered = tuple(
        (unique[word], word) for word in dict.fromkeys(word for _, word in features) if word in unique
    )
    return Subject(function_words(case), _ending(case, seen, named), ordered)


def function_words(case: dict[str, Any]) -> str:
    """The function or attribute a case is about."""
    kind, _, name = case["steps"][-1]["do"]
    if kind == "call":
        words = snake(name.rpartition(".")[2])
        return words or "call"
    return ("set_" if kind == "set" else "") + (slug(name) or "call")


def arguments(step: dict[str, Any], coverable: Coverable, case: dict[str, Any]) -> list[tuple[str, Any]]:
    """The arguments of a step with the names of their parameters."""
    kind, _, name = step["do"]
    parameters: tuple[str, ...] = ()
    if kind == "call":
        found = coverable.function(name)
        parameters = found.parameters if found else coverable.classes.get(name, ())
    elif kind == "method":
        owner = str(case["target"][1]).rpartition(".")[0]
        found = coverable.function(f"{owner}.{name}") or _only(coverable, name)
        parameters = found.parameters if found else ()
    elif kind == "set":
        parameters = (name,)
    named = []
    for position, part in enumerate(step["args"]):
        known = parameters[position] if position < len(parameters) else f"argument_{position + 1}"
        named.append((known, part))
    return [*named, *((str(key), part) for key, part in step["kwargs"])]


def _only(coverable: Coverable, method: str) -> Any:
    found = [function for function in coverable.functions if function.qualname.endswith(f".{method}")]
    return found[0] if len(found) == 1 else None


def _argument_features(named: Sequence[tuple[str, Any]]) -> list[tuple[int, str]]:
    features = []
    for name, recipe in named:
        word = slug(name) or "value"
        features += [(rank, f"{word}_{said}") for rank, said in recipe_words(recipe)]
    return features


def _left_out(
    step: dict[str, Any], named: Sequence[tuple[str, Any]], function: Function | None
) -> list[tuple[int, str]]:
    """Parameters that are given by name, and those that are not given."""
    features = [(6, f"{slug(name)}_is_given_by_name") for name, _ in step["kwargs"]]
    given = {name for name, _ in named}
    if function is not None and step["do"][0] in ("call", "method"):
        features += [(4, f"{slug(name)}_is_left_out") for name in function.parameters if name not in given]
    return features


def _relations(named: Sequence[tuple[str, Any]], function: Function | None) -> list[tuple[int, str]]:
    """How numbers relate that the function compares."""
    numbers = [(name, part[1]) for name, part in named if part[0] == "lit" and _is_number(part[1])]
    features = []
    for (left, a), (right, b) in combinations(numbers, 2):
        relation = "is_below" if a < b else "is_above" if a > b else "equals" if a == b else ""
        if relation and function is not None and {left, right} in function.compared:
            features.append((2, f"{slug(left)}_{relation}_{slug(right)}"))
    return features


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _ending(case: dict[str, Any], seen: dict[str, Any], named: Sequence[tuple[str, Any]]) -> str:
    if seen["outcome"] == "raised":
        return f"raises_{snake(seen['exception'][1].rpartition('.')[2]) or 'error'}"
    value = seen["value"]
    if case["kind"] == "constructor":
        return "is_created"
    if value[0] == "iter" and seen["how"] in ("iterate", "async_iterate"):
        count = len(value[2])
        return f"yields_{count}_item{'s' if count > 1 else ''}" if count else "yields_nothing"
    if value == ("lit", None):
        changed = _changed_name(seen, named)
        if changed:
            return f"changes_{changed}"
        if any(path[0] == "var" for path in seen["touched"]):
            return f"changes_{snake(case['target'][1].rpartition('.')[0].rpartition('.')[2]) or 'state'}"
        if seen["stdout"]:
            return "prints_text"
    if value[0] == "lit" and (_is_number(value[1]) or isinstance(value[1], (str, bytes))) and value[1]:
        same = [name for name, part in named if part[0] == "lit" and part[1] == value[1]]
        same = [name for name in same if type(dict(named)[name][1]) is type(value[1])]
        if len(same) == 1:
            return f"returns_{slug(same[0]) or 'argument'}"
    return f"returns_{result_words(value)}"


def _message_words(seen: dict[str, Any], coverable: Coverable) -> str:
    """What the target itself said when it raised, where that is short: it tells errors of one type apart."""
    if seen["outcome"] != "raised" or seen["raised_at"] not in coverable.raising:
        return ""
    words = slug(seen["exception"][2] or "")
    return f"{SAYING}{words}" if 0 < len(words) <= LONGEST_MESSAGE else ""


def _changed_name(seen: dict[str, Any], named: Sequence[tuple[str, Any]]) -> str:
    for path, _ in seen["changed"]:
        if path[0] == "arg" and path[1] < len(named):
            return slug(named[path[1]][0])
        return slug(str(path[-1]))
    return ""


def class_name(group: str, kind: str, taken: set[str]) -> str:
    """The test class for a function or class of the target."""
    parts = [part for part in group.replace(".", "_").split("_") if part]
    camel = "".join(part[:1].upper() + part[1:] for part in parts) or "Module"
    name = f"Test{camel}"
    if name in taken and kind == "function":
        name = f"Test{camel}Function"
    number, unique = 2, name
    while unique in taken:
        unique, number = f"{name}{number}", number + 1
    taken.add(unique)
    return unique
