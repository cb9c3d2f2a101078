"""Imports the meta-program of a module in the place of the module, however it is imported."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Final

from tracetwin.model.mutant import Mutant
from tracetwin.mutation.schemata import meta_program
from tracetwin.mutation.switch import AT, LEFT_OUT, SEE, WHICH, Switch

CANT: Final = (SyntaxError, ValueError, RecursionError, MemoryError)
"""Errors of a source of which no meta-program can be made."""


class MetaLoader(SourceFileLoader):
    """Loads the meta-program of one module.

    Attributes:
        mutants: all of them, once it was loaded.
    """

    def __init__(self, name: str, file: str, switch: Switch) -> None:
        super().__init__(name, file)
        self.switch = switch
        self.mutants: list[Mutant] = []

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the meta-program; what is cached is the original's."""
        file = self.get_filename(fullname)
        made = meta_program(self.get_data(file), file)
        self.mutants = made.mutants
        self.switch.places = made.places
        return made.code

    def exec_module(self, module: ModuleType) -> None:
        """Run it, with what it asks in its namespace."""
        switch = self.switch
        vars(module).update({AT: switch.at, WHICH: switch.which, SEE: switch.see, LEFT_OUT: object()})
        super().exec_module(module)


class MetaFinder:
    """Finds the meta-program for the name of one module; use `install`."""

    def __init__(self, name: str) -> None:
        """Take the module's dotted name."""
        self._name = name
        self.switch = Switch()
        self.loader: MetaLoader | None = None

    def install(self) -> None:
        """From now on that name gives the meta-program."""
        sys.modules.pop(self._name, None)
        sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        if fullname != self._name:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return spec
        self.loader = spec.loader = MetaLoader(fullname, spec.loader.path, self.switch)
        return spec

    @property
    def mutants(self) -> list[Mutant]:
        """The mutants of the module, once it was imported."""
        return [] if self.loader is None else self.loader.mutants
