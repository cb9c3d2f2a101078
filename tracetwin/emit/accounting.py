"""Accounts of a suite: what its tests cover, notice and raise, and what became of the other cases.

The mocks and patches of a case in words: which calls are answered how, and what is patched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from tracetwin.emit.exhibit import Chosen
from tracetwin.emit.merge.rows import rows_of, without_row
from tracetwin.emit.naming.call_text import call_of
from tracetwin.emit.result import Covered
from tracetwin.explore.criteria.base import Raising
from tracetwin.explore.criteria.def_use import PAIR
from tracetwin.explore.loop.shown import VECTOR
from tracetwin.explore.summaries.wording import recipe_text
from tracetwin.model.case import Case
from tracetwin.model.patch import (
    ArgumentsPatch,
    AwakePatch,
    ClassPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    PatchedCall,
    StdinPatch,
    Way,
)
from tracetwin.model.recipe import Answer, MockMember, MockRecipe, Recipe, RecordedCall, walk
from tracetwin.model.written_test import MOCK, PATCH, StandIn, WrittenTest
from tracetwin.process.walls.forbidden_events import Refused

if TYPE_CHECKING:
    from tracetwin.emit.select.choice import Choice
    from tracetwin.emit.standing import StandingTest


def shown(
    choice: Choice, position: int, class_name: str, name: str, took: Mapping[tuple[str, str], float]
) -> WrittenTest:
    """Return what the test of a case covers and notices."""
    case, seen = choice.now(position)
    lines, arcs = choice.facts.covered(seen.lines, seen.arcs)
    killed = choice.killing.noticed(case)
    pairs, vectors = (
        tuple(
            entry.removeprefix(kind)
            for entry in case.shows
            if isinstance(entry, str) and entry.startswith(kind)
        )
        for kind in (PAIR, VECTOR)
    )
    return WrittenTest(
        class_name, name, case.target, tuple(sorted(lines)), tuple(sorted(arcs)), killed, pairs,
        stand_ins(case), took.get((class_name, without_row(name)), 0.0), vectors,
        call_of(case), "".join(one.name for one in raised([(case, seen)])),
        tuple(sorted({-start for start, _ in seen.arcs if start < 0})),
    )  # fmt: skip


def all_shown(
    choice: Choice,
    written: Iterable[tuple[int, str, str]],
    standing: Collection[StandingTest],
    texts: Iterable[str],
    took: Mapping[tuple[str, str], float],
) -> list[WrittenTest]:
    """Return what each test covers and notices, those whose cases are not known included, in their order."""
    found = [shown(choice, *test, took) for test in written]
    if not standing:
        return found
    for one in standing:
        killed, key = choice.killing.noticed_by(one.test.key), one.test.key
        found += one.shown(choice.facts, killed, took.get(key, 0.0))
    keys = [key for text in texts if text for key in rows_of(text)]
    return sorted(found, key=lambda test: keys.index((test.class_name, without_row(test.name))))


def tests_of(choice: Choice, chosen: Iterable[int], standing: Iterable[StandingTest]) -> dict[str, int]:
    """Return the number of tests of each function; of "", where it can't be told what a test is about."""
    found = Counter(choice.now(position)[0].target for position in chosen)
    for one in standing:
        found[one.function] += len(one.rows) or 1
    return dict(found)


_REFUSALS: Final = tuple((module, Refused.__qualname__) for module in ("", Refused.__module__))


def closest(choice: Choice, written: Sequence[tuple[int, str, str]]) -> dict[int, str]:
    """Return for mutants that a test runs and does not notice the name of the test that does least else."""
    found = choice.killing.closest([choice.now(position)[0] for position, _, _ in written])
    return {number: f"{written[at][1]}.{written[at][2]}".lstrip(".") for number, at in found.items()}


def raised(cases: Iterable[Chosen]) -> frozenset[Raising]:
    """Return the exceptions that cases raise; what the walls refuse is none of the target's."""
    return frozenset(
        Raising.of(case.target, seen.raised.place, seen.raised_at)
        for case, seen in cases
        if seen.raised is not None and seen.raised.place not in _REFUSALS
    )


def raised_anywhere(
    choice: Choice, chosen: Collection[int], standing: Iterable[StandingTest]
) -> dict[Raising, str]:
    """Return the exceptions that cases raise, each with why no test expects it, "" where one does."""
    found = {one: "" for test in standing for one in sorted(test.raised)}
    for position in choice.meant():
        why = "" if position in chosen else choice.excluded.get(position) or CAPPED
        for one in raised([choice.now(position)]):
            found[one] = "" if not why or found.get(one) == "" else found.get(one) or why
    return found


CAPPED: Final = "the function has as many tests as it may, and others show more"


def first_reached(choice: Choice) -> dict[str, dict[int, float]]:
    """Return for each function the seconds after which its exploration ran a line for the first time."""
    found: dict[str, dict[int, float]] = {}
    for case, seen in zip(choice.cases, choice.replayed.observations, strict=True):
        lines = found.setdefault(case.target, {})
        for line in seen.lines:
            lines[line] = min(lines.get(line, case.found), case.found)
    return found


def dropped_lines(choice: Choice) -> dict[str, dict[int, str]]:
    """Return for each function the lines that cases run which make no test, and why."""
    found: dict[str, dict[int, str]] = {}
    for position, reason in sorted(choice.excluded.items()):
        lines = found.setdefault(choice.cases[position].target, {})
        for line in choice.replayed.observations[position].lines:
            lines.setdefault(line, reason)
    return found


def disagreements(choice: Choice) -> dict[str, int]:
    """Return how often the twin did not do what the original does: a fault of ours, or unstable code."""
    found: dict[str, int] = {}
    for case, seen in zip(choice.cases, choice.replayed.observations, strict=True):
        if not seen.outcome.is_answer:
            continue
        ending = seen.outcome.value
        if seen.raised is not None:
            ending += " " + seen.raised.qualname.rpartition(".")[2]
        if case.origin.split()[0:1] in (["returned"], ["raised"]) and case.origin != ending:
            found[case.target] = found.get(case.target, 0) + 1
    return found


def coverage(choice: Choice, chosen: Iterable[int]) -> dict[str, Covered]:
    """Return what some cases, and importing, cover of each function, and under "" of the whole file."""
    facts = choice.facts
    lines, arcs = set(choice.replayed.import_lines), set(choice.replayed.import_arcs)
    for position in chosen:
        seen = choice.now(position)[1]
        lines |= set(seen.lines)
        arcs |= set(seen.arcs)
    got_lines, got_arcs = facts.covered(lines, arcs)
    if facts.met is not None:
        got_lines, got_arcs = got_lines | facts.met.lines, got_arcs | facts.met.arcs
    found = {"": Covered(facts.lines, got_lines, facts.arcs, got_arcs)}
    for function in facts.functions:
        found[function.place] = found[function.qualname] = Covered(
            function.lines, function.lines & got_lines, function.arcs, function.arcs & got_arcs
        )
    return found


LONGEST = 120
"""Characters of one value."""

_WAYS = {
    Way.RETURN: "returns {}", Way.RAISE: "raises {}", Way.FILE: "opens a file with {}",
    Way.SINK: "opens a file to write", Way.PICK: "picks the item at {}",
    Way.NOTHING: "returns nothing of use",
}  # fmt: skip


def stand_ins(case: Case) -> tuple[StandIn, ...]:
    """Return what stands in for something else while the steps of a case are performed."""
    recipes = (inner for recipe in case.given() for inner in walk(recipe))
    mocks = {inner.number: inner for inner in recipes if isinstance(inner, MockRecipe)}
    found = [told for mock in mocks.values() for told in _mock(mock)]
    found += (told for patch in case.patches for told in _patch(patch))
    return tuple(dict.fromkeys(found))


def _mock(mock: MockRecipe) -> Iterator[StandIn]:
    if not mock.members:
        yield StandIn(MOCK, mock.name, "", "is never asked for anything")
    for name, member in mock.members.items():
        yield from _member(mock.name if mock.is_function else f"{mock.name}.{name}", member)


def _member(name: str, member: MockMember) -> Iterator[StandIn]:
    if member.value is not None:
        yield StandIn(MOCK, name, "", f"is {_words(member.value)}")
    for call in member.calls:
        yield StandIn(MOCK, name, _asked(call), _answered(call.answer))


def _asked(call: RecordedCall) -> str:
    given = [_argument(part) for part in call.args]
    given += [f"{name}={_argument(part)}" for name, part in call.kwargs]
    return f"({', '.join(given)})"


def _argument(recipe: Recipe | None) -> str:
    return "…" if recipe is None else _words(recipe)


def _answered(answer: Answer) -> str:
    words = f"{'raises' if answer.raises else 'returns'} {_words(answer.recipe)}"
    changes = (f"sets argument {place} to {_words(recipe)}" for place, recipe in answer.effects)
    return "; ".join([words, *changes])


def _patch(patch: Patch) -> Iterator[StandIn]:
    match patch:
        case FunctionPatch():
            yield from (StandIn(PATCH, patch.place, "", _called(call)) for call in patch.calls)
            if not patch.calls:
                yield StandIn(PATCH, patch.place, "", "is not called")
        case EnvironPatch():
            for name, value in patch.values.items():
                yield StandIn(PATCH, patch.place, name, f"is {_short(repr(value))}")
            if patch.alone:
                yield StandIn(PATCH, patch.place, "", "has no other variables")
        case StdinPatch():
            yield StandIn(PATCH, patch.place, "", f"gives {_words(patch.text)}")
        case ArgumentsPatch(words):
            yield StandIn(PATCH, patch.place, "", f"is {_short(repr(list(words)))}")
        case ClassPatch():
            yield StandIn(PATCH, patch.place, "", "is a subclass of it whose methods can be patched")
        case AwakePatch():
            return


def _called(call: PatchedCall) -> str:
    return _WAYS[call.way].format(_words(call.recipe))


def _words(recipe: Recipe) -> str:
    if isinstance(recipe, MockRecipe):
        return f"a mock of {recipe.name}"
    return _short(recipe_text(recipe))


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
