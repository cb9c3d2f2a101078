"""Imported modules that are forgotten for a while, so that an import loads them anew."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from tracetwin.support.data import dataclass

_MISSING = object()

# They exist once per process.
_NEVER = {"__main__", *sys.builtin_module_names}


@dataclass
class Aside:
    """Modules that were taken out.

    Attributes:
        modules: the entries of `sys.modules`.
        attributes: packages that stay, the attribute that belongs to a module's name, and its value: the
            module, or whatever the package has put in its place.
    """

    modules: dict[str, Any] = field(default_factory=dict)
    attributes: list[tuple[Any, str, Any]] = field(default_factory=list)


def take_out(names: Iterable[str]) -> Aside:
    """Forget imported modules, also as attributes of packages that stay.

    An entry of None, which forbids an import, stays.
    """
    aside = Aside()
    for name in names:
        if name not in _NEVER and sys.modules.get(name) is not None:
            aside.modules[name] = sys.modules.pop(name)
    for name, module in aside.modules.items():
        parent, last, value = _attribute(name)
        if value is not _MISSING:
            aside.attributes.append((parent, last, value))
        if value is module:
            delattr(parent, last)
    return aside


def put_back(aside: Aside) -> None:
    """Make it as if nothing had been taken out; what came into its place is forgotten."""
    sys.modules.update(aside.modules)
    for package, name, value in aside.attributes:
        setattr(package, name, value)


def _attribute(name: str) -> tuple[Any, str, Any]:
    """The package above a module, and what it has under the module's own name."""
    parent, _, last = name.rpartition(".")
    package = sys.modules.get(parent)
    return package, last, getattr(package, "__dict__", {}).get(last, _MISSING)
