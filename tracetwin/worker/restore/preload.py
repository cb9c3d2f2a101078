"""Imports what functions of the target would import when they run.

Else a run that imports a module leaves something behind, and every runner would have to import it again.
Of the target's package these are what it names: their twins are there, see `tracetwin.run.twins`.
What the functions import that it has from other modules is loaded as it is: to build twins of all that
the modules of a package name somewhere would take longer than the runs save.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import CodeType, FunctionType, ModuleType
from typing import Final

from instrumenter.hook import TwinFinder
from tracetwin.worker.restore.writes import functions_of, writes_of

_LEFT_OUT: Final = frozenset("antigravity this tkinter turtle turtledemo idlelib lib2to3 test".split())
"""Modules of the library that do something when they are imported, or that are large."""

_MOST: Final = 200


def preload(modules: Iterable[ModuleType], target: ModuleType) -> None:
    """Import the modules of the library, and those of the target's package, that its functions import.

    From then on no twin is made: what else a run imports stays as it is, for a run has no time to rewrite it.
    """
    modules = list(modules)
    held = {id(code) for code in _held_by(target)}
    near: set[str] = set()
    beyond: set[str] = set()
    by_module: dict[int, list[CodeType]] = {id(vars(module)): [] for module in modules}
    for function in functions_of(modules):
        by_module[id(function.__globals__)].append(function.__code__)
    for module in modules:
        codes = by_module[id(vars(module))]
        wanted = codes if module is target else [code for code in codes if id(code) in held]
        library = {name for name in writes_of(codes).imported if _is_library(name)}
        (near if module is target else beyond).update(_of_package(module, writes_of(wanted).imported))
        near |= library
    _import(near)
    for finder in sys.meta_path:
        if isinstance(finder, TwinFinder):
            finder.close()
    _import(beyond)


def _import(names: set[str]) -> None:
    for name in sorted(names - set(sys.modules))[:_MOST]:
        with suppress(Exception, SystemExit):  # the function that needs it will say so
            importlib.import_module(name)


def _is_library(name: str) -> bool:
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names and top not in _LEFT_OUT


def _of_package(module: ModuleType, names: Iterable[str]) -> Iterator[str]:
    """Yield in full those names of what a module's functions import that may be of its package."""
    package = getattr(module, "__package__", None) or ""
    own = module.__name__.partition(".")[0]
    for name in names:
        if name.partition(".")[0] == own:
            yield name
        elif name and package and not _is_library(name):  # a relative import, perhaps
            yield f"{package}.{name}"


_attributes: Final = type.__dict__["__dict__"].__get__


def _held_by(module: ModuleType) -> Iterator[CodeType]:
    """Yield the code of the functions that a module has by name, and of the methods of its classes."""
    for thing in list(vars(module).values()):
        # By their types, and not by what they say of themselves: a metaclass may have its own words for that.
        names = _attributes(thing) if issubclass(type(thing), type) else {"": thing}
        for one in list(names.values()):
            if type(one) is FunctionType:
                yield one.__code__
