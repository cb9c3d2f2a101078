"""The commands that advice names: which function they are for, into which folder, with how much budget."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from tracetwin.report.result import Module
from tracetwin.run.results.places import Places

_TIMES: Final = 4
"""How many times the budget is advised that was not enough."""


class Commands:
    """Makes the commands for the functions of one module."""

    def __init__(self, module: Module, places: Places) -> None:
        self._module = module
        self._places = places
        self._functions = frozenset(function.name for function in module.functions)

    def called(self, function: str) -> str:
        """Return the function to call for something within another one: that itself, or the one around."""
        name = self._places.outermost(function.removesuffix(".setter").removesuffix(".deleter"))
        outer, _, last = name.rpartition(".")
        if last in ("__init__", "__new__", "__post_init__") and outer in self._functions:
            return outer
        return name

    def generate(self, function: str, *options: str) -> str:
        """Return the command that generates tests of a function, with options."""
        file, _, inside = self._module.file.partition(".whl")
        target = f"{Path(file).name}.whl:{self._module.name}" if inside else self._target()
        folder = Path(self._module.test_file).parent.as_posix() if self._module.test_file else "tests"
        words = ("tracetwin generate", f"{target}:{self.called(function)}", "-o", folder, *options)
        return f"`{' '.join(words)}`"

    def program(self, tree: ast.Module) -> str:
        """Return how a module is run as a program, and how a test by hand does that."""
        told = "Only a program runs it, and no call: no test is generated of it."
        by_name = Path(self._module.file).name != "__init__.py"  # of a package `-m` runs its `__main__`
        if by_name:
            again = f'`runpy.run_module("{self._module.name}", run_name="__main__")`'
            return f"{told} `python -m {self._module.name}` does, or in a test by hand {again}."
        if any(isinstance(one, ast.ImportFrom) and one.level for one in ast.walk(tree)):
            return told
        file = self._target()
        again = f'`runpy.run_path("{file}", run_name="__main__")`'
        return f"{told} `python {file}` does, or in a test by hand {again}."

    def _target(self) -> str:
        """The module in a command: its file below the folder of the run, its name where it lies elsewhere."""
        file = Path(self._module.file)
        if not file.is_absolute():
            return self._module.file
        here = Path.cwd()
        return file.relative_to(here).as_posix() if file.is_relative_to(here) else self._module.name

    @property
    def doctests(self) -> str:
        """Return the command that runs the examples of the module's docstrings, "" for one in a wheel."""
        if ".whl" in self._module.file:
            return ""
        target = self._target()
        return f"pytest --doctest-modules {'' if target.endswith('.py') else '--pyargs '}{target}"

    @property
    def same(self) -> list[str]:
        """Return the options with the budget of the run."""
        options = self._module.options
        if options.get("max_runs"):
            return [f"--max-runs {options['max_runs']}"]
        return [f"--time-limit {options['time_limit']:g}"] if options.get("time_limit") else []

    @property
    def more(self) -> str:
        """Return the option with several times that budget."""
        options = self._module.options
        if options.get("max_runs"):
            return f"--max-runs {_TIMES * int(options['max_runs'])}"
        return f"--time-limit {_TIMES * float(options.get('time_limit') or 60):g}"
