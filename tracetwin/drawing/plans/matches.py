"""Matches of regular expressions, whose groups depend on a drawn text."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from runtime.models import callee
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, BytesPlan, Plan, SetupFailed, StrPlan
from tracetwin.model.recipe import Call
from tracetwin.model.recipes import lit
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class MatchPlan(Plan):
    """A match of one pattern: as the first text has it, at the start of it or anywhere.

    Attributes:
        pattern: what is compiled, with `flags`.
        first: a text in which the pattern is found.
    """

    pattern: str | bytes
    first: str | bytes
    flags: int = 0
    COMPOSITE: ClassVar[bool] = True

    def build(self, draw: Draw, name: str) -> Built:
        compiled: re.Pattern[Any] = re.compile(self.pattern, self.flags)
        way = "match" if compiled.match(self.first) else "search"
        plan = StrPlan(self.first) if isinstance(self.first, str) else BytesPlan(self.first)
        text, recipe = plan.build(draw, f"{name}.string")
        more = (self.flags,) if self.flags else ()
        found = callee(getattr(re, way))(self.pattern, text, *more)
        if found is None:
            raise SetupFailed(f"no match of {self.pattern!r:.60} is in {draw.concrete(text)!r:.60}")
        return found, Call("re", way, (lit(self.pattern), recipe, *map(lit, more)))

    def describe(self) -> str:
        return "Match"

    def produces(self) -> type:
        return re.Match

    def takes(self, value: Any) -> bool:
        return type(value) is re.Match
