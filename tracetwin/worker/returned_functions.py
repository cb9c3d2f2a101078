"""Functions that a target returns: closures and what decorators make, called as users would call them."""

from __future__ import annotations

import inspect
import keyword
import types
from typing import Any, Final

from tracetwin.analysis.scopes import Scope
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.plans.parameters import Parameter
from tracetwin.model.errors import Unbuildable

MOST_IN_A_ROW: Final = 3
"""How many functions that return functions are called, each what the one before returned."""

MOST_CALLS: Final = 2
"""Calls of the last of them: the second finds what the first one left."""

USUAL_NAME: Final = "function"

_NESTED: Final = inspect.CO_NESTED


class ReturnedFunctions:
    """The parameters of functions that were written within others of one module, each worked out once."""

    def __init__(self, module: types.ModuleType, planner: Planner) -> None:
        self._module = module
        self._planner = planner
        self._known: dict[types.CodeType, tuple[Parameter, ...] | None] = {}

    def parameters(self, thing: Any, outer: str) -> tuple[Parameter, ...] | None:
        """The parameters of a returned function; None where it is none of the module's, or can't be called.

        A method that is bound counts where its class is of the module.

        Args:
            thing: what was returned.
            outer: the qualified name of what returned it.
        """
        function = thing.__func__ if type(thing) is types.MethodType else thing
        if type(function) is not types.FunctionType or not self._is_own(function, thing):
            return None
        code = function.__code__
        if code not in self._known:
            self._known[code] = self._planned(function, thing, outer)
        return self._known[code]

    def name_of(self, thing: Any) -> str:
        """A name for it in a test: its own where nothing in the module has that."""
        name = thing.__code__.co_name if type(thing) is types.FunctionType else ""
        usable = name.isidentifier() and not keyword.iskeyword(name) and not hasattr(self._module, name)
        return name if usable and name.strip("_") else USUAL_NAME

    def _is_own(self, function: types.FunctionType, thing: Any) -> bool:
        code = function.__code__
        if code.co_filename != getattr(self._module, "__file__", None):
            return False
        return bool(code.co_flags & _NESTED) or function is not thing

    def _planned(self, function: types.FunctionType, thing: Any, outer: str) -> tuple[Parameter, ...] | None:
        bare = _bare(function)
        name = function.__code__.co_name
        qualname = function.__qualname__ if thing is not function else f"{outer}.<locals>.{name}"
        scope: Scope = self._planner.scope(bare, None)
        try:
            return self._planner.parameters(
                bare, qualname=qualname, scope=scope, skip_first=thing is not function
            )
        except Unbuildable:
            return None


def _bare(function: types.FunctionType) -> types.FunctionType:
    """The function as it was written: without what `functools.wraps` copied on it from another one."""
    if not hasattr(function, "__wrapped__"):
        return function
    made = types.FunctionType(
        function.__code__, function.__globals__, None, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made
