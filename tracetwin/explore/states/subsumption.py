"""The states met so far: is a new one among them, whatever arguments it stands for?

State A *subsumes* B when their heaps are isomorphic and B's condition implies A's (Symstra, section 4): what
can happen from B then happens from A as well, so B need not be explored.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Hashable
from dataclasses import field
from itertools import product

from runtime.expr import Node, Sort, const, make, negate
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.states.canonical import Canonical, Canoniser, SymbolicState
from tracetwin.explore.states.drawing import draw, settled
from tracetwin.explore.states.renaming import is_hidden, leaf_variable
from tracetwin.solving.arithmetic.differences import UNBOUND, Limit
from tracetwin.solving.arithmetic.ordering import TEXTS
from tracetwin.support.data import dataclass

CUT = ("opaque", "...")
"""A cell that stands for more than a picture takes: of such a state nothing can be told."""


@dataclass
class _Family:
    """The states of one shape: all forms with their numbers, and those that may subsume others."""

    forms: dict[Canonical, int] = field(default_factory=dict)
    general: list[Canonical] = field(default_factory=list)


class StateSet:
    """Symbolic states; of two that stand for the same receivers, the first is kept.

    Its forms refer to expressions: drop it when `runtime.expr.reset` is called.

    Attributes:
        met: the number of the state that was added last, or of the one that subsumes it; they are counted
            from 0 as they come.
    """

    def __init__(
        self,
        relevant: Collection[str] | None = None,
        *,
        concrete: bool = False,
        subsumption: bool = True,
        prove: bool = True,
    ) -> None:
        """Start without states.

        Args:
            relevant: the attributes of the receiver that matter, None for all.
            concrete: compare the values of the runs instead of conditions.
            subsumption: whether a state whose condition implies that of another is dropped; otherwise only
                one that is the same.
            prove: whether the solver may be asked where conditions are more than differences; a question
                costs as much as several runs.
        """
        self._added = 0
        self.met = -1
        self._relevant = relevant
        self._concrete = concrete
        self._subsumption = subsumption
        self._prove = prove
        self._canonical = Canoniser(relevant)
        self._families: dict[Hashable, _Family] = {}

    def __len__(self) -> int:
        return self._added

    def add(self, state: SymbolicState, form: Canonical | None = None) -> bool:
        """Take in a state; False where a known one subsumes it.

        Args:
            state: what is taken in.
            form: its canonical form in what is relevant here, where that is known already.
        """
        is_new = CUT in state.heap or self._is_new(state, form)
        if is_new:
            self.met = self._added
            self._added += 1
        return is_new

    def _is_new(self, state: SymbolicState, form: Canonical | None) -> bool:
        if form is None:
            form = self._concrete_form(state) if self._concrete else self._canonical(state)
        family = self._families.setdefault(form.shape, _Family())
        if form not in family.forms and self._subsumption:
            form = next((known for known in family.general if self._implies(form, known)), form)
        if form in family.forms:
            self.met = family.forms[form]
            return False
        family.forms[form] = self._added
        if form.exact:
            family.general.append(form)
        return True

    def _concrete_form(self, state: SymbolicState) -> Canonical:
        heap: Heap = settled(state.heap, state.values)
        return Canonical(draw(heap, self._relevant).shape, (Sort.INT,), (0,))

    def _implies(self, form: Canonical, known: Canonical) -> bool:
        """Return whether the condition of a form implies that of a known one of the same shape."""
        within = all(map(operator.le, form.limits, known.limits))
        if within and not known.parts and all(_leaves_out(form, gap) for gap in known.gaps):
            return True
        if not form.parts and not known.parts:
            return False
        claims = _missing(form, known)
        if claims is None or not claims:
            return claims is not None
        return self._prove and self._proves(_facts(form), claims)

    def _proves(self, facts: list[Node], claims: list[Node]) -> bool:
        from tracetwin.solving.smt.implication import shared

        return shared().proves(facts, claims, is_hidden)


def _leaves_out(form: Canonical, gap: tuple[int, int, int]) -> bool:
    one, other, value = gap
    return gap in form.gaps or form.limit(one, other) < value or -form.limit(other, one) > value


def _missing(form: Canonical, known: Canonical) -> list[Node] | None:
    """Return the conditions of a known form beyond another's, None where not all are conditions."""
    claims: list[Node] = []
    size = len(known.sorts)
    for one, other in product(range(size), range(size)):
        limit = known.limit(one, other)
        if limit < form.limit(one, other):
            claim = _limit_claim(known, one, other, limit)
            if claim is None:
                return None
            claims.append(claim)
    for gap in sorted(known.gaps):
        if not _leaves_out(form, gap):
            claim = _gap_claim(known, gap)
            if claim is None:
                return None
            claims.append(claim)
    said = set(form.parts)
    claims += [condition for part in known.parts if part not in said for condition in part.conditions]
    return claims


def _facts(form: Canonical) -> list[Node]:
    """All that a form says."""
    facts: list[Node] = []
    size = len(form.sorts)
    for one, other in product(range(size), range(size)):
        limit = form.limit(one, other)
        if one != other and limit != UNBOUND:
            facts.append(_limit_claim(form, one, other, limit) or _TRUE)
    facts += [_gap_claim(form, gap) or _TRUE for gap in sorted(form.gaps)]
    facts += [condition for part in form.parts for condition in part.conditions]
    return facts


_TRUE = const(True)


def _leaf(form: Canonical, place: int) -> Node:
    return const(0) if place == 0 else leaf_variable(place, form.sorts[place])


def _limit_claim(form: Canonical, one: int, other: int, limit: Limit) -> Node | None:
    """``one - other <= limit`` as a condition."""
    left, right = _leaf(form, one), _leaf(form, other)
    if left.sort in TEXTS:
        return make("lt" if limit < 0 else "le", Sort.BOOL, (left, right))
    if left.sort is Sort.INT and right.sort is Sort.INT:
        return make("le", Sort.BOOL, (make("sub", Sort.INT, (left, right)), const(int(limit))))
    if one == 0 and limit < 0 and right.sort is Sort.BOOL:
        return right
    if other == 0 and limit <= 0 and left.sort is Sort.BOOL:
        return negate(left)
    return None


def _gap_claim(form: Canonical, gap: tuple[int, int, int]) -> Node | None:
    left, right = _leaf(form, gap[0]), _leaf(form, gap[1])
    if left.sort in TEXTS:
        return make("ne", Sort.BOOL, (left, right))
    if left.sort is not Sort.INT or right.sort is not Sort.INT:
        return None
    return make("ne", Sort.BOOL, (make("sub", Sort.INT, (left, right)), const(gap[2])))
