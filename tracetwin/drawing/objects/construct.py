"""Instances by calling their class, an alternative constructor, or a function that returns them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from types import FunctionType
from typing import Any, Final, TypeAlias

from runtime.classes import bases_of
from tracetwin.analysis.constructor_stores import parameters_stored_by
from tracetwin.analysis.scopes import namespace_of
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.parameters import EITHER, POSITIONAL_ONLY, Arguments, Parameter, build_arguments
from tracetwin.drawing.plans.plans import Built, Plan, SetupFailed, UnionPlan, one_of, told
from tracetwin.model import recipes
from tracetwin.model.recipe import Call
from tracetwin.support.data import dataclass

Sharing: TypeAlias = Callable[[Draw, str, "ConstructPlan"], Built]
"""Draws an object that may be one that exists already, or be prepared by calls."""

Failed: TypeAlias = Callable[[Draw, Exception], None]
"""Notes what could help where an object can't be built."""

Keep: TypeAlias = Callable[[Draw, Any, Mapping[str, Any]], None]
"""Looks after an instance that was made of arguments by name."""

Check: TypeAlias = Callable[[Arguments], None]
"""Aborts the run where arguments break a precondition."""


_REFUSING: Final = (ValueError, TypeError)
_WORD: Final = re.compile(r"[^\W\d_]\w*")


@dataclass(frozen=True)
class ConstructPlan(Plan):
    """An instance, by calling something that returns it.

    Attributes:
        module: the module that holds what is called.
        qualname: what is called there: the class itself, a class method or a function.
        share: draws it as an argument of its own; None where it is only constructed, as a receiver is.
        check: preconditions of what is called.
        failed: is told when what is called raises.
        keep: gives a new instance, made by compiled code of its arguments by name, back what was drawn.
    """

    cls: type
    module: str
    qualname: str
    parameters: tuple[Parameter, ...]
    share: Sharing | None = field(default=None, compare=False, repr=False)
    check: Check | None = field(default=None, compare=False, repr=False)
    failed: Failed | None = field(default=None, compare=False, repr=False)
    keep: Keep | None = field(default=None, compare=False, repr=False)
    COMPOSITE = True

    def build(self, draw: Draw, name: str) -> Built:
        if self.share is None or draw.pool.closed:
            return self.construct(draw, name)
        return self.share(draw, name, self)

    def construct(self, draw: Draw, name: str) -> Built:
        """Draw a new one, without calls that prepare it.

        Raises:
            SetupFailed: what is called raised, or a class gave an object of another.
        """
        with draw.pool.inside((self.module, self.qualname)):
            made = build_arguments(draw, self.parameters, f"{name}.")
        maker = recipes.lookup(self.module, self.qualname)
        try:
            if self.check is not None:
                self.check(made)
            value = maker(*made.args, **made.kwargs)
            if maker is self.cls and not any(base is self.cls for base in bases_of(type(value))):
                raise TypeError(f"{self.qualname} gave a {type(value).__name__}")
        except Exception as error:
            if draw.pool.unmade is None:  # the first failure is the cause of all others
                draw.pool.unmade = (self._maker(), name)
            if self.failed is not None:
                self.failed(draw, error)
            draw.pool.remedies += self._asked_for(name, error)
            raise SetupFailed(f"{self.qualname} raised {type(error).__name__}: {told(error)}") from error
        draw.pool.made.append((self._maker(), name))
        if self.keep is not None:
            self.keep(draw, value, self._by_name(made))
        return value, Call(self.module, self.qualname, tuple(made.arg_recipes), tuple(made.kwarg_recipes))

    def _asked_for(self, name: str, error: Exception) -> list[tuple[str, int]]:
        """The choices that pass other than defaults for the parameters that an error speaks of."""
        said = set(_WORD.findall(str(error).lower())) if type(error) in _REFUSING else set()
        spoken_of = [item for item in self.parameters if item.has_default and item.name.lower() in said]
        found = (_passing(f"{name}.{item.name}", item) for item in spoken_of)
        return [choice for choice in found if choice is not None]

    def _by_name(self, made: Arguments) -> dict[str, Any]:
        """The arguments by the names of their parameters."""
        in_order = [item.name for item in self.parameters if item.kind in (POSITIONAL_ONLY, EITHER)]
        return {**dict(zip(in_order, made.args, strict=False)), **made.kwargs}

    def _maker(self) -> str:
        """The constructor that runs, which a class may have from a base, else what is called."""
        if recipes.lookup(self.module, self.qualname) is self.cls:
            spaces = map(namespace_of, bases_of(self.cls))
            own = next((space["__init__"] for space in spaces if "__init__" in space), None)
            if isinstance(own, FunctionType):
                return f"{own.__module__}:{own.__qualname__}"
        return f"{self.module}:{self.qualname}"

    def holding(self, held: Callable[[str], Plan | None]) -> Plan:
        guessed = {item.name for item in self.parameters if _is_guessed(item)}
        stored = parameters_stored_by(self.cls) if guessed and self.qualname == self.cls.__qualname__ else {}
        pairs = ((item, held(name)) for name, item in stored.items() if item in guessed)
        wanted = {item: plan for item, plan in pairs if plan is not None}
        if not wanted:
            return self
        drawn = (_drawn(item, wanted.get(item.name)) for item in self.parameters)
        return replace(self, parameters=tuple(drawn))

    def describe(self) -> str:
        return self.qualname

    def produces(self) -> type | None:
        return self.cls

    def shares(self, value: Any) -> bool:
        return any(base is self.cls for base in bases_of(type(value)))

    def hashable(self) -> Plan | None:
        return None if getattr(self.cls, "__hash__", None) is None else self


def _passing(name: str, item: Parameter) -> tuple[str, int] | None:
    """Return the choice that has an argument passed, or one of another kind than the default."""
    if not item.starts_at_default:
        return f"{name}?given", 1
    plan = item.plan
    if not isinstance(plan, UnionPlan):
        return None
    return plan.topic or f"{name}?", int(plan.default == 0)


def _is_guessed(item: Parameter) -> bool:
    """Return whether nothing is said of what a parameter is."""
    return item.plan is not None and not item.annotated and not item.variadic


def _drawn(item: Parameter, plan: Plan | None) -> Parameter:
    """Return a parameter that is drawn by a plan first, where there is one."""
    if plan is None or item.plan is None:
        return item
    return replace(item, plan=one_of([plan, item.plan]), starts_at_default=False)
