"""Names in the user's rules: which calls a pattern matches, and which preconditions speak of a call.

Both the worker and the replaying process keep to them; this imports nothing but what each of them has.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

CONSTRUCTORS: Final = ("__init__", "__new__", "__post_init__")


class Permits:
    """The calls that rules permit; all, where there is no rule."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self._allow = _split(rules.get("allow", ()))
        self._forbid = _split(rules.get("forbid", ()))

    def permits(self, module: str, *qualnames: str) -> bool:
        """True if something may be called or stored, as a target or to prepare one.

        An inherited method has a name there for each class that has it.
        """
        if self.forbids(module, *qualnames):
            return False
        return not self._allow or _matches(self._allow, module, qualnames)

    def forbids(self, module: str, *qualnames: str) -> bool:
        """True if something must never be called.

        Of what makes arguments and receivers this is asked only: it need not be allowed.
        """
        return _matches(self._forbid, module, qualnames)

    def permits_on(self, receiver: object, name: str) -> bool:
        """True if a method may be called on an object, under the names of all classes that have it."""
        return all(
            self.permits(module, *qualnames) for module, qualnames in _names_on(type(receiver), name).items()
        )


def targets_of(module: str, qualname: str, receiver: object) -> Iterator[str]:
    """The names, ``module:qualified.name``, under which a precondition may speak of a call.

    A method has one for each class that inherits it, from that of the receiver to that which defines it; what
    an overriding method stands for has preconditions of its own.
    """
    yield normal(f"{module}:{qualname}")
    if receiver is None:
        return
    name = ".".join(qualname.split(".")[-2 if qualname.endswith(".setter") else -1 :])
    for cls in type(receiver).__mro__:
        yield f"{cls.__module__}:{cls.__qualname__}.{name}"
        if name.partition(".")[0] in vars(cls):
            return


def normal(target: str) -> str:
    """The name of a call with that of a constructor's class for the constructor's own."""
    owner, _, name = target.rpartition(".")
    return owner if name in CONSTRUCTORS else target


def _names_on(kind: type, name: str) -> dict[str, list[str]]:
    """The qualified names of a method by module, from the class of an object to that which defines it."""
    found: dict[str, list[str]] = {}
    for cls in kind.__mro__:
        found.setdefault(cls.__module__, []).append(f"{cls.__qualname__}.{name}")
        if name in vars(cls):
            break
    return found


def _split(patterns: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((module, name) for module, _, name in (pattern.partition(":") for pattern in patterns))


def _matches(patterns: Sequence[tuple[str, str]], module: str, qualnames: Sequence[str]) -> bool:
    return any(
        fnmatchcase(module, where) and any(fnmatchcase(name, what) for name in _forms(qualnames))
        for where, what in patterns
    )


def _forms(qualnames: Sequence[str]) -> Iterator[str]:
    """A class's name stands for its constructor, which is also matched by what matches all of the class."""
    for qualname in map(normal, qualnames):
        yield qualname
        yield f"{qualname}.__init__"
        if qualname.endswith(".setter"):
            yield qualname.removesuffix(".setter")


def values_by_name(
    function: Callable[..., Any], receiver: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of a call by the names of the parameters, defaults included."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return {"self": receiver}  # the call itself will say what is wrong with it
    bound.apply_defaults()
    return {"self": receiver, **bound.arguments}
