"""Bases that leave something open to classes derived from them, and do not say that they are abstract."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from typing import Final

from runtime.classes import bases_of
from tracetwin.analysis.scopes import namespace_of, own_annotations, qualname_of
from tracetwin.analysis.sources import FunctionNode, asked_on, kept_on, receiver_of, walk
from tracetwin.drawing.typing.neighbours import attributes_of, source_of

_MADE_OF_ANNOTATIONS: Final = frozenset(
    ("__dataclass_fields__", "__attrs_attrs__", "__pydantic_fields__", "model_fields", "_fields")
)
"""What classes have whose annotations say what their instances are made with."""

_known: dict[tuple[int, ...], tuple[type, list[type], bool]] = {}
"""Answers with the classes that they are about, by the ids of these: classes may have no hash."""


def leaves_members_open(cls: type, heirs: Sequence[type]) -> bool:
    """True if only classes derived from a class have what its methods ask its instances for.

    They say that a method is not implemented, call an attribute that is None, or ask for what is not there.
    """
    derived = [heir for heir in heirs if any(base is cls for base in bases_of(heir)[1:])]
    key = tuple(map(id, (cls, *derived)))
    if key not in _known:
        _known[key] = (cls, derived, bool(derived) and _leaves_open(cls, derived))
    return _known[key][2]


def _leaves_open(cls: type, heirs: list[type]) -> bool:
    known = attributes_of(cls, source_of)
    missing: set[str] = set()
    if not known & {"__getattr__", "__getattribute__"}:
        asked = {name for node, this in _methods(cls) for name in _asked(node, this)}
        missing = asked - {*namespace_of(object)} - (known - _only_announced(cls))
    held = {name: value for base in reversed(bases_of(cls)) for name, value in namespace_of(base).items()}
    used = {name for node, this in _methods(cls) for name in _used_on(node, this)}
    empty = {name for name in used if held.get(name, "") is None}
    stubs = {node.name for node, _ in _methods(cls) if _is_stub(node)}
    return any(
        missing & (attributes_of(heir, source_of) - _only_announced(heir))
        or any(inspect.getattr_static(heir, name, None) is not held.get(name) for name in empty | stubs)
        for heir in heirs
    )


def _methods(cls: type) -> Iterator[tuple[FunctionNode, str]]:
    """Yield the methods that instances of a class have, with the names of their receivers."""
    seen: set[str] = set()
    for base in bases_of(cls)[:-1]:
        for name, node in source_of(base).methods(qualname_of(base)).items():
            if name not in seen:
                seen.add(name)
                yield node, receiver_of(node) or ""


def _asked(node: FunctionNode, this: str) -> Iterator[str]:
    """Yield the attributes that a function asks of its receiver, or of the receiver's class."""
    yield from asked_on(node, this)
    for part in walk(node):
        match part:
            case ast.Attribute(ast.Call(ast.Name("type"), [ast.Name(name)]), attribute) if name == this:
                yield attribute
            case ast.Attribute(ast.Attribute(ast.Name(name), "__class__"), attribute) if name == this:
                yield attribute
            case _:
                pass


def _only_announced(cls: type) -> set[str]:
    """Return the attributes that a class has annotations of, and that nothing in it sets.

    Those of data classes and their kin are set by what makes an instance.
    """
    bases = bases_of(cls)[:-1]
    held = {name for base in bases for name in namespace_of(base)}
    if not held.isdisjoint(_MADE_OF_ANNOTATIONS):
        return set()
    kept = {name for node, this in _methods(cls) for name in kept_on(node, this)}
    return {name for base in bases for name in own_annotations(base)} - held - kept


def _used_on(node: FunctionNode, this: str) -> Iterator[str]:
    """Yield the attributes of its receiver that a function calls, or asks for attributes of their own."""
    for part in walk(node):
        match part:
            case ast.Call(ast.Attribute(ast.Name(name), attribute)) if name == this:
                yield attribute
            case ast.Attribute(ast.Attribute(ast.Name(name), attribute)) if name == this:
                yield attribute
            case _:
                pass


def _is_stub(node: FunctionNode) -> bool:
    """True if all that a function does is to say that it is not implemented."""
    match [item for item in node.body if not isinstance(item, ast.Expr)]:
        case [ast.Raise(ast.Name(name) | ast.Call(ast.Name(name)))]:
            return name == "NotImplementedError"
        case _:
            return False
