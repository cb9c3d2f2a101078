"""The planning of stand-ins as the layers below the mocks ask for it: the planner hands it in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tracetwin.analysis.scopes import Scope
from tracetwin.drawing.plans.plans import Plan


class StandIns(Protocol):
    """Plans what has no class to construct."""

    def function(self, count: int, result: Plan, *, is_async: bool = False, is_open: bool = False) -> Plan:
        """The plan of a function.

        `count` is -1 for any number of parameters; `is_open`: the result may be anything.
        """

    def duck(
        self,
        attributes: Sequence[tuple[str, Plan]],
        methods: Sequence[tuple[str, Plan | None]],
        scope: Scope,
    ) -> Plan:
        """The plan of an object of no known class."""
