"""The planner as objects and mocks see it; it stands above them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol

from tracetwin.analysis.scopes import Scope
from tracetwin.analysis.sources import Source
from tracetwin.drawing.plans.parameters import Parameter
from tracetwin.drawing.plans.plans import Plan
from tracetwin.drawing.rules.user_rules import Guide
from tracetwin.drawing.typing.resolve import Resolver
from tracetwin.drawing.typing.usage import Usage


class Planning(Protocol):
    """Plans everything in one module.

    Attributes:
        module: where names mean something.
        usage: what the code does with the parameters of its functions.
    """

    module: ModuleType
    source: Source
    usage: Usage
    guide: Guide
    resolver: Resolver

    def scope(self, function: Any = None, owner: type | None = None) -> Scope:
        """The scope in which the annotations of a function or class are read."""

    def parameters(
        self,
        function: Callable[..., Any],
        *,
        qualname: str,
        scope: Scope,
        skip_first: bool,
        depth: int = 0,
        signature: inspect.Signature | None = None,
    ) -> tuple[Parameter, ...]:
        """The parameters of a callable with their plans; raises Unbuildable."""

    def plan_class(self, cls: type, scope: Scope, depth: int) -> Plan:
        """The plan of an instance of a class or of a subclass; raises Unbuildable."""

    def constructor(self, cls: type, scope: Scope, depth: int = 0) -> tuple[Parameter, ...]:
        """The parameters of a class's constructor; raises Unbuildable."""
