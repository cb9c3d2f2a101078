"""Dicts with known keys: variables that a function looks into are followed as its parameters are."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tracetwin.analysis.evidence.callees import Callees
from tracetwin.analysis.evidence.expressions import Names, dotted
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.sources import FunctionNode, Source, copied, walk
from tracetwin.drawing.typing.followed import RESULT, first_parameter, users
from tracetwin.drawing.typing.guesses import Guess, RecordGuess, SeriesGuess
from tracetwin.drawing.typing.ranking import Ranking

FOLLOWED: Final = "looked into"
"""The name that one gets; none of a program is like that."""

MOST_VARIABLES: Final = 8
"""Variables of one function that are followed."""

MOST_CALLERS: Final = 4
"""Callers of one function that are looked at for what they do with its result."""


class KnownRecord(NamedTuple):
    """A dict with known keys, or a list of such, and the functions that ask for them."""

    guess: Guess
    homes: frozenset[str]


class _Named(ast.NodeTransformer):
    """Puts the name in the place of every use of a variable."""

    def __init__(self, variable: str) -> None:
        self._variable = variable

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id != self._variable or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Name(FOLLOWED, ast.Load()), node)


class _Answered(ast.NodeTransformer):
    """Puts the name in the place of every call whose result is asked for a key at once."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if not _is_asked_answer(node):
            return self.generic_visit(node)
        node.value = ast.copy_location(ast.Name(FOLLOWED, ast.Load()), node.value)
        return node


class _Returning(Observer, ast.NodeVisitor):
    """Keeps the facts of what a function returns, where that is followed or holds what is."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.returned: list[ValueFacts] = []

    def visit_Return(self, node: ast.Return) -> None:
        self.generic_visit(node)
        parts = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
        self.returned += [facts for part in parts if (facts := self.facts(part)) is not None]


def records_in(
    source: Source, facts: Mapping[str, Names], globals_: dict[str, Any], callees: Callees, ranking: Ranking
) -> list[KnownRecord]:
    """The dicts with known keys, and lists of such, that functions get, or ask variables for."""
    found: dict[str, KnownRecord] = {}
    passing = _passing(source)
    for qualname, names in facts.items():
        places = _places(source, qualname)
        for name, one in names.items():
            homes = frozenset((qualname, *passing.get((qualname, places.get(name, -1)), ())))
            _note(found, ranking.guesses(one)[:1] if _has_keys(one) else (), homes)
    for qualname, nodes in source.definitions.items():
        follow = callees.follower(qualname, qualname.rpartition(".")[0] or None)
        answers: dict[Any, tuple[Guess, ...]] = {}
        for body, is_answer in () if isinstance(nodes[-1], ast.ClassDef) else _looking(nodes[-1]):
            one = ValueFacts()
            seen = _Returning({FOLLOWED: one}, globals_, follow, None)
            seen.run(body)
            for given in seen.returned[:1]:
                _follow_up(source, qualname, given, globals_, callees)
            known = ranking.guesses(one)[:1] if _has_keys(one) else ()
            if is_answer and known and isinstance(known[0], RecordGuess):
                answers = {**dict(known[0].fields), **answers}
            else:
                _note(found, known, frozenset((qualname,)))
        if answers:  # whichever of the calls is answered, what the function asks for is there
            _note(found, (RecordGuess(tuple(answers.items())),), frozenset((qualname,)))
    return list(found.values())


def _note(found: dict[str, KnownRecord], guesses: Sequence[Guess], homes: frozenset[str]) -> None:
    for guess in filter(_is_record, guesses):
        known = found.get(str(guess), KnownRecord(guess, frozenset()))
        found[str(guess)] = KnownRecord(guess, known.homes | homes)


def _has_keys(facts: ValueFacts) -> bool:
    return bool(facts.keys or (facts.element is not None and facts.element.keys))


def _is_record(guess: Guess) -> bool:
    """Return whether a guess is a dict with known keys, or a list of such."""
    if isinstance(guess, SeriesGuess):
        return guess.kind == "list" and any(map(_is_record, guess.elements))
    return isinstance(guess, RecordGuess)


def _follow_up(
    source: Source, qualname: str, given: ValueFacts, globals_: dict[str, Any], callees: Callees
) -> None:
    """Adds what the callers of a function do with what it returns."""
    owner, _, name = qualname.rpartition(".")
    for user in itertools.islice(users(source, name, is_function=not owner), MOST_CALLERS):
        of_class = user.qualname.rpartition(".")[0] or None
        this = None if of_class is None else first_parameter(user.body)
        follow = callees.follower(user.qualname, of_class)
        Observer({RESULT: given}, globals_, follow, this).run(user.body)


def _places(source: Source, qualname: str) -> dict[str, int]:
    """Return the places of a function's parameters, as callers see them."""
    node = source.function(qualname)
    items = [] if node is None else [item.arg for item in (*node.args.posonlyargs, *node.args.args)]
    is_bound = source.class_(qualname.rpartition(".")[0]) is not None
    return {name: place - is_bound for place, name in enumerate(items)}


def _passing(source: Source) -> Mapping[tuple[str, int], set[str]]:
    """For each parameter of a function, by its place, those that pass the result of a call for it at once."""
    found: dict[tuple[str, int], set[str]] = {}
    for caller, nodes in source.definitions.items():
        for part in () if isinstance(nodes[-1], ast.ClassDef) else walk(nodes[-1]):
            for place, one in enumerate(part.args if isinstance(part, ast.Call) else ()):
                if isinstance(part, ast.Call) and _is_answer(one):
                    found.setdefault((dotted(part.func), place), set()).add(caller)
    return found


def _looking(node: FunctionNode) -> Iterator[tuple[FunctionNode, bool]]:
    """A function that asks for keys once for each value that may have some: it has the name there.

    Such are variables, and results of calls that are asked at once. Beside it, whether a call gave the value.
    """
    taken = {part.arg for part in walk(node) if isinstance(part, ast.arg)}
    asked = [part for part in walk(node) if isinstance(part, ast.Subscript) and _is_asked(part)]
    names = dict.fromkeys(part.value.id for part in asked if isinstance(part.value, ast.Name))
    answers = dict.fromkeys(_given_by_calls(node)) if asked else {}
    names.update(answers)
    if any(map(_is_asked_answer, asked)):
        yield _Answered().visit(copied(node)), True
    for name in [name for name in names if name not in taken][:MOST_VARIABLES]:
        yield _Named(name).visit(copied(node)), name in answers


def _given_by_calls(node: FunctionNode) -> Iterator[str]:
    """Yield the variables that get the results of calls, or parts of them."""
    for part in walk(node):
        if isinstance(part, ast.Assign):
            parts = [one for target in part.targets for one in ast.walk(target)]
            stored = [one for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
            yield from (one.id for one in stored if _is_answer(part.value))


def _is_answer(node: ast.expr) -> bool:
    """Return whether an expression is a call, awaited or not."""
    return isinstance(node.value if isinstance(node, ast.Await) else node, ast.Call)


def _is_asked_answer(part: ast.Subscript) -> bool:
    return _is_asked(part) and _is_answer(part.value)


def _is_asked(part: ast.Subscript) -> bool:
    key = part.slice
    is_text = isinstance(key, ast.Constant) and isinstance(key.value, str)
    return is_text and isinstance(part.ctx, ast.Load)
