"""Misuse: cases that only show that an argument was of a type which nobody would pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

from tracetwin.analysis.misuse import CLUMSY, MISUSE, Speaking, is_of_module, is_of_own_making
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import Call, Scalar, walk

LARGEST: Final = 1_000_000
"""Numbers beyond it that overflow something say nothing but that it has an end."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

NO_EXCEPTION: Final = "exceptions must derive from BaseException"
"""The interpreter's words where what a `raise` statement names is none."""


def misuse_of(speaking: Speaking, typed: Collection[str] | None = None) -> Callable[[Case, Observation], str]:
    """Return what says of a case, and what was seen of it, why it is a misuse: "" where it is none."""

    def why(case: Case, seen: Observation) -> str:
        return misuse(case, seen, speaking, typed)

    return why


def misuse(case: Case, seen: Observation, speaking: Speaking, typed: Collection[str] | None = None) -> str:
    """Return why a case is a misuse, "" where it is none.

    The interpreter refuses a value, in code that says nothing of such an error: one that nobody has, or where
    types were guessed.
    """
    raised = seen.raised
    if raised is None or raised.module != "builtins" or raised.is_stated:
        return ""
    if not speaking.expects(raised.qualname, seen.raised_at, case.target) and _is_absurd(
        case, raised.qualname
    ):
        return f"{MISUSE}a value that nobody has is refused ({raised.qualname})"
    of_module = is_of_module(raised.qualname, raised.message) and not _passes_module(case)
    if raised.qualname not in CLUMSY or of_module:
        return ""
    if is_of_own_making(raised.message):
        return ""
    said = NO_EXCEPTION not in (raised.message or "")
    if said and speaking.expects(raised.qualname, seen.raised_at, case.target):
        return ""
    if not any(_guesses(step, case, speaking, typed) for step in case.steps):
        return ""
    where = f" in line {seen.raised_at}" if seen.raised_at else ""
    return f"{MISUSE}a value of a type that was guessed is refused ({raised.qualname}{where})"


def _passes_module(case: Case) -> bool:
    """Return whether a module is made to be passed."""
    parts = (part for recipe in case.given() for part in walk(recipe))
    return any(isinstance(part, Call) and part.qualname == "ModuleType" for part in parts)


def _is_absurd(case: Case, kind: str) -> bool:
    """Return whether an error comes from a number beyond all measure, or from half a character."""
    values = [part.value for recipe in case.given() for part in walk(recipe) if isinstance(part, Scalar)]
    if kind in ("OverflowError", "MemoryError"):
        return any(type(value) is int and abs(value) > LARGEST for value in values)
    return kind == "UnicodeEncodeError" and any(
        isinstance(value, str) and _SURROGATE.search(value) is not None for value in values
    )


def _guesses(step: Step, case: Case, speaking: Speaking, typed: Collection[str] | None) -> bool:
    """Return whether a step passes something of which nobody says what type it is to be."""
    if not step.given:
        return False
    if step is case.last:
        name = case.target
        if typed is not None and name not in typed:
            return True
    elif step.act is Act.SET:
        return f"{_owner(case)}.{step.name}.setter" not in (typed or ())
    else:
        name = step.name if step.act is Act.CALL else f"{_owner(case)}.{step.name}"
    names = {name, f"{name}.__init__", f"{name}.__new__"}
    return bool(names & speaking.open) or (name not in (typed or ()) and bool(names & speaking.bare))


def _owner(case: Case) -> str:
    return case.target.rpartition(".")[0]
