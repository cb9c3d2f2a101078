"""Options of `tracetwin generate` for what is written, classes and changes, and what it says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tracetwin.cli.tools import noted, say
from tracetwin.model.options import ASSERTIONS, DATA, GROUPS, MISUSES, SUSPICIONS
from tracetwin.support.errors import TargetError

if TYPE_CHECKING:
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.target.module import Resolution, TargetModule

_Command = TypeVar("_Command", bound=Callable[..., Any])

CLASS_SECONDS: Final = 10.0


def classes_option(command: _Command) -> _Command:
    """Add the option to a command."""
    return click.option(
        "--classes", "class_seconds", type=click.FloatRange(min=0), metavar="SECONDS",
        help="Time per module, after its tests were written, for the states of its classes, the paths of "
             "their methods and their definition-use pairs, which --report shows; 0: none.  "
             f"[default: {CLASS_SECONDS:g} with --report, else 0]",
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


_F = TypeVar("_F", bound=Callable[..., Any])


def form_options(command: _F) -> _F:
    """Return a command with the options for what is written."""
    options = (
        click.option("--suspicious", type=click.Choice(SUSPICIONS), default=SUSPICIONS[0], show_default=True,
                     help="Where tests go that pin what looks like a fault, such as an error that no "
                          "statement raises: into test_<module>_suspicious.py, among the others, nowhere."),
        click.option("--misuse", type=click.Choice(MISUSES), default=MISUSES[0], show_default=True,
                     help="What becomes of tests that only show that a value of a guessed type is refused, "
                          "by a TypeError or AttributeError which the code neither raises, catches nor "
                          "documents."),
        click.option("--data", type=click.Choice(DATA), default=DATA[0], show_default=True,
                     help="Which values are written where several lead the same way: the shortest, or such "
                          "as a caller might pass, by the names of parameters and their types."),
        click.option("--assertions", type=click.Choice(ASSERTIONS), default=ASSERTIONS[0], show_default=True,
                     help="Which assertions a test gets: the fewest with which it notices every mutant that "
                          "it could, and what a reader looks for first, or all that are worth one."),
        click.option("--group", type=click.Choice(GROUPS), default=GROUPS[0], show_default=True,
                     help="Whether tests of one function that differ in values only become rows of one "
                          "test: auto where there are at least three, each on a line; never."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


CHANGED: Final = 6
"""The exit status where tests of an earlier suite no longer hold."""

MOST_SHOWN: Final = 20



def change_options(command: _F) -> _F:
    """Return a command with the options for a project that was generated before."""
    options = (
        click.option("--again", is_flag=True,
                     help="Explore all modules, also those of which nothing has changed since the last run."),
        click.option("--accept", is_flag=True,
                     help="Replace tests that no longer hold: what changed is meant. Without it they are "
                          "kept, the new ones go beside them, and the exit status is 6."),
        click.option("--changed-since", metavar="REVISION",
                     help="Only modules that differ from this revision of git, and those that import them."),
        click.option("--store", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
                     help="Folder for the results of earlier runs, such as one that CI keeps.  "
                          "[default: in the user's cache]"),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def only_changed(found: Resolution, revision: str | None, *, quiet: bool) -> None:
    """Leave the modules out that a change can't affect; says how many are left."""
    if revision is None:
        return
    from tracetwin.target.changed import affected

    every = len(found.modules)
    try:
        found.modules = affected(found.modules, revision)
    except TargetError as error:
        raise click.UsageError(str(error)) from None
    if not quiet:
        say(f"{len(found.modules)} of {every} modules can be affected since {revision}", stderr=True)


def tell_regressions(results: Iterable[ModuleResult], *, accepted: bool) -> int:
    """Name the tests that no longer hold; return the exit status, 0 where there is none."""
    status = 0
    for module in results:
        count = len(module.regressions)
        if not count:
            continue
        words = "replaced" if accepted else f"kept; --accept replaces {'it' if count == 1 else 'them'}"
        tests = "1 test of before no longer holds"
        tests = tests if count == 1 else f"{count} tests of before no longer hold"
        say(f"{module.name}: {tests}, {words}:", stderr=True)
        for test, why in module.regressions[:MOST_SHOWN]:
            say(f"  {test}: {why}" if test else f"  {why}", stderr=True)
        if count > MOST_SHOWN:
            say(f"  and {count - MOST_SHOWN} more", stderr=True)
        status = 0 if accepted else CHANGED
    return status
