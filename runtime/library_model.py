"""A model of a library function: all that the product has to know of it, in one place.

Each hook is handed what it works with, so that a file of models imports nothing but the standard library,
`runtime.nodes` and this module, and can be loaded in a worker as well as beside z3.

`run`, in a twin
    ``run(shadow, *args, **kwargs)`` is called in the place of the function. `shadow` is the module
    `runtime.models.shadow`: what can be done with traced values. Without it the function is one of numbers
    whose result is that of the operator; or a method of str or bytes, which the operator is enough for.
`evaluate`, everywhere
    The operator on plain values, pure and deterministic; the function itself, unless something else is said.
`solve`, beside z3
    ``handler(translator, node, args)`` makes the term of the operator from those of its operands. It stands
    under the name of an encoding, such as "reals" and "characters", or under "int", "float" or "text" for all
    of a kind. It raises `Unsupported` for operands that it was not written for.
`invert`, in the search
    ``invert(node, value, view)`` proposes ``(operand, value)`` pairs that may give the operator that value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MethodDescriptorType
from typing import Any, Final, TypeAlias

from runtime.nodes import Node
from runtime.private_builtins import keep_builtins

keep_builtins(globals())

Run: TypeAlias = Callable[..., Any]
Handler: TypeAlias = Callable[[Any, Node, list[Any]], Any]
Inverse: TypeAlias = Callable[[Node, Any, Any], Iterator[tuple[Node, Any]]]
Rule: TypeAlias = Callable[[Callable[..., Node], tuple[Node, ...]], Node | None]


class Unsupported(Exception):
    """The encoding at hand has no (good enough) word for this operation."""


@dataclass(frozen=True)
class Model:
    """One function or method.

    Attributes:
        function: what the program calls: a function, or a method taken from `str` or `bytes`.
        operator: the name of the operator in expressions; "" where the function has none of its own.
        run: see above.
        evaluate: see above.
        takes: what the function takes, in the words of `runtime.models.registry.TAKES`; by it the function is
            tested. Of a method, what follows the receiver.
        operands: what the operator takes where that is something else.
        nested: whether traced values within an argument matter, such as those of a dict.
        domain: ``domain(shadow, *args)`` notes the checks that decide whether the function raises.
        simplify: ``simplify(apply, operands)`` is a simpler node of the same value, or None.
        bounds: between which ints every result lies; None at an open end.
        solve: see above.
        invert: see above.
        distance: ``distance(*operands)`` says how far a test is from being true.
        unusual: operands worth trying, which it treats in a way that ordinary ones don't show.
        arguments: the type of each argument, where no other is ever meant.
    """

    function: Any
    operator: str = ""
    run: Run | None = None
    evaluate: Callable[..., Any] | None = None
    takes: str = ""
    operands: str = ""
    nested: bool = False
    domain: Callable[..., None] | None = None
    simplify: Rule | None = None
    bounds: tuple[int | None, int | None] | None = None
    solve: Mapping[str, Handler] = field(default_factory=dict)
    invert: Inverse | None = None
    distance: Callable[..., float] | None = None
    unusual: tuple[str | bytes, ...] = ()
    arguments: tuple[type, ...] = ()

    @property
    def meaning(self) -> Callable[..., Any]:
        """Return what the operator does to plain values."""
        return self.function if self.evaluate is None else self.evaluate

    @property
    def method(self) -> tuple[type, str] | None:
        """Class and name of the method that it models, None for a function."""
        if type(self.function) is not MethodDescriptorType:
            return None
        return self.function.__objclass__, self.function.__name__


class DuplicateModelError(TypeError):
    """Two models claim the same function or operator."""


MODELS: Final[dict[Any, Model]] = {}
"""The registered models by function."""

OPERATORS: Final[dict[str, Model]] = {}
"""Those that have an operator, by its name."""

_followers: Final[list[Callable[[Model], None]]] = []


def register(*models: Model) -> None:
    """Register models, for everyone who follows.

    Raises:
        DuplicateModelError: there is one of this function, or of an operator of this name.
    """
    for model in models:
        if model.function in MODELS:
            raise DuplicateModelError(f"{model.function!r} is modelled twice")
        if model.operator in OPERATORS:
            raise DuplicateModelError(f"the operator {model.operator!r} is modelled twice")
        for follower in _followers:
            follower(model)
        MODELS[model.function] = model
        if model.operator:
            OPERATORS[model.operator] = model


def follow(enter: Callable[[Model], None]) -> None:
    """Call a function for each model there is, and for each that is registered later."""
    for model in MODELS.values():
        enter(model)
    _followers.append(enter)
