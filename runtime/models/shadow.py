"""Operations on traced values for the hooks of library models, while a twin runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from runtime.expr import Sort, apply, negate, sort_of
from runtime.library_model import Model
from runtime.models.calls.losses import lossy
from runtime.models.objects.builtins import traced_type as class_of
from runtime.models.registry import SHALLOW, models, models_method
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import compare
from runtime.scalars.text import characters as _traced_characters
from runtime.scalars.text import length as _traced_length
from runtime.values import (
    NUMBERS,
    TRACED,
    SBool,
    SStr,
    check,
    kind_of,
    lose_all,
    node_of,
    number_node,
    plain,
    settle,
    wrap,
)

keep_builtins(globals())

__all__ = [
    "apply", "characters", "check", "class_of", "code", "compare", "enter", "is_traced", "kind_of", "length",
    "lose_all", "lossy", "node_of", "number_node", "of_numbers", "plain", "refuse", "settle", "sort_of",
    "wrap",
]  # fmt: skip


def is_traced(value: Any) -> bool:
    """Return whether a value is a traced scalar."""
    return kind_of(value) in TRACED


def refuse(op: str, left: Any, right: Any) -> None:
    """Check that a comparison does not hold: NaN, which compares as false, is in every domain."""
    outcome = compare(op, left, right)
    if type(outcome) is SBool:
        check(wrap(not outcome.v, negate(outcome.e)))


def length(text: Any) -> Any:
    """Return the length of a text."""
    return _traced_length(text) if is_traced(text) else len(text)


def characters(text: Any) -> Any:
    """Return the characters of a text; that there are no more and no fewer becomes a condition."""
    return list(_traced_characters(text)) if is_traced(text) else list(text)


def code(character: Any) -> Any:
    """Return the code point of a character."""
    if type(character) is not SStr:
        return ord(character)
    return wrap(ord(character.v), apply("ord", Sort.INT, character.e))


def of_numbers(
    native: Callable[..., Any],
    op: str,
    meaning: Callable[..., Any],
    domain: Callable[..., None] | None = None,
) -> Callable[..., Any]:
    """Return the model of a function of numbers that has an operator of its own.

    Args:
        native: the function.
        op: the operator.
        meaning: what that does; it refuses by an OverflowError what is too large to consider.
        domain: notes the checks that decide whether the function raises.
    """

    def model(*args: Any, **kwargs: Any) -> Any:
        if kwargs or not all(kind_of(a) in NUMBERS for a in args):
            return lossy(native, *args, **kwargs)
        if domain is not None:
            domain(*args)
        exact = [plain(a) for a in args]
        result = native(*exact)
        if meaning is not native and not _is_considered(meaning, exact):
            lose_all(op, *args)
            return result
        return wrap(result, apply(op, sort_of(result), *[number_node(a) for a in args]))

    return model


def _is_considered(meaning: Callable[..., Any], exact: list[Any]) -> bool:
    """Return whether an operator gives its result, and does not refuse it as too large."""
    try:
        meaning(*exact)
    except OverflowError:
        return False
    return True


def enter(model: Model) -> None:
    """Let a twin call a library model in the place of its function."""
    shadow = sys.modules[__name__]
    run, domain = model.run, model.domain
    if run is not None:
        called: Callable[..., Any] = lambda *args, **kwargs: run(shadow, *args, **kwargs)  # noqa: E731
    elif model.method is not None:
        return  # the methods of traced texts, and those of plain ones, are made from the operators
    else:
        checks = None if domain is None else lambda *args: domain(shadow, *args)
        called = of_numbers(model.function, model.operator, model.meaning, checks)
    if model.method is not None:
        models_method(*model.method, takes=model.takes)(called)
        return
    models(model.function, takes=model.takes)(called)
    if not model.nested:
        SHALLOW.add(model.function)
