"""Mutable arguments that a mock may change, and with what: ``read_into(buffer)``, ``fill(items)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.scopes import Scope, is_anything, text_of
from tracetwin.analysis.sources import FunctionNode, Source
from tracetwin.drawing.mocks.effects import Effect
from tracetwin.drawing.mocks.members import EMPTY, InterfaceMember
from tracetwin.drawing.objects.planning import Planning
from tracetwin.drawing.plans.containers import DictPlan, ListPlan, SeriesPlan, SetPlan
from tracetwin.drawing.plans.plans import BytesPlan, IntPlan, Plan, StrPlan, UnionPlan
from tracetwin.drawing.typing.guesses import plan_guess
from tracetwin.drawing.typing.ranking import Ranking
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import list_of


def effects_of(member: InterfaceMember, planner: Planning, scope: Scope, depth: int) -> tuple[Effect, ...]:
    """The arguments that a call of the member may change.

    Those are read again by a caller after the call, and their annotations don't forbid that they change.
    """
    found = []
    for place, read in _read_again(planner.source, vars(planner.module), member.name).items():
        parameters = member.parameters
        parameter = parameters[place] if place < len(parameters) else None
        annotation = EMPTY if parameter is None else parameter.annotation
        plans = _plans(annotation, read, planner, scope, depth)
        if plans:
            found.append(Effect(place, "" if parameter is None else parameter.name, plans))
    return tuple(found)


def _plans(
    annotation: Any, read: ValueFacts, planner: Planning, scope: Scope, depth: int
) -> dict[type, Plan]:
    """The content that may be written, by the type of the argument."""
    if annotation is EMPTY or is_anything(annotation):
        return _guessed(read, planner, scope, depth)
    if text_of(annotation).partition("[")[0].rpartition(".")[2].strip("'\"") not in _MUTABLE:
        return {}
    try:
        plan = planner.resolver.plan(annotation, scope, depth)
    except Unbuildable:
        return {}
    parts = plan.plans if isinstance(plan, UnionPlan) else (plan,)
    found: dict[type, Plan] = {bytearray: BytesPlan()}
    for part in parts:
        if isinstance(part, ListPlan):
            found[list] = _counted(part.element)
        elif isinstance(part, SetPlan):
            found[set] = part
        elif type(part).__name__ in ("DictPlan", "RecordPlan"):
            found[dict] = part
    return found


_MUTABLE: Final = frozenset("""
    list List dict Dict set Set bytearray memoryview Buffer MutableSequence MutableMapping MutableSet
    WriteableBuffer defaultdict
""".split())  # fmt: skip


def _guessed(read: ValueFacts, planner: Planning, scope: Scope, depth: int) -> dict[type, Plan]:
    """By what the callers do with the argument after the call."""
    found: dict[type, Plan] = {bytearray: BytesPlan(), list: _counted(IntPlan())}
    found[dict] = DictPlan(StrPlan(), IntPlan(), 1)
    for guess in Ranking({}).guesses(read):
        try:
            plan = plan_guess(guess, planner.resolver, scope, depth)
        except Unbuildable:
            continue
        if isinstance(plan, ListPlan):
            found[list] = _counted(plan.element)
        elif type(plan).__name__ in ("DictPlan", "RecordPlan"):
            found[dict] = plan
    return found


def _counted(element: Plan | None) -> Plan:
    """Lists whose length is a choice: what they are written into has no length that could be solved for."""
    return SeriesPlan("list", element, list, lambda parts: list_of(*parts), 1, types=(list,))


def _read_again(source: Source, names: Mapping[str, Any], name: str) -> dict[int, ValueFacts]:
    """The places of arguments that callers of a method read after the call, with what they do with them."""
    found: dict[int, ValueFacts] = {}
    for nodes in source.definitions.values():
        for node in nodes:
            if not isinstance(node, ast.ClassDef):
                for place, facts in _in_function(node, names, name):
                    known = found.setdefault(place, facts)
                    known.link(facts)
    return dict(sorted(found.items()))


def _in_function(node: FunctionNode, names: Mapping[str, Any], name: str) -> Iterator[tuple[int, ValueFacts]]:
    observer: Observer | None = None
    for call in _calls(node, name):
        for place, argument in enumerate(call.args):
            key = _key(argument)
            if key and _is_read_after(node, argument, call):
                if observer is None:
                    observer = Observer({}, names, None, "self")
                    observer.run(node)
                yield place, observer.names.get(key) or ValueFacts()


def _calls(node: FunctionNode, name: str) -> Iterator[ast.Call]:
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == name:
            yield part


def _key(argument: ast.expr) -> str:
    match argument:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
            return f"self.{attribute}"
        case _:
            return ""


def _is_read_after(node: FunctionNode, argument: ast.expr, call: ast.Call) -> bool:
    """True if the argument stands behind the call once more, or may be read by others."""
    if isinstance(argument, ast.Attribute):
        return True
    text = ast.unparse(argument)
    last = (call.end_lineno or call.lineno, call.end_col_offset or 0)
    return any(
        isinstance(part, ast.Name) and part.id == text and (part.lineno, part.col_offset) > last
        for part in ast.walk(node)
    )
