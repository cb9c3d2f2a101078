"""The command line: reads what the user wants, calls the parts, and turns results into an exit status.

Everything heavy is imported by the command that needs it, so that `--help` and mistakes answer at once.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click
from click.core import ParameterSource

from tracetwin.cli.changes import (
    CLASS_SECONDS,
    change_options,
    classes_option,
    form_options,
    look_into_classes,
    only_changed,
)
from tracetwin.cli.environment import PYTHON, find_targets
from tracetwin.cli.explore import explore
from tracetwin.cli.guarded import Guarded
from tracetwin.cli.instrument import instrument
from tracetwin.cli.mutants import mutants
from tracetwin.cli.pages import ReportPlace, report, show, write_pages
from tracetwin.cli.status import status_of, wanted_scores
from tracetwin.cli.summary import summary
from tracetwin.cli.tools import (
    ALLOW,
    FIND_LINKS,
    JSON,
    LOG,
    NO_CONFIG,
    NOTHING,
    ROOT,
    SEED,
    TARGETS,
    ChoiceByName,
    ChoicesByName,
    Duration,
    NamedOption,
    check_json,
    failures,
    interruptible,
    logged,
    make_folder,
    noted,
    said,
    say,
    verbosity_of,
    write_file,
)
from tracetwin.cli.tree import tree
from tracetwin.cli.watch import watch
from tracetwin.model.options import CRITERIA, NET_SECONDS, STYLES, USUAL_CRITERIA, MockStyle, Options
from tracetwin.support import own_modules
from tracetwin.support.collecting import rest
from tracetwin.support.errors import ConfigError, TargetError, UnsupportedError
from tracetwin.support.failures import failure_of
from tracetwin.support.version import __version__

if TYPE_CHECKING:
    from tracetwin.model.timeline import LogEntry
    from tracetwin.run.results.module_result import ModuleResult
    from tracetwin.target.module import Resolution, TargetModule


class Noted(NamedTuple):
    """The errors that ended a run early, and all that was noted while it went on."""

    errors: Sequence[str]
    log: Sequence[LogEntry]


NOTHING_NOTED: Final = Noted((), ())

SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

@click.group(cls=Guarded, context_settings=SETTINGS, epilog="""\b
Try it, in the folder that your modules are imported from:
  tracetwin generate shop/cart.py -o tests/
  python -m unittest discover -s tests

"tracetwin COMMAND --help" explains each command.
""")
@click.version_option(__version__, prog_name="tracetwin")
def main() -> None:
    """Write unit tests for Python modules.

    tracetwin runs a traced twin of your module, sees which conditions an input met, solves for inputs that
    take the other branches, and keeps the few that reach everything. What the tests expect is what your
    original module does.
    """
    # With `-m` the current folder, and always `PYTHONPATH`, comes before us on `sys.path`.
    own_modules.import_first()
    sys.dont_write_bytecode = False  # no target is imported here; ours is kept as in workers


@main.command(epilog=f"""{TARGETS}
\b
Examples:
  tracetwin generate shop/cart.py -o tests/
  tracetwin generate shop.cart:Cart.add -o tests/ --time-limit 10
  tracetwin generate shop/ -o tests/ --style pytest -j 4
  tracetwin generate src/shop --root src -o tests/ --json result.json
  tracetwin generate shop/cart.py -o tests/ --criterion branch,mutation --fail-under branch=90
  tracetwin generate shop.cart -o tests/ --max-runs 2000 --seed 7    (the same tests each time)
  tracetwin generate shop/ -o generated/ --learn-from "pytest -q tests"

\b
A [tool.tracetwin] table in the pyproject.toml above the targets or the current folder tells what
may be called, who makes objects and what must hold of arguments. It may set options as well:
  [tool.tracetwin]
  forbid = ["shop.db:Conn.drop_*"]
  time-limit = 30

\b
Exit status: 0 tests were written; 1 nothing could be generated; 2 wrong usage; 3 an error of
tracetwin itself, 4 the system refused something, such as to write a file: both whatever else
was written; 5 less is covered than --fail-under asks for; 6 tests of before no longer hold and
were kept; 7 tests were written, but nothing could be generated for some of the modules;
130 interrupted (what was found until then is written).
""")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("-o", "--output", metavar="DIR",
              type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the test files, one test_<module>.py per module.  "
                   "[required, here or in the configuration]")
@click.option("--criterion", cls=NamedOption, type=ChoicesByName(CRITERIA), default=USUAL_CRITERIA,
              show_default=True, help="What the tests should cover, several with commas between them: NAMES.")
@click.option("--fail-under", metavar="PERCENT",
              help="End with status 5 where less of the feasible goals is covered, such as 90 (of the first "
                   "criterion) or branch=90,mutation=80.")
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              default=60.0, show_default=f"60; {NET_SECONDS:g} with --max-runs; all of it with --budget",
              help="Wall-clock time per module; the command may take a tenth more.")
@click.option("--budget", type=Duration(), metavar="TIME",
              help="Time for all modules together, such as 90s, 30m or 2h, spent where new goals are found. "
                   "--time-limit, where it is given, is the most for one module.  [default: none]")
@click.option("--max-runs", type=click.IntRange(min=1), metavar="N",
              help="Executions per module, shared out equally among its functions, in rounds; unlike time, "
                   "the same limit on every machine.")
@SEED
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N",
              help="Processes that work at the same time.  [default: all cores]")
@click.option("--cluster", metavar="ADDRESS",
              help="Have the workers of this dask scheduler do it, such as tcp://host:8786; local:N starts N "
                   "of them here. Needs tracetwin[cluster].  [default: none]")
@click.option("--style", type=ChoiceByName(STYLES), default=STYLES.default,
              show_default=True, help="Flavour of the tests.")
@click.option("--mock", type=click.Choice([s.value for s in MockStyle]), default=MockStyle.AUTO.value,
              show_default=True,
              help="How mocks are written: as create_autospec(I) of unittest.mock, as a small class in the "
                   "test file, or, automatically, as whichever says it better. Several interfaces in one "
                   "object, results that depend on arguments, changed arguments, inherited code and methods "
                   "such as __next__ always take a class.")
@form_options
@click.option("--patch", metavar="NAME", multiple=True,
              help="Patch this function in the tests, with solved results, instead of really calling it, "
                   "such as shop.fetch; may be repeated. The clock, random numbers, os.environ, input(), "
                   "files that are opened, connections (socket, urllib, requests, ...) and programs "
                   "(subprocess) are patched anyway.")
@click.option("--no-patch", metavar="NAME", multiple=True,
              help="Really call this function, such as time.time, all of a module or of time, random, "
                   "datetime.now, os.environ, open, input, system, net and subprocess, or all; repeatable.")
@ALLOW
@click.option("--private/--no-private", default=None,
              help="Call and store _private functions, methods and attributes like others, or never call "
                   "them.  [default: call functions some of whose branches others don't reach]")
@click.option("--max-length", type=click.IntRange(min=1), metavar="N",
              help="Calls in a sequence, the constructor's not counted.  [default: what the budget allows]")
@click.option("--learn-from", metavar="COMMAND",
              help='Run your own tests once, such as "pytest -q", and learn from them: the types that they '
                   "pass come first where there is no annotation, their arguments are the first inputs.")
@click.option("--learn-limit", type=click.FloatRange(min=0, min_open=True), default=300.0, show_default=True,
              metavar="SECONDS", help="Time that COMMAND may take; what it has shown by then is used.")
@click.option("--resume", is_flag=True,
              help="Go on with a run that was killed or interrupted: what it has found is not searched for "
                   "again. Give the same targets, output folder and options; time limit and -j may differ.")
@PYTHON
@click.option("--complement", metavar="DIR", multiple=True, type=click.Path(exists=True, path_type=Path),
              help="Your own tests, a folder or a file, for unittest or pytest; may be repeated. They run "
                   "once, and new tests are written only for what they don't cover, raise or notice.")
@change_options
@click.option("--journal/--no-journal", default=True, show_default=True,
              help="Write down what is found as it is found, in the user's cache, for --resume.")
@click.option("--config", "config_file", metavar="FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="File with the table [tool.tracetwin].  "
                   "[default: pyproject.toml above the targets or the current folder]")
@NO_CONFIG
@ROOT
@FIND_LINKS
@JSON
@click.option("--report", "reports", metavar="PLACE", multiple=True, type=ReportPlace(),
              help="Write pages to look at as well: into a folder, or all into one file that ends in .html; "
                   "a file that ends in .xml gets Cobertura's XML, junit.xml JUnit's, .coverage contexts of "
                   "coverage.py; may be repeated.")
@classes_option
@click.option("--absolute-paths", is_flag=True,
              help="Show names of files on these pages as they are on this machine.")
@LOG
@click.option("-v", "--verbose", count=True, help="Show runs, solver queries, divergences and notes as well.")
@click.option("-q", "--quiet", is_flag=True, help="Show errors only.")
def generate(
    targets: tuple[str, ...], root: Path | None, find_links: tuple[Path, ...], json_file: str | None,
    verbose: int, *, quiet: bool, config_file: Path | None, no_config: bool, fail_under: str | None,
    reports: tuple[Path, ...], absolute_paths: bool, changed_since: str | None, python: str | None,
    class_seconds: float | None, **_options: Any,
) -> None:
    """Write tests for each TARGET into a folder."""
    verbosity = verbosity_of(verbose, quiet=quiet)
    if config_file and no_config:
        raise click.UsageError("--config and --no-config exclude each other")
    check_json(json_file)
    found = find_targets(targets, root, python, find_links, quiet=quiet or json_file == "-")
    only_changed(found, changed_since, quiet=quiet or json_file == "-")
    if not found.modules:
        _show([], found, json_file, verbosity)
        sys.exit(0 if changed_since is not None else NOTHING)
    options = _configured(found, config_file, wanted=not no_config, quiet=quiet)
    options = replace(options, trees=bool(reports) or json_file is not None)
    wanted = wanted_scores(fail_under, options)
    created = make_folder(options.output)
    results, status, noted_then = _run(found.modules, options, verbosity)
    if created and not any(options.output.iterdir()):
        options.output.rmdir()
    seconds = (CLASS_SECONDS if reports else 0) if class_seconds is None else class_seconds
    if seconds and not status:
        silent = quiet or json_file == "-"
        look_into_classes(found.modules, results, seconds, seed=options.seed, quiet=silent)
    failures().extend(failure for module in results for failure in module.failures)
    _show(results, found, json_file, verbosity, noted_then)
    if reports:
        _report(results, reports, noted_then, absolute_paths=absolute_paths)
    sys.exit(status or status_of(results, found, options, wanted))


main.add_command(explore)
main.add_command(instrument)
main.add_command(mutants)
main.add_command(report)
main.add_command(show)
main.add_command(summary)
main.add_command(tree)
main.add_command(watch)


@main.command(context_settings={"allow_interspersed_args": False}, epilog="""\b
Examples:
  tracetwin run shop/report.py 2026               the script as a twin
  tracetwin run -m shop 2026                      what "python -m shop 2026" runs, all of shop as twins
  tracetwin run --twin shop -m unittest discover  the tests of shop, on twins
  tracetwin run --twin shop -m coverage run -m unittest
""")
@click.option("--twin", "names", multiple=True, metavar="NAME",
              help="A module, or a package with all beneath it, that is imported as twin; may be repeated.  "
                   "[default: what is run]")
@click.option("-m", "module", is_flag=True, help="PROGRAM is the name of a module, as for python -m.")
@click.argument("program", metavar="PROGRAM")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENTS]...")
def run(names: tuple[str, ...], program: str, arguments: tuple[str, ...], *, module: bool) -> None:
    """Run a PROGRAM, a file, a folder or zip file with a __main__.py, or with -m a module, on twins.

    It behaves as without tracetwin, but slower. So it tells whether your code, and what your own tests expect
    of it, stays the same on twins.
    """
    from tracetwin.cli.twin_program import command_line

    if not module and not Path(program).exists():
        raise click.UsageError(f"there is no file {program}; for a module, say -m {program}")
    # An interpreter of its own: what the command line has imported would not become twins any more.
    command = command_line(names, program, arguments, module=module)
    os.execv(command[0], command)  # noqa: S606 - no shell is wanted


def _configured(found: Resolution, file: Path | None, *, wanted: bool, quiet: bool) -> Options:
    """The options of the command line and of the configuration, whose rules the modules get."""
    from tracetwin.config.settle import configuration, guided, settled, warnings

    try:
        config = configuration(file, found.modules, wanted=wanted)
        given = _given()
        if not quiet:
            for sentence in warnings(config, given):
                say(f"warning: {sentence}", stderr=True)
        if not {"output"} & {*given, *config.options}:
            raise click.MissingParameter(param_hint="'-o' / '--output'", param_type="option")
        options = settled(config, given)
        found.modules = guided(found.modules, config, options)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error
    return options


def _given() -> dict[str, Any]:
    """The fields of `Options` that stand on the command line."""
    context = click.get_current_context()
    kinds: dict[str, type] = {"mock": MockStyle}
    names = {field.name for field in fields(Options)} & context.params.keys()
    return {
        name: kinds[name](context.params[name]) if name in kinds else context.params[name]
        for name in sorted(names)
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }


def _run(
    modules: list[TargetModule], options: Options, verbosity: int
) -> tuple[list[ModuleResult], int, Noted]:
    """Generate; with the exit status of an interruption, else 0, and what was said and noted."""
    from tracetwin.cli.report.display import open_display

    results: list[ModuleResult] = []
    errors: list[str] = []
    entries: list[LogEntry] = []
    with interruptible() as interruption:
        try:
            with rest():
                from tracetwin.run.scheduler.scheduler import generate as generate_tests

            with open_display(
                sys.stderr, modules=len(modules), time_limit=options.time_limit, verbosity=verbosity
            ) as display:
                listener = logged(display)
                entries = listener.entries
                results = generate_tests(modules, options, listener)
        except KeyboardInterrupt:
            errors.append(said("interrupted before anything was found"))
        except (TargetError, ConfigError, UnsupportedError) as error:
            errors.append(said(str(error)))
        except Exception as error:  # noqa: BLE001 - what is there is still shown
            errors.append(noted(failure_of(error, "generating tests")))
    return results, 128 + interruption[0] if interruption else 0, Noted(errors, entries)


def _report(
    results: Iterable[ModuleResult], places: Iterable[Path], noted_then: Noted, *, absolute_paths: bool
) -> None:
    from tracetwin.run.results.module_result import to_json

    try:
        write_pages(to_json(results, log=noted_then.log), places, absolute_paths=absolute_paths)
    except OSError as error:
        # the place is the user's: that it is not there is no mistake of ours
        told = failure_of(error, f"writing {error.filename or 'a report'}")
        noted(replace(told, message=error.strerror or told.message, internal=False))


def _show(
    results: Iterable[ModuleResult], found: Resolution, json_file: str | None, verbosity: int,
    noted_then: Noted = NOTHING_NOTED,
) -> None:
    from tracetwin.cli.report.table import render
    from tracetwin.run.results.module_result import to_json

    modules = list(results)
    if json_file is not None:
        errors = [*map(str, found.problems), *noted_then.errors]
        data = to_json(modules, found.boundaries, errors=errors, notes=found.notes, log=noted_then.log)
        text = json.dumps(data) + "\n"  # with indentation it takes ten times as long
        if json_file == "-":
            click.echo(text, nl=False)
            return
        write_file(json_file, text)
    if verbosity >= 0 and modules:
        unusable, verbose = len(found.problems), verbosity > 0
        click.echo("\n".join(render(modules, found.boundaries, verbose=verbose, unusable=unusable)))
