"""Shared parts of the commands: messages, refusals, exit statuses."""

from __future__ import annotations

import _thread
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from tracetwin.support.choices import ChoiceError, NamedChoices
from tracetwin.support.errors import BrokenTargetError

if TYPE_CHECKING:
    from tracetwin.cli.report.logged import Logged
    from tracetwin.run.listener import Listener
    from tracetwin.support.errors import TargetError
    from tracetwin.support.failures import Failure
    from tracetwin.support.log import Log
    from tracetwin.target.module import Resolution

NOTHING: Final = 1
"""Exit status when nothing could be generated; 0 is success, 2 is click's for wrong usage, and those of
errors that are not the target's are in `tracetwin.support.failures`."""

TOO_FEW: Final = 5
"""Exit status where less is covered, or noticed, than `--fail-under` asks for."""

TARGETS: Final = """\b
A TARGET is
  shop/cart.py              a file
  shop/                     a package folder: all modules in it but its tests
  shop.cart                 an importable module or package
  shop.cart:Cart.add        one function, method or class of a module
  shop-1.2-py3-none-any.whl a wheel, read where it lies
  shop-1.2-py3-none-any.whl:shop.cart   one module of a wheel
"""

_FOLDER: Final = click.Path(exists=True, file_okay=False, path_type=Path)

ROOT: Final = click.option(
    "--root", metavar="DIR", type=_FOLDER,
    help="Folder from which the targets are imported.  [default: derived from their paths]",
)  # fmt: skip

FIND_LINKS: Final = click.option(
    "--find-links", metavar="DIR", multiple=True, type=_FOLDER,
    help="Folder that holds wheels which a wheel needs; may be repeated.  [default: the folder of the wheel]",
)  # fmt: skip

SEED: Final = click.option("--seed", type=int, default=0, show_default=True, metavar="N",
                           help="Where the pseudo-random choices start.")  # fmt: skip

JSON: Final = click.option(
    "--json", "json_file", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True),
    help="Write the result for machines as well; - is standard output, instead of the table.",
)  # fmt: skip

NO_CONFIG: Final = click.option("--no-config", is_flag=True, help="Use no configuration.")

_AGAIN: Final = 0.02
"""Seconds after which a signal that came at a bad time is sent again."""

_LOG: Final = "tracetwin.support.log"
_FAILURES: Final = "tracetwin.support.failures"


_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)([smh]?)")
_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600}


class Duration(click.ParamType):  # type: ignore[type-arg]  # as below
    """A time such as 90, 90s, 30m or 2h; its value is in seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        found = _DURATION.fullmatch(str(value).strip())
        seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
        if not seconds:
            self.fail(f"{value!r} is no time; say 90s, 30m or 2h.", param, ctx)
        return seconds


class ChoiceByName(click.ParamType):  # type: ignore[type-arg]  # generic in later versions of click only
    """An option whose value names one of several things; those of other distributions are looked up late."""

    name = "choice"

    def __init__(self, choices: NamedChoices) -> None:
        self._choices = choices
        self.names = choices.names

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"[{'|'.join(self._choices.names())}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(value)
        if not self._choices.has(name):
            known = ", ".join(map(repr, self._choices.names()))
            self.fail(f"{name!r} is not one of {known}.", param, ctx)
        try:
            self._choices.load(name)
        except ChoiceError as error:
            self.fail(f"{error}.", param, ctx)
        return name


class ChoicesByName(ChoiceByName):
    """An option whose value names one or several things, with commas between them."""

    name = "choices"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "NAME,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        names = dict.fromkeys(part.strip() for part in str(value).split(","))
        return ",".join(super(ChoicesByName, self).convert(name, param, ctx) for name in names)


class NamedOption(click.Option):
    """An option whose help ends with the names that it takes, which are looked up when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        if record is None or not isinstance(self.type, ChoiceByName):
            return record
        return record[0], record[1].replace("NAMES", ", ".join(self.type.names()))


def verbosity_of(verbose: int, *, quiet: bool) -> int:
    """-1 for quiet, else how often `-v` was given."""
    if verbose and quiet:
        raise click.UsageError("-v and -q exclude each other")
    return -1 if quiet else verbose


def tell_problem(problem: TargetError) -> None:
    """Tell on standard error what is wrong with a target."""
    from tracetwin.support.text import clean_excerpt

    say(str(problem), error=True)
    for line in problem.excerpt:
        click.echo(clean_excerpt(line), err=True)
    if isinstance(problem, BrokenTargetError):
        noted(problem.failure, say_it=False)


def told(found: Resolution, *, quiet: bool) -> Resolution:
    """The modules of all targets, after telling on standard error what is wrong with the rest."""
    for problem in found.problems:
        tell_problem(problem)
    if not quiet:
        for note in found.notes:
            say(f"note: {note}", stderr=True)
    if not found.modules and not quiet:  # else the report names them
        from tracetwin.cli.report.table import describe_boundaries
        from tracetwin.target.kinds import AS_IT_IS

        told = {problem.target for problem in found.problems if problem.reason.endswith(AS_IT_IS)}
        for line in describe_boundaries(b for b in found.boundaries if b.target not in told):
            say(line, stderr=True)
    return found


def allowed(_context: click.Context, _option: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of `--allow`, refused where they are none."""
    from tracetwin.process.walls.permissions import Permissions

    try:
        return Permissions.parse(words).words
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


ALLOW: Final = click.option(
    "--allow", metavar="WHAT", multiple=True, callback=allowed,
    help="Let the code that is run do one more thing: write:PATH, read:PATH (a file, or a folder with all "
         "beneath it), net or subprocess; may be repeated.  [default: it writes a scratch folder only, and "
         "reads its project and Python's library only]",
)  # fmt: skip


def _begin_log(context: click.Context, _option: click.Parameter, file: str | None) -> None:
    """Open the log that is asked for, for the time of the command."""
    if file is None:
        return
    from tracetwin.support.log import Log

    try:
        log = Log(Path(file))
    except OSError as error:
        raise click.BadParameter(f"{file} can't be written: {error.strerror}") from None
    context.meta[_LOG] = log
    context.find_root().call_on_close(log.close)
    log.begin(sys.argv)


LOG: Final = click.option(
    "--log", metavar="FILE", type=click.Path(dir_okay=False), callback=_begin_log, expose_value=False,
    help="Write what happens, versions, and all that is known of errors of tracetwin itself to this file.",
)  # fmt: skip


def current_log() -> Log | None:
    """The log of the command that runs, None where none was asked for."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_LOG)


def failures() -> list[Failure]:
    """The errors of the running command that are not the target's; they decide its exit status."""
    found: list[Failure] = click.get_current_context().meta.setdefault(_FAILURES, [])
    return found


def noted(failure: Failure, *, say_it: bool = True) -> str:
    """Tell of such an error, and have it in the log with all that is known; its sentence."""
    if say_it:
        say(failure.sentence, error=True)
    if log := current_log():
        log.failure(failure)
    failures().append(failure)
    return failure.sentence


def advise() -> int:
    """Say what to do about such errors; the exit status that they ask for, 0 without any."""
    from tracetwin.support.failures import worst
    from tracetwin.support.text import count

    ours = [failure for failure in failures() if failure.internal]
    if ours:
        log = current_log()
        told = f"with {log.path}" if log else "with the file that --log FILE writes"
        errors = "1 error is" if len(ours) == 1 else f"{count(len(ours), 'error')} are"
        say(f"{errors} tracetwin's own: please report it, {told}", error=True)
    return worst(failures())


def said(sentence: str) -> str:
    """Tell of an error of the user or the target."""
    say(sentence, error=True)
    return sentence


def logged(listener: Listener) -> Logged:
    """A listener that remembers what happened, and writes the log as well where one was asked for."""
    from tracetwin.cli.report.logged import Logged

    return Logged(listener, current_log())


def check_json(file: str | None) -> None:
    """Refuse a file in a folder that is not there."""
    if file not in (None, "-") and not Path(str(file)).absolute().parent.is_dir():
        raise click.UsageError(f"--json: {Path(str(file)).parent} is not a folder")


def write_file(file: str, text: str) -> None:
    """Write a result for machines; where that can't be done, what was found is shown all the same."""
    from tracetwin.support.atomic_files import write_text
    from tracetwin.support.failures import failure_of

    try:
        write_text(file, text)
    except OSError as error:
        noted(failure_of(error, f"writing {file}"))


@contextmanager
def interruptible() -> Iterator[list[int]]:
    """Turn SIGINT and SIGTERM into one `KeyboardInterrupt`, and remember which it was.

    Whoever generates catches it, writes what was found and returns. Until that is done, a further signal of
    the same kind is let pass once more, for users who really want out. A signal that comes while a finalizer
    or a callback of a library runs, where Python drops all exceptions, is sent again.
    """
    received: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    hook = sys.unraisablehook

    def dropped(unraisable: sys.UnraisableHookArgs) -> None:
        import threading

        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            hook(unraisable)
        elif received:  # from another thread, since here it would be dropped once more
            threading.Timer(_AGAIN, _thread.interrupt_main, (received.pop(),)).start()

    sys.unraisablehook = dropped
    try:
        yield received
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def say(text: str, *, error: bool = False, stderr: bool = False) -> None:
    """One line, without anything that could steer the terminal."""
    from tracetwin.support.text import clean

    line = f"{'error: ' if error else ''}{clean(text, 1000)}"
    if log := current_log():
        log.note(line)
    click.echo(line, err=error or stderr)


def make_folder(folder: Path) -> bool:
    """Make sure of the folder before any work is done; whether it is new."""
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{folder} can't be made: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise click.UsageError(f"{folder} can't be written to")
    return new
