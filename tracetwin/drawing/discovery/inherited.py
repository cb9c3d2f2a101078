"""Finds what classes inherit that is called through them: from private bases, for hooks, or when asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tracetwin.analysis.scopes import is_defined_in, module_of
from tracetwin.model.recipes import is_traced


def members_of(cls: type) -> dict[str, Any]:
    """Return the members of a class, those also that it has from itself as it was before a decorator."""
    same = [
        base for base in cls.__mro__
        if (base.__module__, base.__qualname__) == (cls.__module__, cls.__qualname__)
    ]  # fmt: skip
    return {name: member for base in reversed(same) for name, member in list(vars(base).items())}


def from_private_bases(
    cls: type, module: ModuleType, own: Collection[str]
) -> Iterator[tuple[type, str, Any]]:
    """Yield base, name and member of what a class has from private bases in its module."""
    bases = [base for base in cls.__mro__[1:] if is_defined_in(base, module)]
    public = [base for base in bases if not is_hidden(base)]
    known = set(own)
    for base in bases:
        # What a public base has from it is called through that one.
        if not is_hidden(base) or any(issubclass(other, base) for other in public):
            continue
        members = [(name, member) for name, member in list(vars(base).items()) if name not in known]
        known.update(name for name, _ in members)
        yield from ((base, name, member) for name, member in members)


def selected_from_bases(
    cls: type, qualname: str, module: ModuleType, selection: Collection[str]
) -> Iterator[tuple[type, str, Any]]:
    """Yield base, name and member of what a class inherits under some names from bases in its module."""
    for name in (one[len(qualname) + 1 :] for one in selection if one.startswith(f"{qualname}.")):
        home = home_of(cls, name)
        if home is not None and home is not cls and is_defined_in(home, module):
            yield home, name, vars(home)[name]


def through_hooks(
    cls: type, module: ModuleType, own: Collection[str]
) -> Iterator[tuple[type, str, Any]]:
    """Yield base, name and member of inherited methods that call what a class defines for them alone.

    Such a hook is a private method that no other method of the class mentions.
    """
    mine = _functions_of(cls)
    mentioned = {name: _names_in(function.__code__) for name, function in mine.items()}
    hooks = {name for name in mine if _is_hook(name)}
    hooks -= {name for by, names in mentioned.items() for name in names if by != name}
    inherited: dict[str, tuple[type, FunctionType]] = {}
    for base in cls.__mro__[1:] if hooks else ():
        if is_defined_in(base, module) or is_traced(module_of(base)):
            for name, function in _functions_of(base).items():
                if name not in own:
                    inherited.setdefault(name, (base, function))
    waiting, seen = sorted(hooks), set(hooks)
    while waiting:
        hook = waiting.pop(0)
        callers = [name for name, (_, function) in inherited.items() if hook in _names_in(function.__code__)]
        callers.sort(key=_is_hook)
        for name in callers[:1] if callers and not _is_hook(callers[0]) else callers:
            if name in seen:
                continue
            seen.add(name)
            if _is_hook(name):
                waiting.append(name)
            else:
                yield inherited[name][0], name, inherited[name][1]


def _is_hook(name: str) -> bool:
    """Return whether a name is private, and not one of the language's own."""
    return name.startswith("_") and not name.endswith("__")


def _functions_of(cls: type) -> dict[str, FunctionType]:
    return {name: member for name, member in list(vars(cls).items()) if isinstance(member, FunctionType)}


def _names_in(code: CodeType) -> set[str]:
    """Return the names that a function and those inside of it ask for."""
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*map(_names_in, inner))


def home_of(cls: type, name: str) -> type | None:
    """Return the class in whose body a member of a class stands; None where there is none of the name."""
    return next((base for base in cls.__mro__ if name in vars(base)), None)


def is_hidden(cls: type) -> bool:
    """True if a class, or one that it is in, has a private name."""
    return any(part.startswith("_") for part in cls.__qualname__.split("."))
