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

        Args:
            count: how many parameters, -1 for any number.
            result: of a call.
            is_async: whether it is a coroutine function.
            is_open: whether the result may be anything.
        """

    def duck(
        self,
        attributes: Sequence[tuple[str, Plan]],
        methods: Sequence[tuple[str, Plan | None]],
        scope: Scope,
    ) -> Plan:
        """The plan of an object of no known class.

        Args:
            attributes: what is read, with the plans of the values.
            methods: what is called, with the plans of the results, None where uses have to tell.
            scope: of the module that uses it.
        """
