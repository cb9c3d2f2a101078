"""The members of its bases that a mock answers for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracetwin.drawing.mocks.members import ATTRIBUTE, EMPTY, InterfaceMember, members_of
from tracetwin.drawing.plans.special_forms import is_protocol


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
        name: InterfaceMember(name, kind, None, None, EMPTY, object, is_abstract=True) for name, kind in offers.items()
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
