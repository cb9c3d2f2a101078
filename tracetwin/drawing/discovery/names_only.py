"""A planner that plans nothing: for walks over a module that ask what there is, and not how it is called."""

from __future__ import annotations

from typing import Any

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.plans.parameters import Parameter


class NamesOnly(Planner):
    """Plans no parameters."""

    def parameters(self, *_args: Any, **_kwargs: Any) -> tuple[Parameter, ...]:
        """Return none."""
        return ()

    def constructor(self, *_args: Any, **_kwargs: Any) -> tuple[Parameter, ...]:
        """Return none."""
        return ()
