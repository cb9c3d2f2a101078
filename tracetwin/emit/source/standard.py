"""Looks things up in the standard library, without running what only seems to belong to it."""

from __future__ import annotations

import enum
import functools
import importlib
import importlib.util
import os
import sys
import sysconfig
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final

_RESTLESS: Final = frozenset(
    ("__hello__", "__phello__", "antigravity", "idlelib", "test", "this", "turtledemo")
)
"""Modules that do something when they are imported, or whose submodules do."""


def is_standard(module: str) -> bool:
    """Return whether a module belongs to the standard library."""
    return module.partition(".")[0] in sys.stdlib_module_names


def is_tool(module: str) -> bool:
    """Return whether a module is no project's: it belongs to the standard library, or runs tests."""
    return is_standard(module) or module == "pytest"


@functools.cache
def has(module: str, name: str) -> bool:
    """Return whether a module of the standard library has something of that name.

    Modules are imported for it, in our own process. So only those of the library on the disk are, not a file
    that has such a name and comes first on the path: some names are taken on other systems only.
    """
    top, *rest = module.split(".")
    if top in _RESTLESS or "__main__" in (top, *rest) or not _is_there(top):
        return False
    try:
        return hasattr(importlib.import_module(module), name)
    except ImportError:
        return False


def makes_values(module: str, name: str) -> bool:
    """Return whether a name of a standard module is a class whose instances are made without any effect."""
    if not has(module, name):
        return False
    found = getattr(importlib.import_module(module), name)
    return isinstance(found, type) and issubclass(found, (BaseException, enum.Enum, tuple, CompletedProcess))


def _is_there(top: str) -> bool:
    loaded = sys.modules.get(top)
    spec = getattr(loaded, "__spec__", None) if loaded is not None else importlib.util.find_spec(top)
    if spec is None:
        return False
    if spec.origin in ("built-in", "frozen"):
        return True
    return spec.origin is not None and str(Path(spec.origin).parent) in _library()


@functools.cache
def _library() -> frozenset[str]:
    """The folders that the library's modules and packages lie in."""
    places = [str(Path(sysconfig.get_path(name))) for name in ("stdlib", "platstdlib")]
    inside = ("lib-dynload", *sys.stdlib_module_names)
    return frozenset([*places, *(f"{place}{os.sep}{name}" for place in places for name in inside)])
