"""One call, made by CPython and by the runtime on traced arguments: do they agree in all that can be seen?"""

from __future__ import annotations

import copy
import itertools
import random
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runtime import trace
from runtime.containers.bytearrays import SBytearray, whole
from runtime.evaluate import Undefined, evaluate, holds
from runtime.expr import Node
from runtime.inputs import Inputs
from runtime.trace import Kind
from runtime.values import TRACED
from tests.differential.values import Row, neighbour
from tests.runtime.strict import Outcome, canonical

_LONGEST = 9
_MOST_ELEMENTS = 50

TRACED_WHOLE, UNTRACED, TRACED_PARTS = range(3)
"""How an argument is handed over: an input with all in it, as it is, or a native container of inputs."""


@dataclass(frozen=True)
class Operation:
    """What a program may do.

    Attributes:
        name: for people, and the seed of the examples.
        native: does it to plain arguments.
        shadow: does it as a twin would.
        takes: the signature, as in `runtime.models.registry.TAKES`.
        strict: whether a twin never calls it with anything else.
        alias: whether it is another name of an operation that gets all the examples; it gets a fifth.
    """

    name: str
    native: Callable[..., Any]
    shadow: Callable[..., Any]
    takes: str
    strict: bool = False
    alias: bool = False


@dataclass
class Ran:
    """What the runtime did."""

    given: Row
    outcome: Outcome
    result: Any
    arguments: Row
    path: list[Node]
    values: dict[str, object]


class Mismatch(AssertionError):
    """The two disagree; says how in one word and shows it."""

    def __init__(self, kind: str, detail: object) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind


def check(operation: Operation, row: Row, modes: Mapping[int | str, int]) -> Ran:
    """Levels one: result, type, exception, arguments, expressions and path of one call.

    Raises:
        Mismatch: where runtime and CPython disagree.
    """
    expected, _, after = run_native(operation, row)
    ran = run_traced(operation, row, modes)
    if expected != ran.outcome:
        raise Mismatch("outcome", f"CPython {expected}, runtime {ran.outcome}")
    own = seen(ran.arguments)
    if after != own:
        raise Mismatch("arguments", f"CPython leaves {after}, runtime {own}")
    for node in ran.path:
        if _value_of(node, ran.values) is not True:
            raise Mismatch("path", f"{node} does not hold for {ran.values}")
    for value in (ran.result, *ran.arguments.args, *ran.arguments.kwargs.values()):
        _check_expressions(value, ran.values)
    return ran


def check_neighbour(operation: Operation, ran: Ran, row: Row, modes: Mapping[int | str, int]) -> bool:
    """Level three: whoever meets the path of a run does what the run's expressions foretell.

    Gives whether the row met it.

    Raises:
        Mismatch: a decision is missing on the path.
    """
    if not all(_fits(*pair, modes.get(place, UNTRACED)) for place, pair in _pairs(ran.given, row)):
        return False
    trace.start()
    inputs = Inputs({})
    _hand_over(inputs, row, modes)
    assumed = [node for node, _, _, kind in trace.current.path if kind != Kind.HINT]
    values = _values(inputs)
    if not holds([*assumed, *ran.path], values):
        return False
    context = f"from {ran.values} to {values}, path {ran.path}"
    outcome, result, arguments = run_native(operation, row, keep=True)
    if outcome[0] != ran.outcome[0] or (outcome[0] == "raised" and outcome != ran.outcome):
        raise Mismatch("lost decision", f"{ran.outcome} and {outcome}, {context}")
    if outcome[0] == "returned":
        compare(ran.result, result, values, context)
    for (_, mine), (_, theirs) in zip(ran.arguments.places(), arguments.places(), strict=True):
        compare(mine, theirs, values, context)
    return True


def run_native(operation: Operation, row: Row, *, keep: bool = False) -> tuple[Outcome, Any, Any]:
    """Outcome, result and arguments afterwards of CPython itself."""
    own = Row(copy.deepcopy(row.args), copy.deepcopy(row.kwargs), row.words)
    result: Any = None
    try:
        result = taken_apart(operation.native(*own.args, **own.kwargs))
        outcome: Outcome = ("returned", canonical(result))
    except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
        outcome = ("raised", type(error).__name__)
    return outcome, result, own if keep else seen(own)


def run_traced(operation: Operation, row: Row, modes: Mapping[int | str, int]) -> Ran:
    """What the runtime does."""
    trace.start()
    inputs = Inputs({})
    own = _hand_over(inputs, row, modes)
    result: Any = None
    try:
        result = taken_apart(operation.shadow(*own.args, **own.kwargs))
        outcome: Outcome = ("returned", None)
    except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
        outcome = ("raised", type(error).__name__)
    path = [node for node, _, _, kind in trace.current.path if kind != Kind.HINT]
    trace.start()
    if outcome[0] == "returned":
        outcome = ("returned", canonical(result))
    return Ran(row, outcome, result, own, path, _values(inputs))


def taken_apart(result: Any) -> Any:
    """A result in a form whose parts can be compared: what an iterator gives, what a match has found."""
    kind = result.__class__
    if kind is range:
        return ("range", result.start, result.stop, result.step)
    if kind is complex:
        return ("complex", result.real, result.imag)
    if kind is bytearray:
        return ("bytearray", whole(result) if type(result) is SBytearray else bytes(result))
    if kind is re.Pattern:
        return ("pattern", result.pattern, result.flags, result.groups, dict(result.groupindex))
    if kind is re.Match:
        return ("match", result.span(), result.groups(), result.groupdict())
    if hasattr(kind, "__next__"):
        return (kind.__name__, *[taken_apart(part) for part in itertools.islice(result, _MOST_ELEMENTS)])
    if kind in (type({}.keys()), type({}.values()), type({}.items())):
        return (kind.__name__, *result)
    if kind is deque or (kind is not dict and issubclass(kind, dict)):
        return (kind.__name__, *(result.items() if kind is not deque else result))
    return tuple(taken_apart(part) for part in result) if kind is tuple else result


def seen(row: Row) -> Any:
    """The arguments in a form that can be compared."""
    return [canonical(a) for a in row.args], {k: canonical(v) for k, v in row.kwargs.items()}


def _pairs(one: Row, other: Row) -> Iterator[tuple[int | str, tuple[Any, Any]]]:
    for place, value in enumerate(one.args):
        yield place, (value, other.args[place])
    for name, value in one.kwargs.items():
        yield name, (value, other.kwargs[name])


def _fits(one: Any, other: Any, mode: int) -> bool:
    """Whether the two differ only in what is an input."""
    kind = type(one)
    if kind is not type(other) or mode == UNTRACED or not (kind in _SCALARS or kind in _NESTING):
        return bool(canonical(one) == canonical(other))
    if kind in _SCALARS or (mode == TRACED_WHOLE and kind is not tuple):
        return kind is not frozenset or bool(one == other)
    return len(one) == len(other) and all(map(_fits, one, other, [mode] * len(one)))


def _values(inputs: Inputs) -> dict[str, object]:
    return {name: value for name, (_, value) in inputs.variables.items()}


def _hand_over(inputs: Inputs, row: Row, modes: Mapping[int | str, int]) -> Row:
    args = [_input(inputs, f"arg{i}", v, modes.get(i, UNTRACED)) for i, v in enumerate(row.args)]
    kwargs = {k: _input(inputs, k, v, modes.get(k, UNTRACED)) for k, v in row.kwargs.items()}
    return Row(args, kwargs, row.words)


def _input(inputs: Inputs, name: str, value: Any, mode: int) -> Any:
    """`value` as the input called `name`, with everything in it."""
    if mode == UNTRACED:
        return copy.copy(value)
    kind = type(value)
    if kind in _SCALARS:
        return _SCALARS[kind](inputs, name, value)
    if kind is tuple:
        return tuple(_input(inputs, f"{name}.{i}", v, mode) for i, v in enumerate(value))
    if kind is list:
        token = _token(inputs, name, value, mode)
        return inputs.listed([_input(inputs, f"{name}.{i}", v, mode) for i, v in enumerate(value)], token)
    if kind is set:
        token = _token(inputs, name, value, mode)
        return inputs.setof([_input(inputs, f"{name}.{i}", v, mode) for i, v in enumerate(value)], token)
    if kind is dict:
        token = _token(inputs, name, value, mode)
        pairs = [
            (_input(inputs, f"{name}.k{i}", k, mode), _input(inputs, f"{name}.v{i}", v, mode))
            for i, (k, v) in enumerate(value.items())
        ]
        return inputs.mapping(pairs, token)
    return copy.copy(value)


_SCALARS: dict[type, Callable[[Inputs, str, Any], Any]] = {
    bool: Inputs.boolean,
    int: Inputs.integer,
    float: Inputs.floating,
    str: Inputs.text,
    bytes: Inputs.octets,
}


def _token(inputs: Inputs, name: str, value: Any, mode: int) -> object:
    return inputs.length(f"{name}.n", len(value), _LONGEST)[1] if mode == TRACED_WHOLE else None


def _value_of(node: Node, values: Mapping[str, object]) -> object:
    try:
        return evaluate(node, values)
    except Undefined as error:
        return error


def _check_expressions(value: Any, values: Mapping[str, object]) -> None:
    """Every traced scalar, and every length, has the value that its expression says."""
    if type(value) in TRACED:
        said = _value_of(value.e, values)
        if canonical(value.v) != canonical(said):
            raise Mismatch("expression", f"{value.v!r}, but {value.e} is {said!r} for {values}")
        return
    kind = value.__class__
    if kind not in _NESTING:
        return
    if hasattr(value, "n") and kind.__len__(value) != _value_of(value.n, values):
        raise Mismatch("expression", f"length {kind.__len__(value)}, but {value.n} for {values}")
    for part in kind.__iter__(value):
        _check_expressions(part, values)
    if kind is dict:
        for part in dict.values(value):
            _check_expressions(part, values)


_NESTING = (list, tuple, set, frozenset, dict)


def compare(foretold: Any, actual: Any, values: Mapping[str, object], context: str) -> None:
    """`actual` is what `foretold` becomes under `values`.

    Raises:
        Mismatch: it is not.
    """
    if type(foretold) in TRACED:
        said = _value_of(foretold.e, values)
        if canonical(said) != canonical(actual):
            raise Mismatch("lost decision", f"{foretold.e} is {said!r}, not {actual!r}, {context}")
        return
    kind = foretold.__class__
    if kind is not actual.__class__ or (kind not in _NESTING and canonical(foretold) != canonical(actual)):
        raise Mismatch("lost decision", f"{foretold!r} and {actual!r}, {context}")
    if kind in _NESTING:
        _compare_parts(kind, foretold, actual, values, context)


def _compare_parts(
    kind: Any, foretold: Any, actual: Any, values: Mapping[str, object], context: str
) -> None:
    size = _value_of(foretold.n, values) if hasattr(foretold, "n") else kind.__len__(foretold)
    if size != len(actual):
        raise Mismatch("lost decision", f"length {size}, not {len(actual)}, {context}")
    if kind in (list, tuple):
        for mine, other in zip(kind.__iter__(foretold), actual, strict=False):
            compare(mine, other, values, context)
    elif kind is dict and not hasattr(foretold, "n"):
        for mine, other in zip(dict.items(foretold), actual.items(), strict=True):
            compare(mine, other, values, context)


def modes_of(rng: random.Random, row: Row) -> dict[int | str, int]:
    """How each argument is handed over: mostly all of them traced."""
    whole = rng.random() < 0.6
    modes = {
        place: TRACED_WHOLE if whole else rng.randrange(3)
        for place, value in row.places()
        if type(value) is not frozenset
    }
    if modes and all(mode == UNTRACED for mode in modes.values()):
        modes[next(iter(modes))] = TRACED_WHOLE
    return modes


def neighbours(rng: random.Random, row: Row, modes: Mapping[int | str, int], count: int) -> list[Row]:
    """Rows that differ in what is traced."""
    places = [place for place, mode in modes.items() if mode != UNTRACED]
    return [neighbour(rng, row, places) for _ in range(count)] if places else []
