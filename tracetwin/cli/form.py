"""Options of `tracetwin generate` for what is written: which tests, and what they assert."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tracetwin.model.options import ASSERTIONS, DATA, GROUPS, MISUSES, SUSPICIONS

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
