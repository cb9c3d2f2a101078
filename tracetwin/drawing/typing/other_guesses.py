"""Guesses for a value that is not what the code first takes it for: of no class asked for, or refused."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from runtime.classes import classes_in
from tracetwin.analysis.evidence.expressions import OnCall
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.field_uses import meaning
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.misuse import clumsy_of, forgiven
from tracetwin.analysis.sources import FunctionNode
from tracetwin.drawing.typing.guesses import DictGuess, Guess, RecordGuess, SeriesGuess, TypeGuess
from tracetwin.drawing.typing.ranking import Ranking

MOST_OTHERS: Final = 2
"""Guesses that are added to those for a parameter."""

_Rest: TypeAlias = tuple[tuple[type, ...], list[ast.stmt]]
"""The classes that a value is not of, and the statements that run then."""

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def other_guesses(
    node: FunctionNode,
    name: str,
    known: Sequence[Guess],
    names: Mapping[str, Any],
    ranking: Ranking,
    follow: OnCall,
    this: str | None,
) -> list[Guess]:
    """Return what a parameter is by what the code does where it is of no class that was asked for.

    `follow` looks into what is called, `this` is the name of a method's receiver.
    """
    found: list[Guess] = []
    others = optional_parameters(node) - {name}
    for asked, statements in _otherwise(node, name, names, others):
        facts = ValueFacts()
        rest = copy.copy(node)
        rest.body = statements
        Observer({name: facts}, dict(names), follow, this).run(rest)
        if facts.vague() and facts.element is None:
            continue
        kinds = {cls.__name__ for cls in asked}
        guesses = [_of_such(guess, asked) for guess in ranking.guesses(facts)]
        best = [guess for guess in guesses if _shape(guess) not in kinds | {"None"}][:1]
        found += [guess for guess in best if _shape(guess) not in map(_shape, (*known, *found))]
    return found[:MOST_OTHERS]


def _of_such(guess: Guess, asked: tuple[type, ...]) -> Guess:
    """Where one value or several are taken, the several are of the one's type."""
    if isinstance(guess, SeriesGuess) and not guess.elements and len(asked) == 1:
        return SeriesGuess(guess.kind, (TypeGuess(asked[0]),))
    return guess


def _shape(guess: Guess) -> str:
    """The name of the kind of values that a guess makes, whatever their parts are."""
    if isinstance(guess, SeriesGuess):
        return guess.kind
    if isinstance(guess, (DictGuess, RecordGuess)):
        return "dict"
    return str(guess)


def optional_parameters(function: FunctionNode) -> frozenset[str]:
    """The names of the parameters that have defaults."""
    spec = function.args
    items = [*spec.posonlyargs, *spec.args]
    named = [item.arg for item in items[len(items) - len(spec.defaults) :]]
    return frozenset((*named, *(i.arg for i, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d)))


def asks_if_given(node: ast.AST, others: frozenset[str]) -> bool:
    """True if a statement does one thing where another parameter has its default, and one where it has not.

    ``def keep(f, seq=EMPTY)``: without the second the first is the sequence.
    """
    match node:
        case ast.If(ast.Compare(ast.Name(other), [ast.Is() | ast.IsNot()], [_])):
            return other in others
        case _:
            return False


def _otherwise(
    function: FunctionNode, name: str, names: Mapping[str, Any], others: frozenset[str]
) -> Iterator[_Rest]:
    """Yield for each question for the class of a parameter what runs where it is answered with no.

    `others`: the parameters that may be left out, on which may hang what this one is.
    """
    for place, statement in enumerate(function.body):
        if isinstance(statement, ast.If) and asks_if_given(statement, others):
            for block in (statement.body, statement.orelse):
                yield (), _and_after(block, function.body[place + 1 :])
    for asked, statements in _in_block(function.body, name, names):
        yield tuple({id(cls): cls for cls in asked}.values()), statements


def _in_block(block: list[ast.stmt], name: str, names: Mapping[str, Any]) -> Iterator[_Rest]:
    for place, statement in enumerate(block):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for part in _expressions(statement):
            if isinstance(part, ast.IfExp) and (asked := _asked(part.test, name, names)):
                yield asked, [ast.copy_location(ast.Expr(part.orelse), part)]
        if isinstance(statement, ast.If):
            yield from _after(statement, block[place + 1 :], name, names)
        if isinstance(statement, ast.Try) and is_forgiven(statement, name):
            yield from _caught(statement, block[place + 1 :])
        for inner in ("body", "orelse", "finalbody"):
            yield from _in_block(getattr(statement, inner, []), name, names)


def _after(
    statement: ast.If, following: list[ast.stmt], name: str, names: Mapping[str, Any]
) -> Iterator[_Rest]:
    if asked := _asked(statement.test, name, names):
        rest = [*statement.orelse, *(following if isinstance(statement.body[-1], _LEAVING) else ())]
        if rest:
            yield asked, rest
        for further, inner in _in_block(statement.orelse, name, names):
            yield asked + further, inner
        return
    match statement.test:
        case ast.UnaryOp(ast.Not(), test) if asked := _asked(test, name, names):
            yield asked, statement.body
        case _:
            pass


def is_forgiven(node: ast.AST, name: str) -> bool:
    """True if a `try` catches what is raised where a value can't do what is done with it."""
    if not isinstance(node, ast.Try):
        return False
    return any(isinstance(part, ast.Name) and part.id == name for part in forgiven(node))


def _caught(statement: ast.Try, following: list[ast.stmt]) -> Iterator[_Rest]:
    """Yield what runs where a value can't do what was tried with it: the handler, and what comes after it."""
    for handler in statement.handlers:
        if clumsy_of(handler):
            yield (), _and_after(handler.body, following)


def _and_after(block: list[ast.stmt], following: list[ast.stmt]) -> list[ast.stmt]:
    """A block, with what runs after it where it does not leave."""
    return block if block and isinstance(block[-1], _LEAVING) else [*block, *following]


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of the expressions of a statement, without those of statements in it."""
    waiting = [part for part in ast.iter_child_nodes(statement) if not isinstance(part, ast.stmt)]
    for part in waiting:  # which grows meanwhile
        yield part
        waiting += ast.iter_child_nodes(part)


def _asked(test: ast.expr, name: str, names: Mapping[str, Any]) -> tuple[type, ...]:
    """The classes that a value is of where a condition holds that asks for nothing else."""
    match test:
        case ast.Call(ast.Name("isinstance"), [ast.Name(asked), ast.Tuple(parts)]) if asked == name:
            pass
        case ast.Call(ast.Name("isinstance"), [ast.Name(asked), part]) if asked == name:
            parts = [part]
        case ast.Compare(ast.Call(ast.Name("type"), [ast.Name(asked)]), [ast.Is() | ast.Eq()], [part]):
            parts = [part] if asked == name else []
        case _:
            return ()
    return tuple(cls for part in parts for cls in classes_in(meaning(part, names)) or ())
