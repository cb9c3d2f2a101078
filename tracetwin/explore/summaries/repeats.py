"""One path taken many times over, in closed form: a counter to fifty is deduced at once.

A path whose effect on each attribute is to add a constant, or to set it to something that does not depend
on what it set, can be repeated: after ``k`` times, ``count' = count + k * c``. The number ``k`` becomes a
variable of the condition, and the solver says how often. The path's precondition must hold each time; as
bounds of sums hold between two points where they hold at both, it is asked for the first, the second and the
last time. A condition that is no bound may break in between: the sequence is a proposal that a run confirms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final

from runtime.expr import Node, Sort, apply, const_int, var
from tracetwin.explore.summaries.logic import (
    NEVER,
    CanonicalConditions,
    Condition,
    Reasoner,
    Substitution,
    variables,
)
from tracetwin.explore.summaries.summary import MethodPath
from tracetwin.support.data import dataclass

MOST_PROPOSED: Final = 2
"""Values of an argument that are tried as what is added each time."""

_GREATEST: Final = 1 << 20


@dataclass(frozen=True)
class Repeated:
    """A path that is taken `times` times.

    Attributes:
        times: a variable, at least 2.
        condition: what must hold before the first time, and says that it is the same arguments each time.
        after: values after the last time, over those before the first.
        settled: arguments that have one value, as they are added each time.
    """

    path: MethodPath
    times: Node
    condition: Condition
    after: Mapping[str, Node]


@dataclass
class _Effect:
    """The effect of one turn.

    Attributes:
        steps: what is added to a variable, by name.
        resets: what others become, over variables that are not changed or added to.
    """

    steps: dict[str, int] = field(default_factory=dict)
    resets: dict[str, Node] = field(default_factory=dict)


def repeated(path: MethodPath, times: str, wanted: frozenset[str], reasoner: Reasoner) -> Iterator[Repeated]:
    """The ways to repeat a path that change one of the variables `wanted` each time."""
    for settled in _settlements(path, wanted, reasoner):
        effect = _effect(path, settled, reasoner.canonical)
        if effect is not None and any(name in wanted for name in effect.steps):
            made = _closed(path, effect, settled, var(times, Sort.INT), reasoner.canonical)
            if made.condition != NEVER:
                yield made


def _settlements(path: MethodPath, wanted: frozenset[str], reasoner: Reasoner) -> Iterator[dict[str, int]]:
    """Values for arguments that are added to wanted attributes: none at all, or the ends of their range."""
    yield {}
    added: set[str] = set()
    for name, value in path.after.items():
        if name in wanted:
            more = reasoner.canonical.increment(value, var(name, Sort.INT))
            if more is not None and more.op == "var" and not str(more.data).startswith("self."):
                added.add(str(more.data))
    for name in sorted(added):
        for end in _ends(name, path.condition)[:MOST_PROPOSED]:
            yield {name: end}


def _ends(name: str, condition: Condition) -> list[int]:
    """The greatest and the least value that a precondition leaves to an argument, where there is one."""
    drawn = var(name, Sort.INT)
    ends: list[int] = []
    for op in ("le", "ge"):
        about = (node for node in condition if node.op in (op, "eq") and node.args[0] is drawn)
        values = (node.args[1].data for node in about)
        ends += [data for data in values if isinstance(data, int) and data and abs(data) < _GREATEST]
    return list(dict.fromkeys(ends)) or [1, -1]


def _effect(path: MethodPath, settled: Mapping[str, int], canonical: CanonicalConditions) -> _Effect | None:
    """Return the effect of one turn, None where it can't be said for many turns."""
    effect = _Effect()
    settle = Substitution(lambda name, node: const_int(settled[name]) if name in settled else node)
    for name, value in path.after.items():
        drawn = var(name, value.sort)
        result = settle(value)
        if result is drawn:
            continue
        more = canonical.increment(result, drawn)
        if more is not None and more.op == "const" and isinstance(more.data, int):
            effect.steps[name] = more.data
        else:
            effect.resets[name] = result
    for value in effect.resets.values():
        if not effect.resets.keys().isdisjoint(value.names):
            return None
    return effect


def _closed(
    path: MethodPath, effect: _Effect, settled: Mapping[str, int], times: Node, canonical: CanonicalConditions
) -> Repeated:
    fixed = [apply("eq", Sort.BOOL, var(name, Sort.INT), const_int(value)) for name, value in settled.items()]
    before_last = apply("add", Sort.INT, times, const_int(-1))
    again = [
        state(node)
        for state in (_state(effect, const_int(1)), _state(effect, before_last))
        for node in path.condition
    ]
    often = apply("ge", Sort.BOOL, times, const_int(2))
    condition = canonical((*path.condition, *again, *fixed, often))
    last = _state(effect, times)
    values = {
        name: last(var(name, value.sort)) if name in effect.steps or name in effect.resets else value
        for name, value in path.after.items()
    }
    return Repeated(path, times, condition, values)


def _state(effect: _Effect, turns: Node) -> Substitution:
    """The state after some turns, at least one, over the state before the first."""
    before = _shifted(effect, apply("add", Sort.INT, turns, const_int(-1)))
    resets = {name: before(value) for name, value in effect.resets.items()}
    shifted = _shifted(effect, turns)
    return Substitution(lambda name, node: resets[name] if name in resets else shifted(node))


def _shifted(effect: _Effect, turns: Node) -> Substitution:
    def moved(name: str, node: Node) -> Node:
        if name not in effect.steps:
            return node
        by = apply("mul", Sort.INT, const_int(effect.steps[name]), turns)
        return apply("add", Sort.INT, node, by)

    return Substitution(moved)


def least_times(condition: Condition, times: Node) -> int | None:
    """The least number that a condition leaves to a repetition, where it says one outright."""
    for node in condition:
        data = node.args[1].data if node.op in ("ge", "eq") and node.args[0] is times else None
        if isinstance(data, int):
            return data
    return None


def names_wanted(condition: Condition) -> frozenset[str]:
    """The attributes that a condition speaks of."""
    return frozenset(name for name in variables(condition) if name.startswith("self."))
