"""Sentences about a test run that something was to be learned from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tracetwin.run.learning.command import Ended
from tracetwin.run.learning.recording import Recording

_NO_TEST: Final = re.compile(r"\bno tests ran\b|\bRan 0 tests\b|\bcollected 0 items\b|\bNO TESTS RAN\b")
_OF_PYTEST: Final = 5
"""Exit status of pytest, and from 3.12 on of unittest, when there was no test."""


def sentences(
    text: str, ended: Ended, found: Recording, names: Sequence[str], limit: float
) -> Iterator[str]:
    """How the run ended, and what was learned.

    Args:
        text: the command.
        ended: how it ended.
        found: what was recorded.
        names: the modules in question.
        limit: the seconds that it might take.
    """
    learned = _learned(found)
    if found.calls or found.functions:
        yield f"learned from {text}: {learned}"
    if ended.status is None:
        rest = "what it had shown until then is used" if found.functions else "nothing was learned"
        yield f"warning: {text} was stopped after {limit:g} seconds; {rest}; --learn-limit gives it longer"
    elif _ran_no_test(ended):
        yield f"warning: {text} ran no test, so nothing was learned; name the tests as you run them yourself"
        return
    elif ended.status:
        rest = "what it has shown is used all the same" if found.functions else "nothing was learned"
        last = f" ({ended.output[-1]:.120})" if ended.output else ""
        yield f"warning: {text} ended with exit status {ended.status}{last}; {rest}"
    if not found.functions and not (ended.status or ended.status is None):
        yield f"warning: {text} {_why_nothing(found, names)}; nothing was learned"
    if found.troubles:
        yield f"warning: the recorder gave up in a process of {text}: {found.troubles[0]:.200}"


def _learned(found: Recording) -> str:
    calls = f"{found.calls} distinct call{'s' * (found.calls != 1)}"
    return f"{calls} of {found.functions} function{'s' * (found.functions != 1)}"


def _ran_no_test(ended: Ended) -> bool:
    """Return whether a run says of itself that it had nothing to run."""
    return ended.status == _OF_PYTEST or any(_NO_TEST.search(line) for line in ended.output)


def _why_nothing(found: Recording, names: Sequence[str]) -> str:
    if not found.processes:
        return (
            "started no Python in which calls could be recorded: one with -I, -E or -S, or one that gets an"
            " environment of its own, as tox makes it, is out of reach"
        )
    shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    return f"called nothing that {shown} define{'s' * (len(names) == 1)}"
