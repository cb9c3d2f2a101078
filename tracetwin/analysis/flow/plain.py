"""Facts and pairs as plain data for the cache, and back."""

from __future__ import annotations

from dataclasses import astuple, fields
from typing import Any

from tracetwin.analysis.flow.bodies import Flow, FlowBody
from tracetwin.analysis.flow.facts import Argument, ClassFacts, InvokableFacts, ModuleFacts
from tracetwin.analysis.flow.locations import Location, LocationTable
from tracetwin.analysis.flow.pairs import DefUsePair, Point
from tracetwin.analysis.flow.trail import AttributePart


def to_plain(facts: ModuleFacts) -> tuple[Any, ...]:
    """Facts but for their pairs."""
    return (
        facts.problem,
        [_row(invokable) for invokable in facts.invokables.values()],
        [_row(class_) for class_ in facts.classes.values()],
        [
            (body.name, body.uses, body.defines, [astuple(f) for f in body.flows], body.callees)
            for body in facts.bodies
        ],
        dict(facts.numbers),
        facts.table.orders,
        facts.table.groups,
        [(location.owner, location.attribute, int(location.part)) for location in facts.table.rows],
    )


def from_plain(plain: tuple[Any, ...], module: str) -> ModuleFacts:
    """The facts, without pairs.

    Raises:
        ValueError, TypeError: this is no such data.
    """
    problem, invokables, classes, bodies, numbers, orders, groups, rows = plain
    table = LocationTable(orders, groups)
    for owner, attribute, part in rows:
        table.number(Location(owner, attribute, AttributePart(part)))
    found = [_invokable(row) for row in invokables]
    return ModuleFacts(
        module,
        {invokable.qualname: invokable for invokable in found},
        {name: ClassFacts(name, order, words) for name, order, words in classes},
        {},
        problem,
        table,
        tuple(
            FlowBody(n, u, d, tuple(Flow(*f) for f in flows), callees) for n, u, d, flows, callees in bodies
        ),
        numbers,
    )


def pairs_to_plain(pairs: tuple[DefUsePair, ...]) -> list[tuple[Any, ...]]:
    """The pairs of one class."""
    return [astuple(pair) for pair in pairs]


def pairs_from_plain(plain: list[tuple[Any, ...]]) -> tuple[DefUsePair, ...]:
    """The pairs of one class, from the cache."""
    return tuple(
        DefUsePair(n, name, Point(*define), Point(*use), *rest) for n, name, define, use, *rest in plain
    )


def _row(thing: InvokableFacts | ClassFacts) -> tuple[Any, ...]:
    values = (getattr(thing, f.name) for f in fields(thing))
    return tuple(
        tuple(astuple(v) for v in value)
        if isinstance(value, tuple) and value and isinstance(value[0], Argument)
        else value
        for value in values
    )


def _invokable(row: tuple[Any, ...]) -> InvokableFacts:
    values = list(row)
    place = [f.name for f in fields(InvokableFacts)].index("arguments")
    values[place] = tuple(Argument(*argument) for argument in values[place])
    return InvokableFacts(*values)
