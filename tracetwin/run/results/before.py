"""Reasons of an earlier run, for functions that nothing that changed can affect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tracetwin.run.results.assemble import ExploredModule
    from tracetwin.run.results.module_result import ModuleResult

BRANCH: Final = "branch"


def reasons_of_before(state: ExploredModule) -> tuple[dict[int, str], dict[int, str]]:
    """Return why lines, and branches by lines, are not covered in functions that were not explored again."""
    before = state.before
    if before is None:
        return {}, {}
    moves = dict(_moves(state, before))
    lines = {
        miss.line + moves[function.qualname]: miss.reason
        for function in before.functions
        if function.qualname in moves
        for miss in function.uncovered
    }
    sides = {
        goal.line + moves[goal.function]: goal.reason
        for goal in before.goals
        if goal.criterion == BRANCH and goal.reason and goal.function in moves
    }
    return lines, sides


def _moves(state: ExploredModule, before: ModuleResult) -> list[tuple[str, int]]:
    """How many lines further down each function is that was not explored again."""
    return [
        (function.qualname, state.invokables[function.qualname].first_line - function.first_line)
        for function in before.functions
        if function.qualname in state.invokables
        and function.qualname not in state.outcomes
        and function.qualname.partition(".")[0] in state.settled
    ]
