from __future__ import annotations

from runtime.expr import Node, Sort, apply, const, negate, var
from tracetwin.solving.smt.implication import Implication

x, y, some = (var(name, Sort.INT) for name in ("x", "y", "?0"))


def le(one: Node, other: Node) -> Node:
    return apply("le", Sort.BOOL, one, other)


def divides(one: Node, by: Node) -> Node:
    return apply("eq", Sort.BOOL, apply("mod", Sort.INT, one, by), const(0))


def exists(name: str) -> bool:
    return name.startswith("?")


def test_what_follows_is_proved():
    assert Implication().proves([divides(x, const(6))], [divides(x, const(3)), divides(x, const(2))])


def test_what_does_not_follow_is_not():
    assert not Implication().proves([divides(x, const(3))], [divides(x, const(6))])


def test_every_claim_must_follow():
    assert not Implication().proves([le(x, const(3))], [le(x, const(4)), le(x, const(2))])


def test_a_claim_that_guards_another_is_not_assumed():
    by_y = divides(x, y)
    nonzero = negate(apply("eq", Sort.BOOL, y, const(0)))
    facts = [apply("eq", Sort.BOOL, x, const(0))]
    assert not Implication().proves(facts, [nonzero, by_y])
    assert Implication().proves([*facts, le(const(1), y)], [nonzero, by_y])


def test_some_value_will_do():
    between = [le(x, some), le(some, y)]
    assert Implication().proves([le(x, y)], between, exists)
    assert not Implication().proves([], between, exists)
    assert not Implication().proves([le(x, y)], between)


def test_the_values_of_the_facts_are_tried_first():
    tripled = apply("eq", Sort.BOOL, apply("mul", Sort.INT, some, some), x)
    assert Implication().proves([tripled], [tripled, le(const(0), x)], exists)


def test_nothing_is_proved_of_floats_by_reals():
    f, g = var("f", Sort.FLOAT), var("g", Sort.FLOAT)
    total = apply("add", Sort.FLOAT, f, g)
    minus = apply("sub", Sort.FLOAT, total, g)
    assert not Implication().proves([], [apply("eq", Sort.BOOL, minus, f)])


def test_the_limit_ends_it():
    a, b, c = (var(name, Sort.INT) for name in "abc")

    def cube(node: Node) -> Node:
        return apply("mul", Sort.INT, node, apply("mul", Sort.INT, node, node))

    sums = apply("eq", Sort.BOOL, apply("add", Sort.INT, cube(a), cube(b)), cube(c))
    positive = [le(const(1), node) for node in (a, b, c)]
    assert not Implication(rlimit=2000).proves([*positive, sums], [le(c, const(0))])
