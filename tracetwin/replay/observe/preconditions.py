"""Preconditions on the original, the user's and those of annotations: what is shortened must keep them, too.

The worker has kept them already for every case that was found. A case that is derived from such a one, with
calls left out or arguments made simpler, may do the same and break them all the same.

Demands of annotations on arguments, on the original: derived cases must keep them, too.

The worker draws only what keeps it (`tracetwin.drawing.plans.constraints`). This walks through annotation and
plain value together.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from tracetwin.drawing.plans.constraints import all_hold, constraints_of
from tracetwin.drawing.rules.call_patterns import normal, targets_of, values_by_name
from tracetwin.model.recipe import NONE, Call, Recipe, children
from tracetwin.model.recipes import lookup


class Broken(Exception):
    """A call would break a precondition of the user's; it was not made."""


class Preconditions:
    """Conditions by what they are about, on plain values."""

    def __init__(self, rules: Sequence[Sequence[Any]] = (), *, annotated: bool = False) -> None:
        self._annotated = annotated
        self._conditions: dict[str, dict[str, Any]] = {}
        for target, text, *_ in rules:
            code = compile(text, "<assume>", "eval", dont_inherit=True)
            self._conditions.setdefault(normal(target), {})[text] = code

    def __bool__(self) -> bool:
        return self._annotated or bool(self._conditions)

    def hold(self, *call: Any) -> bool:
        """True if the preconditions of a call hold; the arguments are those of `check`."""
        try:
            self.check(*call)
        except Broken:
            return False
        return True

    def check_inside(self, parts: Sequence[Recipe]) -> None:
        """Go on only where the calls within arguments keep what is annotated.

        Raises:
            Broken: one does not.
        """
        if self._annotated and not all(map(keeps_inside, parts)):
            raise Broken("an argument within an argument is None, and its annotation forbids it")

    def check(
        self,
        module: str,
        qualname: str,
        function: Callable[..., Any],
        receiver: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> None:
        """Go on only where the preconditions of a call hold.

        Args:
            module: where what is called is defined; for a method it is found by the receiver.
            qualname: its name there; of a method the last part is enough.
            function: what is called, a method bound to its receiver.
            receiver: what a condition calls `self`, None where there is none.
            args: the arguments by position.
            kwargs: those by name.

        Raises:
            Broken: one does not hold, or can't be evaluated for these arguments.
        """
        if self._annotated and not keeps(function, args, kwargs):
            raise Broken(f"an argument of {qualname} does not keep what its annotation demands")
        if not self._conditions:
            return
        found: dict[str, Any] = {}
        for target in targets_of(module, qualname, receiver):
            found |= self._conditions.get(target, {})
        if found:
            values = values_by_name(function, receiver, args, kwargs)
            for text, code in found.items():
                if not _holds(code, values):
                    raise Broken(f"the precondition '{text}' of {qualname} does not hold")


def _holds(code: Any, values: dict[str, Any]) -> bool:
    try:
        # As globals: the names within a comprehension are looked up there.
        return bool(eval(code, dict(values)))  # noqa: S307 - the user's own condition
    except Exception:  # noqa: BLE001 - it speaks of any value
        return False


_known: Final[dict[int, tuple[Any, dict[str, Any]]]] = {}
"""By the id of a function, itself and those of its annotations that demand something."""


def keeps(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """True if the arguments of a call keep what the annotations of its parameters demand."""
    plain = getattr(function, "__func__", function)
    if id(plain) not in _known:
        _known[id(plain)] = (plain, _demanding(plain))
    demanding = _known[id(plain)][1]
    if _has_refused(function, args, kwargs):
        return False
    if not demanding:
        return True
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return True  # the call itself says what is wrong with it
    return all(_fits(demanding[name], value) for name, value in bound.arguments.items() if name in demanding)


def keeps_inside(recipe: Recipe) -> bool:
    """True if no call within a recipe gets None where its annotations forbid it."""
    if isinstance(recipe, Call) and NONE in children(recipe):
        given = [None if part == NONE else part for part in recipe.args]
        named = {name: None if part == NONE else part for name, part in recipe.kwargs}
        if _has_refused(lookup(recipe.module, recipe.qualname), given, named):
            return False
    return all(map(keeps_inside, children(recipe)))


def _has_refused(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """True if None is given where it is none of the values that are annotated."""
    if not any(value is None for value in (*args, *kwargs.values())):
        return False
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return False
    return bool(_refusing(function) & {name for name, value in bound.arguments.items() if value is None})


def _refusing(function: Any) -> set[str]:
    """The parameters for which None is none of the values that are annotated.

    Special methods but the constructor are called by Python, with None in spite of annotations.
    """
    if getattr(function, "__name__", "__").startswith("__"):
        return set()
    parameters = _parameters(function)
    return {item.name for item, annotation in parameters if item.default is not None and _refuses(annotation)}


def _refuses(annotation: Any) -> bool:
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _refuses(args[0])
    if origin is typing.Union or origin is types.UnionType:
        return all(map(_refuses, args))
    if origin is typing.Literal:
        return None not in args
    kind = origin or annotation
    if kind in (inspect.Parameter.empty, typing.Any) or not isinstance(kind, type):
        return False
    return not (getattr(kind, "_is_protocol", False) or _is_instance(None, kind))


def _demanding(function: Any) -> dict[str, Any]:
    """The annotations of parameters with an `Annotated` in them, by name."""
    return {item.name: annotation for item, annotation in _parameters(function) if _demands(annotation)}


def _parameters(function: Any) -> list[tuple[inspect.Parameter, Any]]:
    """Those of a function, each with what its annotation means."""
    try:
        parameters = inspect.signature(function).parameters.values()
        home = inspect.unwrap(function)
    except (TypeError, ValueError):
        return []
    if isinstance(home, type):
        names = vars(sys.modules.get(home.__module__, types))
    else:
        names = getattr(home, "__globals__", {})
    return [(item, _read(item.annotation, names)) for item in parameters]


def _read(annotation: Any, names: Mapping[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(names))  # noqa: S307 - as typing.get_type_hints does
    except Exception:  # noqa: BLE001 - what can't be read demands nothing that was kept
        return None


def _demands(annotation: Any) -> bool:
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return False
    return _metadata(annotation) != () or any(_demands(part) for part in typing.get_args(annotation))


def _metadata(annotation: Any) -> tuple[Any, ...]:
    """That of an `Annotated` of any module, () for anything else."""
    found = getattr(annotation, "__metadata__", ())
    return found if isinstance(found, tuple) and typing.get_origin(annotation) is not None else ()


def _fits(annotation: Any, value: Any, *, strictly: bool = False) -> bool:
    """True if a value keeps what an annotation demands; `strictly` also whether it is of that type at all."""
    if metadata := _metadata(annotation):
        inner = typing.get_args(annotation)[0]
        return _fits(inner, value, strictly=strictly) and all_hold(constraints_of(metadata), value)
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Union or origin is types.UnionType:
        return any(_fits(part, value, strictly=True) for part in args)
    if origin is typing.Literal:
        return not strictly or value in args
    if strictly and not _is_instance(value, origin or annotation):
        return False
    if isinstance(value, dict) and len(args) == 2:
        return _all_fit(args[0], value) and _all_fit(args[1], value.values())
    if isinstance(value, tuple) and origin is tuple and len(args) == len(value) and Ellipsis not in args:
        return all(_fits(part, item) for part, item in zip(args, value, strict=True))
    if isinstance(value, (list, tuple, set, frozenset)) and args:
        return _all_fit(args[0], value)
    return True


def _all_fit(annotation: Any, values: Iterable[Any]) -> bool:
    return all(_fits(annotation, value) for value in values)


def _is_instance(value: Any, kind: Any) -> bool:
    if kind is None or not isinstance(kind, type):
        return value is None if kind is None else True
    try:
        return isinstance(value, kind) or (kind is float and type(value) is int)
    except Exception:  # noqa: BLE001 - a metaclass of the target's
        return True
