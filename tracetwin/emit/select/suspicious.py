"""Tests that pin what looks like a fault: an error that nobody raises, a result that its annotation denies.

A test tells what the code does, right or wrong. These are the ones to look at before they are believed.
"""

from __future__ import annotations

from typing import Final

from tracetwin.model.case import Case
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import Scalar
from tracetwin.model.status import Outcome
from tracetwin.replay.static import Coverable, Function

_FAULTS: Final = frozenset(
    "ZeroDivisionError IndexError KeyError AttributeError TypeError RecursionError UnboundLocalError"
    " NameError AssertionError".split()
)
"""Exceptions of the interpreter that callers of a function seldom expect."""

_LOOKS_UP: Final = frozenset(
    "__getitem__ __delitem__ __setitem__ __missing__ __getattr__ __getattribute__ __delattr__ get pop popitem"
    " remove discard index peek top first last lookup".split()
)
"""Names of functions whose callers expect that what they ask for is not there."""

_MISUSE: Final = frozenset(("TypeError", "AttributeError"))
"""Those that follow from arguments of a type that was guessed."""

_MISSING: Final = frozenset(("KeyError", "IndexError", "AttributeError"))

_KINDS: Final = {
    "int": (int,), "float": (float, int), "str": (str,), "bool": (bool,), "bytes": (bytes,),
    "list": (), "dict": (), "tuple": (), "set": (), "frozenset": (),
}  # fmt: skip
"""Types of plain results that fit an annotation; of the others none does."""


def suspicion(case: Case, seen: Observation, coverable: Coverable) -> str:
    """Return why a test of a case pins what looks like a fault, "" where it does not.

    Args:
        case: the case.
        seen: how it ends.
        coverable: the functions of the module.
    """
    function = coverable.function(case.target)
    if function is None:
        return ""
    if seen.outcome is Outcome.RAISED:
        return _of_exception(seen, function, coverable)
    if seen.outcome is Outcome.RETURNED and case.kind in ("function", "method"):
        return _of_result(seen, function)
    return ""


def _of_exception(seen: Observation, function: Function, coverable: Coverable) -> str:
    raised = seen.raised
    if raised is None or raised.module != "builtins" or raised.qualname not in _FAULTS:
        return ""
    asserted = seen.raised_at in coverable.asserting
    if coverable.raises_itself(seen.raised_at, raised.place) and not asserted:
        return ""
    if raised.qualname in _MISUSE and len(function.annotations) < len(function.parameters):
        return ""  # the fault is in what was passed
    name = function.qualname.rpartition(".")[2]
    expected = raised.qualname in _MISSING and name in _LOOKS_UP
    if expected or raised.qualname in function.documented or not seen.raised_at:
        return ""
    if asserted:
        return f"an assertion of the code itself fails in line {seen.raised_at}"
    return f"{raised.qualname} in line {seen.raised_at}, which no statement raises"


def _of_result(seen: Observation, function: Function) -> str:
    said = function.returns.strip("\"'")
    kind = said.partition("[")[0]
    value = seen.value
    if not isinstance(value, Scalar) or (kind not in _KINDS and said != "None"):
        return ""
    fits = value.value is None if said == "None" else isinstance(value.value, _KINDS[kind])
    if fits or function.is_lazy:
        return ""
    return f"it returns {_named(value.value)}, but is said to return {said}"


def _named(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
