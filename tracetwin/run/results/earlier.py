"""Reasons that an earlier run gave, for functions that were not explored again and may have moved."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tracetwin.model.goal import Uncovered

if TYPE_CHECKING:
    from tracetwin.run.results.assemble import ExploredModule
    from tracetwin.run.results.module_result import ModuleResult

BRANCH: Final = "branch"

_LINES: Final = re.compile(r"\blines? \d+\b(?! of )((, | and | to )\d+\b)*")
"""Lines of the module itself in a reason."""


def reasons_of_before(state: ExploredModule) -> tuple[dict[int, Uncovered], dict[int, str]]:
    """Return why lines, and branches by lines, are not covered in functions that were not explored again."""
    before = state.before
    if before is None:
        return {}, {}
    moves = dict(_moves(state, before))
    missed = [
        _moved(miss, moves[function.qualname])
        for function in before.functions
        if function.qualname in moves
        for miss in function.uncovered
    ]
    sides = {
        goal.line + moves[goal.function]: told_moved(goal.reason, moves[goal.function])
        for goal in before.goals
        if goal.criterion == BRANCH and goal.reason and goal.function in moves
    }
    return {miss.line: miss for miss in missed}, sides


def _moved(miss: Uncovered, by: int) -> Uncovered:
    at = miss.at and miss.at + by
    return replace(miss, line=miss.line + by, reason=told_moved(miss.reason, by), at=at)


def told_moved(reason: str, by: int) -> str:
    """Return a reason for a function that stands some lines further down."""
    def moved(found: re.Match[str]) -> str:
        return re.sub(r"\d+", lambda number: str(int(number[0]) + by), found[0])

    return _LINES.sub(moved, reason)


def _moves(state: ExploredModule, before: ModuleResult) -> list[tuple[str, int]]:
    """How many lines further down each function is that was not explored again."""
    return [
        (function.qualname, state.invokables[function.qualname].first_line - function.first_line)
        for function in before.functions
        if function.qualname in state.invokables
        and function.qualname not in state.outcomes
        and function.qualname in state.settled
    ]
