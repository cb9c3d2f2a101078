"""Facts about the attributes of a class: what its text lists and annotates, and its properties."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from runtime.classes import bases_of
from tracetwin.analysis.evidence.expressions import FollowedExpressions, Names, dotted
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.field_uses import annotated_fields, listed_fields
from tracetwin.analysis.evidence.spelled_types import meaning_in, note_type
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import namespace_of
from tracetwin.analysis.sources import FunctionNode, walk


def note_fields(node: ast.ClassDef, names: Mapping[str, Any], shared: Names) -> None:
    """Add the attributes that a class lists or annotates, and its properties; `names` of the module."""
    for name in listed_fields(node):
        shared.setdefault(f"self.{name}", ValueFacts())
    for name, annotation in annotated_fields(node):
        note_type(annotation, shared.setdefault(f"self.{name}", ValueFacts()), meaning_in(names))
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and is_property(part):
            facts = shared.setdefault(f"self.{part.name}", ValueFacts())
            if part.returns is not None:
                note_type(part.returns, facts, meaning_in(names))


def is_property(node: FunctionNode) -> bool:
    """Return whether a method is read as an attribute."""
    names = (dotted(one).rpartition(".")[2] for one in node.decorator_list)
    return any(name in ("property", "cached_property") for name in names)


def note_property(node: FunctionNode, observer: FollowedExpressions, shared: Names) -> None:
    """Say that a property is what it returns."""
    if is_property(node) and (facts := shared.get(f"self.{node.name}")) is not None:
        for part in walk(node):
            if isinstance(part, ast.Return) and part.value is not None:
                _note_like(part.value, facts, observer)


def _note_like(node: ast.expr, facts: ValueFacts, observer: FollowedExpressions) -> None:
    """Say that a value is like an expression."""
    if (found := observer.facts(node)) is not None:
        facts.echo(found)
        facts.link(found)
    elif kind := observer.kind(node):
        facts.may_be(kind, Strength.PASSED)
    elif (cls := observer.class_of(node)) is not None:
        facts.name(cls, Strength.PASSED)


def members_of(cls: type | None) -> dict[str, Any]:
    """Return the members of a class of the module and of its bases."""
    bases = () if cls is None else bases_of(cls)[:-1]
    return {name: value for base in reversed(bases) for name, value in namespace_of(base).items()}


def is_hashable(cls: type) -> bool:
    """Return whether a class can be a key; its metaclass decides."""
    try:
        hash(cls)
    except Exception:  # noqa: BLE001 - the metaclass decides
        return False
    return True
