"""The plan of what gives out the mock that it belongs to: ``__enter__``, ``-> Self``, fluent methods."""

from __future__ import annotations

from typing import Final

from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, Plan, SetupFailed
from tracetwin.model.recipe import MockNumber


class _Itself(Plan):
    """The mock that answers."""

    def build(self, draw: Draw, name: str) -> Built:
        if not draw.pool.answering:
            raise SetupFailed("only a mock can give itself")
        mock = draw.pool.answering[-1]
        return mock.value, MockNumber(mock.number)

    def describe(self) -> str:
        return "itself"


SELF: Final = _Itself()
