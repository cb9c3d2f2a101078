"""The criterion `mcdc-unique`: as `mcdc`, but nothing else differs between two evaluations (unique cause).

An operand that was not asked in one of them, since it could not matter there, may have had either value.
"""

from __future__ import annotations

import ast
from typing import Final

from tracetwin.explore.criteria.mcdc import McdcCriterion, outcome_of, shows_alone


class UniqueCauseCriterion(McdcCriterion):
    """Pairs of tests in which one operand alone differs."""

    name = "mcdc-unique"
    listed_as = "unique_operands"

    def shows(self, decision: ast.expr | None, pair: tuple[str, str], place: int) -> bool:
        if not shows_alone(*pair, place):
            return False
        return decision is None or outcome_of(decision, pair[0]) != outcome_of(decision, pair[1])


CRITERION: Final = UniqueCauseCriterion()
