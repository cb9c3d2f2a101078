"""Evidence from the patterns of a `match` statement for the type of its subject."""

from __future__ import annotations

import ast

from tracetwin.analysis.evidence.expressions import FollowedExpressions
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.strength import Strength


def note_pattern(where: FollowedExpressions, facts: ValueFacts, pattern: ast.pattern) -> None:
    """Add what one pattern tells."""
    match pattern:
        case ast.MatchValue(value=value):
            _note_value(where, facts, value)
        case ast.MatchSingleton(value=value):
            if value is None:
                facts.none = True
            else:
                facts.may_be("bool")
        case ast.MatchClass(cls=cls):
            for annotation in where.classes_in(cls):
                facts.name(annotation, Strength.PASSED)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            note_pattern(where, facts, inner)
        case ast.MatchOr(patterns=parts):
            for part in parts:
                note_pattern(where, facts, part)
        case _:
            _note_parts(where, facts, pattern)


def _note_value(where: FollowedExpressions, facts: ValueFacts, value: ast.expr) -> None:
    if kind := where.kind(value):
        facts.may_be(kind)
    if isinstance(value, ast.Constant):
        facts.meets(value.value)


def _note_parts(where: FollowedExpressions, facts: ValueFacts, pattern: ast.pattern) -> None:
    """Sequences and mappings."""
    if isinstance(pattern, ast.MatchSequence):
        facts.may_be("list > tuple", Strength.NEEDED)
        for part in pattern.patterns:
            note_pattern(where, facts.elements(), part)
    elif isinstance(pattern, ast.MatchMapping):
        facts.may_be("dict")
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            if isinstance(key, ast.Constant):
                note_pattern(where, facts.at(key.value), part)
