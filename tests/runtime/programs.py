"""Runs a program twice, as it stands and as a twin on traced arguments, and compares all that can be seen."""

from __future__ import annotations

import copy
import inspect
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from instrumenter.transform import instrument
from runtime import trace, twin
from runtime.evaluate import Undefined, evaluate, holds
from runtime.expr import Node
from runtime.inputs import Inputs
from runtime.trace import Kind
from runtime.values import TRACED
from tests.runtime.strict import Outcome, canonical

LONGEST = 9
MAPPINGS = (Counter, OrderedDict, defaultdict)


@dataclass(frozen=True)
class Program:
    """A function, and its twin."""

    name: str
    native: Callable[..., Any]
    traced: Callable[..., Any]

    @property
    def parameters(self) -> list[str]:
        return list(inspect.signature(self.native).parameters)


@dataclass(frozen=True)
class Ran:
    """What a twin did with traced arguments."""

    outcome: Outcome
    result: Any
    arguments: dict[str, Any]
    path: list[Node]
    values: dict[str, object]


def programs(file: Path) -> list[Program]:
    """All functions of a source file."""
    source = file.read_text(encoding="utf-8")
    rewritten = instrument(source, name=file.stem, filename=str(file))
    assert rewritten.untouched is None
    native: dict[str, Any] = {"__name__": file.stem}
    traced: dict[str, Any] = {"__name__": file.stem}
    traced["_tt"] = twin  # not in builtins, where other tests put other interfaces
    exec(compile(source, str(file), "exec"), native)
    exec(compile(rewritten.source, str(file), "exec"), traced)
    return [
        Program(name, function, traced[name])
        for name, function in native.items()
        if inspect.isfunction(function) and function.__module__ == file.stem
    ]


def as_inputs(inputs: Inputs, name: str, value: Any) -> Any:
    """`value` as the input called `name`, with everything in it."""
    match value:
        case bool():
            return inputs.boolean(name, value)
        case int():
            return inputs.integer(name, value)
        case float():
            return inputs.floating(name, value)
        case str():
            return inputs.text(name, value)
        case tuple():
            return tuple(as_inputs(inputs, f"{name}.{i}", v) for i, v in enumerate(value))
        case list():
            size, token = inputs.length(f"{name}.n", len(value), LONGEST)
            assert size == len(value)
            return inputs.listed([as_inputs(inputs, f"{name}.{i}", v) for i, v in enumerate(value)], token)
        case set():
            _, token = inputs.length(f"{name}.n", len(value), LONGEST)
            return inputs.setof([as_inputs(inputs, f"{name}.{i}", v) for i, v in enumerate(value)], token)
        case dict():
            _, token = inputs.length(f"{name}.n", len(value), LONGEST)
            pairs = [
                (as_inputs(inputs, f"{name}.k{i}", k), as_inputs(inputs, f"{name}.v{i}", v))
                for i, (k, v) in enumerate(value.items())
            ]
            return inputs.mapping(pairs, token)
        case _:
            raise TypeError(value)


def run_native(program: Program, arguments: Mapping[str, Any]) -> tuple[Outcome, dict[str, Any], Any]:
    """Outcome, arguments afterwards and result of the program as it stands."""
    own = copy.deepcopy(dict(arguments))
    result: Any = None
    try:
        result = program.native(**own)
        outcome: Outcome = ("returned", canonical(result))
    except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
        outcome = ("raised", type(error).__name__)
    return outcome, own, result


def run_traced(program: Program, arguments: Mapping[str, Any]) -> Ran:
    """What its twin does."""
    trace.start()
    inputs = Inputs({})
    own = {name: as_inputs(inputs, name, value) for name, value in arguments.items()}
    result: Any = None
    try:
        result = program.traced(**own)
        outcome: Outcome = ("returned", None)
    except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
        outcome = ("raised", type(error).__name__)
    path = [node for node, _, _, kind in trace.current.path if kind != Kind.HINT]
    values = {name: value for name, (_, value) in inputs.variables.items()}
    trace.start()
    if outcome[0] == "returned":
        outcome = ("returned", canonical(result))
    return Ran(outcome, result, own, path, values)


def assert_agrees(program: Program, arguments: Mapping[str, Any]) -> Ran:
    """Same result, same arguments afterwards, and every expression and condition is true of this input."""
    expected, after, _ = run_native(program, arguments)
    ran = run_traced(program, arguments)
    assert expected == ran.outcome
    assert canonical(after) == canonical(ran.arguments)
    for node in ran.path:
        assert evaluate(node, ran.values) is True, node
    for value in (ran.result, *ran.arguments.values()):
        check_expressions(value, ran.values)
    return ran


def check_expressions(value: Any, values: Mapping[str, object]) -> None:
    """Every traced scalar, and every length, has the value that its expression says."""
    if type(value) in TRACED:
        assert canonical(value.v) == canonical(evaluate(value.e, values)), value.e
        return
    kind = value.__class__
    if kind not in (list, tuple, set, frozenset, dict, deque, *MAPPINGS):
        return
    if hasattr(value, "n"):
        assert kind.__len__(value) == evaluate(value.n, values), value.n
    for part in kind.__iter__(value):
        check_expressions(part, values)
    if issubclass(kind, dict):
        for part in dict.values(value):
            check_expressions(part, values)


def assert_path_decides(program: Program, arguments: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    """Whatever else meets the conditions of a path does the same, as the expressions of the result foretell.

    A decision that was not recorded shows here. Gives whether `others` met them.
    """
    ran = run_traced(program, arguments)
    inputs = Inputs({})
    trace.start()
    for name, value in others.items():
        as_inputs(inputs, name, value)
    assumed = [node for node, *_ in trace.current.path]
    values = {name: value for name, (_, value) in inputs.variables.items()}
    if not holds([*assumed, *ran.path], values):
        return False
    expected, _, result = run_native(program, others)
    assert expected[0] == ran.outcome[0], (arguments, others, ran.path)
    if expected[0] == "raised":
        assert expected == ran.outcome, (arguments, others, ran.path)
    else:
        _compare(ran.result, result, values, (arguments, others, ran.path))
    return True


def _compare(foretold: Any, actual: Any, values: Mapping[str, object], context: object) -> None:
    """`actual` is what `foretold` becomes under `values`."""
    if type(foretold) in TRACED:
        try:
            value = evaluate(foretold.e, values)
        except Undefined as error:
            raise AssertionError(f"{foretold.e} is {error}: {context}") from error
        assert canonical(value) == canonical(actual), context
        return
    kind = foretold.__class__
    assert kind is actual.__class__, context
    if kind in (list, tuple, deque):
        if hasattr(foretold, "n"):
            assert evaluate(foretold.n, values) == len(actual), context
        else:
            assert kind.__len__(foretold) == len(actual), context
        for mine, other in zip(kind.__iter__(foretold), actual, strict=False):
            _compare(mine, other, values, context)
    elif kind in (set, frozenset, dict, *MAPPINGS):
        size = evaluate(foretold.n, values) if hasattr(foretold, "n") else kind.__len__(foretold)
        assert size == len(actual), context
        if issubclass(kind, dict) and not hasattr(foretold, "n"):
            for mine, other in zip(kind.items(foretold), actual.items(), strict=True):
                _compare(mine, other, values, context)
    else:
        assert canonical(foretold) == canonical(actual), context
