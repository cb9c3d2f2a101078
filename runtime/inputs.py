"""Draws the values of one input: variables by name, each remembered with its sort and value.

`Inputs` is what plans draw from. A name that the assignment does not speak of gets its default, so any
partial assignment is an input. Bounds and distinctness become assumptions on the path; choices and
lengths become decisions that the search may take differently.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from runtime import class_choices, class_tests, trace
from runtime.class_choices import Alternative
from runtime.containers import traced_dict, traced_list, traced_set
from runtime.expr import Node, Sort, apply, const, negate, sort_of, var
from runtime.pool import Pool
from runtime.scalars.complexes import traced_complex
from runtime.scalars.numbers import compare
from runtime.values import SCALARS, TRACED, SBool, kind_of, node_of, plain, without_pinning, wrap

OF_AN_ARGUMENT: Final = (0, "")
"""Stands in place of a line where a value was lost before the target ran."""

INPUT_SITE: Final = 0
"""The site of conditions that stem from the input itself."""

ASSUMED_SITE: Final = -3
"""The site of preconditions of the user's that hold."""


class UnfitInput(trace.RunAborted):
    """Raised where the drawn values break an assumption; the run says nothing about the target."""


class Inputs:
    """One input under construction.

    Attributes:
        variables: sort and exact value of every variable drawn, in order.
        structural: the variables among them that decide the shape of the input (lengths, choices).
        pool: the objects built and returned so far, which may be used once more.
        homes: values that read better than any simpler one, by the variables that start there.
        offered: the alternatives of choices, by their variables: classes, or constants.
    """

    def __init__(self, assignment: Mapping[str, object]) -> None:
        self.assignment = assignment
        self.variables: dict[str, tuple[Sort, object]] = {}
        self.structural: set[str] = set()
        self.pool = Pool()
        self.homes: dict[str, object] = {}
        self.offered: dict[str, Sequence[Any]] = {}
        self._choices: dict[str, int] = {}
        self._kinds = class_tests.begin(self._settle)

    def _draw(self, name: str, sort: Sort, default: Any) -> tuple[Any, Node]:
        value = self.assignment.get(name, default)
        if sort_of(value) is not sort:
            value = default
        self.variables[name] = (sort, value)
        return value, var(name, sort)

    def integer(self, name: str, default: int = 0, low: int | None = None, high: int | None = None) -> Any:
        """Return a traced int within the inclusive bounds."""
        value, node = self._draw(name, Sort.INT, default)
        if (low is not None and value < low) or (high is not None and value > high):
            value = default
            self.variables[name] = (Sort.INT, value)
        if low is not None:
            self._assume(apply("ge", Sort.BOOL, node, const(low)))
        if high is not None:
            self._assume(apply("le", Sort.BOOL, node, const(high)))
        return wrap(value, node)

    def boolean(self, name: str, default: bool = False) -> Any:
        value, node = self._draw(name, Sort.BOOL, default)
        # Both values are worth a run even where nothing branches on them, but not of items of many.
        if not self.pool.answering and "]" not in name.partition("|")[0]:
            trace.current.record(node, value, -2 - zlib.crc32(name.encode()), trace.Kind.HINT)
        return wrap(value, node)

    def flag(self, name: str, default: bool = False) -> Any:
        """Return a traced bool that is worth both values only where something branches on it."""
        return wrap(*self._draw(name, Sort.BOOL, default))

    def floating(self, name: str, default: float = 0.0, most: float | None = None) -> Any:
        """Return a traced float, no further from zero than `most`."""
        value, node = self._draw(name, Sort.FLOAT, default)
        if most is not None:
            if not -most <= value <= most:
                value = default
                self.variables[name] = (Sort.FLOAT, value)
            self._assume(apply("ge", Sort.BOOL, node, const(-most)))
            self._assume(apply("le", Sort.BOOL, node, const(most)))
        return wrap(value, node)

    def text(self, name: str, default: str = "", max_length: int | None = None) -> Any:
        value, node = self._draw(name, Sort.STR, default)
        if max_length is not None:
            if len(value) > max_length:
                value = default[:max_length]
                self.variables[name] = (Sort.STR, value)
            self._assume(apply("le", Sort.BOOL, apply("len", Sort.INT, node), const(max_length)))
        return wrap(value, node)

    def octets(self, name: str, default: bytes = b"") -> Any:
        return wrap(*self._draw(name, Sort.BYTES, default))

    def choice(self, name: str, count: int, default: int = 0) -> int:
        """Return a concrete number below `count`, decided by a branch on the path."""
        if name in self._choices:
            return self._choices[name]
        if count <= 1:
            return 0
        value, node = self._draw(name, Sort.INT, default)
        self.structural.add(name)
        if not 0 <= value < count:
            value = default
            self.variables[name] = (Sort.INT, value)
        self._assume(apply("ge", Sort.BOOL, node, const(0)))
        self._assume(apply("lt", Sort.BOOL, node, const(count)))
        for other in range(value + 1):  # one after the other, so that each gets its turn
            chosen = apply("eq", Sort.BOOL, node, const(other))
            trace.current.record(chosen, other == value, INPUT_SITE, trace.Kind.INPUT)
            # The program may ask for what it decides: a condition of its own.
            trace.current.known -= {chosen.ident, negate(chosen).ident}
        self._choices[name] = value
        return int(value)

    def decided(self, value: Any, choice: str, chosen: int, alternatives: Sequence[Alternative]) -> None:
        """Record which alternative was chosen for a value; without a name nothing was, and it is a mock."""
        node = var(choice, Sort.INT) if choice else None
        if choice:
            self.offered[choice] = alternatives
        self._kinds.add(value, node, chosen, alternatives)

    def among(self, choice: str, values: Sequence[Any]) -> None:
        """Note the constants that a choice is between."""
        self.offered[choice] = values

    def wanted(self, name: str) -> list[str]:
        """Return the classes, as ``module:qualname``, that the mock of that name is to derive from."""
        return class_choices.wanted(self.assignment, name)

    def _settle(self, name: str, value: bool) -> None:
        """Make a variable of a known fact about a mock."""
        self.variables[name] = (Sort.BOOL, value)
        self.structural.add(name)

    def length(self, name: str, default: int, maximum: int) -> tuple[int, object]:
        """Return a concrete length and its expression."""
        value = self.integer(name, default, 0, maximum)
        self.structural.add(name)
        return plain(value), value.e

    def listed(self, values: Sequence[Any], token: object) -> Any:
        """Return a traced list of the values."""
        return list(values) if token is None else traced_list(list(values), _node(token))

    def mapping(self, pairs: Iterable[tuple[Any, Any]], token: object) -> Any:
        """Return a traced dict; a repeated key is dropped, and the path says that it was one."""
        kept: list[tuple[Any, Any]] = []
        for key, value in pairs:
            if self.is_new(key, [k for k, _ in kept]):
                kept.append((key, value))
            elif token is not None:
                token = apply("add", Sort.INT, _node(token), const(-1))
        return without_pinning(dict, kept) if token is None else traced_dict(kept, _node(token))

    def setof(self, values: Iterable[Any], token: object) -> Any:
        """Return a traced set; a repeated value is dropped, and the path says that it was one."""
        kept: list[Any] = []
        for value in values:
            if self.is_new(value, kept):
                kept.append(value)
            elif token is not None:
                token = apply("add", Sort.INT, _node(token), const(-1))
        return without_pinning(set, kept) if token is None else traced_set(kept, _node(token))

    def is_new(self, value: Any, others: Sequence[Any]) -> bool:
        """Return whether a value differs from all the others: assumed if so, else a decision."""
        for other in others:
            if kind_of(value) not in SCALARS or kind_of(other) not in SCALARS:
                if value == other:
                    return False
                continue
            same = compare("eq", value, other)
            if plain(same) is True:
                if type(same) is SBool:
                    trace.current.record(same.e, True, INPUT_SITE, trace.Kind.INPUT)
                return False
            if type(same) is SBool:
                self._assume(negate(same.e))
        return True

    def compound(self, real: Any, imaginary: Any) -> Any:
        """Return a complex number of two floats that were drawn."""
        return traced_complex(real, imaginary)

    def concrete(self, value: Any) -> Any:
        """Return the exact, untraced value."""
        return plain(value)

    def lost(self, label: str, values: Sequence[Any]) -> None:
        """Record that code we can't follow made an argument of these values."""
        names = frozenset().union(*(node_of(value).names for value in values if kind_of(value) in TRACED))
        if names:
            trace.current.lose(label, names, OF_AN_ARGUMENT)

    def assume(self, condition: Any) -> None:
        """Add a condition to the path that is never negated.

        Raises:
            UnfitInput: the condition does not hold for this input.
        """
        if type(condition) is SBool:
            if not condition.v:
                trace.current.record(condition.e, False, INPUT_SITE, trace.Kind.INPUT)
                raise UnfitInput
            self._assume(condition.e)
        elif not condition:
            raise UnfitInput

    def _assume(self, node: Node) -> None:
        trace.current.record(node, True, INPUT_SITE, trace.Kind.ASSUME)


def _node(token: object) -> Node:
    if not isinstance(token, Node):
        raise TypeError(f"not a length token: {token!r}")
    return token
