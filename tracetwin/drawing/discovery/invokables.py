"""Invokables: the description of one function, method, constructor or property."""

from __future__ import annotations

from typing import Any

from tracetwin.drawing.discovery.planner import is_typed
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.parameters import Parameter
from tracetwin.drawing.plans.plans import Built, Plan
from tracetwin.model import recipes
from tracetwin.model.case import Act, Step, binding_mock
from tracetwin.model.recipe import Call, CallResult, MockNumber, Reference, Variable
from tracetwin.support.data import dataclass


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
        access: for properties ``"get"``, ``"set"`` or ``"del"``, else the empty string.
        path: the name in the module under which it is called, where that is not its own: a class method of an
            abstract class is called on a concrete one.
        written: the qualified name of its function in the text, where that is not its own: what is called
            through an object of a private class.
    """

    qualname: str
    kind: str
    owner: str | None
    first_line: int
    last_line: int
    parameters: tuple[Parameter, ...] = ()
    problem: str | None = None
    receiver: Plan | None = None
    access: str = ""
    path: str = ""
    written: str = ""

    @property
    def name(self) -> str:
        """The last part of the name: what a step calls, gets or sets."""
        parts = self.qualname.split(".")
        return parts[-2] if self.access in ("set", "del") else parts[-1]

    @property
    def definition(self) -> str:
        """The qualified name of the function in the text; what a property does has that of the property."""
        return self.written or self.qualname.removesuffix(".setter").removesuffix(".deleter")

    @property
    def typed(self) -> bool:
        """True if every argument, that of the receiver's constructor included, has an annotated type."""
        known = all(p.variadic or (p.annotated and is_typed(p.plan)) for p in self.parameters)
        return known and is_typed(self.receiver)


@dataclass(frozen=True)
class ReceiverPlan(Plan):
    """A plan whose recipe always is a call, so that it can be a step that binds a name."""

    inner: Plan

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = self.inner.build(draw, name)
        if isinstance(recipe, Reference) and "." in recipe.qualname:
            owner, _, member = recipe.qualname.rpartition(".")
            recipe = recipes.call("builtins", "getattr", Reference(recipe.module, owner), recipes.lit(member))
        return value, recipe

    def describe(self) -> str:
        return self.inner.describe()


def build_receiver(draw: Draw, invokable: PlannedInvokable, bind: str) -> tuple[Any, Step]:
    """Draw the receiver of a method, and the step that binds it, which `flatten` may turn into several.

    Raises:
        SetupFailed: its constructor refused.
    """
    if invokable.receiver is None:
        raise ValueError(f"{invokable.qualname} has no receiver")
    value, recipe = ReceiverPlan(invokable.receiver).build(draw, bind)
    draw.pool.receiver(value, Variable(bind))
    if isinstance(recipe, MockNumber):
        return value, binding_mock(bind, recipe)
    if isinstance(recipe, CallResult):
        return value, Step(Act.ALIAS, "", "", (recipe,), bind=bind)
    if isinstance(recipe, Call):
        return value, Step(Act.CALL, recipe.module, recipe.qualname, recipe.args, recipe.kwargs, bind)
    raise TypeError(f"not the recipe of a receiver: {recipe!r}")
