"""The class of a mock: derives from interfaces, and asks somebody else for every answer.

One way to make such classes serves the traced run, where answers are drawn, and the replay, where they are
given. So what `isinstance`, `hasattr` and wrong arguments meet is the same in both.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, MappingProxyType
from typing import Any, Final, Protocol

from runtime.models.objects.builtins import forget_measured, measured
from tracetwin.drawing.mocks.members import CALLED, InterfaceMember
from tracetwin.drawing.mocks.members import EMPTY as NO_VALUE
from tracetwin.model.recipes import function_of

EMPTY: Final[Mapping[str, InterfaceMember]] = MappingProxyType({})


class Answers(Protocol):
    """Answers for one mock."""

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result of a call of a member; may raise."""

    def get(self, name: str) -> Any:
        """The value of an attribute or property, asked once."""

    def inherited(self, name: str) -> None:
        """Is told that a member is used which the mock has from its bases."""

    def optional(self, name: str) -> str | None:
        """The kind of a member that its class doesn't have, None where the mock doesn't have it either."""


class StandInRefused(Exception):
    """No class derives from these bases; the message says why."""


class _Attribute:
    """An attribute that is asked for once; the instance keeps it, and what is stored takes its place.

    In the class it has the value that it has there, which is that of an instance nobody knows another of.
    """

    def __init__(self, name: str, value: Any = NO_VALUE) -> None:
        self._name = name
        self._value = value

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self if self._value is NO_VALUE else self._value
        try:
            value = _answers(instance).get(self._name)
        except NotImplementedError:
            if self._value is NO_VALUE:
                raise
            value = self._value
        instance.__dict__[self._name] = value
        return value


_ANSWERING: dict[int, tuple[Any, Answers]] = {}
"""The answerers by the identity of the mock, which is held so that no other gets its number."""


def _answers(instance: Any) -> Answers:
    return _ANSWERING[id(instance)][1]


def forget() -> None:
    """Let go of the mocks made so far: the run that made them is over."""
    _ANSWERING.clear()
    forget_measured()


def stand_in_class(
    name: str,
    bases: tuple[type, ...],
    members: Mapping[str, InterfaceMember],
    inherited: Mapping[str, InterfaceMember] = EMPTY,
    *,
    has_more: bool = False,
) -> type:
    """A class that answers for `members` of its bases; the rest is inherited.

    `inherited` are members whose use is told; `has_more`: there may be others, which is asked when one is
    used.

    Raises:
        Refused: Python, or a metaclass, doesn't make such a class.
    """
    standing = {key: _standing_for(member) for key, member in members.items()}
    # What is only declared comes later: a metaclass may read the data of a class that it makes.
    later = [key for key, member in members.items() if member.kind == "attribute"]
    body: dict[str, Any] = {key: part for key, part in standing.items() if key not in later}
    body |= {key: noted for key, member in inherited.items() if (noted := _noted(member)) is not None}
    body["__module__"] = __name__
    if has_more and not any("__getattr__" in vars(base) for cls in bases for base in cls.__mro__):
        body["__getattr__"] = _optional
    if "__hash__" not in body and "__eq__" in body:
        body["__hash__"] = object.__hash__
    try:
        made = types.new_class(name, bases, {}, lambda namespace: namespace.update(body))
        for key in later:
            setattr(made, key, standing[key])
    except Exception as error:
        raise StandInRefused(f"no class can derive from {_named(bases)}: {error}") from error
    return made


def _optional(self: Any, name: str) -> Any:
    """A member that the class doesn't have; the instance keeps it."""
    known = _ANSWERING.get(id(self))
    kind = None if known is None else known[1].optional(name)
    if kind is None:
        return object.__getattribute__(self, name)  # which says that there is none
    member = _standing_for(InterfaceMember(name, kind, None, None, EMPTY, object, is_abstract=True))
    value = self.__dict__[name] = member.__get__(self, type(self))
    return value


def _noted(member: InterfaceMember) -> Any:
    """The member as it is, which tells that it is used; None for kinds that can't."""
    written = vars(member.owner).get(member.name)
    if isinstance(written, property):
        getter = written.fget
        return None if getter is None else property(_telling(member.name, getter), written.fset, written.fdel)
    if not isinstance(written, FunctionType):
        return None
    if not inspect.iscoroutinefunction(written):
        return _telling(member.name, written)

    @functools.wraps(written)
    async def coroutine(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        _answers(self).inherited(member.name)
        return await written(self, *args, **kwargs)

    return coroutine


def _telling(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        _answers(self).inherited(name)
        return function(self, *args, **kwargs)

    return method


def _named(bases: Iterable[type]) -> str:
    return ", ".join(base.__name__ for base in bases)


def function_that(answer: Callable[..., Any], count: int, *, is_async: bool = False) -> Callable[..., Any]:
    """A function of exactly `count` positional parameters (-1: any arguments) that asks for each answer."""
    if not is_async:
        return function_of(count, answer)
    checked = function_of(count, lambda *args, **kwargs: (args, kwargs))

    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = checked(*args, **kwargs)
        return answer(*args, **kwargs)

    return coroutine


def instance_of(cls: type, answers: Answers) -> Any:
    """The one instance, never initialised: what its class's constructor does is not wanted.

    Raises:
        Refused: the class can't have instances that way.
    """
    try:
        made = _new(cls)
    except Exception as error:
        raise StandInRefused(f"{cls.__name__} can't be instantiated: {error}") from error
    _ANSWERING[id(made)] = (made, answers)
    _ANSWERING[id(cls)] = (cls, answers)
    if "__len__" in vars(cls):
        measured(cls)
    return made


def _new(cls: type) -> Any:
    """Past `__new__` of Python code, which may want arguments."""
    for base in cls.__mro__:
        maker = vars(base).get("__new__")
        if maker is not None and not isinstance(maker, (staticmethod, types.FunctionType)):
            return maker(cls)
    return object.__new__(cls)


def _standing_for(member: InterfaceMember) -> Any:
    """The class attribute for one member."""
    if member.kind not in CALLED:
        return _Attribute(member.name, member.value)
    function = _function_of(member)
    function.__name__ = member.name
    # Each mock has a class of its own, which can answer for it.
    return classmethod(function) if member.kind in ("classmethod", "staticmethod") else function


def _function_of(member: InterfaceMember) -> Callable[..., Any]:
    """A function of the kind of the member; of a generator the list of its items is asked for."""
    name, signature = member.name, member.signature
    receiver = () if member.kind == "staticmethod" else (None,)

    def answer(self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if signature is not None:
            signature.bind(*receiver, *args, **kwargs)
        return _answers(self).call(name, args, kwargs)

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return answer(self, args, kwargs)

    async def coroutine(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return answer(self, args, kwargs)

    def truth(self: Any, /, *args: Any) -> bool:
        return bool(answer(self, args, {}))  # Python takes no other; the decision is recorded here

    def generator(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        yield from answer(self, args, kwargs)

    async def asyncgen(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        for item in answer(self, args, kwargs):
            yield item

    ways = {"async": coroutine, "generator": generator, "asyncgen": asyncgen}
    return truth if name in _TRUTHS else ways.get(member.kind, method)


_TRUTHS: Final = frozenset(("__bool__", "__contains__"))
