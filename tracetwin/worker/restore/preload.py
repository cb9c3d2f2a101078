"""Imports what functions of the target would import when they run.

Else a run that imports a module leaves something behind, and every runner would have to import it again.
Of the target's package these are what it names: their twins are there, see `tracetwin.run.twins`.
To build twins of all that the modules of a package name somewhere would take longer than the runs save.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from contextlib import suppress
from types import CodeType, ModuleType
from typing import Final

from tracetwin.worker.restore.writes import functions_of, writes_of

_LEFT_OUT: Final = frozenset("antigravity this tkinter turtle turtledemo idlelib lib2to3 test".split())
"""Modules of the library that do something when they are imported, or that are large."""

_MOST: Final = 200


def preload(modules: Iterable[ModuleType], target: ModuleType) -> None:
    """Import the modules of the library, and those of the target's package, that its functions import.

    Args:
        modules: the modules of the target.
        target: the one whose functions are called.
    """
    own = target.__name__.partition(".")[0]
    names: set[str] = set()
    modules = list(modules)
    codes: dict[int, list[CodeType]] = {id(vars(module)): [] for module in modules}
    for function in functions_of(modules):
        codes[id(function.__globals__)].append(function.__code__)
    for module in modules:
        package = getattr(module, "__package__", None) or ""
        for name in writes_of(codes[id(vars(module))]).imported:
            top = name.partition(".")[0]
            if top != own and top in sys.stdlib_module_names and top not in _LEFT_OUT:
                names.add(name)
            elif module is not target:
                continue
            elif top == own:
                names.add(name)
            elif name and package:  # a relative import, perhaps
                names.add(f"{package}.{name}")
    for name in sorted(names - set(sys.modules))[:_MOST]:
        with suppress(Exception, SystemExit):  # the function that needs it will say so
            importlib.import_module(name)
