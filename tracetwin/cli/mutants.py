"""The command `tracetwin mutants`: judges existing tests by the faults that they would notice."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tracetwin.cli.environment import PYTHON, find_targets
from tracetwin.cli.tools import JSON, NOTHING, ROOT, TOO_FEW, check_json, interruptible, say, write_file
from tracetwin.model.mutant import MutantFate
from tracetwin.model.options import available_cores

if TYPE_CHECKING:
    from tracetwin.mutation.suites import Judgement

MOST_SHOWN: Final = 20


@click.command(epilog="""\b
Examples:
  tracetwin mutants shop/cart.py --tests tests/
  tracetwin mutants shop.cart --tests tests/test_cart.py --fail-under 80
  tracetwin mutants shop/ --tests tests/ --most 200 --json mutants.json
Exit status: 0 done, 1 nothing could be judged, 5 the score is below --fail-under.
""")
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True)
@click.option(
    "--tests", "places", metavar="PATH", multiple=True, required=True,
    type=click.Path(exists=True, path_type=Path),
    help="A file of tests, or a folder with test_*.py or *_test.py in it; may be repeated.",
)  # fmt: skip
@ROOT
@click.option("--most", type=click.IntRange(min=1), metavar="N",
              help="Try N mutants of each module, spread evenly over it.  [default: all]")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N",
              help="Mutants tried at the same time.  [default: as many as there are processors]")  # fmt: skip
@PYTHON
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT",
              help="End with status 5 where fewer of the mutants are noticed.")  # fmt: skip
@JSON
@click.option("-v", "--verbose", is_flag=True, help="List all mutants that no test notices.")
def mutants(
    targets: tuple[str, ...],
    places: tuple[Path, ...],
    root: Path | None,
    most: int | None,
    jobs: int | None,
    python: str | None,
    fail_under: float | None,
    json_file: str | None,
    *,
    verbose: bool,
) -> None:
    """Judge your own tests: which small changes of a module do they notice?

    Every module gets a few hundred mutants: `<` becomes `<=`, a constant one more, a statement is left out.
    A test that fails on a mutant notices it. All mutants are in one program, which is imported once; each
    runs in a fork of its own, with the tests that reach it only. The interpreter of
    the project runs the tests, by pytest where it is installed there.
    """
    from tracetwin.mutation.readers import test_files
    from tracetwin.mutation.suites import judge_suite

    check_json(json_file)
    files = list(test_files(places))
    if not files:
        say(f"there is no test_*.py or *_test.py in {', '.join(map(str, places))}", error=True)
        raise SystemExit(NOTHING)
    quiet = json_file == "-"
    found = find_targets(targets, root, python, quiet=quiet)
    judged: list[Judgement] = []
    with interruptible():
        for module in found.modules:
            with _Progress(module.name) as progress:
                judged.append(
                    judge_suite(
                        module, files, jobs=jobs or available_cores(), most=most, progress=progress.note
                    )
                )
    for one in judged:
        if not quiet:
            _show(one, most=None if verbose else MOST_SHOWN)
        elif one.problem:
            say(f"{one.module}: {one.problem}", error=True)
    if json_file is not None:
        write_file(json_file, json.dumps({"modules": [one.to_plain() for one in judged]}, indent=1))
    if not any(one.fates for one in judged):
        raise SystemExit(NOTHING)
    if fail_under is not None and _score(judged) < fail_under:
        say(f"{_score(judged):.1f} % of the mutants are noticed, not {fail_under:g} %", error=True)
        raise SystemExit(TOO_FEW)


def _score(judged: Sequence[Judgement]) -> float:
    every = sum(len(one.fates) for one in judged)
    return 100.0 * sum(one.count(MutantFate.KILLED) for one in judged) / every if every else 100.0


def _show(one: Judgement, most: int | None) -> None:
    """Print the table of one module."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if one.problem:
        say(f"{one.module}: {one.problem}", error=True)
    for test, why in one.failing:
        say(f"note: {test} fails on the original and is left out: {why}")
    if not one.fates:
        return
    by_function: dict[str, Counter[MutantFate]] = {}
    for mutant, fate, _ in one.fates:
        by_function.setdefault(mutant.function, Counter())[fate] += 1
    table = Table(title=f"Mutants of {one.module}", title_justify="left", box=None, pad_edge=False)
    table.add_column("function")
    for heading in ("mutants", "noticed", "not noticed", "not reached", "score"):
        table.add_column(heading, justify="right")
    for function, counts in by_function.items():
        table.add_row(Text(function), *_row(counts))
    table.add_row("whole module", *_row(Counter(fate for _, fate, _ in one.fates)), end_section=True)
    console.print(table)
    survived = [mutant for mutant, fate, _ in one.fates if fate is MutantFate.SURVIVED]
    for mutant in survived[:most]:
        console.print(Text(f"  not noticed: {mutant.name} ({mutant.function})"))
    if most is not None and len(survived) > most:
        console.print(f"  and {len(survived) - most} more; -v lists all")


def _row(counts: Counter[MutantFate]) -> list[str]:
    every = counts.total()
    figures = [counts[fate] for fate in (MutantFate.KILLED, MutantFate.SURVIVED, MutantFate.UNREACHED)]
    return [str(every), *map(str, figures), f"{100 * figures[0] / every:.0f} %"]


class _Progress:
    """A bar on standard error, where that is a terminal."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> _Progress:  # noqa: PYI034 - `Self` came with Python 3.11
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
        self._bar.start()
        self._task = self._bar.add_task(f"mutants of {self._name}", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def note(self, done: int, every: int) -> None:
        self._bar.update(self._task, completed=done, total=every)
