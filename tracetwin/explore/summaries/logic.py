"""Conjunctions over attributes and arguments: put values in, make them canonical, ask whether they can hold.

A condition is a tuple of conjuncts. In canonical form no conjunct is an `and`, comparisons of ints are bounds
of sums (``self.count + 1 > 0`` and ``-1 < self.count`` are the same node), bounds of one sum are merged, and
the conjuncts stand in an order that depends on their text only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from runtime.evaluate import Undefined, evaluate
from runtime.expr import FALSE, TRUE, Node, Sort, apply, const_int, negate, show, sort_of
from tracetwin.solving import Problem, Sat, Solver, Unknown, Unsat
from tracetwin.solving.arithmetic.forms import Bound, Forms, Weights
from tracetwin.support.reaching import reached

Condition: TypeAlias = tuple[Node, ...]
Answer: TypeAlias = Sat | Unsat | Unknown

NEVER: Final[Condition] = (FALSE,)
"""The condition that nothing meets."""

EFFORT: Final = 0.3
"""Part of the solver's usual limits: what is not found out here is searched forwards."""

_NOTHING: Final[Mapping[str, object]] = {}

DEFAULTS: Final[Mapping[Sort, object]] = {
    Sort.INT: 0, Sort.BOOL: False, Sort.FLOAT: 0.0, Sort.STR: "", Sort.BYTES: b"",
}  # fmt: skip


def variables(nodes: Iterable[Node]) -> dict[str, Node]:
    """The variables below some nodes, by name, in the order of their names."""
    below = reached(nodes, lambda node: node.args)
    return dict(sorted((str(node.data), node) for node in below if node.op == "var"))


class Substitution:
    """Puts expressions in the place of variables; what is asked for twice is computed once.

    Attributes:
        lost: names of variables for which there was no expression, as far as they were met.
    """

    def __init__(self, replace: Callable[[str, Node], Node | None]) -> None:
        """Begin; `replace` gives the expression for a variable's name and node, None where there is none."""
        self._replace = replace
        self._known: dict[Node, Node] = {}
        self.lost: set[str] = set()

    def __call__(self, node: Node) -> Node:
        """The node with all variables replaced, simplified; a lost variable stays."""
        stack = [node]
        while stack:
            top = stack[-1]
            if top in self._known:
                stack.pop()
                continue
            waiting = [arg for arg in top.args if arg not in self._known]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            self._known[top] = self._made(top)
        return self._known[node]

    def _made(self, node: Node) -> Node:
        if node.op == "var":
            found = self._replace(str(node.data), node)
            if found is None:
                self.lost.add(str(node.data))
                return node
            return found
        args = tuple(self._known[arg] for arg in node.args)
        return node if args == node.args else apply(node.op, node.sort, *args)


def conjuncts(nodes: Iterable[Node]) -> Iterator[Node]:
    """The parts of a conjunction, the `and` nodes and negated `or` nodes in it taken apart."""
    for node in nodes:
        stack = [node]
        while stack:
            top = stack.pop()
            if top.op == "and":
                stack.extend(reversed(top.args))
            elif top.op == "not" and top.args[0].op == "or":
                stack.extend(negate(arg) for arg in reversed(top.args[0].args))
            elif top is not TRUE:
                yield top


class CanonicalConditions:
    """Makes conditions canonical; remembers what it knows of nodes."""

    def __init__(self) -> None:
        self._forms = Forms()

    def __call__(self, nodes: Iterable[Node]) -> Condition:
        """The canonical form, `NEVER` where it can be seen that nothing meets it."""
        bounds: dict[Weights, list[Bound]] = {}
        others: dict[Node, None] = {}
        for node in conjuncts(nodes):
            if node is FALSE:
                return NEVER
            bound = self._forms.bound(node)
            if bound is None:
                others[node] = None
            else:
                bounds.setdefault(bound.weights, []).append(bound)
        if any(negate(node) in others for node in others):
            return NEVER
        found = list(others)
        for weights, parts in bounds.items():
            merged = _merged(weights, parts)
            if FALSE in merged:
                return NEVER
            found += merged
        texts = {node: show(node, 12) for node in found}
        return tuple(sorted(found, key=lambda node: (len(texts[node]), texts[node])))

    def increment(self, node: Node, of: Node) -> Node | None:
        """Return the summand added to `of` where a node is that sum, None where it is something else."""
        if node.sort is not Sort.INT or of.sort is not Sort.INT:
            return None
        form = self._forms.of(node)
        rest = tuple(pair for pair in form.weights if pair[0] is not of)
        if (of, 1) not in form.weights:
            return None
        return _sum(rest, form.constant)


def _merged(weights: Weights, parts: Sequence[Bound]) -> list[Node]:
    """The comparisons that say what several bounds of one sum say together."""
    is_length = len(weights) == 1 and weights[0][0].op == "var" and str(weights[0][0].data).endswith("#")
    lows = [part.low for part in parts if part.low is not None] + [0] * is_length
    highs = [part.high for part in parts if part.high is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    holes = sorted({part.hole for part in parts if part.hole is not None})
    while low is not None and low in holes:
        low += 1
    while high is not None and high in holes:
        high -= 1
    if low is not None and high is not None and low > high:
        return [FALSE]
    holes = [h for h in holes if (low is None or h > low) and (high is None or h < high)]
    total = _sum(weights, 0)
    if low is not None and low == high:
        return [apply("eq", Sort.BOOL, total, const_int(low))]
    found = [apply("ne", Sort.BOOL, total, const_int(hole)) for hole in holes]
    if low is not None and not (is_length and low == 0):  # of a length it goes without saying
        found.append(apply("ge", Sort.BOOL, total, const_int(low)))
    if high is not None:
        found.append(apply("le", Sort.BOOL, total, const_int(high)))
    return found


def _sum(weights: Weights, constant: int) -> Node:
    total: Node | None = None
    ordered = sorted(weights, key=lambda pair: (pair[1] < 0, show(pair[0], 12)))  # what is subtracted last
    for atom, factor in ordered:
        part = atom if abs(factor) == 1 else apply("mul", Sort.INT, const_int(abs(factor)), atom)
        if total is None:
            total = part if factor > 0 else apply("neg", Sort.INT, part)
        else:
            total = apply("add" if factor > 0 else "sub", Sort.INT, total, part)
    if total is None:
        return const_int(constant)
    return apply("add", Sort.INT, total, const_int(constant))


class Reasoner:
    """Asks the solver about conditions; answers are remembered.

    Attributes:
        canonical: how conditions are brought into their form.
    """

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self.canonical = CanonicalConditions()
        self._answers: dict[Condition, Answer] = {}

    def satisfied(self, condition: Condition, hint: Mapping[str, object] = _NOTHING) -> Answer:
        """Values that meet a condition, a proof that none do, or why neither was found.

        Conjuncts are taken in one after the other: each question of the solver has values at hand that meet
        the conjuncts before.
        """
        known = self._answers.get(condition)
        if known is None:
            known = self._answers[condition] = self._satisfied(condition, hint)
        return known

    def possible(self, condition: Condition) -> bool:
        """Return whether a condition is not refuted."""
        return condition != NEVER and not isinstance(self.satisfied(condition), Unsat)

    def implies(self, condition: Condition, other: Condition) -> bool:
        """Return whether it is proved that whatever meets `condition` meets `other`."""
        held = set(condition)
        asked = [node for node in other if node not in held]
        names = _names(condition) if asked else frozenset()
        if not all(node.names <= names for node in asked):
            return False
        meets = self.satisfied(condition)
        if isinstance(meets, Sat) and not all(_holds(node, meets.model) for node in asked):
            return False  # these values meet the one and not the other
        for node in asked:
            refuted = self.canonical((*condition, negate(node)))
            if refuted != NEVER and not isinstance(self.satisfied(refuted), Unsat):
                return False
        return True

    def _satisfied(self, condition: Condition, hint: Mapping[str, object]) -> Answer:
        if condition == NEVER:
            return Unsat()
        named = variables(condition)
        sorts = {name: node.sort for name, node in named.items()}
        if any(sort not in DEFAULTS for sort in sorts.values()):
            return Unknown("a variable that is no scalar")
        values: dict[str, object] = {name: DEFAULTS[sort] for name, sort in sorts.items()}
        values |= {name: value for name, value in hint.items() if sort_of(value) is sorts.get(name)}
        met: list[Node] = []
        for node in condition:
            if not _holds(node, values):
                answer = self._solver.solve(Problem(tuple(met), node, values, sorts, EFFORT))
                if not isinstance(answer, Sat):
                    return answer
                values = {**values, **answer.model}
            met.append(node)
        return Sat(values, "deduced")


def _names(condition: Condition) -> frozenset[str]:
    return frozenset().union(*(node.names for node in condition))


def _holds(node: Node, values: Mapping[str, object]) -> bool:
    try:
        return bool(evaluate(node, values))
    except Undefined:
        return False
