"""Conditions: canonical forms, satisfaction, implication."""

from __future__ import annotations

import pytest

from runtime.expr import FALSE, Node, Sort, apply, const, const_int, negate, var
from tracetwin.explore.summaries.logic import NEVER, CanonicalConditions, Reasoner, Substitution
from tracetwin.solving import Sat, Unsat, build_chain

COUNT = var("self.count", Sort.INT)
LENGTH = var("self.items#", Sort.INT)
N = var("n", Sort.INT)
OPEN = var("self.open", Sort.BOOL)


def compare(op: str, left: Node, right: Node | int) -> Node:
    return apply(op, Sort.BOOL, left, const_int(right) if isinstance(right, int) else right)


def plus(left: Node, right: Node | int) -> Node:
    return apply("add", Sort.INT, left, const_int(right) if isinstance(right, int) else right)


@pytest.fixture
def reasoner() -> Reasoner:
    return Reasoner(build_chain(seed=0))


def test_bounds_of_one_sum_are_one_bound() -> None:
    canonical = CanonicalConditions()
    most = [compare("ge", plus(COUNT, 1), 50), compare("gt", COUNT, 0)]
    assert (compare("ge", COUNT, 49),) == canonical(most)
    assert (compare("eq", COUNT, 5),) == canonical([compare("ge", COUNT, 5), compare("lt", COUNT, 6)])


def test_a_condition_is_the_same_however_it_was_put_together() -> None:
    canonical = CanonicalConditions()
    one = canonical([apply("and", Sort.BOOL, OPEN, compare("gt", COUNT, 0)), compare("ne", N, 3)])
    other = canonical([compare("ne", N, 3), compare("ge", COUNT, 1), OPEN])
    assert one == other


def test_what_contradicts_itself_is_never() -> None:
    canonical = CanonicalConditions()
    assert canonical([compare("gt", COUNT, 5), compare("lt", COUNT, 5)]) == NEVER
    assert canonical([OPEN, negate(OPEN)]) == NEVER
    assert canonical([FALSE, OPEN]) == NEVER


def test_a_length_is_not_negative() -> None:
    canonical = CanonicalConditions()
    assert () == canonical([compare("ge", LENGTH, 0)])
    assert (compare("eq", LENGTH, 0),) == canonical([compare("le", LENGTH, 0)])
    assert canonical([compare("lt", LENGTH, 0)]) == NEVER


def test_what_is_added_is_seen() -> None:
    canonical = CanonicalConditions()
    assert const_int(3) is canonical.increment(plus(plus(COUNT, 1), 2), COUNT)
    assert N is canonical.increment(plus(COUNT, N), COUNT)
    assert canonical.increment(N, COUNT) is None
    assert canonical.increment(apply("mul", Sort.INT, const_int(2), COUNT), COUNT) is None


def test_substitution_simplifies_and_tells_what_it_lacks() -> None:
    values = {"self.count": const_int(1)}
    put_in = Substitution(lambda name, node: values.get(name))
    assert FALSE is put_in(compare("gt", COUNT, 1))
    assert set() == put_in.lost
    put_in(compare("gt", plus(COUNT, N), 1))
    assert {"n"} == put_in.lost


def test_satisfied_gives_values_or_a_proof(reasoner: Reasoner) -> None:
    both = reasoner.canonical([compare("gt", COUNT, N), compare("gt", N, 41)])
    answer = reasoner.satisfied(both)
    assert isinstance(answer, Sat)
    assert answer.model["self.count"] > answer.model["n"] > 41  # type: ignore[operator]
    circle = reasoner.canonical([compare("gt", COUNT, N), compare("gt", N, COUNT)])
    assert isinstance(reasoner.satisfied(circle), Unsat)


def test_implication_is_proved_or_denied(reasoner: Reasoner) -> None:
    more, some = (reasoner.canonical([compare("gt", COUNT, limit)]) for limit in (5, 0))
    assert reasoner.implies(more, some)
    assert not reasoner.implies(some, more)
    assert not reasoner.implies(some, reasoner.canonical([compare("gt", N, 0)])), "nothing is said of n"
    assert reasoner.implies(some, ())


def test_texts_are_compared_exactly(reasoner: Reasoner) -> None:
    state = var("self.state", Sort.STR)
    ready = compare("eq", state, const("ready"))
    answer = reasoner.satisfied(reasoner.canonical([ready]))
    assert isinstance(answer, Sat)
    assert "ready" == answer.model["self.state"]
