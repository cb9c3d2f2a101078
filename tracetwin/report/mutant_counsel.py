"""Advice for mutants that no test notices: the input that tells them apart, and what a test has to assert."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tracetwin.report.result import ReportedMutant
from tracetwin.report.syntax import opposite
from tracetwin.support.syntax import expression

_BORDERS: Final = frozenset({("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")})
_PARTS: Final = re.compile(r"`([^`]*)`")

_RESULT: Final = "what comes of it: the result, or what is changed"
_WAY: Final = "what only one of the two ways on from there does"
_ASSERTED: Final = {
    "result": "the value that is returned",
    "exception": "that the exception is raised",
    "statement": "what that statement does",
    "jump": "how often the loop goes on, by what that leaves behind",
    "copy": "that what was passed is as before, after the result was changed",
}


def mutant_advice(mutant: ReportedMutant, *, decides: bool) -> str:
    """Return what a test has to do that notices a mutant.

    Args:
        mutant: the change.
        decides: whether its line holds a condition.
    """
    wanted = _input(mutant, decides=decides)
    runs = f"has to run line {mutant.line}" + (f" with {wanted}" if wanted else "")
    asserted = _ASSERTED.get(mutant.operator, _WAY if decides else _RESULT)
    return f"A test that notices it {runs}, and to assert {asserted}."


def told_apart(mutants: Sequence[ReportedMutant]) -> list[str]:
    """Return what each mutant changes; of those that read the same, in one line, which place it is."""
    often = Counter((one.line, one.change) for one in mutants)
    met: Counter[tuple[int, str]] = Counter()
    told = []
    for one in mutants:
        key = one.line, one.change
        met[key] += 1
        told.append(f"{one.change} (place {met[key]} of {often[key]})" if often[key] > 1 else one.change)
    return told


def _input(mutant: ReportedMutant, *, decides: bool) -> str:
    """The inputs for which a change makes a difference, "" where that is any."""
    parts = _PARTS.findall(mutant.change)
    way = _WAYS.get(mutant.operator)
    if way is not None:
        return way
    if mutant.operator == "comparison" and tuple(parts[:2]) in _BORDERS:
        return _border(parts[-1])
    if mutant.operator == "logic":
        return _deciding(parts, mutant.change)
    if mutant.operator == "constant" and decides and len(parts) > 1:
        number = parts[0].lstrip("-").replace(".", "").isdigit()
        return f"`{parts[0]}` or `{parts[1]}` in its place" if number else f"just `{parts[0]}` in its place"
    return ""


_WAYS: Final = {
    "variable": "different values for the two names",
    "arithmetic": "operands for which the two operations differ",
    "call": "arguments for which the two calls differ",
    "arguments": "different values for the two arguments",
}


def _border(comparison: str) -> str:
    found = expression(comparison)
    if isinstance(found, ast.Compare) and len(found.ops) == 1:
        return f"`{ast.unparse(found.left)} == {ast.unparse(found.comparators[0])}`"
    return "both sides equal"


def _deciding(parts: list[str], change: str) -> str:
    """The input for which operands of ``and`` and ``or`` disagree."""
    if "is left out of" not in change or len(parts) < 2:
        return "operands of which one holds and one does not" if "becomes" in change else ""
    left_out, whole = expression(parts[0]), expression(parts[1])
    if left_out is None:
        return f"`{parts[0]}` alone deciding"
    if " or " in parts[1] and not (isinstance(whole, ast.BoolOp) and isinstance(whole.op, ast.And)):
        return f"`{parts[0]}` true and the other operands false"
    return f"`{ast.unparse(opposite(left_out))}` and the other operands true"
