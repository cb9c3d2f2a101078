"""The option `--classes`: for a report, classes are looked into after the tests were written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tracetwin.cli.tools import noted, say

if TYPE_CHECKING:
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.target.module import TargetModule

_Command = TypeVar("_Command", bound=Callable[..., Any])

SECONDS = 10.0


def classes_option(command: _Command) -> _Command:
    """Add the option to a command."""
    return click.option(
        "--classes", "class_seconds", type=click.FloatRange(min=0), metavar="SECONDS",
        help="Time per module, after its tests were written, for the states of its classes, the paths of "
             "their methods and their definition-use pairs, which --report shows; 0: none.  "
             f"[default: {SECONDS:g} with --report, else 0]",
    )(command)  # fmt: skip


def look_into_classes(
    modules: Iterable[TargetModule],
    results: Iterable[ModuleResult],
    seconds: float,
    *,
    seed: int,
    quiet: bool,
) -> None:
    """Look into the classes of modules, and add what is found to their results."""
    from tracetwin.run.studies.classes import studied

    for module, result in zip(modules, results, strict=True):
        if result.error or not any("." in function.qualname for function in result.functions):
            continue
        if not quiet:
            say(f"{module.name}: looking into its classes", stderr=True)
        try:
            found = studied(module, seconds, seed=seed)
        except KeyboardInterrupt:
            return
        result.classes = list(found.classes)
        if found.failure is not None:
            result.failures.append(found.failure)
            noted(found.failure)
