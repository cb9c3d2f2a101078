"""Interfaces that mocks stand for: a test that derives from one repeats its signatures."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Container, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from tracetwin.analysis.sources import FunctionNode
from tracetwin.drawing.mocks.members import InterfaceMember, members_of, remember
from tracetwin.drawing.plans.special_forms import is_protocol
from tracetwin.model import recipes
from tracetwin.model.case import Case
from tracetwin.model.observation import DescribedMember, DescribedParameter, Interface, Spelled
from tracetwin.replay.observe.spelling import Speller
from tracetwin.replay.observe.stored import mocks_of

_Signature: TypeAlias = tuple[tuple[DescribedParameter, ...], Spelled | None]
"""The parameters of a member, and what it returns."""


def of_case(case: Case) -> tuple[Interface, ...]:
    """The interfaces that the mocks of a case derive from, each with what a class has to define."""
    used: dict[tuple[str, str], set[str]] = {}
    for mock in mocks_of(case):
        for base in mock.bases:
            used.setdefault(base, set()).update(mock.members)
    return tuple(described(base, recipes.lookup(*base), names) for base, names in used.items())


def look_ahead(case: Case) -> None:
    """Look once at the interfaces of a case that are imported, for all cases to come."""
    for mock in mocks_of(case):
        for module, qualname in mock.bases:
            if module in sys.modules:
                with suppress(Exception):  # the case itself says what is wrong
                    _remember(recipes.lookup(module, qualname), mock.members)


_REMEMBERED: Final[dict[int, tuple[InterfaceMember, _Signature]]] = {}


def _remember(cls: type, used: Container[str]) -> None:
    remember(cls)
    for name, member in members_of(cls).items():
        if id(member) not in _REMEMBERED and (member.is_abstract or name in used):
            _REMEMBERED[id(member)] = (member, _signature(member))


def described(place: tuple[str, str], cls: type, used: set[str]) -> Interface:
    """One interface.

    Args:
        place: module and qualified name of the class.
        cls: the class.
        used: members that are to be described though a class could inherit them.
    """
    abstract: frozenset[str] = getattr(cls, "__abstractmethods__", frozenset())
    members: dict[str, DescribedMember] = {}
    for name, member in members_of(cls).items():
        of_protocol = is_protocol(member.owner) and member.is_abstract
        needed = name in abstract or of_protocol
        if needed or name in used:
            _, (parameters, returns) = _REMEMBERED.get(id(member)) or (member, _signature(member))
            members[name] = DescribedMember(member.kind, needed, parameters, returns)
    return Interface(*place, _starts(cls), members)


def _starts(cls: type) -> bool:
    """True if a constructor of Python code runs when an instance is made."""
    made = getattr(cls, "__init__", None)
    return inspect.isfunction(made) and made.__module__ != "typing"


def _signature(member: InterfaceMember) -> _Signature:
    speller = Speller(member.owner)
    qualname = f"{member.owner.__qualname__}.{member.name}"
    if member.function is None:
        return _bare(member), _of_attribute(member, speller)
    node = speller.source.function(qualname, member.function.__code__.co_firstlineno)
    if node is None or member.overloads or member.is_manager:
        return _bare(member), None
    bound = member.kind != "staticmethod"
    return tuple(_written(node, speller)[bound:]), speller.annotation(node.returns)


def _of_attribute(member: InterfaceMember, speller: Speller) -> Spelled | None:
    """The annotation in the body of the class."""
    body = speller.source.class_(member.owner.__qualname__)
    for item in () if body is None else body.body:
        if isinstance(item, ast.AnnAssign) and ast.unparse(item.target) == member.name:
            return speller.annotation(item.annotation)
    return None


def _written(node: FunctionNode, speller: Speller) -> list[DescribedParameter]:
    """All parameters, with annotations and defaults."""
    args = node.args
    plain = [*args.posonlyargs, *args.args]
    defaults: Sequence[ast.expr | None] = [*[None] * (len(plain) - len(args.defaults)), *args.defaults]
    kinds = [0] * len(args.posonlyargs) + [1] * len(args.args)
    rows = [*zip(plain, kinds, defaults, strict=True)]
    rows += [(args.vararg, 2, None)] if args.vararg else []
    rows += [(arg, 3, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    rows += [(args.kwarg, 4, None)] if args.kwarg else []
    return [
        DescribedParameter(arg.arg, kind, speller.annotation(arg.annotation), _default(default, speller))
        for arg, kind, default in rows
    ]


def _default(node: ast.expr | None, speller: Speller) -> Spelled | None:
    return None if node is None else speller.default(node) or Spelled("None")


def _bare(member: InterfaceMember) -> tuple[DescribedParameter, ...]:
    """The parameters of a function that there is no source of, or whose source says another thing."""
    return tuple(
        DescribedParameter(
            one.name, int(one.kind), None, None if one.default is one.empty else _plain(one.default)
        )
        for one in member.parameters
    )


def _plain(default: object) -> Spelled:
    known = type(default) in recipes.SCALARS and default == default  # noqa: PLR0124 - not a NaN
    return Spelled(repr(default) if known else "None")
