"""`pytest --twin NAME`: the tests run as ever, and what they import of NAME are twins.

pytest loads this in every session; whatever costs time is imported when there is a name.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING, Any

import pytest

from tracetwin.support.data import dataclass
from tracetwin.support.errors import TargetError

if TYPE_CHECKING:
    from instrumenter.hook import Handle

_OUTPUT = "tracetwin"
"""Under this key a worker process of pytest-xdist hands over what it has seen."""
_NAMED_AT_MOST = 8


@dataclass
class Seen:
    """The fate of the named modules, in this process and in pytest-xdist's workers."""

    handle: Handle
    names: list[str]
    twins: set[str] = field(default_factory=set)
    untouched: dict[str, str] = field(default_factory=dict)
    early: set[str] = field(default_factory=set)

    def add(self, other: dict[str, Any]) -> None:
        """Add the result of another process, given as `to_plain` returns it."""
        self.twins.update(other["twins"])
        self.untouched.update(other["untouched"])
        self.early.update(other["early"])

    def to_plain(self) -> dict[str, Any]:
        """This process's own part, of types that can be sent."""
        untouched = self.handle.untouched
        return {
            "twins": sorted({*self.handle.twins, *self.handle.shared} - set(untouched)),
            "untouched": untouched,
            "early": list(self.handle.early),
        }


_SEEN = pytest.StashKey[Seen]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer `--twin`, and `twin` in the configuration file."""
    parser.getgroup("tracetwin").addoption(
        "--twin",
        action="append",
        metavar="NAME",
        help="import NAME, a module or a package with all beneath it, as tracetwin's twin; may be repeated",
    )
    parser.addini("twin", "modules and packages that are imported as tracetwin's twins", type="args")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Install the hook before any conftest.py can import what is to be a twin."""
    _install(early_config)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Install the hook, if this plugin came too late for the first opportunity."""
    _install(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the hook."""
    if _SEEN in config.stash:
        config.stash[_SEEN].handle.uninstall()


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what is twinned, and what could not be any more."""
    if _SEEN not in config.stash:
        return []
    seen = config.stash[_SEEN]
    return [f"twins: {', '.join(seen.names)}", *_too_early(seen.handle.early)]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a worker process of pytest-xdist, hand over what was seen."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None and _SEEN in session.config.stash:
        output[_OUTPUT] = session.config.stash[_SEEN].to_plain()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker process of pytest-xdist has seen."""
    if _OUTPUT in getattr(node, "workeroutput", {}):
        node.config.stash[_SEEN].add(node.workeroutput[_OUTPUT])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the twins that were loaded, and what is none."""
    if _SEEN not in config.stash:
        return
    seen = config.stash[_SEEN]
    seen.add(seen.to_plain())
    terminalreporter.section("twins")
    for line in _summary(seen):
        terminalreporter.write_line(line)


def _install(config: pytest.Config) -> None:
    names = [*config.getini("twin"), *(config.known_args_namespace.twin or ())]
    if not names or _SEEN in config.stash:
        return
    import tracetwin
    from tracetwin.support import own_modules

    early: type[Warning] = own_modules.load("instrumenter.hook").AlreadyImportedWarning
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", early)  # header and summary say it
        try:
            handle = tracetwin.install(names)
        except TargetError as error:
            raise pytest.UsageError(f"--twin {error}") from error
    config.stash[_SEEN] = Seen(handle, names)


def _summary(seen: Seen) -> Iterable[str]:
    if seen.twins:
        yield f"{len(seen.twins)} loaded: {', '.join(sorted(seen.twins))}"
    yield from _left(seen.untouched)
    yield from _too_early(seen.early)
    known = {*seen.twins, *seen.untouched, *seen.early}
    for name in seen.names:
        if not seen.handle.finder.patterns.matched_by(name, known):
            yield f"no module was imported for {name}"


def _left(untouched: dict[str, str]) -> Iterable[str]:
    """One line for each reason: a package may hold hundreds of modules that pytest itself loads."""
    reasons = defaultdict(list)
    for name, reason in sorted(untouched.items()):
        reasons[reason].append(name)
    for reason, names in reasons.items():
        if len(names) == 1:
            yield f"left as it is: {names[0]}, {reason}"
        else:
            more = f" and {len(names) - _NAMED_AT_MOST} more" if len(names) > _NAMED_AT_MOST else ""
            yield f"left as they are, {reason}: {', '.join(names[:_NAMED_AT_MOST])}{more}"


def _too_early(names: Iterable[str]) -> list[str]:
    listed = ", ".join(sorted(names))
    return [f"imported before pytest came to --twin, so not traced: {listed}"] if listed else []
