"""What the classes look like that mocks stand for: a test that derives from one repeats its signatures."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Container, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from tracetwin.analysis.sources import FunctionNode
from tracetwin.drawing.mocks.members import InterfaceMember, members_of, remember
from tracetwin.drawing.plans.special_forms import is_protocol
from tracetwin.model import recipes
from tracetwin.replay.observe.spelling import Speller
from tracetwin.replay.observe.stored import mocks_of

Described: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[str, str]


def of_case(case: dict[str, Any]) -> list[tuple[Place, Described]]:
    """The interfaces that the mocks of a case derive from, each with what a class has to define."""
    used: dict[Place, set[str]] = {}
    for recipe in mocks_of(case):
        for module, qualname in recipe[1]["bases"]:
            used.setdefault((module, qualname), set()).update(recipe[2])
    return [(base, described(recipes.lookup(*base), names)) for base, names in used.items()]


def look_ahead(case: dict[str, Any]) -> None:
    """Look once at the interfaces of a case that are imported, for all cases to come."""
    for recipe in mocks_of(case):
        for module, qualname in recipe[1]["bases"]:
            if module in sys.modules:
                with suppress(Exception):  # the case itself says what is wrong
                    _remember(recipes.lookup(module, qualname), recipe[2])


_REMEMBERED: Final[dict[int, tuple[InterfaceMember, dict[str, Any]]]] = {}


def _remember(cls: type, used: Container[str]) -> None:
    remember(cls)
    for name, member in members_of(cls).items():
        if id(member) not in _REMEMBERED and (member.is_abstract or name in used):
            _REMEMBERED[id(member)] = (member, _signature(member))


def described(cls: type, used: set[str]) -> Described:
    """One interface.

    Args:
        cls: the class.
        used: members that are to be described though a class could inherit them.

    Returns:
        ``starts``: whether code of Python's sets up its instances; ``members``: by name, each with its
        ``kind``, whether it is ``needed`` for an instance to be made, its ``parameters`` as (name, kind,
        annotation, default) and what it ``returns``, both as they are written. None stands for what is not
        written, or can't be.
    """
    abstract: frozenset[str] = getattr(cls, "__abstractmethods__", frozenset())
    members: dict[str, Any] = {}
    for name, member in members_of(cls).items():
        of_protocol = is_protocol(member.owner) and member.is_abstract
        needed = name in abstract or of_protocol
        if needed or name in used:
            _, signature = _REMEMBERED.get(id(member)) or (member, _signature(member))
            members[name] = {**signature, "kind": member.kind, "needed": needed}
    return {"starts": _starts(cls), "members": members}


def _starts(cls: type) -> bool:
    """Whether a constructor of Python code runs when an instance is made."""
    made = getattr(cls, "__init__", None)
    return inspect.isfunction(made) and made.__module__ != "typing"


def _signature(member: InterfaceMember) -> dict[str, Any]:
    speller = Speller(member.owner)
    qualname = f"{member.owner.__qualname__}.{member.name}"
    if member.function is None:
        return {"parameters": _bare(member), "returns": _of_attribute(member, speller)}
    node = speller.source.function(qualname, member.function.__code__.co_firstlineno)
    if node is None or member.overloads or member.is_manager:
        return {"parameters": _bare(member), "returns": None}
    bound = member.kind != "staticmethod"
    return {"parameters": _written(node, speller)[bound:], "returns": speller.annotation(node.returns)}


def _of_attribute(member: InterfaceMember, speller: Speller) -> Any:
    """The annotation in the body of the class."""
    body = speller.source.class_(member.owner.__qualname__)
    for item in () if body is None else body.body:
        if isinstance(item, ast.AnnAssign) and ast.unparse(item.target) == member.name:
            return speller.annotation(item.annotation)
    return None


def _written(node: FunctionNode, speller: Speller) -> list[Any]:
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
        (arg.arg, kind, speller.annotation(arg.annotation), _default(default, speller))
        for arg, kind, default in rows
    ]


def _default(node: ast.expr | None, speller: Speller) -> Any:
    return None if node is None else speller.default(node) or ("None", [])


def _bare(member: InterfaceMember) -> list[Any]:
    """The parameters of a function that there is no source of, or whose source says another thing."""
    return [
        (one.name, int(one.kind), None, None if one.default is one.empty else _plain(one.default))
        for one in member.parameters
    ]


def _plain(default: object) -> Any:
    known = type(default) in recipes.SCALARS and default == default  # noqa: PLR0124 - not a NaN
    return (repr(default) if known else "None", [])
