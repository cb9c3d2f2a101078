"""Stand-ins for classes whose calls are answered by the input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class ClassStandIn:
    """The replacement of a class: calls of it are answered, and for all else it is that class.

    Args:
        real: the class.
        call: is called in its place.
    """

    def __init__(self, real: type, call: Callable[..., Any]) -> None:
        self.real = real
        self._call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (self.real,)

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, self.real)

    def __subclasscheck__(self, kind: type) -> bool:
        return issubclass(kind, self.real)

    def __or__(self, other: Any) -> Any:
        return self.real | other

    def __ror__(self, other: Any) -> Any:
        return other | self.real


def real_class(thing: Any) -> Any:
    """Return the class for which something stands in, and anything else as it is."""
    return thing.real if type(thing) is ClassStandIn else _patched.get(id(thing), thing)


_patched: dict[int, type] = {}
"""The classes in whose places patches have put something now, by the identity of that."""


@contextmanager
def patched(put: object, real: object) -> Iterator[None]:
    """Let something that a patch has put in the place of a class be known as such."""
    if isinstance(real, type):
        _patched[id(put)] = real
    try:
        yield
    finally:
        _patched.pop(id(put), None)
