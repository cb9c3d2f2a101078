"""Preconditions on the original, the user's and those of annotations: what is shortened must keep them, too.

The worker has kept them already for every case that was found. A case that is derived from such a one, with
calls left out or arguments made simpler, may do the same and break them all the same.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tracetwin.drawing.rules.call_patterns import normal, targets_of
from tracetwin.model.recipes import Recipe
from tracetwin.replay.observe.annotated import keeps, keeps_inside


class Broken(Exception):
    """A call would break a precondition of the user's; it was not made."""


class Preconditions:
    """Conditions by what they are about, on plain values."""

    def __init__(self, rules: Sequence[Sequence[Any]] = (), *, annotated: bool = False) -> None:
        """Know what must hold.

        Args:
            rules: the entry ``assume`` of a module's rules (`tracetwin.config.rules`).
            annotated: whether arguments must also keep what annotations demand.
        """
        self._annotated = annotated
        self._conditions: dict[str, dict[str, Any]] = {}
        for target, text, *_ in rules:
            code = compile(text, "<assume>", "eval", dont_inherit=True)
            self._conditions.setdefault(normal(target), {})[text] = code

    def __bool__(self) -> bool:
        """True if there may be any."""
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

        Args:
            parts: the recipes of the arguments.

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
            values = _values(function, receiver, args, kwargs)
            for text, code in found.items():
                if not _holds(code, values):
                    raise Broken(f"the precondition '{text}' of {qualname} does not hold")


def _values(
    function: Callable[..., Any], receiver: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return {"self": receiver}
    bound.apply_defaults()
    return {"self": receiver, **bound.arguments}


def _holds(code: Any, values: dict[str, Any]) -> bool:
    try:
        # As globals: the names within a comprehension are looked up there.
        return bool(eval(code, dict(values)))  # noqa: S307 - the user's own condition
    except Exception:  # noqa: BLE001 - it speaks of any value
        return False
