"""The exit status of `tracetwin generate`, from its results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click

from tracetwin.cli.changes import tell_regressions
from tracetwin.cli.tools import NOTHING, TOO_FEW, say

if TYPE_CHECKING:
    from tracetwin.model.options import Options
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.target.module import Resolution

SOME_FAILED: Final = 7
"""Exit status when tests were written, but nothing could be generated for some of the modules."""


def wanted_scores(text: str | None, options: Options) -> dict[str, float]:
    """Return the percents that `--fail-under` asks for, by criterion.

    Raises:
        click.UsageError: it can't be understood.
    """
    from tracetwin.cli.report.scores import thresholds

    try:
        return thresholds(text, options.criteria) if text else {}
    except ValueError as error:
        raise click.UsageError(f"--fail-under: {error}") from None


def status_of(
    results: Sequence[ModuleResult], found: Resolution, options: Options, wanted: Mapping[str, float]
) -> int:
    """Return the exit status of a run that was not interrupted, and tell what decides it."""
    if not any(module.test_file or module.theirs for module in results):
        return NOTHING
    status = tell_regressions(results, accepted=options.accept)
    failed = bool(found.problems) or any(module.error and not module.empty for module in results)
    return status or (SOME_FAILED if failed else _threshold_status(results, wanted))


def _threshold_status(results: Iterable[ModuleResult], wanted: Mapping[str, float]) -> int:
    """Tell where less is covered than the user wants; the exit status."""
    from tracetwin.cli.report.scores import missed, scores

    found = scores(goal for module in results for goal in module.goals)
    sentences = list(missed(found, wanted))
    for sentence in sentences:
        say(sentence, error=True)
    return TOO_FEW if sentences else 0
