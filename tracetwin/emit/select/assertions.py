"""Assertions chosen by what they kill: what a test notices without them is what it notices with them.

The written test is run on the mutants that it reaches, and each of its assertions may fail by itself. Kept
are what a reader looks for first (the result, the message of an exception, what was printed or handed on),
then the fewest with which the test notices every mutant that it noticed before. Each test is looked at by
itself, so that no other has to be there for it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

from tracetwin.emit.dialects.base import dialect_of
from tracetwin.emit.exhibit import Exhibit, Mark
from tracetwin.emit.merge.earlier import is_test_class, tests_of
from tracetwin.emit.render.render import RenderedTest
from tracetwin.emit.source.literals import is_plain
from tracetwin.model.observation import ValuePath
from tracetwin.mutation.session import SoleTest, TestVerdict
from tracetwin.mutation.written import ASSERTION, ELSEWHERE

if TYPE_CHECKING:
    from tracetwin.emit.select.choice import Choice

LOOKED_FOR: Final[frozenset[object]] = frozenset(("exception", "message", "stdout", "told", "entered"))
"""What assertions are about that a reader looks for in any case, by the beginning of their marks."""

OF_RESULT: Final = 2
"""Assertions about a result of many parts that a reader looks for: of what type it is, and what is in it."""


def has_choice(test: RenderedTest, seen: Exhibit) -> bool:
    """Return whether a test could do without some assertion."""
    return len(_looked_for(_marks(test), seen)) < len(test.assertions) > 1


def needless(test: RenderedTest, verdict: TestVerdict, seen: Exhibit) -> frozenset[Mark]:
    """Return the assertions of a test without which it notices the same mutants; none where unknown."""
    if not (verdict.fits and verdict.complete):
        return frozenset()
    marks = _marks(test)
    always = _looked_for(marks, seen)
    kept = always | _fewest(verdict.failing.values(), always, range(len(marks)))
    kept = kept or {0}
    told = {marks[place] for place in kept}
    spoken_of = {mark[0].value for mark in told if isinstance(mark[0], ValuePath)}
    unnamed: set[Mark] = {(path,) for path in seen.spoken_of if path.value not in spoken_of}
    return frozenset({mark for mark in marks if mark not in told} | unnamed)


def _marks(test: RenderedTest) -> list[Mark]:
    return [mark for _, _, mark in test.assertions]


def _looked_for(marks: Sequence[Mark], seen: Exhibit) -> set[int]:
    """The places of the assertions that a reader looks for, whatever they kill."""
    result = [place for place, mark in enumerate(marks) if mark[0] == "result"]
    found = {place for place, mark in enumerate(marks) if mark[0] in LOOKED_FOR}
    found.update(result[: 1 if is_plain(seen.value) else OF_RESULT])
    if seen.raised is not None:  # that all is as before
        held = {path for path, _ in seen.held}
        found.update([place for place, mark in enumerate(marks) if mark[0] in held][:1])
    return found


def _fewest(failing: Iterable[Collection[int]], always: Collection[int], places: Sequence[int]) -> set[int]:
    """The smallest set of assertions of which one fails on each mutant; of several the first ones."""
    open_ones = {frozenset(failed) for failed in failing if ELSEWHERE not in failed}
    asked = [failed for failed in open_ones if not failed & set(always)]
    free = sorted({place for failed in asked for place in failed} & set(places))
    for count in range(len(free) + 1):
        for some in combinations(free, count):
            if all(failed & set(some) for failed in asked):
                return set(some)
    return set(free)


def sole_tests(
    text: str, style: str, tests: Iterable[RenderedTest]
) -> Iterator[tuple[RenderedTest, SoleTest]]:
    """Yield some tests of a file as files of their own, in which each assertion may fail by itself."""
    tree = ast.parse(text)
    nodes = {(owner, node.name): node for owner, node in tests_of(tree)}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    stand_ins = dialect_of(style).stand_ins
    helpers = [node for node in tree.body if _is_helper(node)]
    for test in tests:
        node = copy.copy(nodes[test.class_name, test.name])
        node.body = list(_in_contexts(node.body, _numbers(test)))
        top: ast.stmt = node
        if test.class_name:
            top = copy.copy(classes[test.class_name])
            top.body = [node]
        module = ast.Module([*helpers, top], [])
        source = ast.unparse(ast.fix_missing_locations(module))
        yield test, SoleTest(source, test.class_name, test.name, stand_ins)


def _is_helper(node: ast.stmt) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return not node.name.startswith("test")
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign)) or (
        isinstance(node, ast.ClassDef) and not is_test_class(node)
    )


def _numbers(test: RenderedTest) -> dict[int, int]:
    """The number of the assertion that each line belongs to."""
    return {
        line: number for number, (first, end, _) in enumerate(test.assertions) for line in range(first, end)
    }


def _in_contexts(body: Sequence[ast.stmt], numbers: Mapping[int, int]) -> Iterator[ast.stmt]:
    """Yield statements, those of each assertion in a context."""
    last, group = None, list[ast.stmt]()
    for node in body:
        number = numbers.get(node.lineno)
        if number is not None and number == last:
            group.append(node)
            continue
        last = number
        if number is None:
            yield _deeper(node, numbers)
        else:
            group = [node]
            given = ast.Call(ast.Name(ASSERTION, ast.Load()), [ast.Constant(number)], [])
            yield ast.With([ast.withitem(given)], group)


def _deeper(node: ast.stmt, numbers: Mapping[int, int]) -> ast.stmt:
    inner = getattr(node, "body", None)
    if not isinstance(inner, list) or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return node
    made = copy.copy(node)
    made.body = list(_in_contexts(inner, numbers))  # type: ignore[attr-defined]
    return made


def weigh(
    choice: Choice, text: str, tests: Sequence[tuple[int, RenderedTest]], *, terse: bool
) -> bool:
    """Run written tests on the mutants; returns whether some of their assertions are to be left out.

    Args:
        choice: learns what the tests notice, and which assertions nobody needs.
        text: the file with the tests.
        tests: each with the position of its case.
        terse: whether assertions that nobody needs are left out.
    """
    if choice.killing.is_late or not choice.killing.session.mutants:
        return False
    places = {test: position for position, test in tests if position not in choice.weighed}
    found, told = False, set[int]()
    for test, sole in sole_tests(text, choice.style, places):
        position = places[test]
        case, seen = choice.now(position)
        with choice.watch.phase("assertions"):
            verdict = choice.killing.try_test(sole)
        missed = set(choice.killing.noticed(case)) - verdict.failing.keys() - told
        if terse and verdict.complete and verdict.fits and missed and seen.could_tell_more:
            choice.note(position, replace(seen, strict=True))
            told |= missed
            found = True
            continue
        choice.weighed.add(position)
        choice.killing.correct(case, verdict)
        marks = needless(test, verdict, seen) if terse and has_choice(test, seen) else frozenset()
        if marks:
            choice.do_without(position, marks)
            found = True
    return found
