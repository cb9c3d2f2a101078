"""`getattr` and `hasattr` by a name that depends on the input: which of the names that there are it is."""

from __future__ import annotations

from typing import Any, Final

from runtime import trace
from runtime.lookup import SCAN_LIMIT
from runtime.models.registry import models
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import member
from runtime.values import SStr, plain, settle, wrap

keep_builtins(globals())

_mro: Final[Any] = type.__dict__["__mro__"].__get__
_PLAIN: Final = (object.__getattribute__, type.__getattribute__, type(trace).__getattribute__)


@models(getattr)
def traced_getattr(holder: Any, name: Any, /, *default: Any) -> Any:
    """`getattr(x, name)`: a name is decided to be one of those that there are, then which."""
    if type(name) is SStr:
        names = names_of(holder)
        if names is not None:
            found = plain(name) in names
            trace.current.record(member(name, _usual(names, plain(name))), found, kind=trace.Kind.CHECK)
            if found:
                settle(name)
        name = plain(name)
    return getattr(holder, name, *default)


@models(hasattr)
def traced_hasattr(holder: Any, name: Any, /) -> Any:
    """`hasattr(x, name)`, undecided where the class does not answer for itself."""
    if type(name) is not SStr:
        return hasattr(holder, name)
    exact = plain(name)
    names = names_of(holder)
    found = hasattr(holder, exact)
    return found if names is None or found != (exact in names) else wrap(found, member(name, names))


def names_of(holder: Any) -> list[str] | None:
    """Return the names of an object's attributes; None where its class decides which there are.

    Nothing of the program is asked: neither `__dir__` nor a property.
    """
    kind = type(holder)
    if not any(_looks_up(kind) is plainly for plainly in _PLAIN) or _finds_others(kind):
        return None
    found: dict[str, None] = {}
    try:
        own = object.__getattribute__(holder, "__dict__")
    except AttributeError:
        own = {}
    bases = [*_mro(kind), *(_mro(holder) if isinstance(holder, type) else ())]
    for names in (own, *(type.__getattribute__(base, "__dict__") for base in bases)):
        found.update((name, None) for name in [*names] if type(name) is str)
    return [*found] if len(found) <= SCAN_LIMIT else None


def _usual(names: list[str], wanted: str) -> list[str]:
    """Return the names without the language's own, unless it is one of them that is asked for."""
    special = wanted.startswith("__")
    return names if special and wanted in names else [name for name in names if not name.startswith("__")]


def _looks_up(kind: type) -> Any:
    return next(
        vars_of["__getattribute__"]
        for vars_of in (type.__getattribute__(base, "__dict__") for base in _mro(kind))
        if "__getattribute__" in vars_of
    )


def _finds_others(kind: type) -> bool:
    """Return whether a class has a `__getattr__`."""
    return any("__getattr__" in type.__getattribute__(base, "__dict__") for base in _mro(kind))
