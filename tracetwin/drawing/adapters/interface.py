"""The interface of an adapter: what drawing needs to know of a library's classes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from tracetwin.analysis.sources import Source
from tracetwin.drawing.plans.parameters import Parameter
from tracetwin.drawing.plans.plans import Plan

PlanOf: TypeAlias = Callable[[Any], Plan]
"""Plans an annotation; raises Unbuildable where no value of it can be made."""


class Adapter(ABC):
    """Knows how instances of a library's classes are planned, constructed and restored.

    Only `owns` must be given. Each other method answers for things that the adapter owns, and by default says
    that they are like any class: made by calling them with the parameters of their signature. A `Plan` says
    both how a value is drawn and, as a recipe, how a test writes it. An adapter never imports its library:
    it is asked about classes that are loaded already, and recognises them by name or by what they have.

    Attributes:
        name: stands in messages and for the adapter in tests.
        inherits_constructors: class methods of bases that the adapter does not own may make instances.
    """

    name: ClassVar[str]
    inherits_constructors: ClassVar[bool] = True

    @abstractmethod
    def owns(self, thing: Any) -> bool:
        """Tell if this adapter is responsible for a class, or for a function that stands for one."""

    def plan(self, thing: Any, args: Sequence[Any] = ()) -> Plan | None:
        """The plan of a value of the class; None where the class is to be constructed.

        Raises:
            Unbuildable: there are no values of it.
        """
        return None

    def plan_for(self, source: Source, thing: Any, args: Sequence[Any] = ()) -> Plan | None:
        """The plan of a value of the class in a module whose text may tell which values there are."""
        return self.plan(thing, args)

    def parameters(self, cls: type, plan_of: PlanOf) -> tuple[Parameter, ...] | None:
        """The parameters of the constructor where its signature does not tell them; else None.

        Raises:
            Unbuildable: a required one can't be built.
        """
        return None

    def refined(self, cls: type, parameters: Sequence[Parameter], plan_of: PlanOf) -> tuple[Parameter, ...]:
        """The parameters of the constructor with what the class knows beyond its signature."""
        return tuple(parameters)

    def restored(self, cls: type) -> Mapping[str, str]:
        """By name of a field the parameter whose argument compiled code copied into it.

        A copy has lost its expression. Where it equals the argument, the field is given the argument again.
        """
        return {}

    def field_plan(self, cls: type, name: str, plan_of: PlanOf) -> Plan | None:
        """The plan of a value for a field of an instance; None for what is no field.

        Raises:
            Unbuildable: it is a field, and no value of it can be made.
        """
        return None


class TableAdapter(Adapter):
    """An adapter for classes that are listed by name, each with a function that makes its plan.

    By name, because a class can only be asked for where its module is loaded, and few targets load many.
    """

    def __init__(self, makers: Mapping[str, Callable[[], Plan]]) -> None:
        """Take the makers by the full name that a class or function gives itself."""
        self.makers = makers

    def owns(self, thing: Any) -> bool:
        return full_name(thing) in self.makers

    def plan(self, thing: Any, args: Sequence[Any] = ()) -> Plan | None:
        return self.makers[full_name(thing)]()


def full_name(thing: Any) -> str:
    """The module and qualified name that a class or function gives itself."""
    return f"{getattr(thing, '__module__', '')}.{getattr(thing, '__qualname__', '')}"
