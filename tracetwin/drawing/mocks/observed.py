"""Uses of a member's results where nobody annotated it, as evidence for their type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tracetwin.analysis.evidence import hints
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.library_types import result_of
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.sources import Source
from tracetwin.drawing.typing.followed import RESULT, first_parameter, users
from tracetwin.drawing.typing.guesses import Guess
from tracetwin.drawing.typing.ranking import Ranking


def guesses(
    source: Source,
    names: Mapping[str, Any],
    name: str,
    *,
    is_called: bool = True,
    is_function: bool = False,
    stub: tuple[str, str] = ("", ""),
) -> list[Guess] | None:
    """The types that what a member gives may be, best first.

    By what the functions of a module do with it, and by what a library's stub says that has it under the
    module and the qualified name of `stub`.

    Returns:
        None where nobody uses what it gives: it is a procedure.
    """
    key = (id(source), name, is_called, is_function, stub)
    if key not in _KNOWN:
        facts = result_of(*stub) or ValueFacts()
        found = _guessed(source, names, name, facts, is_called=is_called, is_function=is_function)
        _KNOWN[key] = (source, found)
    return _KNOWN[key][1]


_KNOWN: Final[
    dict[tuple[int, str, bool, bool, tuple[str, str]], tuple[Source, list[Guess] | None]]
] = {}  # fmt: skip
"""The results so far; the source is held, so that no other gets its number."""


def _guessed(
    source: Source,
    names: Mapping[str, Any],
    name: str,
    facts: ValueFacts,
    *,
    is_called: bool,
    is_function: bool,
) -> list[Guess] | None:
    found = list(users(source, name, is_called=is_called, is_function=is_function))
    for user in found:
        Observer({RESULT: facts}, names, None, first_parameter(user.body)).run(user.body)
    if is_called and found and not any(user.used for user in found):
        return None
    hints.by_name(name, facts, facts.empty())
    return list(Ranking({}).guesses(facts))


def is_procedure(source: Source, name: str) -> bool:
    """True if a method is called, and nobody uses what it gives."""
    found = list(users(source, name))
    return bool(found) and not any(user.used for user in found)
