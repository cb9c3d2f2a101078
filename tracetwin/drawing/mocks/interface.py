"""The interface of a mock: members that it answers for, those code asks for first, and its bases."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from runtime.classes import can_derive, minimal
from tracetwin.analysis.sources import walk
from tracetwin.drawing.mocks.members import ATTRIBUTE, EMPTY, InterfaceMember, members_of
from tracetwin.drawing.plans.special_forms import is_protocol
from tracetwin.model import recipes


def answered(bases: tuple[type, ...]) -> dict[str, InterfaceMember]:
    """The members that a class deriving from these has to define.

    Those that their interfaces leave open, and hooks; of a class that leaves nothing open, or that has a
    constructor, which a mock doesn't run, all that are public. What has a value in a class is a constant, but
    for texts and numbers without a name in capitals.
    """
    found = _offered_by(bases)
    if any(map(_is_open, found.values())) and not any(_initialised(base) for base in bases):
        kept = {name: member for name, member in found.items() if member.is_abstract or member.is_hook}
    else:
        kept = {name: member for name, member in found.items() if member.is_abstract or member.is_called}
        kept |= {name: member for name, member in found.items() if member.kind == "property"}
    varying = {name: member for name, member in found.items() if _varies(member)}
    return {name: member for name, member in found.items() if name in kept or name in varying}


def _varies(member: InterfaceMember) -> bool:
    """True if an attribute that has a value in the class is no constant."""
    return member.value is not EMPTY and not member.name.isupper()


def left_open(bases: tuple[type, ...]) -> dict[str, InterfaceMember]:
    """The members that nobody has written: all that is answered for where the rest is tested itself."""
    return {name: member for name, member in _offered_by(bases).items() if member.is_abstract}


def inherited(bases: tuple[type, ...]) -> dict[str, InterfaceMember]:
    """The members with code that a mock of these leaves as they are."""
    own = answered(bases)
    return {
        name: member
        for name, member in _offered_by(bases).items()
        if name not in own and member.function is not None
    }


def _offered_by(bases: tuple[type, ...]) -> dict[str, InterfaceMember]:
    """The members of all bases, as Python finds them."""
    found: dict[str, InterfaceMember] = {}
    for base in bases:
        for name, member in members_of(base).items():
            found.setdefault(name, member)
    return found


def _initialised(cls: type) -> bool:
    """True if code of Python's sets up instances."""
    return any("__init__" in vars(base) and not is_protocol(base) for base in cls.__mro__[:-1])


def offered(offers: Mapping[str, str]) -> dict[str, InterfaceMember]:
    """The members of a duck, by name and kind."""
    return {
        name: InterfaceMember(name, kind, None, None, EMPTY, object, is_abstract=True)
        for name, kind in offers.items()
    }


def is_interface(cls: Any) -> bool:
    """True if a class leaves members open, so that it says what others should do."""
    return any(_is_open(member) for member in members_of(cls).values())


def _is_open(member: InterfaceMember) -> bool:
    """True if others have to write a member; an attribute that is only annotated may be a field of data."""
    return member.is_abstract and (member.kind != ATTRIBUTE or is_protocol(member.owner))


def offers_services(cls: Any) -> bool:
    """True if others call its methods; what has a value of its own, or only attributes, is data."""
    members = members_of(cls)
    if "__eq__" in members or "__dataclass_fields__" in vars(cls) or issubclass(cls, (tuple, Exception)):
        return False
    return any(member.is_called and not name.startswith("_") for name, member in members.items())


def wanted_bases(names: Iterable[str]) -> tuple[type, ...]:
    """The classes that names as ``module:qualname`` stand for, without those that there are not."""
    found = []
    for name in names:
        module, _, qualname = name.partition(":")
        try:
            cls = recipes.class_at(module, qualname)
        except (ImportError, AttributeError):
            continue
        if isinstance(cls, type):
            found.append(cls)
    return tuple(found)


def consistent_bases(declared: Sequence[type], wanted: Iterable[type]) -> tuple[type, ...]:
    """The bases of a class that derives from all that are declared, and from those wanted that fit."""
    bases = tuple(declared)
    for cls in wanted:
        both = ((*bases, cls), (cls, *bases))
        bases = next((parts for parts in both if can_derive(parts)), bases)
    return minimal(bases) if len(bases) > len(declared) else tuple(declared)


_SPECIAL: Final = frozenset(
    f"__{name}__"
    for name in "iter len getitem setitem delitem contains call next enter exit reversed aiter anext aenter"
    " aexit int float index bool bytes fspath length_hint".split()
)
"""Methods that Python looks up in the class: a mock has them from the start, or never."""


def is_special(name: str) -> bool:
    """True if the class itself has to have a member."""
    return name in _SPECIAL


@functools.lru_cache(maxsize=4)
def asked_for(tree: ast.Module) -> Mapping[str, str]:
    """The names of such members in a module, with their kinds: methods are called there."""
    called = {
        node.func.attr
        for node in walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    names = dict.fromkeys(name for node in walk(tree) for name in _asked(node))
    return {
        name: "method" if name in called or is_special(name) else "attribute"
        for name in names
        if is_special(name) or not name.startswith("_")
    }


def _asked(node: ast.AST) -> Iterator[str]:
    """The names that a call or a `try` asks for."""
    match node:
        case ast.Call(func=ast.Name("hasattr"), args=[_, ast.Constant(str(name))]):
            yield name
        case ast.Call(func=ast.Name("callable"), args=[_]):
            yield "__call__"
        case ast.Call(func=ast.Name("getattr"), args=[_, ast.Constant(str(name)), _]):
            yield name
        case ast.Try(body=body, handlers=handlers) if any(map(_is_for_attributes, handlers)):
            for inner in (inner for statement in body for inner in ast.walk(statement)):
                if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Load):
                    yield inner.attr


def _is_for_attributes(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id == "AttributeError" for kind in kinds)
