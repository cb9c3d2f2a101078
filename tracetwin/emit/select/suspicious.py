"""Tests that pin what looks like a fault: an error that nobody raises, a result that its annotation denies.

A test tells what the code does, right or wrong. These are the ones to look at before they are believed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Final, TypeAlias

from tracetwin.analysis.misuse import is_of_module, is_of_own_making
from tracetwin.emit.naming.call_text import call_of
from tracetwin.emit.select.changed_defaults import changed_defaults
from tracetwin.emit.select.select import weight as weight_of
from tracetwin.emit.select.told_examples import contradicted
from tracetwin.model.case import Case
from tracetwin.model.codec import case_key
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import Scalar
from tracetwin.model.status import Outcome
from tracetwin.model.written_test import Suspect
from tracetwin.replay.functions import SourceFunction
from tracetwin.replay.static import Coverable
from tracetwin.support.data import dataclass

CONTRADICTED, LEFT_CHANGED, ASSERTED, CRASHED = range(4)
"""Kinds of what looks like a fault, those first that the code says most plainly itself."""

_FAULTS: Final = frozenset(
    "ZeroDivisionError IndexError KeyError AttributeError TypeError RecursionError UnboundLocalError"
    " NameError AssertionError".split()
)
"""Exceptions of the interpreter that callers of a function seldom expect."""

_MISUSE: Final = frozenset(("TypeError", "AttributeError"))
"""Those that follow from arguments of a type that was guessed."""

_MISSING: Final = frozenset(("KeyError", "IndexError", "AttributeError"))

_DIVIDING: Final = frozenset(
    f"__{side}{name}__" for name in ("truediv", "floordiv", "mod", "divmod", "pow") for side in ("", "r", "i")
)
"""Operators for which a division by zero is what everybody expects."""

_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "int": (int,), "float": (float, int), "str": (str,), "bool": (bool,), "bytes": (bytes,),
    "list": (), "dict": (), "tuple": (), "set": (), "frozenset": (),
}  # fmt: skip
"""Types of plain results that fit an annotation; of the others none does."""


@dataclass(frozen=True)
class Suspicion:
    """Why a test pins what looks like a fault.

    Attributes:
        rank: those with less are told first.
    """

    why: str
    rank: int


@dataclass(frozen=True)
class Suspicions:
    """Tells what looks like a fault in the cases of a module.

    Attributes:
        told: reasons that are known of cases before they are chosen, by `key_of` the case.
    """

    told: Mapping[Key, Suspicion] = field(default_factory=dict)

    def places(self, cases: Sequence[Case]) -> list[int]:
        """Return the positions of the cases of which that is known."""
        return [at for at, case in enumerate(cases) if key_of(case) in self.told]

    def of(self, case: Case, seen: Observation, coverable: Coverable) -> Suspicion | None:
        """Return why a test of a case pins what looks like a fault, None where it does not."""
        function = coverable.function(case.target)
        if (known := self.told.get(key_of(case))) is not None or function is None:
            return known
        if seen.outcome is Outcome.RAISED:
            return _of_exception(seen, function, coverable)
        if seen.outcome is Outcome.RETURNED and case.kind in ("function", "method"):
            return _of_result(seen, function)
        return None

    def listed(self, written: Iterable[tuple[str, Case, Observation]], coverable: Coverable) -> list[Suspect]:
        """Return the tests that pin what looks like a fault, those first that are most likely to be one."""
        found: list[tuple[int, int, Suspect]] = []
        for test, case, seen in written:
            if (odd := self.of(case, seen, coverable)) is not None:
                weight = sum(3 + sum(map(weight_of, step.given)) for step in case.steps)
                found.append((odd.rank, weight, Suspect(test, odd.why, call_of(case))))
        return [suspect for _, _, suspect in sorted(found)]


Key: TypeAlias = tuple[str, bytes]


def key_of(case: Case) -> Key:
    """Return what the case is known by."""
    return case.target, case_key(case)


def suspicions(
    module: str,
    facts: Coverable | None,
    cases: Sequence[Case],
    attempt: Callable[[Sequence[Case]], list[Observation]],
) -> tuple[Suspicions, list[Case]]:
    """Return what is known to look like a fault before cases are chosen, and the cases that show it."""
    if facts is None:
        return Suspicions(), []
    targets = {case.target for case in cases}
    examples = contradicted(module, facts, targets, attempt)
    found = [
        *((case, Suspicion(why, LEFT_CHANGED)) for case, why in changed_defaults(facts, cases, attempt)),
        *((case, Suspicion(why, CONTRADICTED)) for case, why in examples),
    ]
    return Suspicions({key_of(case): why for case, why in found}), [case for case, _ in found]


def _of_exception(seen: Observation, function: SourceFunction, coverable: Coverable) -> Suspicion | None:
    raised = seen.raised
    if raised is None or raised.module != "builtins" or raised.qualname not in _FAULTS:
        return None
    asserted = seen.raised_at in coverable.asserting
    if coverable.raises_itself(seen.raised_at, raised) and not asserted:
        return None
    of_module = is_of_module(raised.qualname, raised.message) or is_of_own_making(raised.message)
    guessed = len(function.annotations) < len(function.parameters)
    if raised.qualname in _MISUSE and guessed and not of_module:
        return None  # the fault is in what was passed
    missing = raised.qualname in _MISSING and function.looks_up and not of_module
    divided = raised.qualname == "ZeroDivisionError" and function.qualname.rpartition(".")[2] in _DIVIDING
    if missing or divided or raised.qualname in function.documented or not seen.raised_at:
        return None
    if asserted:
        return Suspicion(f"an assertion of the code itself fails in line {seen.raised_at}", ASSERTED)
    return Suspicion(f"{raised.qualname} in line {seen.raised_at}, which no statement raises", CRASHED)


def _of_result(seen: Observation, function: SourceFunction) -> Suspicion | None:
    said = function.returns.strip("\"'")
    value = seen.value
    kinds = _kinds(said)
    if not isinstance(value, Scalar) or kinds is None or isinstance(value.value, kinds) or function.is_lazy:
        return None
    return Suspicion(f"it returns {_named(value.value)}, but is said to return {said}", CONTRADICTED)


def _kinds(said: str) -> tuple[type, ...] | None:
    """The types of plain values that fit an annotation; None where it says more than this."""
    try:
        parts = [ast.parse(said, mode="eval").body]
    except (SyntaxError, ValueError):
        return None
    found: tuple[type, ...] = ()
    while parts:
        match parts.pop():
            case ast.BinOp(left, ast.BitOr(), right):
                parts += [left, right]
            case ast.Constant(None):
                found += (type(None),)
            case ast.Name(name) | ast.Subscript(ast.Name(name)) if name in _KINDS:
                found += _KINDS[name]
            case _:
                return None
    return found


def _named(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
