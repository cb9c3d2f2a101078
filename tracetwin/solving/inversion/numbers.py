"""Operands for which an expression has a wished value.

The inverse of an operator proposes values for one operand at a time, the others staying as they are.
Proposals are guesses: whoever uses them evaluates the conditions again.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, Final

from runtime.expr import Node
from runtime.library_model import Model, follow
from tracetwin.solving.inversion.texts import OPERATORS
from tracetwin.solving.inversion.tools import Inverse, Proposal, View, different, of_its_type, undone_by
from tracetwin.solving.program import UNDEFINED

_DEEPEST: Final = 40
_MOST_DIVISORS: Final = 100

_MOST_IN_VAIN: Final = 4_000
"""Wishes for parts of a condition in a row that come to no input: replacements of replacements have many."""


def changes(node: Node, value: object, view: View) -> Iterator[tuple[str, object]]:
    """Inputs, with new values for them, by which `node` may become `value`, each once."""
    stack = [iter([(node, value)])]
    seen: set[tuple[int, str]] = set()
    in_vain = 0
    while stack and in_vain < _MOST_IN_VAIN:
        in_vain += 1
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            continue
        target, wished = step
        asked = (id(target), repr(wished))
        if asked in seen:  # the same part is reached in several ways, with the same wish
            continue
        seen.add(asked)
        if target.op == "var":
            if type(wished) is type(view.value(target)):
                in_vain = 0
                yield str(target.data), wished
        elif target.names and len(stack) < _DEEPEST:
            inverse = INVERSES.get(target.op)
            if inverse is not None and all(view.value(arg) is not UNDEFINED for arg in target.args[:1]):
                stack.append(_guarded(inverse, target, wished, view))


def _guarded(inverse: Inverse, node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """An inverse may be asked for values that its operator never has."""
    proposals = inverse(node, value, view)
    while True:
        try:
            yield next(proposals)
        except StopIteration:
            return
        except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
            return


# logic and comparison


def _both(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """`and` becomes true one operand at a time."""
    for arg in node.args:
        if bool(view.value(arg)) is not value:
            yield arg, value


def _ite(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    condition, then, otherwise = node.args
    chosen = bool(view.value(condition))
    yield (then if chosen else otherwise), value
    if view.value(otherwise if chosen else then) == value:
        yield condition, not chosen


def _equal(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    left, right = node.args
    if value is (node.op == "eq"):
        yield left, view.value(right)
        yield right, view.value(left)
        return
    for one, other in ((left, right), (right, left)):
        if one.names:
            for wish in different(view.value(other), view):
                yield one, wish


def _ordered(node: Node, _value: Any, view: View) -> Iterator[Proposal]:
    for one, other in (node.args, node.args[::-1]):
        bound = view.value(other)
        if not one.names:
            continue
        if isinstance(bound, (str, bytes)):
            for wish in different(bound, view):
                yield one, wish
        elif isinstance(bound, (int, float)):
            for shift in (0, 1, -1, 2, 10, -10):
                yield one, bound + shift


# numbers


def _add(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    left, right = node.args
    a, b = view.value(left), view.value(right)
    if isinstance(value, (str, bytes)):
        yield from _concatenated(node, value, view)
    else:
        yield left, value - b
        yield right, value - a


def _concatenated(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    left, right = node.args
    a, b = view.value(left), view.value(right)
    if value.startswith(a):
        yield right, value[len(a) :]
    if not b or value.endswith(b):
        yield left, value[: len(value) - len(b)]
    if left.names and right.names:
        middle = min(len(a), len(value))
        yield left, value[:middle]
        yield right, value[middle:]


def _sub(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    left, right = node.args
    yield left, value + view.value(right)
    yield right, view.value(left) - value


def _mul(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    if not isinstance(value, int):
        return
    for one, other in (node.args, node.args[::-1]):
        factor = view.value(other)
        if isinstance(factor, int) and factor and one.names:
            yield one, value // factor
    if all(arg.names for arg in node.args):
        for divisor in range(2, _MOST_DIVISORS):
            if value % divisor == 0:
                yield node.args[0], divisor


def _floordiv(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    yield node.args[0], value * view.value(node.args[1])


def _mod(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    a, b = (view.value(arg) for arg in node.args)
    yield node.args[0], a - a % b + value


INVERSES: Final[dict[str, Inverse]] = {
    **OPERATORS,
    **dict.fromkeys(("and", "or"), _both),
    **dict.fromkeys(("eq", "ne"), _equal),
    **dict.fromkeys(("lt", "le", "gt", "ge"), _ordered),
    "not": undone_by(operator.not_),
    "ite": _ite,
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "floordiv": _floordiv,
    "mod": _mod,
    "neg": undone_by(operator.neg),
    **dict.fromkeys(("to_int", "to_float"), of_its_type),
}
"""By operator. What is missing here ends the way back."""


def _enter(model: Model) -> None:
    """Use the inverse of a library model."""
    if model.invert is not None:
        INVERSES[model.operator] = model.invert


follow(_enter)
