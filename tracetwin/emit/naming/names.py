"""The words of a test's name: how the call ended, and conditions of its input that may tell it apart.

Patches in words, for the names of tests: `mode_is_production`, `input_raises_eof_error`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from tracetwin.drawing.environment.apply import same
from tracetwin.emit.exhibit import Exhibit
from tracetwin.emit.naming.dates import calendar_words, date_parts, place_in_time
from tracetwin.emit.naming.history import AFTER, before_words, ending_words, leaving
from tracetwin.emit.naming.mocks import asked, mock_words, name_of
from tracetwin.emit.naming.results import (
    SHORTEST,
    error_words,
    family_of,
    items_words,
    relation_words,
    result_words,
)
from tracetwin.emit.naming.stubs import wanted_name
from tracetwin.emit.naming.telling import EARLIER, SAYING, TO, WHILE, Subject, shortened
from tracetwin.emit.naming.values import all_words, number, recipe_words, scalar_words, size_of, slug, snake
from tracetwin.emit.naming.variables import arguments
from tracetwin.emit.source.identifiers import is_name
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Consumption, Root, ValuePath, Written
from tracetwin.model.patch import (
    ArgumentsPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    PatchedCall,
    StdinPatch,
    Way,
)
from tracetwin.model.recipe import (
    NONE,
    Call,
    Dictionary,
    MockNumber,
    MockRecipe,
    Recipe,
    Scalar,
    Series,
    list_of,
    walk,
)
from tracetwin.model.snapshot import Iterated
from tracetwin.replay.branch_words import words_of
from tracetwin.replay.functions import SourceFunction
from tracetwin.replay.static import Coverable

LONGEST_MESSAGE = 40
EXACT, BESIDE, UNASKED = 2, 1, 3
"""Rank of all of an argument that was decided about; how much less words of it say, and of others."""

LEFT_OUT = 7
"""Rank of an argument that is not given, which is hardly why a call ends as it does."""

DOING = 8
"""Rank of the statement that raised: it says less than any cause."""

OWN_WAY, OTHER_WAY = 1, 8
"""Ranks of what the function itself decided and did something about, and of what was decided elsewhere."""

_NEGATED: Final = re.compile(r"(^|_)not?_")

_ACCIDENTAL = (0, 1, -1)
"""Results that are equal to an argument without saying anything."""

_WRITING = ("write_text", "write_bytes")


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
    own = _own_ways(case, seen, coverable)
    features += [*_message_words(seen, coverable, named), *_ways(own, seen, coverable)]
    arguments_said = _argument_features(named, _spoken_of(named, own, seen)) + _relations(named, function)
    features += [(rank + later, word) for rank, word in arguments_said]
    features += patch_words(case)
    features += [] if leaves else _left_out(last, named, function)
    ending = _ending(case, seen, named)
    if ending.startswith("changes_"):
        features += _new_value(seen)
    unique = {word: rank for rank, word in sorted(features, reverse=True) if word}
    ordered = tuple(
        (unique[word], word) for word in dict.fromkeys(word for _, word in features) if word in unique
    )
    family = _family(ending, seen)
    value = seen.value.value if isinstance(seen.value, Scalar) else None
    return Subject(
        function_words(case, coverable), ending, ordered, family=family, sizes=_sizes(named),
        several=sum(not isinstance(part, MockRecipe) for _, part in named) > 1,
        inputs=tuple((slug(name) or "value", all_words(part)) for name, part in named),
        speaks=bool(value) and value is not True and not family,
    )  # fmt: skip


def _new_value(seen: Exhibit) -> list[tuple[int, str]]:
    if not seen.changed:
        return []
    path, snap = seen.changed[0]
    if path.attribute is None or not isinstance(snap, Scalar):
        return []
    return [(1, f"{TO}{said.removeprefix('is_')}") for _, said in scalar_words(snap.value)[:1]]


def function_words(case: Case, coverable: Coverable) -> str:
    """Return the name of what a case is about, as words; `isEmpty` stays apart from `is_empty`."""
    last = case.last
    own = case.target.rpartition(".")[2]
    if last.act is Act.METHOD and last.name in ("__exit__", "__call__") and last.name != own:
        return slug(own) or "context"  # what made the context or function is what the test is about
    if last.act is Act.CALL:
        return snake(last.name.rpartition(".")[2]) or "call"
    others = {one.qualname.rpartition(".")[2] for one in coverable.functions} - {last.name}
    name = slug(last.name) if snake(last.name) in map(snake, others) else snake(last.name)
    return ("set_" if last.act is Act.SET else "") + (name or "call")


def _argument_features(
    named: Sequence[tuple[str, Recipe]], decided: frozenset[str]
) -> list[tuple[int, str]]:
    """Return what can be said of arguments: most of those that the last decision was about."""
    features = []
    for name, recipe in named:
        word = slug(name) or "value"
        if isinstance(recipe, MockRecipe):
            features += mock_words(recipe, recipe_words, snake, word)
            continue
        exact = all_words(recipe)
        less = 0 if not decided else BESIDE if word in decided else UNASKED
        for rank, said in recipe_words(recipe):
            whole = word in decided and said == exact
            features.append((min(rank + less, EXACT) if whole else rank + less, f"{word}_{said}"))
    return features


def _spoken_of(
    named: Sequence[tuple[str, Recipe]], ways: dict[str, bool], seen: Exhibit
) -> frozenset[str]:
    """The arguments that the last decision of a function speaks of, or the message of what it raised."""
    last = next((word for word, used in ways.items() if used), "")
    texts = (slug(seen.raised.message or "") if seen.raised is not None else "", last)
    names = {slug(name) or "value" for name, _ in named}
    told = (frozenset(name for name in names if f"_{name}_" in f"_{text}_") for text in texts)
    return next(filter(None, told), frozenset())


def _left_out(
    step: Step, named: Sequence[tuple[str, Recipe]], function: SourceFunction | None
) -> list[tuple[int, str]]:
    """Parameters that are given by name, and those that are not given."""
    features = [(8, f"{slug(name)}_is_given_by_name") for name, _ in step.kwargs]
    given = {name for name, _ in named}
    if function is not None and step.act in (Act.CALL, Act.METHOD):
        absent = [name for name in function.parameters if name not in given]
        features += [(LEFT_OUT, f"{slug(name)}_is_left_out") for name in absent]
    return features


def _relations(named: Sequence[tuple[str, Recipe]], function: SourceFunction | None) -> list[tuple[int, str]]:
    """How numbers and dates relate that the function compares."""
    dates = [(name, parts) for name, part in named if (parts := date_parts(part))]
    numbers: list[tuple[str, Any]] = [
        (name, part.value) for name, part in named if isinstance(part, Scalar) and _is_number(part.value)
    ]
    features = []
    for (left, a), (right, b) in (*combinations(numbers, 2), *combinations(dates, 2)):
        below, above = ("is_before", "is_after") if isinstance(a, tuple) else ("is_below", "is_above")
        relation = below if a < b else above if a > b else "equals" if a == b else ""
        if relation and function is not None and {left, right} in function.compared:
            features.append((2, f"{slug(left)}_{relation}_{slug(right)}"))
    return features


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _ending(case: Case, seen: Exhibit, named: Sequence[tuple[str, Recipe]]) -> str:
    if seen.raised is not None:
        return f"raises_{error_words(*seen.raised.place)}"
    left = ending_words(case, seen)
    if left:
        return left
    value = seen.value
    if case.kind == "constructor":
        return "is_created"
    if isinstance(value, Iterated) and seen.how in (Consumption.ITERATE, Consumption.ASYNC_ITERATE):
        return f"yields_{items_words(value)}"
    itself = _returns_itself(case, seen)
    if value == NONE or itself:
        done = _effect(case, seen, named)
        if done or itself:
            return done or "returns_itself"
    if isinstance(value, Scalar) and (same := _same_argument(value, named)) is not None:
        return f"returns_{slug(same) or 'argument'}"
    if said := relation_words(value, named):
        return f"returns_{said}"
    if isinstance(value, MockNumber):
        return f"returns_{_mock_name(case, value.number)}"
    return f"returns_{result_words(value)}"


def _same_argument(value: Scalar, named: Sequence[tuple[str, Recipe]]) -> str | None:
    """The only argument that a number or text is equal to, None where there is none or it says nothing."""
    plain = value.value
    says = isinstance(plain, (str, bytes)) and len(plain) >= SHORTEST
    if not says and not (_is_number(plain) and plain not in _ACCIDENTAL):
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


def _message_words(
    seen: Exhibit, coverable: Coverable, named: Sequence[tuple[str, Recipe]]
) -> list[tuple[int, str]]:
    """The target's own message when it raised: it tells errors of one type apart, mostly in its last part.

    A part that only repeats an argument tells nothing of why. Of another error what was being done then.
    """
    if seen.raised is None:
        return []
    if not coverable.raises_itself(seen.raised_at, seen.raised):
        doing = coverable.doing.get(seen.raised_at or 0)
        return [(DOING, f"{WHILE}{doing}")] if doing else []
    message = seen.raised.message or ""
    given = {slug(str(part.value)) for _, part in named if isinstance(part, Scalar)}
    said = [slug(text) for text in (message, message.rpartition(": ")[2])]
    told = (shortened(words, LONGEST_MESSAGE) for words in said if words not in given)
    return [(2, f"{SAYING}{words}") for words in dict.fromkeys(told) if len(words) >= SHORTEST]


def _own_ways(case: Case, seen: Exhibit, coverable: Coverable) -> dict[str, bool]:
    """The decisions of the function itself, the last first, and whether it did something about each."""
    function = coverable.function(case.target)
    arcs = frozenset(seen.own_arcs)
    return words_of(arcs if function is None else arcs & function.arcs, coverable.conditions)


def _ways(own: dict[str, bool], seen: Exhibit, coverable: Coverable) -> list[tuple[int, str]]:
    """The decisions of the conditions that a call passed: the function's own first, then those of others."""
    said = [(OWN_WAY + (not used) + bool(_NEGATED.search(word)), word) for word, used in own.items()]
    every = words_of(frozenset(seen.own_arcs), coverable.conditions)
    return said + [(OTHER_WAY, word) for word in every if word not in own]


def _family(ending: str, seen: Exhibit) -> str:
    """The ending without the number that came out, "" where there is none."""
    value = seen.value
    if seen.raised is None and ending.startswith("yields_") and ending != "yields_nothing":
        return "yields_items"
    said = "" if seen.raised is not None or value is None else family_of(value)
    return f"returns_{said}" if said and ending == f"returns_{result_words(value)}" else ""


def _sizes(named: Sequence[tuple[str, Recipe]]) -> dict[str, tuple[float, str, str]]:
    """How large arguments are, with the words for small and large ones."""
    found: dict[str, tuple[float, str, str]] = {}
    for name, part in named:
        value = part.value if isinstance(part, Scalar) else None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if not (isinstance(value, float) and math.isnan(value)):  # an int may be too large for a float
                found[slug(name)] = (value, "small", "large")
        elif isinstance(value, (str, bytes)):
            found[slug(name)] = (len(value), "short", "long")
        elif isinstance(part, (Series, Dictionary)):
            found[slug(name)] = (size_of(part), "short", "long")
        elif (place := place_in_time(part)) is not None:
            found[slug(name)] = (place, EARLIER, "later")
    return found


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


_LARGE: Final = 1_000_000
"""Numbers beyond it are moments, which no name can tell apart."""

_LATER: Final = 1
"""How much more an argument says of a test than what is patched."""


def patch_words(case: Case) -> list[tuple[int, str]]:
    """Return what can be said of the patches of a case, with ranks: lower says more."""
    said = [row for patch in case.patches for row in _words(patch)]
    return [(rank + _LATER, word) for rank, word in said]


def _words(patch: Patch) -> Iterator[tuple[int, str]]:
    match patch:
        case EnvironPatch(values, alone):
            yield from _of_variables(values, alone)
        case StdinPatch(text):
            yield from ((rank, f"input_{said}") for rank, said in recipe_words(text))
        case ArgumentsPatch(words):
            given = list_of(*map(Scalar, words[1:]))
            yield from ((rank, f"argv_{said}") for rank, said in recipe_words(given))
        case FunctionPatch(place, calls) if same(calls):
            yield from _of_results(slug(place.rpartition(".")[2]), calls[0])
        case _:
            pass


def _of_variables(values: Mapping[str, str], alone: bool) -> Iterator[tuple[int, str]]:
    for name, value in values.items():
        yield 3, f"{slug(name)}_is_set"
        yield from ((rank, f"{slug(name)}_{said}") for rank, said in recipe_words(Scalar(value)))
    if alone and not values:
        yield 0, "environment_is_empty"


def _of_results(name: str, call: PatchedCall) -> Iterator[tuple[int, str]]:
    recipe = call.recipe
    match call.way, recipe:
        case Way.RAISE, _:
            yield 0, f"{name}_raises_{snake(name_of(recipe)) or 'error'}"
        case Way.PICK, Scalar(int(value)):
            yield 1, f"{name}_is_item_{number(value)}"
        case _, Call("datetime") if parts := date_parts(recipe):
            yield from ((rank, f"{name}_{said}") for rank, said in calendar_words(parts))
        case (Way.NOTHING | Way.SINK), _:
            return
        case _ if not _is_moment(recipe):
            word = "file" if call.way is Way.FILE or name.startswith("read_") else name
            yield from ((rank, f"{word}_{said}") for rank, said in recipe_words(recipe))
        case _:
            pass


def _is_moment(recipe: Recipe) -> bool:
    number = recipe.value if isinstance(recipe, Scalar) else None
    return isinstance(number, (int, float)) and abs(number) > _LARGE
