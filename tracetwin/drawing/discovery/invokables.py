"""Invokables: the description of one function, method, constructor or property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tracetwin.drawing.discovery.planner import is_typed
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.parameters import Parameter
from tracetwin.drawing.plans.plans import Built, Plan
from tracetwin.model import recipes
from tracetwin.model.mock_recipes import MADE


@dataclass(frozen=True)
class PlannedInvokable:
    """Something that a test can call.

    Attributes:
        qualname: its name in the module; a constructor has that of its class, a setter is ``Box.x.setter``,
            a deleter ``Box.x.deleter``.
        kind: function, method, classmethod, staticmethod, constructor or property.
        owner: the qualified name of the class that defines it.
        first_line: the line of its ``def``, in the original (0: unknown).
        last_line: the last line of its body.
        parameters: without `self` or `cls`.
        problem: why it can't be called, or None.
        receiver: how the object is built that a method or property belongs to.
        result: plain, async, generator or async generator.
        access: for properties ``"get"``, ``"set"`` or ``"del"``, else the empty string.
        path: the name in the module under which it is called, where that is not its own: a class method of an
            abstract class is called on a concrete one.
    """

    qualname: str
    kind: str
    owner: str | None
    first_line: int
    last_line: int
    parameters: tuple[Parameter, ...] = ()
    problem: str | None = None
    receiver: Plan | None = None
    result: str = "plain"
    access: str = ""
    path: str = ""

    @property
    def name(self) -> str:
        """The last part of the name: what a step calls, gets or sets."""
        parts = self.qualname.split(".")
        return parts[-2] if self.access in ("set", "del") else parts[-1]

    @property
    def definition(self) -> str:
        """The qualified name of the function in the text; what a property does has that of the property."""
        return self.qualname.removesuffix(".setter").removesuffix(".deleter")

    @property
    def typed(self) -> bool:
        """True if every argument, that of the receiver's constructor included, has an annotated type."""
        known = all(p.variadic or (p.annotated and is_typed(p.plan)) for p in self.parameters)
        return known and is_typed(self.receiver)


def describe(invokable: PlannedInvokable) -> dict[str, Any]:
    """Plain data about an invokable, for another process."""
    return {
        "qualname": invokable.qualname,
        "kind": invokable.kind,
        "owner": invokable.owner,
        "first_line": invokable.first_line,
        "last_line": invokable.last_line,
        "problem": invokable.problem,
        "receiver": None if invokable.receiver is None else invokable.receiver.describe(),
        "typed": invokable.typed,
        "result": invokable.result,
        "access": invokable.access,
        "parameters": [
            {
                "name": item.name,
                "kind": item.kind,
                "keyword_only": item.keyword_only,
                "variadic": item.variadic,
                "has_default": item.has_default,
                "default": item.default,
                "plan": None if item.plan is None else item.plan.describe(),
            }
            for item in invokable.parameters
        ],
    }


@dataclass(frozen=True)
class ReceiverPlan(Plan):
    """A plan whose recipe always is a call, so that it can be a step that binds a name."""

    inner: Plan

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = self.inner.build(draw, name)
        if recipe[0] == "ref" and "." in recipe[2]:
            owner, _, member = recipe[2].rpartition(".")
            recipe = recipes.call("builtins", "getattr", ("ref", recipe[1], owner), recipes.lit(member))
        return value, recipe

    def describe(self) -> str:
        return self.inner.describe()


def build_receiver(draw: Draw, invokable: PlannedInvokable, bind: str) -> tuple[Any, dict[str, Any]]:
    """Draw the receiver of a method, and the step that binds it, which `flatten` may turn into several.

    Raises:
        SetupFailed: its constructor refused.
    """
    if invokable.receiver is None:
        raise ValueError(f"{invokable.qualname} has no receiver")
    value, recipe = ReceiverPlan(invokable.receiver).build(draw, bind)
    draw.pool.receiver(value, ("var", bind))
    if recipe[0] == "mock":
        return value, {"bind": bind, "do": ("call", *MADE), "args": [recipe], "kwargs": []}
    if recipe[0] == "result":
        return value, {"bind": bind, "do": ("alias",), "args": [recipe], "kwargs": []}
    return value, {"bind": bind, "do": ("call", *recipe[1:3]), "args": recipe[3], "kwargs": recipe[4]}
