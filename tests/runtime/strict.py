"""Strict comparison of results: value, type and exception, all the way down."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from runtime import trace
from runtime.evaluate import evaluate
from runtime.expr import Sort, sort_of, var
from runtime.values import TRACED, plain, wrap

Outcome = tuple[str, Any]


def outcome_of(function: Callable[[], Any]) -> Outcome:
    """What a call gives: its result in a form that tells 1 from True from 1.0, or its exception."""
    try:
        return "returned", canonical(function())
    except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
        return "raised", type(error).__name__


def canonical(value: Any) -> Any:
    """A value with the types of everything in it; NaN equals itself, 0.0 differs from -0.0."""
    value = plain(value)
    kind = value.__class__
    if kind in (list, tuple, deque):
        return (kind.__name__, [canonical(v) for v in kind.__iter__(value)])
    if kind in (set, frozenset):
        return (kind.__name__, sorted(repr(canonical(v)) for v in kind.__iter__(value)))
    if kind in (dict, Counter, OrderedDict, defaultdict):
        return (kind.__name__, [(canonical(k), canonical(v)) for k, v in kind.items(value)])
    return (kind.__name__, repr(value))


def traced(name: str, value: Any) -> Any:
    """A scalar as the input variable `name`; anything else as it is."""
    return value if sort_of(value) is Sort.OBJ else wrap(value, var(name, sort_of(value)))


def assert_same(native: Callable[..., Any], shadow: Callable[..., Any], operands: list[Any]) -> None:
    """`shadow` on traced operands does what `native` does on plain ones, and its expression agrees."""
    trace.start()
    inputs = [traced(f"x{i}", v) for i, v in enumerate(operands)]
    expected = outcome_of(lambda: native(*operands))
    results: list[Any] = []

    def run() -> Any:
        results.append(shadow(*inputs))
        return results[0]

    assert expected == outcome_of(run), (operands, expected)
    values = {f"x{i}": v for i, v in enumerate(operands)}
    if results and expected[0] == "returned":
        _assert_expressions(results[0], values)
    for node, *_ in trace.current.path:
        assert evaluate(node, values) is True, (node, values)


def _assert_expressions(result: Any, values: dict[str, Any]) -> None:
    if type(result) in TRACED:
        assert canonical(result.v) == canonical(evaluate(result.e, values)), (result.e, values)
    elif result.__class__ in (list, tuple):
        for part in result:
            _assert_expressions(part, values)
