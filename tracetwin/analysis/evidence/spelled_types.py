"""Types as they are spelled out, in stubs, comments and documentation, turned into facts about a value."""

from __future__ import annotations

import ast
import typing
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Final, TypeAlias

from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.evidence.type_names import KINDS
from tracetwin.support.data import dataclass
from tracetwin.support.syntax import expression

MOST_DEPTH: Final = 6


@dataclass(frozen=True)
class Alias:
    """A name that stands for another type expression, read where that is written."""

    node: ast.expr
    lookup: Lookup


Meaning: TypeAlias = str | type | Alias | None
Lookup: TypeAlias = Callable[[str], Meaning]
"""Looks up a dotted name: a kind of value as named in `facts.py`, a class, an alias."""

_WRAPPERS: Final = frozenset(
    ("Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Unpack", "InitVar")
)
_SERIES: Final = frozenset(("list", "set", "frozenset", "iterator"))
_ANYTHING: Final = frozenset(("Any", "object", "Incomplete", "Unused", "MaybeNone"))
_AWAITABLE: Final = frozenset(("Awaitable", "Coroutine", "Future", "Task"))


def usual(name: str) -> Meaning:
    """The meaning of a name wherever it is written."""
    return KINDS.get(name.rpartition(".")[2])


def meaning_in(names: Mapping[str, Any]) -> Lookup:
    """Return the meaning of names in a module: kinds of values, and its classes."""

    def look_up(name: str) -> Meaning:
        found = names.get(name)
        return usual(name) or (found if isinstance(found, type) and found is not object else None)

    return look_up


def note_type(
    node: ast.expr,
    facts: ValueFacts,
    lookup: Lookup = usual,
    strength: Strength = Strength.DECLARED,
    *,
    exclusive: bool = False,
) -> bool:
    """Add what a type expression says of a value; `exclusive`: it speaks against all other types.

    Returns:
        Whether it says anything.
    """
    return _Reader(strength, exclusive).note(node, facts, lookup, 0)


@dataclass
class _Said:
    """The alternatives of one expression together."""

    kinds: list[str] = field(default_factory=list)
    named: list[tuple[Any, float]] = field(default_factory=list)
    none: bool = False
    open: bool = False  # one of the alternatives may be anything, or is not understood


class _Reader:
    """Reads one expression."""

    def __init__(self, strength: Strength, exclusive: bool) -> None:
        self._strength = strength
        self._exclusive = exclusive

    def note(self, node: ast.expr, facts: ValueFacts, lookup: Lookup, depth: int) -> bool:
        said = _Said()
        self._read(node, facts, lookup, depth, said)
        if "str" in said.kinds and "path" in said.kinds:
            said.kinds.insert(0, "str")  # texts can be solved for, paths are made of them
        if said.kinds:
            closed = self._exclusive and not said.named and not said.open
            (facts.must_be if closed else facts.may_be)(" > ".join(dict.fromkeys(said.kinds)), self._strength)
        for annotation, share in said.named:
            facts.name(annotation, self._strength, share)
        facts.none = facts.none or said.none
        return bool(said.kinds or said.named or said.none)

    def _read(self, node: ast.expr, facts: ValueFacts, lookup: Lookup, depth: int, said: _Said) -> None:
        if depth > MOST_DEPTH:
            said.open = True
            return
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                self._read(left, facts, lookup, depth, said)
                self._read(right, facts, lookup, depth, said)
            case ast.Constant(value=None):
                said.none = True
            case ast.Constant(value=str() as text) if (inner := expression(text)) is not None:
                self._read(inner, facts, lookup, depth + 1, said)
            case ast.Subscript(value=head, slice=inside):
                parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                self._subscribed(dotted(head), parts, facts, lookup, depth, said)
            case ast.Name() | ast.Attribute():
                self._named(dotted(node), [], facts, lookup, depth, said)
            case _:
                said.open = True

    def _subscribed(
        self, name: str, parts: list[ast.expr], facts: ValueFacts, lookup: Lookup, depth: int, said: _Said
    ) -> None:
        last = name.rpartition(".")[2]
        if last in ("Union", "Optional"):
            for part in parts:
                self._read(part, facts, lookup, depth, said)
            said.none = said.none or last == "Optional"
        elif last == "Literal":
            self._literal(parts, said)
        elif last in _WRAPPERS:
            self._read(parts[0], facts, lookup, depth, said)
        elif last in _AWAITABLE:
            said.open = True
        else:
            self._named(name, parts, facts, lookup, depth, said)

    def _literal(self, parts: list[ast.expr], said: _Said) -> None:
        """The constants themselves, and others of their kinds: the code may have an answer to these, too."""
        values = [part.value for part in parts if isinstance(part, ast.Constant)]
        for kind in dict.fromkeys(type(value).__name__ for value in values if value is not None):
            self._vote(said, kind)
        if values:
            said.named.append((typing.Literal[tuple(values)], 1.0))

    def _vote(self, said: _Said, kind: str) -> None:
        if kind not in said.kinds:
            said.kinds.append(kind)

    def _named(
        self, name: str, parts: list[ast.expr], facts: ValueFacts, lookup: Lookup, depth: int, said: _Said
    ) -> None:
        if name.rpartition(".")[2] in _ANYTHING:
            said.open = True
            return
        meaning = lookup(name)
        match meaning:
            case Alias(node, inner):
                self._read(node, facts, inner, depth + 1, said)
            case "text":
                self._vote(said, "str")
                self._vote(said, "bytes")
            case str() as kind:
                if kind == "file" and parts and usual(dotted(parts[0])) == "bytes":
                    kind = "binary"
                self._vote(said, kind)
                if self._exclusive and kind == "float":
                    self._vote(said, "int")  # PEP 484: where a float is welcome, so is an int
                self._inside(kind, parts, facts, lookup, depth)
            case type():
                said.named.append((meaning, 0.95 ** (len(said.kinds) + len(said.named))))
            case _:
                said.open = True

    def _inside(
        self, kind: str, parts: list[ast.expr], facts: ValueFacts, lookup: Lookup, depth: int
    ) -> None:
        """Reads the arguments of a generic for elements, keys, values and results."""
        if not parts:
            return
        if kind in _SERIES:
            self.note(parts[0], facts.elements(), lookup, depth + 1)
        elif kind == "dict" and len(parts) > 1:
            self.note(parts[0], facts.key_facts(), lookup, depth + 1)
            self.note(parts[1], facts.elements(), lookup, depth + 1)
        elif kind == "tuple":
            self._tuple(parts, facts, lookup, depth)
        elif kind == "function":
            if facts.calls is None:
                facts.calls = len(parts[0].elts) if isinstance(parts[0], ast.List) else -1
            facts.result = facts.result or ValueFacts()
            self.note(parts[-1], facts.result, lookup, depth + 1)

    def _tuple(self, parts: list[ast.expr], facts: ValueFacts, lookup: Lookup, depth: int) -> None:
        last = parts[-1]
        if isinstance(last, ast.Constant) and last.value is Ellipsis:
            self.note(parts[0], facts.elements(), lookup, depth + 1)
        elif not facts.arity:
            facts.arity = [ValueFacts() for _ in parts]
            for part, item in zip(parts, facts.arity, strict=True):
                self.note(part, item, lookup, depth + 1)
